private import Glibc

/// A clock that only goes forward.
package enum MonotonicClock {
  /// Nanoseconds since some start.
  package static var now: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

  /// Nanoseconds since the machine was started; they go on while it sleeps.
  package static var sinceBoot: Int64 { nanoseconds(of: CLOCK_BOOTTIME) }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
