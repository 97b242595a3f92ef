internal import Synchronization

/// Sessions that are being taken over: each once for a purpose, however many ask for it meanwhile, and a few at a time.
///
/// Each goes through all its stages before others begin, in the order in which they were asked for: so of many that lose their holder at
/// once the first are answered soon, and few logs are in memory.
final class SessionTakeovers: Sendable {
  /// How many are at it at once: while the log of one is read, another one is written and replayed.
  static let usualWidth = 4

  /// What a session is taken for.
  enum Purpose: Hashable {
    /// It goes on here.
    case goOn
    /// It is over, and comes into the history.
    case bring
    /// It is over, and its last lines were sent again.
    case retake
  }

  private struct Pending {
    let purpose: Purpose
    let task: Task<Bool, any Error>
  }

  private struct State {
    var pending: [String: Pending] = [:]
    var turns: TurnQueue<Waiter>
  }

  private let state: Mutex<State>

  /// Nobody is at it yet.
  ///
  /// - Parameter width: how many may be at once, one at least.
  init(width: Int = usualWidth) { state = Mutex(State(turns: TurnQueue(width: width))) }

  /// Whether somebody is at a session, or will be.
  func isPending(_ id: String) -> Bool { state.withLock { $0.pending[id] != nil } }

  /// Takes a session over, or waits for who is at it for the same purpose and has what came of that; who is at it for another one is waited
  /// for, and what came of that is nothing here.
  ///
  /// - Returns: what `body` returns: whether it did something.
  /// - Throws: what `body` throws.
  @discardableResult
  func take(
    _ id: String, to purpose: Purpose, _ body: @escaping @Sendable () async throws -> Bool
  ) async throws -> Bool {
    while true {
      let pending = state.withLock { state in
        if let pending = state.pending[id] { return pending }
        let task = Task {
          defer { self.state.withLock { $0.pending[id] = nil } }
          await Waiter.wait { waiter in self.state.withLock { $0.turns.ask(waiter, for: .besideOthers) } }
          defer { self.state.withLock { $0.turns.end(.besideOthers) }.letGo() }
          return try await body()
        }
        let pending = Pending(purpose: purpose, task: task)
        state.pending[id] = pending
        return pending
      }
      if pending.purpose == purpose { return try await pending.task.value }
      _ = await pending.task.result
    }
  }
}
