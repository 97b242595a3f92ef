import LiveCoaching
import Synchronization
import TextFormats

/// A clock that a test sets.
final class ManualClock: LiveClock {
  private struct State {
    var now: WallClockTime
    var setForward: Int64 = 0
    var elapsed: Int64 { now.nanoseconds - setForward }
    var calls: [(elapsed: Int64, body: @Sendable () -> Void)] = []
    var made = 0
  }

  private let state: Mutex<State>

  init(_ now: WallClockTime) { state = Mutex(State(now: now)) }

  func now() -> WallClockTime { state.withLock { $0.now } }

  func elapsed() -> Int64 { state.withLock { $0.elapsed } }

  /// Sets the time of day forward, or back, as somebody does whose clock was wrong: no time goes by.
  func setForward(seconds: Int64) {
    let now = state.withLock { state in
      state.setForward += seconds * 1_000_000_000
      return WallClockTime(nanoseconds: state.now.nanoseconds + seconds * 1_000_000_000)
    }
    set(now)
  }

  func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      let isDue = elapsed <= state.elapsed
      if isDue { state.made += 1 } else { state.calls.append((elapsed, body)) }
      return isDue
    }
    // A time that is over by then has come, as for any clock.
    if isDue { body() }
  }

  /// How many calls wait.
  var waiting: Int { state.withLock { $0.calls.count } }

  /// How many calls were made.
  var made: Int { state.withLock { $0.made } }

  /// Lets time pass until a time of day, and makes the calls whose time has come.
  func set(_ now: WallClockTime) {
    let due = state.withLock { state in
      state.now = now
      let elapsed = state.elapsed
      let due = state.calls.filter { $0.elapsed <= elapsed }
      state.calls.removeAll { $0.elapsed <= elapsed }
      state.made += due.count
      return due
    }
    for call in due { call.body() }
  }
}
