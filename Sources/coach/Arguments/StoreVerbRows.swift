import CoachService

/// What `store copy` is given.
enum StoreOptions {
  static let into = Option.choice(
    "into", "database|folder", of: StoreCopy.Target.self, in: .input, help: "Where everything goes; needed")
  static let without = Option.choiceList(
    "without", "unfinished,deleted,uploads,foreign", of: StoreCopy.Omission.self, in: .input,
    help: "What may be left out; without it each of these is refused by its name, and nothing is copied")
}

extension Verb {
  static let storeCopy = Verb(
    .storeCopy, in: .service,
    summary: "Copy a data folder into a database that instances share, or back, without loss",
    example: "coach store copy --database postgresql://coach@db/club --into database",
    options: [
      StoreOptions.into, StoreOptions.without, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])
}
