import StrategyStudy
import TextFormats
import WorkoutSession

/// The tables that a study is asked for beside its results: of its sessions and of the decision points of its trial.
struct StudyTables {
  private let sessions: TableOutput?
  private let points: TableOutput?

  /// Whether one of them has the standard output.
  var haveStandardOutput: Bool { sessions?.isStandardOutput == true || points?.isStandardOutput == true }

  /// Looks whether they can be written; `output` is where the results go.
  ///
  /// - Throws: `CommandFailure` or `FileError` when one of them cannot, or when two things are asked for on the standard output.
  init(_ parsed: ParsedArguments, beside output: ExportOutput) throws {
    let resultsHaveFile = !output.isStandardOutput
    sessions = try TableOutput(StudyOptions.csv, parsed, resultsHaveFile: resultsHaveFile)
    points =
      parsed.declares(TrialOptions.points)
      ? try TableOutput(TrialOptions.points, parsed, resultsHaveFile: resultsHaveFile) : nil
    guard haveStandardOutput else { return }
    guard sessions?.isStandardOutput != points?.isStandardOutput else {
      throw CommandFailure("--csv - and --points -: both go to the standard output: expected one of both", .usage)
    }
    guard resultsHaveFile || parsed[ExportOptions.output] == nil else {
      throw CommandFailure("--output -: a table goes to the standard output: expected one of both", .usage)
    }
  }

  /// Writes the table of the sessions, when it is asked for.
  ///
  /// - Throws: what reading the outcomes throws, `FileError` when it cannot be written.
  func write(_ outcomes: some StudyOutcomeSource, to console: Console) throws {
    try sessions?.write(to: console) { sink in try OutcomeTable.write(outcomes) { try sink($0) } }
  }

  /// Writes the table of the decision points, when it is asked for.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func writePoints(of trial: StudyTrial, to console: Console) throws {
    try points?.write(to: console) { sink in
      try sink(TrialTable.csv(trial.rows, outcomeSeconds: trial.trial.outcomeSeconds).span)
    }
  }
}
