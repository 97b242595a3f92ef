import TextFormats
import WorkoutExports

/// Writes a workout and reports on standard error what was left out of it.
enum ExportReport {
  /// The radius that is asked for.
  static func privacy(_ parsed: ParsedArguments) -> PrivacyRadius? {
    parsed[ExportOptions.privacyRadius].flatMap { PrivacyRadius(meters: $0) }
  }

  /// Looks whether even or filled rows are asked for of the format that can have them.
  ///
  /// - Throws: `CommandFailure` for another format.
  static func checkSampling(_ parsed: ParsedArguments) throws {
    guard parsed[ExportOptions.rowRate] != nil || parsed[ExportOptions.fill],
      parsed[ExportOptions.format]?.workoutFormat != .sensoGatherCSV
    else { return }
    throw CommandFailure("--rows-per-second and --fill: expected --as sensogather-csv", .usage)
  }

  /// The workout with the rows that are asked for.
  static func sampled(_ workout: ExportedWorkout, _ parsed: ParsedArguments) -> ExportedWorkout {
    var workout = workout
    workout.sampling = RowSampling(rateHz: parsed[ExportOptions.rowRate], isFilled: parsed[ExportOptions.fill])
    return workout
  }

  /// Writes it, without what lies around its ends where a radius is given; `warnings` are reported before the losses.
  ///
  /// - Throws: `ExportError` when the format cannot hold it; what writing throws.
  static func write(
    _ workout: ExportedWorkout, as format: ExportFormat, _ privacy: PrivacyRadius?, warnings: [String] = [],
    to output: ExportOutput, _ console: Console
  ) throws -> Int32 {
    let (remaining, hidden) = try privacy.map { try workout.hidingEnds(within: $0) } ?? (workout, 0)
    let (losses, status) = try output.write { try format.write(remaining, to: $0) }
    for warning in warnings { console.complain(warning) }
    report(hidden: hidden, privacy, console)
    for loss in losses.all { console.complain("export: \(format.rawValue) \(loss.sentence)") }
    return status
  }

  /// Writes everything as one document.
  ///
  /// - Throws: what reading or writing throws.
  static func write(
    _ document: WorkoutDocument, _ privacy: PrivacyRadius?, warnings: [String] = [], to output: ExportOutput,
    _ console: Console
  ) throws -> Int32 {
    let (hidden, status) = try output.write { try document.write(to: $0) }
    for warning in warnings { console.complain(warning) }
    report(hidden: hidden, privacy, console)
    return status
  }

  /// Says how many positions were hidden, also when there were none: somebody relies on it.
  private static func report(hidden: Int, _ privacy: PrivacyRadius?, _ console: Console) {
    guard let privacy else { return }
    console.complain("export: " + privacy.sentence(hiding: hidden))
  }
}
