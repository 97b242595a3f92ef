import StrategyStudy
import TextFormats

/// `coach study merge`: the parts of a study put together again.
enum StudyMergeCommand {
  /// Prints what the whole study would have printed. A part that cannot be read is unusable data; parts that do not make
  /// a study are a check that failed.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let output = try ExportOutput(parsed, console, format: "study", isBinary: false)
    let tables = try StudyTables(parsed, beside: output)
    _ = try StudyOutput.isPage(parsed)
    var merge = StudyMerge()
    for path in parsed[Operands.parts] {
      try merge.add(StudyMerge.NamedPart(name: path, part: part(path)))
    }
    return try StudyOutput.write(merge.outcomes(), parsed, tables: tables, to: output, console)
  }

  private static func part(_ path: String) throws -> StudyPart {
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: StudyPart.largestFile)
    do throws(JSONError) {
      return try StudyPart(json: bytes.span)
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }
}
