private import Glibc
internal import TextFormats

/// The clock by which a recording is played.
package protocol PlayingClock: Sendable {
  /// Nanoseconds since any instant; they never go back.
  var now: Int64 { get }
  /// Waits for some nanoseconds, or for less.
  func wait(nanoseconds: Int64)
}

/// The clock of the machine.
package struct SystemPlayingClock: PlayingClock {
  /// The clock of this machine.
  package init() {}

  package var now: Int64 { MonotonicClock.now }
  package func wait(nanoseconds: Int64) { usleep(UInt32(clamping: nanoseconds / 1_000 + 1)) }
}
