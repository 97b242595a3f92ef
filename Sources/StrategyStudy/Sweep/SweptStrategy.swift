package import ZoneEngine

/// A strategy that a sweep can answer: `moment` or `period` at every so many whole seconds, with its guardrails.
package struct SweptStrategy: Hashable, Sendable {
  /// What is judged.
  enum Evidence: Hashable, Sendable {
    /// The newest heart rate.
    case newest
    /// The band held for most of so many seconds before.
    case window(seconds: Int)
  }

  /// The seconds between two moments; the first is after so many.
  let every: WholeDivisor
  let evidence: Evidence
  /// Whether it says *hold* in the target.
  let saysHold: Bool
  /// Moments before this second are in the warm-up.
  let warmUpSeconds: Int
  /// The fewest seconds between two cues.
  let minimumIntervalSeconds: Int

  /// The longest time between two moments or cues, 68 years: numbers of seconds that are divided have 32 bits.
  private static let longestSeconds = Int(Int32.max)

  /// Takes a strategy; `nil` when only an engine answers it: another kind, a median, jitter, an interval or a window that
  /// is no whole number of seconds, a window of more than ``BandCounts/longestWindow``, or
  /// times between moments or cues of more than ``longestSeconds``.
  package init?(_ strategy: FeedbackStrategy, guardrails: Guardrails) {
    switch strategy {
    case .none, .zoneChange, .trend, .asked, .adaptive: return nil
    case .moment(let moment):
      guard moment.median == .zero else { return nil }
      evidence = .newest
      saysHold = moment.saysHold
    case .period(let period):
      guard let seconds = period.window.wholeSeconds, seconds <= BandCounts.longestWindow else { return nil }
      evidence = .window(seconds: seconds)
      saysHold = period.saysHold
    }
    guard let schedule = strategy.schedule, schedule.isForeseeable, let every = schedule.every.wholeSeconds,
      max(every, guardrails.minimumInterval.secondsRoundedUp) <= Self.longestSeconds
    else { return nil }
    self.every = WholeDivisor(every)
    warmUpSeconds = guardrails.warmUp.secondsRoundedUp
    minimumIntervalSeconds = guardrails.minimumInterval.secondsRoundedUp
  }
}

extension SessionTime {
  /// The lowest whole number of seconds that is not less; for times that are not negative.
  fileprivate var secondsRoundedUp: Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}

/// What came of one evaluated moment of a sweep.
package struct SweptDecision: Hashable, Sendable {
  /// The moment, in seconds.
  package let second: Int
  /// Whether a cue was given.
  package let outcome: Decision.Outcome
  /// The band that was judged, as a lane of the ``BandScale``; 0 when there was nothing to judge.
  package let lane: UInt8
}

/// How many cues a strategy gave and withheld in a sweep.
package struct SweptCounts: Hashable, Sendable {
  /// Cues to speed up.
  package var speedUp = 0
  /// Cues to hold.
  package var hold = 0
  /// Cues to slow down.
  package var slowDown = 0
  /// Moments without a heart rate.
  package var signalLost = 0
  /// Moments of which too little was known.
  package var lowCoverage = 0
  /// Moments in the warm-up.
  package var warmUp = 0
  /// Moments too soon after a cue.
  package var minimumInterval = 0
  /// Silent moments in the target.
  package var inTarget = 0

  /// Nothing was counted yet.
  package init() {}

  /// Adds what was counted elsewhere.
  package static func += (left: inout SweptCounts, right: SweptCounts) {
    left.speedUp += right.speedUp
    left.hold += right.hold
    left.slowDown += right.slowDown
    left.signalLost += right.signalLost
    left.lowCoverage += right.lowCoverage
    left.warmUp += right.warmUp
    left.minimumInterval += right.minimumInterval
    left.inTarget += right.inTarget
  }

  /// The same counts as an engine reports them.
  package var cues: CueCounts {
    let given = [CueAction.speedUp: speedUp, .hold: hold, .slowDown: slowDown]
    let withheld = [
      WithholdingReason.signalLost: signalLost, .lowCoverage: lowCoverage, .warmUp: warmUp,
      .minimumInterval: minimumInterval, .inTarget: inTarget,
    ]
    return CueCounts(given: given.filter { $0.value > 0 }, withheld: withheld.filter { $0.value > 0 })
  }

  mutating func add(_ count: Int, of action: CueAction) {
    switch action {
    case .speedUp: speedUp += count
    case .hold: hold += count
    case .slowDown: slowDown += count
    }
  }
}
