private import Synchronization

/// A few workers, made when they are needed. Who comes when all are at work waits in turn.
final class WorkerPool: Sendable {
  private struct State {
    var all: [HistoryWorker] = []
    var free: [HistoryWorker] = []
    var waiting: [CheckedContinuation<HistoryWorker, Never>] = []
  }

  private let limit: Int
  private let make: @Sendable () -> HistoryWorker
  private let state = Mutex(State())

  /// Creates a pool of at most `limit` workers.
  init(limit: Int, _ make: @escaping @Sendable () -> HistoryWorker) {
    self.limit = limit
    self.make = make
  }

  /// All that were made.
  var all: [HistoryWorker] { state.withLock { $0.all } }

  /// Gives a worker that nobody else has to `body`.
  func with<Answer>(_ body: (HistoryWorker) async throws -> Answer) async rethrows -> Answer {
    let worker = await take()
    defer { giveBack(worker) }
    return try await body(worker)
  }

  private func take() async -> HistoryWorker {
    await withCheckedContinuation { continuation in
      let worker = state.withLock { state -> HistoryWorker? in
        if let free = state.free.popLast() { return free }
        guard state.all.count < limit else {
          state.waiting.append(continuation)
          return nil
        }
        let new = make()
        state.all.append(new)
        return new
      }
      if let worker { continuation.resume(returning: worker) }
    }
  }

  private func giveBack(_ worker: HistoryWorker) {
    let next = state.withLock { state -> CheckedContinuation<HistoryWorker, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free.append(worker)
      return nil
    }
    next?.resume(returning: worker)
  }
}
