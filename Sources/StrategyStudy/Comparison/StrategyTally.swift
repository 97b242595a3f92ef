package import ZoneEngine

/// What is counted of a strategy over recordings; tallies of several recordings add up.
package struct StrategyTally: Hashable, Sendable {
  /// Opposite cues that are further apart are no reversal.
  package static let reversalLimit = SessionTime.seconds(60)
  /// A median that moves at least as fast towards the target is returning, in beats per minute each second.
  package static let returningSlope = 0.1

  /// Active time.
  package var active = SessionTime.zero
  /// Every cue.
  package var cues = 0
  /// Cues to speed up or to slow down.
  package var directional = 0
  /// Directional cues at which the median was known.
  package var withMedian = 0
  /// Of these, those while the median was inside the target.
  package var spurious = 0
  /// Directional cues at which the movement of the median was known.
  package var withSlope = 0
  /// Of these, those while the median moved towards the target.
  package var returning = 0
  /// Pairs of neighbouring directional cues that are opposite and at most 60 s apart.
  package var reversals = 0
  /// Excursions.
  package var excursions = 0
  /// From the start of each excursion that was cued to its first right cue, in seconds, in ascending order.
  package private(set) var latencies: [Double] = []
  /// Evaluated moments without a cue, by reason.
  package var withheld: [WithholdingReason: Int] = [:]

  /// Nothing was counted yet.
  package init() {}

  /// Counts what a strategy says of a recording.
  ///
  /// - Parameters:
  ///   - judge: who is asked by a strategy that asks.
  ///   - course: the course of the recording, made with the same targets.
  ///   - excursions: its excursions.
  /// - Complexity: O(samples of the track).
  package init(
    _ track: HeartRateTrack, _ settings: CoachingSettings, asking judge: (any AskedJudge)? = nil, course: MedianCourse,
    excursions: [Excursion]
  ) {
    self.init(course: course, excursions: excursions) { emit in
      _ = track.replay(settings, asking: judge) { event in
        guard case .decision(let decision) = event else { return }
        emit(decision.time, decision.outcome, decision.target)
      }
    }
  }

  /// Counts the same from a sweep.
  ///
  /// - Complexity: O(judgements of the strategy).
  init(_ sweep: SessionSweep, _ strategy: SweptStrategy, course: MedianCourse, excursions: [Excursion]) {
    self.init(course: course, excursions: excursions) { emit in
      sweep.forEachDecision(of: strategy) { decision in
        emit(.seconds(decision.second), decision.outcome, sweep.scale.target)
      }
    }
  }

  /// Counts decisions in order of time.
  private init(
    course: MedianCourse, excursions: [Excursion],
    decisions: ((SessionTime, Decision.Outcome, ResolvedTarget?) -> Void) -> Void
  ) {
    active = course.active
    var directed: [(time: SessionTime, action: CueAction)] = []
    var withheldByPlace = [Int](repeating: 0, count: WithholdingReason.allCases.count)
    decisions { time, outcome, target in
      switch outcome {
      case .withheld(let reason): withheldByPlace[reason.place] += 1
      case .cue(let action):
        cues += 1
        guard action != .hold else { return }
        directional += 1
        if let last = directed.last, last.action != action, time - last.time <= Self.reversalLimit { reversals += 1 }
        directed.append((time, action))
        if let target { judge(target, time, course) }
      }
    }
    for reason in WithholdingReason.allCases where withheldByPlace[reason.place] > 0 {
      withheld[reason] = withheldByPlace[reason.place]
    }
    count(excursions, directed)
  }

  /// Adds what was counted elsewhere.
  package static func + (left: StrategyTally, right: StrategyTally) -> StrategyTally {
    var sum = left
    sum.active += right.active
    sum.cues += right.cues
    sum.directional += right.directional
    sum.withMedian += right.withMedian
    sum.spurious += right.spurious
    sum.withSlope += right.withSlope
    sum.returning += right.returning
    sum.reversals += right.reversals
    sum.excursions += right.excursions
    sum.latencies = (left.latencies + right.latencies).sorted()
    sum.withheld.merge(right.withheld, uniquingKeysWith: +)
    return sum
  }

  private mutating func judge(_ target: ResolvedTarget, _ time: SessionTime, _ course: MedianCourse) {
    guard let median = course.doubledMedian(at: time) else { return }
    withMedian += 1
    let side = MedianCourse.side(ofDoubled: median, target)
    if side == .inside { spurious += 1 }
    guard let slope = course.slope(at: time) else { return }
    withSlope += 1
    switch side {
    case .under: if slope >= Self.returningSlope { returning += 1 }
    case .over: if slope <= -Self.returningSlope { returning += 1 }
    case .inside: break
    }
  }

  private mutating func count(_ excursions: [Excursion], _ directed: [(time: SessionTime, action: CueAction)]) {
    self.excursions = excursions.count
    var first = 0
    for excursion in excursions {
      let from = excursion.start - Excursion.lead
      while first < directed.count, directed[first].time < from { first += 1 }
      let cue = directed[first...].first { $0.action == excursion.rightAction || $0.time >= excursion.end }
      guard let cue, cue.time < excursion.end else { continue }
      latencies.append(max(.zero, cue.time - excursion.start).seconds)
    }
    latencies.sort()
  }
}
