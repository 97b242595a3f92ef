internal import Synchronization
internal import TextFormats

/// Which bodies of refused requests are read and thrown away before the answer, so that who sends sees it: a proxy, or a program that
/// writes all of it first, takes a connection that is closed for a fault of the server, and sends the same again.
///
/// There is one for all connections, so that a flood costs no more than a rate of bytes and some connections: what is beyond is answered
/// before its body and closed.
package final class RefusedBodies: Sendable {
  /// The longest one: no route takes more.
  static let largest = 64 << 20
  private static let mostAtOnce = 32

  private struct State {
    var count = 0
    var bytes: Int
    var time: Int64
  }

  private let burst: Int
  private let bytesPerSecond: Int
  private let state: Mutex<State>

  /// By default four of the largest at once, and one in two seconds after that.
  package init(burst: Int = 256 << 20, bytesPerSecond: Int = 32 << 20) {
    self.burst = burst
    self.bytesPerSecond = bytesPerSecond
    state = Mutex(State(bytes: burst, time: MonotonicClock.now))
  }

  /// A place for a body that is thrown away; `nil` when it is too long, or there are too many.
  ///
  /// - Parameter length: how many bytes follow; `nil` of one that does not say so, which gets none.
  func place(of length: Int?) -> Place? {
    guard let length, length <= Self.largest else { return nil }
    let isThere = state.withLock { state in
      let now = MonotonicClock.now
      let milliseconds = Int(min(now - state.time, 60_000_000_000) / 1_000_000)
      if milliseconds > 0 {
        state.bytes = min(burst, state.bytes + milliseconds * (bytesPerSecond / 1_000))
        state.time = now
      }
      guard state.count < Self.mostAtOnce, state.bytes >= length else { return false }
      state.count += 1
      state.bytes -= length
      return true
    }
    return isThere ? Place(self) : nil
  }

  /// A place, as long as somebody holds it.
  final class Place: Sendable {
    private let bodies: RefusedBodies

    fileprivate init(_ bodies: RefusedBodies) { self.bodies = bodies }

    deinit { bodies.state.withLock { $0.count -= 1 } }
  }
}
