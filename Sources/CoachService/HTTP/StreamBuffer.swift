internal import Synchronization

/// Bytes on their way to one client, at most so many: who fills it never waits.
package final class StreamBuffer: HTTPStream {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    var isCancelled = false
    var wake: (@Sendable () -> Void)?
    var onCancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let limit: Int

  /// A buffer that takes at most so many bytes.
  package init(limit: Int) { self.limit = limit }

  /// How many bytes wait.
  package var waitingBytes: Int { state.withLock { $0.bytes.count } }

  /// Whether the client has left.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether nothing more is taken, because the client has left or nothing follows.
  package var isOver: Bool { state.withLock { $0.isCancelled || $0.isEnded } }

  /// Says what is done when the client leaves; at once when it has.
  package func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.onCancel = body }
      return state.isCancelled
    }
    if isLate { body() }
  }

  /// Takes bytes; `false` when they do not fit, or nobody reads them any more.
  package func append(_ bytes: [UInt8]) -> Bool {
    change { state in
      guard !state.isCancelled, !state.isEnded, state.bytes.count + bytes.count <= limit else { return false }
      state.bytes += bytes
      return true
    }
  }

  /// Says that nothing follows.
  package func end() { change { $0.isEnded = true } }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, wake) = state.withLock { state in (body(&state), state.wake) }
    wake?()
    return value
  }

  package func take(_ limit: Int) -> HTTPStreamPart {
    state.withLock { state in
      if state.bytes.isEmpty { return state.isEnded ? .end : .nothing }
      guard state.bytes.count > limit else {
        defer { state.bytes = [] }
        return .bytes(state.bytes)
      }
      defer { state.bytes.removeFirst(limit) }
      return .bytes(Array(state.bytes[..<limit]))
    }
  }

  package func onReady(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  package func cancel() {
    let body = state.withLock { state in
      state.isCancelled = true
      state.wake = nil
      defer { state.onCancel = nil }
      return state.onCancel
    }
    body?()
  }
}
