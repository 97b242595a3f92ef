import StrategyStudy
import WorkoutSession

/// How the verbs of studies tell what was found.
enum StudyOutput {
  /// Writes the table of the runners, when it is asked for, then the results; the exit code.
  ///
  /// - Throws: `FileError` or `CommandFailure` when something cannot be written.
  static func write(
    _ outcomes: StudyOutcomes, traces: Int, _ parsed: ParsedArguments, to output: ExportOutput
  ) throws -> Int32 {
    try writeTable(outcomes, parsed)
    let results = StudyAnalysis.results(of: outcomes)
    return try output.write { sink in
      try sink(bytes(of: results, traces: traces, parsed).span)
    }.1
  }

  /// Writes the table of the runners, when it is asked for.
  ///
  /// - Throws: `FileError` or `CommandFailure` when it cannot be written.
  static func writeTable(_ outcomes: StudyOutcomes, _ parsed: ParsedArguments) throws {
    guard let path = parsed[StudyOptions.csv] else { return }
    let replaces = parsed[ExportOptions.force]
    try OutputFile.check(path, isReplaced: replaces)
    let file = try PendingFile(path)
    try OutcomeTable.write(outcomes) { try file.write($0) }
    try file.commit(replacing: replaces)
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
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      let lines = results.map { StudyView($0, width: facts.width).lines }.joinedBlocks
      return Array(
        lines.map { $0.rendered(usingColor: facts.usesColor, in: facts.glyphs) + "\n" }.joined().utf8)
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
