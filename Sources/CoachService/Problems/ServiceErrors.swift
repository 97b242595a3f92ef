internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

extension ServiceProblem {
  /// What an error of the libraries means to who asked. Paths, and what is wrong inside of the service, stay in the log.
  init(describing error: any Error) {
    switch error {
    case let problem as ServiceProblem: self = problem
    case let error as JSONError: self.init(error)
    case let error as ZoneError: self.init(.impossible, "\(error)")
    case let error as ProfileError: self.init(.impossible, "\(error)")
    case let error as ProfileStoreError:
      switch error {
      case .missing, .nobody: self = .notFound
      case .taken: self.init(.conflict, "there is a profile of that name")
      }
    case is SessionInUse: self.init(.conflict, "the session is in use: expected one that is over")
    case is SessionGone: self = .notFound
    case let error as RecordingError: self.init(.impossible, error.problem)
    case let error as LineError: self.init(.impossible, "\(error)")
    case is FileError, is DatabaseError, is DeletionObstacle:
      self = .unavailable("what is kept cannot be used now", retryAfterSeconds: 5)
    case let error as PostgresError where error.isTemporary: self = .unavailable("the database cannot be reached now")
    case is SharedSessionProblem: self = .unavailable("the session is being taken over")
    default: self.init(.internalError, "the request could not be answered")
    }
  }
}
