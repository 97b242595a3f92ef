import CoachService

/// What `store copy` is given.
enum StoreOptions {
  static let into = Option.choice(
    "into", "database|folder", of: StoreCopy.Target.self, in: .input, help: "Where everything goes; needed")
  static let without = Option.choiceList(
    "without", "unfinished,deleted,uploads,foreign", of: StoreCopy.Omission.self, in: .input,
    help: "What may be left out; without it each of these is refused by its name, and nothing is copied")
}

extension Operands {
  /// A month, as six digits.
  static let month = Operand.one("YYYYMM", .text)
}

extension Verb {
  static let storeAudit = Verb(
    .storeAudit, in: .service,
    summary: "Print the audit: who was let in, and what was made, exported and deleted, as records",
    example: "coach store audit --database postgresql://coach@db/club",
    options: [ServeOptions.database, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable])

  static let storeMonths = Verb(
    .storeMonths, in: .service,
    summary: "List the months of a database that instances share: the sessions and the bytes of each",
    example: "coach store months --database postgresql://coach@db/club",
    options: [ServeOptions.database, OutputOptions.format],
    exitCodes: [.unusableData, .unavailable])

  static let storeDropMonth = Verb(
    .storeDropMonth, in: .service,
    summary: "Delete the sessions that began in a month from a database that instances share, for good",
    example: "coach store drop-month 202411 --database postgresql://coach@db/club --yes",
    operand: Operands.month.declaration,
    options: [HistoryOptions.yes, ServeOptions.database],
    exitCodes: [.unusableData, .noInput, .unavailable])

  static let storeCopy = Verb(
    .storeCopy, in: .service,
    summary: "Copy a data folder into a database that instances share, or back, without loss",
    example: "coach store copy --database postgresql://coach@db/club --into database",
    options: [
      StoreOptions.into, StoreOptions.without, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])
}
