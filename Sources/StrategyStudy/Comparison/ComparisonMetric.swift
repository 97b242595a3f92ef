internal import ZoneEngine

/// What strategies are compared by on recordings. None of them shows what cues would have done to the runner.
package enum ComparisonMetric: String, CaseIterable, Hashable, Sendable {
  /// Cues of every kind an active hour.
  case cuesPerHour
  /// Cues to speed up or to slow down an active hour.
  case directionalCuesPerHour
  /// The share of directional cues while the median was inside the target.
  case spuriousShare
  /// The share of directional cues while the median was already moving towards the target.
  case returningShare
  /// Opposite cues at most 60 s apart, an active hour.
  case reversalsPerHour
  /// The share of excursions with a right cue.
  case excursionsCuedShare
  /// The median of the latencies, in seconds.
  case latencyMedian = "latencySeconds.median"
  /// The 90th percentile of the latencies, in seconds.
  case latencyP90 = "latencySeconds.p90"

  /// The value of a tally; `nil` where it is of nothing: a share of no cue, a rate without time, no excursion that was
  /// cued.
  package func value(of tally: StrategyTally) -> Double? {
    switch self {
    case .cuesPerHour: Self.perHour(tally.cues, tally)
    case .directionalCuesPerHour: Self.perHour(tally.directional, tally)
    case .spuriousShare: Self.share(tally.spurious, of: tally.withMedian)
    case .returningShare: Self.share(tally.returning, of: tally.withSlope)
    case .reversalsPerHour: Self.perHour(tally.reversals, tally)
    case .excursionsCuedShare: Self.share(tally.latencies.count, of: tally.excursions)
    case .latencyMedian: Self.quantile(0.5, tally)
    case .latencyP90: Self.quantile(0.9, tally)
    }
  }

  private static func perHour(_ count: Int, _ tally: StrategyTally) -> Double? {
    tally.active > .zero ? Double(count) * 3_600 / tally.active.seconds : nil
  }

  private static func share(_ count: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(count) / Double(whole) : nil
  }

  private static func quantile(_ part: Double, _ tally: StrategyTally) -> Double? {
    tally.latencies.isEmpty ? nil : tally.latencies.quantile(part)
  }
}
