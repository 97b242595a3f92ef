internal import Synchronization

/// What is done for sessions apart from what asks for it, at most one thing for each: a session whose folder cannot be written holds
/// up nobody but itself.
final class SessionClosings: Sendable {
  private struct State {
    var tasks: [String: Task<Void, Never>] = [:]
    var isStopped = false
  }

  private let state = Mutex(State())

  /// Does something for a session; nothing where something is being done for it, or all of it was stopped.
  func begin(_ id: String, _ body: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isStopped, state.tasks[id] == nil else { return }
      state.tasks[id] = Task { [self] in
        await body()
        self.state.withLock { $0.tasks[id] = nil }
      }
    }
  }

  /// Waits until all of it is done, or a span is over, in nanoseconds.
  func wait(atMost span: Int64 = .max) async {
    await waitUntil(atMost: span) { state.withLock { $0.tasks.isEmpty } }
  }

  /// Has all of it end, and nothing begin any more.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for task in state.tasks.values { task.cancel() }
    }
  }
}
