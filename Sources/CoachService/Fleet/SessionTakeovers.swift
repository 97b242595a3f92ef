internal import Synchronization

/// Sessions that are being taken over: each once, however many ask for it meanwhile, and a few at a time.
///
/// Each goes through all its stages before others begin, in the order in which they were asked for: so of many that lose their holder at
/// once the first are answered soon, and few logs are in memory.
final class SessionTakeovers: Sendable {
  /// How many are at it at once: while the log of one is read, another one is written and replayed.
  static let usualWidth = 4

  private struct State {
    var pending: [String: Task<Void, any Error>] = [:]
    var turns: TurnQueue<Waiter>
  }

  private let state: Mutex<State>

  /// Nobody is at it yet.
  ///
  /// - Parameter width: how many may be at once, one at least.
  init(width: Int = usualWidth) { state = Mutex(State(turns: TurnQueue(width: width))) }

  /// Whether somebody is at a session, or will be.
  func isPending(_ id: String) -> Bool { state.withLock { $0.pending[id] != nil } }

  /// Takes a session over, or waits until whoever is at it has done so.
  ///
  /// - Parameter isShared: whether what they do is what is wanted; else it is done after that, whatever came of it.
  /// - Throws: what `body` throws.
  func take(
    _ id: String, sharing isShared: Bool = true, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    while true {
      let (task, isOwn) = state.withLock { state in
        if let task = state.pending[id] { return (task, false) }
        let task = Task {
          defer { self.state.withLock { $0.pending[id] = nil } }
          await Waiter.wait { waiter in self.state.withLock { $0.turns.ask(waiter, for: .besideOthers) } }
          defer { self.state.withLock { $0.turns.end(.besideOthers) }.letGo() }
          try await body()
        }
        state.pending[id] = task
        return (task, true)
      }
      if isOwn || isShared { return try await task.value }
      _ = await task.result
    }
  }
}
