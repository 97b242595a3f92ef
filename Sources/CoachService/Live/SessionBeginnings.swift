internal import Synchronization

/// The sessions that are being begun. Their identities are in the store already, so that a request which is sent again meanwhile
/// finds them: it waits until there is a session to send to.
final class SessionBeginnings: Sendable {
  private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

  /// Notes that a session is being begun, before anybody can know its identity.
  func begin(_ id: String) { waiting.withLock { $0[id] = [] } }

  /// Notes that it is there, or that it could not be begun.
  func end(_ id: String) {
    let all = waiting.withLock { $0.removeValue(forKey: id) }
    for continuation in all ?? [] { continuation.resume() }
  }

  /// Waits until a session is not being begun any more.
  func wait(for id: String) async {
    await withCheckedContinuation { continuation in
      let isBeginning = waiting.withLock { waiting in
        guard waiting[id] != nil else { return false }
        waiting[id]?.append(continuation)
        return true
      }
      if !isBeginning { continuation.resume() }
    }
  }
}
