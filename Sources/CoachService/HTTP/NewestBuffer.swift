internal import Synchronization

/// What is newest on its way to one client. What waits is replaced by what follows: a client that is slow gets less, and
/// never what holds no more.
final class NewestBuffer: HTTPStream {
  private struct State {
    /// What is under way already, and cannot be taken back.
    var sending: ArraySlice<UInt8>
    var next: [UInt8] = []
    var isEnded = false
    var isCancelled = false
    var wake: (@Sendable () -> Void)?
    var onCancel: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  /// A buffer that begins with some bytes.
  init(_ first: [UInt8]) { state = Mutex(State(sending: first[...])) }

  /// Puts bytes in the place of those that wait. Nobody is woken before ``wake()``, so that this may be called under a lock.
  func replace(with bytes: [UInt8]) {
    state.withLock { state in
      if !state.isEnded, !state.isCancelled { state.next = bytes }
    }
  }

  /// Puts bytes there where none wait.
  func offer(_ bytes: [UInt8]) {
    state.withLock { state in
      if !state.isEnded, !state.isCancelled, state.sending.isEmpty, state.next.isEmpty { state.next = bytes }
    }
  }

  /// Says that nothing follows but some bytes.
  func end(with bytes: [UInt8]) {
    replace(with: bytes)
    state.withLock { $0.isEnded = true }
    wake()
  }

  /// Wakes who sends.
  func wake() { state.withLock { $0.wake }?() }

  /// Says what is done when the client leaves; at once when it has.
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.onCancel = body }
      return state.isCancelled
    }
    if isLate { body() }
  }

  func take(_ limit: Int) -> HTTPStreamPart {
    state.withLock { state in
      if state.sending.isEmpty {
        state.sending = state.next[...]
        state.next = []
      }
      guard !state.sending.isEmpty else { return state.isEnded ? .end : .nothing }
      defer { state.sending = state.sending.dropFirst(limit) }
      return .bytes(Array(state.sending.prefix(limit)))
    }
  }

  func onReady(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  func cancel() {
    let body = state.withLock { state in
      state.isCancelled = true
      state.wake = nil
      defer { state.onCancel = nil }
      return state.onCancel
    }
    body?()
  }
}
