/// When a session is judged next, in active time: at the moments of a schedule, or when the heart rate has done what a
/// strategy waits for. It is told everything that can move that moment.
struct NextCheck: Sendable {
  /// When to judge if no further reading comes; `nil` when that will not be.
  private(set) var due: SessionTime?
  /// Follows the heart rate, where it decides.
  private(set) var changes: ZoneChangeMonitor?

  private let schedule: CheckSchedule?
  /// The number of the next moment of the schedule.
  private var number = 1

  /// The first judgement of a strategy at the start of a session.
  init(_ strategy: FeedbackStrategy) {
    schedule = strategy.schedule
    if case .zoneChange(let strategy) = strategy { changes = ZoneChangeMonitor(strategy) }
    due = schedule?.moment(1)
  }

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
  }

  /// There is no heart rate any more.
  mutating func lose() {
    guard isMovedByReadings else { return }
    changes?.lose()
    due = changes?.nextCheck
  }

  /// Begins anew after a pause, or with another target, where the heart rate decides.
  mutating func restart(at active: SessionTime) {
    guard isMovedByReadings else { return }
    changes?.restart(at: active)
    due = nil
  }

  /// The moment was judged; `retry` is when one that was withheld may be judged again.
  mutating func pass(_ outcome: Decision.Outcome, at active: SessionTime, retry: SessionTime?) {
    if let schedule {
      number += 1
      due = schedule.moment(number)
    } else {
      changes?.judge(outcome, at: active, retry: retry)
      due = changes?.nextCheck
    }
  }
}

extension Guardrails {
  /// When a moment that was withheld may be judged again, in active time; `nil` when nothing but the strategy decides.
  ///
  /// - Parameter sinceCue: the time of the session since the last cue; `nil` when there was none.
  func retry(after outcome: Decision.Outcome, at active: SessionTime, sinceCue: SessionTime?) -> SessionTime? {
    guard case .withheld(let reason) = outcome else { return nil }
    switch reason {
    case .warmUp: return warmUp
    case .minimumInterval: return sinceCue.map { active + (minimumInterval - $0) }
    case .signalLost, .lowCoverage, .paused, .noTarget: return active + .seconds(1)
    case .returning, .inTarget: return nil
    }
  }
}
