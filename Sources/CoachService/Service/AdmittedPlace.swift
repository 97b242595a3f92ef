internal import Synchronization

/// Where a request leads, and who asks: one for all requests of a connection that say the same.
final class AdmittedPlace: Sendable {
  let route: Route
  let values: PathValues
  let caller: Caller?
  /// What was found of the token by a request before; absent where it was looked up for this one.
  let finding: AccessMemory.Finding?
  /// The session of the path, once it was looked for.
  private let known = Mutex<HostedSession?>(nil)

  init(_ route: Route, _ values: PathValues, _ caller: Caller?, _ finding: AccessMemory.Finding? = nil) {
    self.route = route
    self.values = values
    self.caller = caller
    self.finding = finding
  }

  /// The session of the path, where it is in memory and theirs to see; `nil` for another one.
  func session(in sessions: ServiceSessions) -> HostedSession? {
    if let session = remembered { return session }
    guard let caller, let id = values["id"], let session = sessions.session(id, for: caller) else { return nil }
    known.withLock { $0 = session }
    return session
  }

  /// Whether the path names a session that is live in memory, whosever it is.
  func isOfLiveSession(in sessions: ServiceSessions) -> Bool {
    guard let session = remembered ?? values["id"].flatMap(sessions.known) else { return false }
    return session.endedAt == nil
  }

  /// The session that a request before found, while it is in memory.
  private var remembered: HostedSession? { known.withLock { $0 }.flatMap { $0.isHosted ? $0 : nil } }
}
