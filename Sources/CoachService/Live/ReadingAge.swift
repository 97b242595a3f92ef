internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// How old the newest reading of a live session is, by a clock of this machine that nobody sets, whatever the clock of the sender
/// says.
///
/// Three things make a reading old: nothing has come since, others have come since, or it was late when it came, as what a
/// phone has kept while it had no network.
struct ReadingAge: Sendable {
  private var time: SessionTime?
  private var arrival: Int64?
  /// The shortest time between a stamp and its arrival: how far the clocks are apart.
  private var leastDelay: Int64?

  /// The age of a reading in nanoseconds, at least 0.
  ///
  /// - Parameters:
  ///   - time: when it was measured.
  ///   - live: the session.
  ///   - lastInput: when something came last, and
  ///   - now: what time it is, both in nanoseconds of the clock that nobody sets.
  mutating func age(of time: SessionTime, in live: LiveSession, lastInput: Int64, now: Int64) -> Int64 {
    let isNew = self.time != time
    if isNew { arrival = lastInput }
    self.time = time
    let sinceArrival = now - (arrival ?? lastInput)
    guard live.followsWallClock else {
      return max(0, sinceArrival, (live.pipeline.engine.now - time).nanoseconds)
    }
    let delay = now - time.nanoseconds
    if isNew { leastDelay = min(leastDelay ?? delay, delay) }
    return max(0, sinceArrival, delay - (leastDelay ?? delay))
  }
}
