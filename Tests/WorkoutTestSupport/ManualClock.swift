import LiveCoaching
import Synchronization
import TextFormats

/// A clock that a test sets.
final class ManualClock: LiveClock {
  private struct State {
    var now: WallClockTime
    var setForward: Int64 = 0
    var calls: [(time: WallClockTime, body: @Sendable () -> Void)] = []
  }

  private let state: Mutex<State>

  init(_ now: WallClockTime) { state = Mutex(State(now: now)) }

  func now() -> WallClockTime { state.withLock { $0.now } }

  func elapsed() -> Int64 { state.withLock { $0.now.nanoseconds - $0.setForward } }

  /// Sets the time of day forward, or back, as somebody does whose clock was wrong: no time goes by.
  func setForward(seconds: Int64) {
    let now = state.withLock { state in
      state.setForward += seconds * 1_000_000_000
      return WallClockTime(nanoseconds: state.now.nanoseconds + seconds * 1_000_000_000)
    }
    set(now)
  }

  func call(at time: WallClockTime, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.calls.append((time, body)) }
  }

  /// How many calls wait.
  var waiting: Int { state.withLock { $0.calls.count } }

  /// Sets the clock, and makes the calls whose time has come.
  func set(_ now: WallClockTime) {
    let due = state.withLock { state in
      state.now = now
      let due = state.calls.filter { $0.time.nanoseconds <= now.nanoseconds }
      state.calls.removeAll { $0.time.nanoseconds <= now.nanoseconds }
      return due
    }
    for call in due { call.body() }
  }
}
