import ReportPages
import StrategyStudy
import TextFormats

/// How the verbs of studies print what was found.
enum StudyOutput {
  /// Whether the output is a page: a file whose name ends in `.html`.
  ///
  /// - Throws: `CommandFailure` when the format of records is asked for as well.
  static func isPage(_ parsed: ParsedArguments) throws -> Bool {
    guard let path = parsed[ExportOptions.output]?.lowercased(), path.hasSuffix(".html") else { return false }
    guard !parsed.isGiven(OutputOptions.format) else {
      throw CommandFailure("--format: an --output that ends in .html is a page: expected one of both", .usage)
    }
    return true
  }

  /// Looks whether there is room for the sessions that are to be shown.
  ///
  /// - Throws: `CommandFailure` where there are too many of them.
  static func checkTraces(of study: Study, _ parsed: ParsedArguments) throws(CommandFailure) {
    guard let runners = parsed[StudyOptions.traces] else { return }
    let seconds = NamedTrace.seconds(ofFirst: runners, of: study)
    guard seconds <= NamedTrace.largestSeconds else {
      throw CommandFailure(
        "--traces: \(seconds) s of sessions: expected at most \(NamedTrace.largestSeconds) s, by fewer runners or shorter sessions",
        .usage)
    }
  }

  /// Writes the table of the runners, when it is asked for, then the results, unless a table has the standard output in their
  /// place; the exit code. They come with the sessions of so many runners; without a number a page has those of one.
  ///
  /// - Throws: `FileError` or `CommandFailure` when something cannot be written.
  static func write(
    _ outcomes: some StudyOutcomeSource, _ parsed: ParsedArguments, tables: StudyTables, to output: ExportOutput,
    _ console: Console
  ) throws -> Int32 {
    let isPage = try isPage(parsed)
    try checkTraces(of: outcomes.study, parsed)
    try tables.write(outcomes, to: console)
    if tables.haveStandardOutput, output.isStandardOutput { return 0 }
    let results = try StudyAnalysis.results(of: outcomes)
    if !isPage, parsed[OutputOptions.format] == .text, output.isStandardOutput {
      // Not by way of the output, which shows a file's control characters on a terminal, colours among them.
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      try console.print(lines(of: results, facts), facts)
      return 0
    }
    let traces = parsed[StudyOptions.traces]
    let bytes =
      isPage
      ? StudyPage(results, exampleRunners: traces ?? 1).bytes : bytes(of: results, traces: traces ?? 0, parsed)
    return try output.write { sink in try sink(bytes.span) }.1
  }

  private static func lines(of results: [StudyResult], _ facts: TerminalFacts) -> [StyledText] {
    results.map { StudyView($0, width: facts.width).lines }.joinedBlocks
  }

  private static func bytes(of results: [StudyResult], traces: Int, _ parsed: ParsedArguments) -> [UInt8] {
    var writer = JSONWriter()
    func record(_ result: StudyResult) {
      let examples =
        traces == 0
        ? [] : NamedTrace.first(traces, of: result.study, course: result.course, behaviour: result.behaviour)
      StudyRecords.write(result, traces: examples, to: &writer)
    }
    switch parsed[OutputOptions.format] {
    case .text:
      // That the standard output is a terminal gives no colours to a file.
      let color = parsed[OutputOptions.color]
      let facts = TerminalFacts(descriptor: 1, color: color == .auto ? .never : color)
      return lines(of: results, facts).flatMap {
        Array(($0.rendered(usingColor: facts.usesColor, in: facts.glyphs) + "\n").utf8)
      }
    case .jsonl:
      for result in results {
        record(result)
        writer.endLine()
      }
    case .json where results.count == 1:
      record(results[0])
      writer.endLine()
    case .json:
      writer.beginObject()
      writer.member("version", StudyRecords.version)
      writer.member("type", "studies")
      writer.key("studies")
      writer.beginArray()
      for result in results { record(result) }
      writer.endArray()
      writer.endObject()
      writer.endLine()
    }
    return writer.bytes
  }
}
