import Recordings
import SessionStore
import WorkoutExports

/// `coach export`: a recording in another format.
struct ExportCommand {
  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Writes the recording or session folder; what its format cannot keep is reported on standard error.
  func run() throws -> Int32 {
    guard let format = parsed[ExportOptions.format] else {
      throw CommandFailure("export: expected --as \(ExportChoice.words)", .usage)
    }
    try ExportReport.checkSampling(parsed)
    let output = try ExportOutput(parsed, console, format: format.rawValue, isBinary: format.isBinary)
    let path = parsed[Operands.recording]
    let privacy = ExportReport.privacy(parsed)
    do {
      guard SessionFolder.isSession(path) else { return try exportRecording(path, format, privacy, to: output) }
      guard parsed[SessionOptions.part] == nil, parsed[ExportOptions.start] == nil else {
        throw CommandFailure("--part and --start: \(path) is one session and states when it began", .usage)
      }
      let session = try SessionFolderRecording(path: path)
      guard let format = format.workoutFormat else {
        return try ExportReport.write(WorkoutDocument(session, privacy: privacy), privacy, to: output, console)
      }
      let workout = try ExportReport.sampled(ExportedWorkout(session), parsed)
      return try ExportReport.write(workout, as: format, privacy, to: output, console)
    } catch let error as ExportError {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }

  private func exportRecording(
    _ path: String, _ format: ExportChoice, _ privacy: PrivacyRadius?, to output: ExportOutput
  ) throws -> Int32 {
    let recording = try RecordingChoice.open(path, part: parsed[SessionOptions.part])
    let start = parsed[ExportOptions.start]
    guard recording.facts.start == nil || start == nil else {
      throw CommandFailure("--start: \(path) states when it began", .usage)
    }
    let warnings = recording.facts.warnings.map { "\(path): \($0.sentence)" }
    guard let format = format.workoutFormat else {
      let document = WorkoutDocument(recording, start: start, privacy: privacy)
      return try ExportReport.write(document, privacy, warnings: warnings, to: output, console)
    }
    let workout = try ExportReport.sampled(ExportedWorkout(recording, start: start), parsed)
    return try ExportReport.write(workout, as: format, privacy, warnings: warnings, to: output, console)
  }
}

extension ExportLosses.Loss {
  /// The loss as the rest of a sentence that begins with the format: what, how often.
  var sentence: String {
    let what =
      switch kind {
      case .activitiesJoined: "holds one activity: \(count) joined"
      case .activitiesWithoutPosition: "holds positions only: \(counted("activity", "activities")) left out"
      case .sports: "has no place for the sport"
      case .sportsRenamed: "has another name for the sport"
      case .sportsTakenForRunning: "has steps only with a sport, which is not stated: running written"
      case .labels: "has no place for labels: \(counted("change")) left out"
      case .device: "has no place for the device"
      case .simulatedMark: "has no place for the mark that no person was measured: say so where you pass it on"
      case .deviceCut: "holds 254 bytes of the device's name: the rest left out"
      case .statedDistances: "has no place for a distance beside those of the points: \(count) left out"
      case .statedSteps: "has no place for steps beside those of the points: \(count) left out"
      case .pauses: "has no place for \(counted("pause")): left out"
      case .pausesMoved: "marks pauses by its points: \(count) moved to the nearest"
      case .timesCut: "holds whole seconds: \(counted("time")) cut"
      case .samplesMerged: "holds whole seconds: \(counted("sample")) merged"
      case .samplesMoved: "holds positions only: \(counted("sample")) written with that of the same second"
      case .samplesInPauses: "has no place for what was measured in a pause: \(counted("sample")) left out"
      case .heartRatesWithoutPosition: "holds positions only: \(counted("heart rate")) without one left out"
      case .samplesWithoutPosition: "holds positions only: \(counted("other sample")) without one left out"
      case .heartRatesOutOfRange: "has no number for \(counted("heart rate")): left out"
      case .heartRatesRounded: "holds whole beats: \(counted("heart rate")) rounded"
      case .steps: "has no place for steps: \(counted("sample")) left out"
      case .cadences: "has no place for cadence: \(counted("sample")) left out"
      case .distances: "has no place for distances: \(counted("sample")) left out"
      case .speedsWithoutPosition: "holds a speed with a position only: \(counted("sample")) left out"
      case .oddSteps: "counts strides of two steps: \(counted("odd count")) rounded down"
      case .cadencesOffFoot: "has no steps for this sport: \(counted("sample")) of cadence and steps left out"
      case .cadencesRounded: "holds cadences as strides of one leg: \(count) rounded"
      case .accuracies: "has no place for the accuracy of positions: \(count) left out"
      case .invalidPositions: "cannot say that a position is invalid: \(count) left out"
      case .rrIntervals: "has no place for RR intervals: \(counted("interval")) left out"
      case .motions: "has no place for motion: \(counted("reading")) left out"
      case .valuesRounded: "holds values in steps: \(count) rounded"
      case .valuesOutOfRange: "has no number for \(counted("value")): left out"
      case .motionsResampled: "has rows at an even rate: \(counted("motion reading")) interpolated"
      case .valuesFilled: "is filled: \(counted("value")) repeated from rows before, in which they were measured"
      }
    return detail.map { "\(what): \($0)" } ?? what
  }

  private func counted(_ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}
