import SessionStore
import WorkoutExports
import WorkoutHistory

/// `coach history export`: a session as a file for other programs.
enum HistoryExportCommand {
  /// Writes the session; what its format cannot keep is reported on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let name = parsed[Operands.exportedSession]
    guard !parsed[ExportOptions.allSessions] else {
      guard name == nil else {
        throw CommandFailure("history export: expected SESSION or --all, and one of them only", .usage)
      }
      return try HistoryExportAllCommand.run(parsed, console)
    }
    guard let name else {
      throw CommandFailure("history export: expected SESSION, or --all with --output", .usage)
    }
    guard parsed[ServeOptions.database] == nil else {
      throw CommandFailure("--database: expected --all beside it", .usage)
    }
    guard let format = parsed[ExportOptions.format] else {
      throw CommandFailure("export: expected --as \(ExportChoice.words)", .usage)
    }
    try ExportReport.checkSampling(parsed)
    return try await HistoryRequest.with(parsed) { history in
      let entry = try await HistoryRequest.session(name, in: history)
      let session = try SessionFolderRecording(
        path: SessionFolder.path(of: entry.sessionID, in: history.dataFolder))
      let output = try ExportOutput(
        parsed, console, format: format.rawValue, isBinary: format.isBinary,
        nameInFolder: format.fileName(of: session.manifest, person: entry.person))
      let privacy = ExportReport.privacy(parsed)
      do {
        guard let workoutFormat = format.workoutFormat else {
          return try ExportReport.write(
            WorkoutDocument(session, calling: entry.person, privacy: privacy), privacy, to: output, console)
        }
        let workout = try ExportReport.sampled(ExportedWorkout(session), parsed)
        return try ExportReport.write(workout, as: workoutFormat, privacy, to: output, console)
      } catch let error as ExportError {
        throw CommandFailure("\(entry.sessionID): \(error)", .unusableData)
      }
    }
  }
}
