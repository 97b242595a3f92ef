private import Glibc

/// The machine's wall clock: the only place where this module asks what time it is.
package enum SystemWallClock {
  /// The time now. The clock may be set back and forth; use it for stamps, never for spans.
  package static func now() -> WallClockTime {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return WallClockTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }
}
