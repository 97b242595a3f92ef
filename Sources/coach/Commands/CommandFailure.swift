import WorkoutSession
import ZoneEngine

/// An error as a command tells it: one line, and how the program exits.
struct CommandFailure: Error {
  /// The line without the name of the program.
  let line: String
  /// How the program exits.
  let exitCode: ExitCode

  /// Creates a failure.
  init(_ line: String, _ exitCode: ExitCode) {
    self.line = line
    self.exitCode = exitCode
  }

  /// Makes a failure of any error that a command can throw.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as FileError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .inputOutput)
    case let error as DatabaseError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .inputOutput)
    case let error as SessionInUse: self.init("\(error)", .unavailable)
    case let error as StoreSettingsError:
      self.init("upload: \(error)", ExitCode(rawValue: error.exitCode) ?? .unusableData)
    case let error as RecordingError: self.init("\(error)", .unusableData)
    case let error as ScenarioError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .unusableData)
    case let error as LineError: self.init("\(error)", .unusableData)
    case let error as JSONError: self.init("\(error)", .unusableData)
    case let error as ZoneError: self.init("\(error)", .usage)
    default: self.init("internal error: \(error)", .internalError)
    }
  }
}
