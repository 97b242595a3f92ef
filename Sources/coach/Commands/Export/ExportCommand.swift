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
      guard try SessionFolder.hasSession(path) else { return try exportRecording(path, format, privacy, to: output) }
      guard parsed[SessionOptions.part] == nil, parsed[ExportOptions.start] == nil else {
        throw CommandFailure("--part and --start: \(path) is one session and states when it began", .usage)
      }
      let session = try SessionFolderRecording(path: path)
      guard let format = format.workoutFormat else {
        return try ExportReport.write(
          WorkoutDocument(session, calling: nil, privacy: privacy), privacy, to: output, console)
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
    guard recording.facts.sampleCount > 0 else {
      throw CommandFailure("\(path): " + RecordingChoice.emptyWorkouts(recording), .unusableData)
    }
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
