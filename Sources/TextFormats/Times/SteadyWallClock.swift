/// The time of day by a clock that nobody sets: that of the wall clock when it is made, and what has passed since.
///
/// What has passed is counted by the clock that goes on while the machine sleeps (`CLOCK_BOOTTIME`), because somebody runs on
/// then; and it is corrected in its rate as the wall clock is, so that both differ by nothing but how that was set meanwhile.
package struct SteadyWallClock: Sendable {
  private let ahead: Int64

  /// A clock that shows what the wall clock does now.
  package init() {
    ahead = Self.distance(of: { SystemWallClock.now() }, from: { MonotonicClock.sinceBoot })
  }

  /// The time now.
  package func now() -> WallClockTime { WallClockTime(nanoseconds: MonotonicClock.sinceBoot + ahead) }

  /// How far a wall clock is ahead of a clock of nanoseconds that nobody sets.
  ///
  /// A thread may have to wait between the looks at both, so that they are repeated a few times until they are close together.
  package static func distance(of wall: () -> WallClockTime, from elapsed: () -> Int64) -> Int64 {
    var before = elapsed()
    for _ in 0..<mostLooks {
      let time = wall().nanoseconds
      let after = elapsed()
      if after - before < nearness { return time - after }
      before = after
    }
    return wall().nanoseconds - before
  }

  private static let mostLooks = 100
  private static let nearness: Int64 = 100_000
}
