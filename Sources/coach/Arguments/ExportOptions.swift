import TextFormats
import WorkoutExports

/// How a recording is written.
enum ExportOptions {
  static let format = Option.choice(
    "as", ExportChoice.words, of: ExportChoice.self, in: .output, help: "The format to write; needed")

  /// What a plan is written as: a workout of a watch, or a plan file.
  static let formatOfPlan = Option(
    "as", "fit|json", kind: .choice(formatsOfPlan.map(\.rawValue)), in: .output, help: "The format to write; needed",
    reader: { (text: String) throws(ValueProblem) in
      guard let choice = ExportChoice(rawValue: text), formatsOfPlan.contains(choice) else {
        throw ValueProblem(text, among: formatsOfPlan.map(\.rawValue))
      }
      return choice
    })
  private static let formatsOfPlan = [ExportChoice.fit, .json]

  private static let formatOfSession = Option.choice(
    "as", ExportChoice.words, of: ExportChoice.self, in: .output, help: "The format to write; needed without --all")

  static let privacyRadius = Option.number(
    "privacy-radius", "M", 0.001...1_000_000, in: .output,
    help: "Leave out every position within M metres of where it began and ended")

  static let output = Option.file(
    "output", "FILE", in: .output,
    help: "The file to write, or the folder where a verb makes one, instead of the standard output")

  static let allSessions = Option.flag(
    "all", in: .input, help: "The folders of all sessions that are over, byte by byte, instead of one as a file")

  static let force = Option.flag("force", in: .output, help: "Replace a file that is there already")

  static let rowRate = Option.number(
    "rows-per-second", "HZ", RowSampling.rates, in: .output,
    help:
      "Rows at an even rate, motion interpolated, instead of one where something was measured (sensogather-csv, motion record)"
  )

  static let fill = Option.flag(
    "fill", in: .output,
    help:
      "Repeat what was measured last instead of leaving N/A (sensogather-csv) or out (motion record, where nothing came for 0.5 s)"
  )

  static let start = Option(
    "start", "TIME", kind: .text, in: .input,
    help: "When it began, such as 2026-11-20T07:00:00Z, for a recording that does not state it",
    reader: { (text: String) throws(ValueProblem) in try readTime(text) })

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [
    format, output, force, privacyRadius, rowRate, fill, start, SessionOptions.part,
  ]

  /// Those of a session of the history.
  static let ofSession: [any DeclaredOption] = [
    formatOfSession, output, force, privacyRadius, rowRate, fill, allSessions, ServeOptions.database,
    OutputOptions.dataFolder,
  ]
}

/// Reads a date with a time of day; what has no zone is taken for UTC.
///
/// - Throws: `ValueProblem` when the text is none.
private func readTime(_ text: String) throws(ValueProblem) -> WallClockTime {
  guard let time = WallClockTimeText(iso8601: text)?.time else {
    throw ValueProblem(expected: "a date and a time such as 2026-11-20T07:00:00Z")
  }
  return time
}
