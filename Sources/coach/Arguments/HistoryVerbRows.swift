import WorkoutSession

/// Which sessions the history verbs are about.
enum HistoryOptions {
  static let days = Option.integer("days", "N", 1...36_500, in: .session, help: "Only the last N days, today included")
  static let from = Option.text("from", "DATE", in: .session, help: "Only from this day on, such as 2026-11-20")
  static let to = Option.text("to", "DATE", in: .session, help: "Only up to this day, itself included")
  static let person = Option.text("person", "NAME", in: .session, help: "Only the sessions of this profile")

  static let importedDays = Option.flag(
    "all-days", in: .input, help: "Of an export of Apple Health, the days outside of its workouts too")

  /// Those that choose among sessions, in the order of the help.
  static let filter: [any DeclaredOption] = [days, from, to, person]
}

extension Operands {
  /// A session: its name, or the beginning of it, or `latest`.
  static let session = Operand.one("SESSION", .text)
}

extension Verb {
  static let importing = Verb(
    .importing, in: .history,
    summary: "Take recordings of devices into the history, each workout once",
    example: "coach import *.fit --profile anna",
    operand: Operands.recordings.declaration,
    options: ZoneOptions.all + GuidanceOptions.all + [
      SessionOptions.part, HistoryOptions.importedDays, SessionOptions.activity, ExportOptions.start,
    ]
      + [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let historyList = Verb(
    .historyList, name: "history list", in: .history,
    summary: "List the sessions that are kept, the newest first",
    example: "coach history list --days 30 --format jsonl",
    options: HistoryOptions.filter + OutputOptions.all,
    exitCodes: [.unusableData, .unavailable, .cannotCreate])

  static let historyShow = Verb(
    .historyShow, name: "history show", in: .history,
    summary: "Show a session: totals, time in each zone, compliance, course",
    example: "coach history show latest --format json",
    operand: Operands.session.declaration,
    options: OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])
}
