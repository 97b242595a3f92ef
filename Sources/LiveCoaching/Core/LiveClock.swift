private import Dispatch
package import TextFormats

/// The clock of live sessions, so that tests can set it.
package protocol LiveClock: Sendable {
  /// The time of day.
  func now() -> WallClockTime
  /// Nanoseconds since some start, which go on whatever the time of day is set to.
  func elapsed() -> Int64
  /// Calls `body` once, at a time of day or soon after it.
  func call(at time: WallClockTime, _ body: @escaping @Sendable () -> Void)
}

/// The clock of the machine.
package struct SystemLiveClock: LiveClock {
  /// The clock.
  package init() {}

  package func now() -> WallClockTime { SystemWallClock.now() }

  package func elapsed() -> Int64 { MonotonicClock.now }

  package func call(at time: WallClockTime, _ body: @escaping @Sendable () -> Void) {
    let wait = max(0, time.nanoseconds - now().nanoseconds)
    // Looked at again after a minute, because the clock may be set meanwhile.
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(min(wait, 60_000_000_000))), execute: body)
  }
}
