/// When a session is judged next, in active time: at the moments of a schedule, or when the heart rate has done what a
/// strategy waits for. It is given everything that can move that moment.
struct NextCheck: Sendable {
  /// When to judge if no further reading comes; `nil` when that will not be.
  private(set) var due: SessionTime?
  /// Follows the heart rate, where it decides.
  private(set) var changes: ZoneChangeMonitor?

  private let schedule: CheckSchedule?
  /// Where the moments of the schedule are counted from, in active time.
  private let start: SessionTime
  /// The number of the next moment of the schedule.
  private var number = 1

  /// The first judgement of a strategy that begins at a time, in active time, in a step with a longest silence.
  init(_ strategy: FeedbackStrategy, from start: SessionTime = .zero, longestSilence: SessionTime?) {
    self.start = start
    schedule = strategy.looks
    if case .zoneChange(let strategy) = strategy {
      changes = ZoneChangeMonitor(strategy, longestSilence: longestSilence)
    }
    due = schedule.map { start + $0.moment(1) }
    if changes != nil { unmoved = Self.none }
  }

  /// Every heart rate has to be observed.
  private static let none = (lower: Int.max, upper: Int.min)

  /// The heart rates between which nothing moves the next moment, given that one of them is held already; any is without
  /// ``changes``.
  private var unmoved = (lower: Int.min, upper: Int.max)

  /// Whether a heart rate that comes now leaves the next moment where it is, so that it need not be observed.
  @inline(__always)
  func isUnmoved(by displayed: Int) -> Bool { displayed >= unmoved.lower && displayed <= unmoved.upper }

  /// Whether heart rates move the next moment.
  var isMovedByReadings: Bool { changes != nil }

  /// A heart rate is held from `active` on; `window` is what was held before, until `now` of the session.
  mutating func observe(
    _ displayed: Int, target: ResolvedTarget?, window: HeldWindow?, until now: SessionTime, at active: SessionTime
  ) {
    guard let median = changes?.strategy.median else { return }
    let judged = median > .zero ? window?.median(ofLast: median, until: now) ?? displayed : displayed
    changes?.observe(judged, target: target, at: active)
    due = changes?.nextCheck
    // A median moves with time as well.
    unmoved = median > .zero ? Self.none : changes?.sameSide(of: target) ?? Self.none
  }

  /// A value of another quantity is held from `active` on.
  mutating func observe(_ value: Double, in band: QuantityBand, at active: SessionTime) {
    changes?.observe(value, in: band, at: active)
    due = changes?.nextCheck
  }

  /// There is no heart rate, or no value of the quantity that is asked for, any more.
  mutating func lose() {
    guard isMovedByReadings else { return }
    changes?.lose()
    due = changes?.nextCheck
    unmoved = Self.none
  }

  /// Begins anew after a pause, or with another target, where the heart rate decides; in a step with a longest silence.
  mutating func restart(at active: SessionTime, longestSilence: SessionTime?) {
    guard isMovedByReadings else { return }
    changes?.restart(at: active, longestSilence: longestSilence)
    due = nil
    unmoved = Self.none
  }

  /// Nothing is kept silent for longer than up to a time, in active time, but by what is not over then.
  mutating func endSilence(at active: SessionTime) {
    guard isMovedByReadings else { return }
    changes?.endSilence(at: active)
    due = changes?.nextCheck
  }

  /// The moment was judged; `retry` is when one that was withheld may be judged again.
  mutating func pass(_ outcome: Decision.Outcome, at active: SessionTime, retry: SessionTime?) {
    if let schedule {
      number += 1
      due = start + schedule.moment(number)
    } else {
      changes?.judge(outcome, at: active, retry: retry)
      due = changes?.nextCheck
    }
  }
}

extension Guardrails {
  /// When a moment that was withheld may be judged again, in active time; `nil` when nothing but the strategy decides.
  ///
  /// - Parameters:
  ///   - graceUntil: when the grace is over, in active time.
  ///   - sinceCue: the time of the session since the last cue; `nil` when there was none.
  func retry(
    after outcome: Decision.Outcome, at active: SessionTime, graceUntil: SessionTime, sinceCue: SessionTime?
  ) -> SessionTime? {
    guard case .withheld(let reason) = outcome else { return nil }
    switch reason {
    case .warmUp: return warmUp
    case .grace: return graceUntil
    // Slowing down takes a while; a strategy that wants the opposite need not be heard every second of it.
    case .aboveCeiling: return active + .seconds(10)
    case .minimumInterval: return sinceCue.map { active + (minimumInterval - $0) }
    case .signalLost, .noAltitude, .artefacts, .lowCoverage, .paused, .noTarget: return active + .seconds(1)
    case .returning, .notWorthACue, .inTarget, .silent, .unanswered, .drawn: return nil
    }
  }
}
