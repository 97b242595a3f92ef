import StrategyStudy
import TextFormats
import WorkoutHistory
import WorkoutSession

/// Makes what draws strategies from the options of a command line.
enum RandomizationRequest {
  /// Seeds of the system stay below it, so that R, Python and JavaScript read them exactly.
  private static let seeds = 0..<(1 << 53)

  /// What draws the strategies; `nil` when they are chosen.
  ///
  /// - Throws: `CommandFailure` when options contradict each other or the study cannot be drawn from, `FileError` when its
  ///   file cannot be read.
  static func randomizer(_ parsed: ParsedArguments) throws -> SessionRandomizer? {
    let seed = parsed[RandomizationOptions.seed]
    guard let path = parsed[RandomizationOptions.study] else {
      guard seed == nil else {
        let runner = parsed.declares(LiveSourceOptions.source) ? ", or --source simulated:SEED for another runner" : ""
        throw CommandFailure("--seed: nothing is drawn: expected --randomize too\(runner)", .usage)
      }
      return nil
    }
    guard parsed[GuidanceOptions.strategy] == nil else {
      throw CommandFailure("--strategy and --randomize: expected one of them", .usage)
    }
    guard parsed[GuidanceOptions.coach] == nil else {
      throw CommandFailure("--coach and --randomize: expected one of them", .usage)
    }
    guard parsed[ZoneOptions.profile] != nil else { throw RandomizationError.noPerson }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: Study.largestFile)
    let courses: [SessionRandomizer.Course]
    do {
      courses = try Study(json: TextMark.blanked(in: bytes).span).randomizedCourses(hash: SHA256.hex(of: bytes.span))
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
    return SessionRandomizer(courses) { seed ?? Int.random(in: seeds) }
  }
}
