private import Glibc

/// The machine's wall clock: the only place where this module asks what time it is.
package enum SystemWallClock {
  /// The time now. The clock may be set back and forth; use it for stamps, never for spans.
  package static func now() -> WallClockTime {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return WallClockTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  /// The day of an instant by the clock of this machine.
  package static func day(at time: WallClockTime) -> CivilDate? {
    time.civilDate(utcOffsetSeconds: utcOffsetSeconds(at: time))
  }

  /// How far the local clock is ahead of UTC at an instant, in seconds.
  package static func utcOffsetSeconds(at time: WallClockTime) -> Int {
    var seconds = time_t(time.wholeSeconds)
    var local = unsafe tm()
    guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
    return unsafe Int(local.tm_gmtoff)
  }
}
