import StrategyStudy
import TextFormats

/// `coach study merge`: the parts of a study put together again.
enum StudyMergeCommand {
  /// Prints what the whole study would have printed. A part that cannot be read is unusable data; parts that do not make
  /// a study are a check that failed.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let output = try ExportOutput(parsed, console, format: "study", isBinary: false)
    _ = try StudyOutput.isPage(parsed)
    var parts: [StudyMerge.NamedPart] = []
    for path in parsed[Operands.parts] {
      let bytes = try POSIXFile(reading: path).readAll(maximumBytes: StudyPart.largestFile)
      do throws(JSONError) {
        parts.append(StudyMerge.NamedPart(name: path, part: try StudyPart(json: bytes.span)))
      } catch {
        throw CommandFailure("\(path): \(error)", .unusableData)
      }
    }
    let outcomes: StudyOutcomes
    do throws(StudyMerge.Problem) {
      outcomes = try StudyMerge.merge(parts)
    } catch {
      throw CommandFailure("\(error)", .checkFailed)
    }
    return try StudyOutput.write(outcomes, parsed, to: output)
  }
}
