internal import TextFormats

/// Whether the clock of the machine was set, as the sessions of a shard have to know: each goes on from the time of day at which it
/// began by the clock that nobody sets.
struct MachineClock: Sendable {
  /// Less than this is how exactly both clocks can be compared, and no setting.
  private static let leastStep: Int64 = 100_000_000
  /// How long after a setting what arrives may say a time of before it.
  private static let longestWay: Int64 = 60_000_000_000

  private let clock: any LiveClock
  /// How far the time of day is ahead of the clock that nobody sets, in nanoseconds.
  private(set) var ahead: Int64
  /// When it was found to be set the last time, by the clock that nobody sets.
  private var setAt: Int64?

  init(_ clock: any LiveClock) {
    self.clock = clock
    ahead = clock.ahead
  }

  /// Looks whether the clock was set since the last look.
  mutating func look() {
    let elapsed = clock.elapsed()
    guard (clock.now().nanoseconds - elapsed - ahead).magnitude > Self.leastStep else {
      if let time = setAt, elapsed - time > Self.longestWay { setAt = nil }
      return
    }
    // The thread may have had to wait between the two.
    let found = clock.ahead
    guard (found - ahead).magnitude > Self.leastStep else { return }
    (ahead, setAt) = (found, elapsed)
  }

  /// The time of day, as it was known at the last look.
  var now: WallClockTime { WallClockTime(nanoseconds: clock.elapsed() + ahead) }

  /// The time of day at which something arrived for which another thread has looked at the clock: where that was set a moment ago, it
  /// may have been before.
  func arrival(_ now: WallClockTime) -> WallClockTime { setAt == nil ? now : self.now }
}
