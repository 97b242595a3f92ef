internal import Synchronization
internal import TextFormats

/// Something that is looked up for everybody who has come before it began, usually a hundred times a second at most.
final class SharedLook: Sendable {
  /// When a look may begin.
  enum Turns {
    /// Also while an earlier one is under way.
    case beside
    /// When the one before is done.
    case oneAfterAnother
  }

  /// How far two looks lie apart at least where nothing else is said, in nanoseconds.
  static let usualSpan: Int64 = 10_000_000

  private struct State {
    /// What has not begun yet.
    var next: Task<Void, Never>?
    /// What began last.
    var begun: Task<Void, Never>?
    /// When the last one began.
    var last = Int64.min / 2
  }

  private let turns: Turns
  private let span: Int64
  private let state = Mutex(State())

  /// Nobody has looked yet.
  ///
  /// - Parameter span: how far two looks lie apart at least, in nanoseconds.
  init(_ turns: Turns = .beside, apart span: Int64 = SharedLook.usualSpan) {
    self.turns = turns
    self.span = span
  }

  /// Waits until a look has been taken that began after this was called.
  func take(_ look: @escaping @Sendable () async -> Void) async {
    let task = state.withLock { state in
      if let next = state.next { return next }
      let wait = state.last + span - MonotonicClock.now
      let earlier = turns == .oneAfterAnother ? state.begun : nil
      let task = Task {
        await earlier?.value
        if wait > 0 { try? await Task.sleep(nanoseconds: UInt64(wait)) }
        self.state.withLock { state in
          state.begun = state.next
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
