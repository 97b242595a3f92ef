internal import Synchronization

/// The sessions that are being begun. Their identities are in the store already, so that a request which is sent again meanwhile
/// finds them: it waits until there is a session to send to.
final class SessionBeginnings: Sendable {
  private let gates = Mutex(Gates<String, Waiter>())

  /// Notes that a session is being begun, before anybody can know its identity.
  func begin(_ id: String) { gates.withLock { $0.close(id) } }

  /// Notes that it is there, or that it could not be begun.
  func end(_ id: String) { gates.withLock { $0.open(id) }.letGo() }

  /// Waits until a session is not being begun any more.
  func wait(for id: String) async {
    await Waiter.wait { waiter in gates.withLock { $0.ask(waiter, at: id) } }
  }
}
