package import ZoneEngine

/// Runs sessions of virtual runners, each coached by an engine of its own, the product's, which is given what the sensor
/// reports and nothing else. Only its decisions reach the runner.
///
/// It keeps its memory from session to session; the result of a session depends on nothing but its arguments.
package struct ClosedLoop {
  /// The start-up in seconds that is left out of the later figures.
  package static let startUpSeconds = 180
  /// How far inside the limits of the target somebody aims who sees the heart rate, in bpm.
  private static let aimInside = 3.0
  /// The largest gap in bpm that somebody corrects at once who sees the heart rate.
  private static let largestGap = 25.0

  private var events: [EngineEvent] = []
  private var checks: [Int] = []
  /// The decision points of the last session, with the outcomes that came before its end or with it.
  private(set) var points: [TrialPoint] = []

  /// Creates a loop that has run nothing.
  package init() {}

  /// Runs one session.
  ///
  /// Under a strategy that never judges the runner goes at the preferred speed, whatever the behaviour: nobody asked for
  /// anything.
  /// - Parameters:
  ///   - judge: who is asked by a strategy that asks.
  ///   - day: the disturbances, drawn for at least `seconds`.
  ///   - trace: what is recorded second by second; absent when nobody wants to know.
  package mutating func run(
    _ runner: VirtualRunner, _ behaviour: Behaviour, coachedBy settings: CoachingSettings,
    asking judge: (any AskedJudge)? = nil, on day: Disturbances, seconds: Int, tracing trace: inout RunTrace?
  ) -> RunOutcome {
    let isCoached = settings.strategy != .none
    let behaviour = isCoached ? behaviour : behaviour.withoutCoach
    var engine = CoachingEngine(settings: settings)
    if let judge { engine.asks = judge }
    var legs = Legs(runner)
    var heart = Heart(runner)
    var sensor = WristSensor(interval: runner.sensorInterval, behaviour)
    var ear = CueEar(runner, behaviour, day)
    var attention = Attention(settings.strategy, behaviour, runner)
    let relapse = behaviour.relapseSeconds.map { 1 / $0 } ?? 0
    var nextSteering = behaviour.steering?.everySeconds ?? .max
    var checkTimes = CheckTimes(settings.strategy)
    var isInTarget = [Bool](repeating: false, count: seconds)
    checks.removeAll(keepingCapacity: true)
    points.removeAll()

    var second = 0
    while second < seconds {
      legs.takeEffect(in: second, runner)
      let rest = attention.restingShare(at: second)
      if second == nextSteering, let steering = behaviour.steering {
        nextSteering += steering.everySeconds
        if let shown = sensor.displayed(at: second) {
          legs.correct(by: steering.gain * (1 - rest) * Self.gap(shown, runner) / runner.slope, runner)
        }
      }
      // Until something happens there is nothing but the body.
      let next = min(legs.nextEffect, nextSteering, attention.nextChange, sensor.nextReading + 1, checkTimes.next + 1)
      let end = trace == nil ? min(next, seconds) : second + 1
      var flags = isInTarget.mutableSpan
      heart.beat(second..<end, &legs, rest: rest, relapse: relapse, runner, day, &flags)
      let last = end - 1
      var reading: Double?
      if last == sensor.nextReading {
        reading = sensor.read(heart.felt, day)
        if let reading { engine.heartRate(reading, at: .seconds(last), into: &events) }
      }
      if reading != nil || last == checkTimes.next {
        // What is due at this instant is judged once time moves beyond it.
        engine.advance(to: .seconds(last) + SessionTime(nanoseconds: 1), into: &events)
        if last == checkTimes.next { checkTimes.pass() }
      }
      trace?.add(second: last, heartRate: heart.felt, reading: reading, speed: legs.speed)
      if !events.isEmpty { hear(at: last, &ear, &legs, &trace) }
      second = end
    }
    if settings.trial != nil { endTrial(of: &engine, at: seconds) }
    var outcome = heart.tally.outcome
    ear.report(&outcome)
    if settings.strategy.schedule != nil { countChecks(isInTarget, &outcome) }
    return outcome
  }

  /// How far a heart rate on the wrist lies from where somebody aims who sees it, in bpm.
  static func gap(_ shown: Double, _ runner: VirtualRunner) -> Double {
    let lowest = Double(runner.target.lowerBPM) + aimInside
    let highest = max(lowest, Double(runner.target.upperBPM) - aimInside)
    return min(largestGap, max(-largestGap, min(highest, max(lowest, shown)) - shown))
  }

  private mutating func hear(at now: Int, _ ear: inout CueEar, _ legs: inout Legs, _ trace: inout RunTrace?) {
    for place in events.indices {
      switch events[place] {
      case .decision(let decision):
        let second = Int(decision.time.nanoseconds / 1_000_000_000)
        checks.append(second)
        let follows = ear.hear(decision, at: second, now: now, &legs)
        trace?.add(decision, isFollowed: follows)
      case .trialPoint(_, let point): points.append(point)
      case .signalLost, .signalRestored, .signalSuspect, .quantityLost, .quantityRestored, .stepChanged, .targetChanged,
        .strategyChanged, .paused, .resumed:
        break
      }
    }
    events.removeAll(keepingCapacity: true)
  }

  /// Takes the points whose last outcomes come with the end of the session or not at all. The runner hears nothing of it.
  private mutating func endTrial(of engine: inout CoachingEngine, at seconds: Int) {
    engine.endTrial(at: .seconds(seconds), into: &events)
    for case .trialPoint(_, let point) in events { points.append(point) }
    events.removeAll(keepingCapacity: true)
  }

  private func countChecks(_ isInTarget: [Bool], _ outcome: inout RunOutcome) {
    var last: Int?
    for check in checks where check < isInTarget.count {
      outcome.checks += 1
      if isInTarget[check] { outcome.checksInTarget += 1 }
      if let last {
        outcome.midways += 1
        if isInTarget[last + (check - last + 1) / 2] { outcome.midwaysInTarget += 1 }
      }
      last = check
    }
  }
}

extension Behaviour {
  /// What is left of a behaviour when nobody says anything.
  fileprivate var withoutCoach: Behaviour {
    var behaviour = self
    behaviour.relapseSeconds = nil
    behaviour.anticipation = nil
    behaviour.steering = nil
    return behaviour
  }
}
