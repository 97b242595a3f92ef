private import Dispatch
package import TextFormats

/// The clock of live sessions, so that tests can set it.
package protocol LiveClock: Sendable {
  /// The time of day.
  func now() -> WallClockTime
  /// Nanoseconds since some start, which go on whatever the time of day is set to, and while the machine sleeps.
  func elapsed() -> Int64
  /// Calls `body` once, at a time of ``elapsed()`` or soon after it.
  func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void)
}

extension LiveClock {
  /// How far the time of day is ahead of ``elapsed()`` now, in nanoseconds.
  var ahead: Int64 { SteadyWallClock.distance(of: { now() }, from: { elapsed() }) }
}

/// The clock of the machine.
package struct SystemLiveClock: LiveClock {
  /// The clock.
  package init() {}

  package func now() -> WallClockTime { SystemWallClock.now() }

  package func elapsed() -> Int64 { MonotonicClock.sinceBoot }

  package func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void) {
    let wait = max(0, elapsed - self.elapsed())
    // Looked at again after a minute, because the wait stands still while the machine sleeps.
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(min(wait, 60_000_000_000))), execute: body)
  }
}
