internal import Synchronization
internal import TextFormats

/// Something that is looked up for everybody who has come before it began, a hundred times a second at most.
final class SharedLook: Sendable {
  private static let span: Int64 = 10_000_000

  private struct State {
    /// What has not begun yet.
    var next: Task<Void, Never>?
    /// When the last one began.
    var last = Int64.min / 2
  }

  private let state = Mutex(State())

  /// Waits until a look has been taken that began after this was called.
  func take(_ look: @escaping @Sendable () async -> Void) async {
    let task = state.withLock { state in
      if let next = state.next { return next }
      let wait = state.last + Self.span - MonotonicClock.now
      let task = Task {
        if wait > 0 { try? await Task.sleep(nanoseconds: UInt64(wait)) }
        self.state.withLock { state in
          state.next = nil
          state.last = MonotonicClock.now
        }
        await look()
      }
      state.next = task
      return task
    }
    await task.value
  }
}
