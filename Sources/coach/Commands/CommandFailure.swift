import ActivityRecognition
import CoachService
import FleetStore
import LiveCoaching
import OutsidePolicies
import SessionStore
import SessionUpload
import StrategyStudy
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// An error as a command reports it: one line, and how the program exits.
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
    case let error as RemoteFailure: self.init("the service: \(error)", .unavailable)
    case let error as PostgresError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .unavailable)
    case let error as ServiceFolderLock.Held: self.init("\(error)", .unavailable)
    case let error as CacheFolderMark.Refused: self.init("\(error)", .cannotCreate)
    case let error as ServiceStoreError: self.init("\(error)", .unusableData)
    case let error as SessionInUse: self.init("\(error)", .unavailable)
    case let error as SessionGone: self.init("\(error)", .noInput)
    case let error as DeletionObstacle: self.init("\(error)", .cannotCreate)
    case let error as StoreSettingsError:
      self.init("upload: \(error)", ExitCode(rawValue: error.exitCode) ?? .unusableData)
    case let error as ProfileError: self.init(error.line, error.isAboutAge ? .unusableData : .usage)
    case let error as ProfileStoreError:
      switch error {
      case .missing, .nobody: self.init("\(error)", .noInput)
      case .taken: self.init("\(error)", .cannotCreate)
      }
    case let error as RandomizationError:
      switch error {
      case .noPerson, .course, .arm: self.init("--randomize: \(error)", .usage)
      case .studyChanged: self.init("--randomize: \(error)", .unusableData)
      }
    case let error as StudyMerge.Problem: self.init("\(error)", .checkFailed)
    case let error as TooMuchMotion: self.init("\(error)", .unusableData)
    case let error as RecordingError: self.init("\(error)", .unusableData)
    case let error as ScenarioError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .unusableData)
    case let error as LineError: self.init("\(error)", .unusableData)
    case let error as JSONError: self.init("\(error)", .unusableData)
    case let error as PolicyError: self.init("\(error)", ExitCode(rawValue: error.exitCode) ?? .unavailable)
    case let error as ZoneError: self.init("\(error)", .usage)
    default: self.init("internal error: \(error)", .internalError)
    }
  }
}

extension ProfileError {
  /// The error with the options that were needed.
  fileprivate var line: String {
    switch self {
    case .noBirthDateOrMaximum: "\(self) (--birth-date, or --max-heart-rate)"
    case .noBirthDateForStudy, .onlyAge: "\(self) (--birth-date)"
    case .birthDate, .date, .value, .order, .tooYoung: "\(self)"
    }
  }

  /// Whether everything was said that had to be, and the person is too young.
  fileprivate var isAboutAge: Bool {
    if case .tooYoung = self { return true }
    return false
  }
}
