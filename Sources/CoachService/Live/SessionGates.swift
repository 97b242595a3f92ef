internal import Synchronization

/// Sessions for which something is under way that others wait for: each waits for those that it is about, and for no others.
final class SessionGates: Sendable {
  private let gates = Mutex(Gates<String, Waiter>())

  /// Notes that it begins, before anybody can ask.
  func begin(_ id: String) { gates.withLock { $0.close(id) } }

  /// Notes that it is done, or that it could not be.
  func end(_ id: String) { gates.withLock { $0.open(id) }.letGo() }

  /// Waits until nothing is under way for any session, or a span is over, in nanoseconds.
  func waitForAll(atMost span: Int64) async {
    await waitUntil(atMost: span) { gates.withLock { !$0.hasClosed } }
  }

  /// Waits until nothing is under way for a session any more.
  func wait(for id: String) async {
    await Waiter.wait { waiter in gates.withLock { $0.ask(waiter, at: id) } }
  }
}
