import WorkoutSession

/// How a recording is written.
enum ExportOptions {
  static let format = Option.choice(
    "as", "fit|tcx|gpx|csv", of: ExportFormat.self, in: .output, help: "The format to write; needed")

  static let output = Option.file(
    "output", "FILE", in: .output,
    help: "The file to write, or the folder where a verb makes one, instead of the standard output")

  static let force = Option.flag("force", in: .output, help: "Replace a file that is there already")

  static let start = Option(
    "start", "TIME", kind: .text, in: .input,
    help: "When it began, such as 2026-11-20T07:00:00Z, for a recording that does not tell",
    reader: { (text: String) throws(ValueProblem) in try readTime(text) })

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [format, output, force, start, SessionOptions.part]
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
