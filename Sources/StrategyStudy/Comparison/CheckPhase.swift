package import ZoneEngine

/// Whether a runner who was coached on a schedule was in the target at its moments and midway between them: who works for
/// the judgement alone is there more often at the moments.
package struct CheckPhase: Hashable, Sendable {
  /// Moments of the schedule at which a heart rate was held and a target was in force.
  package var checks = 0
  /// Of these, those in the target.
  package var checksInTarget = 0
  /// Instants midway between two moments before the end, likewise.
  package var midways = 0
  /// Of these, those in the target.
  package var midwaysInTarget = 0

  /// Nothing was counted yet.
  package init() {}

  /// Counts a session at the moments of the strategy that coached it, and midway between them.
  ///
  /// - Parameters:
  ///   - settings: what the session was coached by; `nil` comes back when its strategy has no schedule that can be
  ///     foreseen.
  ///   - start: instants before it do not count.
  package init?(_ track: HeartRateTrack, _ settings: CoachingSettings, from start: SessionTime) {
    guard let schedule = settings.strategy.schedule, schedule.isForeseeable else { return nil }
    let every = schedule.every.nanoseconds
    let active = track.forEachHeldSpan(settings) { _ in }
    // The last moment has nothing midway after it: no other one follows.
    let last = max(active.nanoseconds - 1, 0) / every * every
    _ = track.forEachHeldSpan(settings) { span in
      guard let target = span.target else { return }
      let isInside = target.side(ofDisplayedBPM: span.displayedBPM) == .inside
      let from = span.activeStart.nanoseconds + max(0, (start - span.start).nanoseconds)
      let until = span.activeStart.nanoseconds + (span.end - span.start).nanoseconds
      guard from < until else { return }
      let moments = Self.multiples(of: every, from: max(from, 1), until: until)
      // Midway after the first moment, the second, …
      let between = Self.multiples(of: every, from: max(from - every / 2, 1), until: min(until - every / 2, last))
      checks += moments
      midways += between
      if isInside {
        checksInTarget += moments
        midwaysInTarget += between
      }
    }
  }

  /// Adds what was counted elsewhere.
  package static func + (left: CheckPhase, right: CheckPhase) -> CheckPhase {
    var sum = left
    sum.checks += right.checks
    sum.checksInTarget += right.checksInTarget
    sum.midways += right.midways
    sum.midwaysInTarget += right.midwaysInTarget
    return sum
  }

  /// P(in target at a moment) − P(in target midway); `nil` without any of them.
  package var checkMinusMidway: Double? {
    guard checks > 0, midways > 0 else { return nil }
    return Double(checksInTarget) / Double(checks) - Double(midwaysInTarget) / Double(midways)
  }

  /// How many positive multiples of a span lie in `from..<until`.
  private static func multiples(of span: Int64, from: Int64, until: Int64) -> Int {
    guard until > from else { return 0 }
    return Int((until - 1) / span - (from - 1) / span)
  }
}
