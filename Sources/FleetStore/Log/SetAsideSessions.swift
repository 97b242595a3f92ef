internal import SessionStore
internal import Synchronization

/// Sessions whose logs have something else than what an instance has in memory of them: it lets go of each, and goes on from its log.
final class SetAsideSessions: Sendable {
  private struct State {
    var holds: Set<SharedHold> = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How many there were since the instance started.
  var count: Int { state.withLock { $0.count } }

  /// Whether what is in memory under a hold is of no use.
  func contains(_ hold: SharedHold) -> Bool { state.withLock { $0.holds.contains(hold) } }

  /// Sets sessions aside.
  ///
  /// - Returns: those that were not yet, in the order of their identities.
  func add(_ holds: Set<SharedHold>) -> [SharedHold] {
    guard !holds.isEmpty else { return [] }
    return state.withLock { state in
      let new = holds.subtracting(state.holds)
      state.holds.formUnion(new)
      state.count += new.count
      return new.sorted { $0.sessionID < $1.sessionID }
    }
  }

  /// Goes on with a session from its log.
  func remove(_ hold: SharedHold) { state.withLock { _ = $0.holds.remove(hold) } }
}
