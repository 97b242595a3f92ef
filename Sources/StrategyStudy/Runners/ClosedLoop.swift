package import ZoneEngine

/// Runs sessions of virtual runners, each coached by an engine of its own, the product's, which is told what the sensor
/// tells and nothing else. Only its decisions reach the runner.
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
  private var isInTarget: [Bool] = []
  private var checks: [Int] = []

  /// Creates a loop that has run nothing.
  package init() {}

  /// Runs one session.
  ///
  /// Under a strategy that never judges the runner goes at the preferred speed, whatever the behaviour: nobody asked for
  /// anything.
  /// - Parameters:
  ///   - day: the disturbances, drawn for at least `seconds`.
  ///   - trace: what is told second by second; absent when nobody wants to know.
  package mutating func run(
    _ runner: VirtualRunner, _ behaviour: Behaviour, coachedBy settings: CoachingSettings, on day: Disturbances,
    seconds: Int, tracing trace: inout RunTrace?
  ) -> RunOutcome {
    var engine = CoachingEngine(settings: settings)
    var legs = Legs(runner)
    var sensor = WristSensor(interval: runner.sensorInterval, behaviour)
    var ear = CueEar(runner, behaviour, day)
    var attention = Attention(settings.strategy, behaviour, runner)
    var tally = OutcomeTally(runner.target, startUpSeconds: Self.startUpSeconds)
    let isCoached = settings.strategy != .none
    let relapse = isCoached ? behaviour.relapseSeconds : nil
    let steering = isCoached ? behaviour.steering : nil
    var untilSteering = steering?.everySeconds ?? .max
    let (noise, pace, grade) = (day.heartRate.span, day.pace.span, day.grade.span)
    var heartRate = runner.startBPM
    isInTarget.removeAll(keepingCapacity: true)
    checks.removeAll(keepingCapacity: true)

    for second in 0..<seconds {
      let now = SessionTime.seconds(second)
      engine.advance(to: now, into: &events)
      if !events.isEmpty { hear(&ear, &legs, &trace) }
      legs.takeEffect(in: second, runner)
      if let relapse { legs.relapse(relapse, runner) }
      let rest = attention.restingShare(at: second)
      if let steering {
        if untilSteering == 0 {
          untilSteering = steering.everySeconds
          if let shown = sensor.displayed(at: second) {
            let aim = min(
              Double(runner.target.upperBPM) - Self.aimInside,
              max(Double(runner.target.lowerBPM) + Self.aimInside, shown))
            let gap = min(Self.largestGap, max(-Self.largestGap, aim - shown))
            legs.correct(by: steering.gain * (1 - rest) * gap / runner.slope, runner)
          }
        }
        untilSteering -= 1
      }
      let wanted = isCoached ? legs.corrected + rest * (runner.preferredSpeed - legs.corrected) : runner.preferredSpeed
      legs.go(towards: wanted, pace: pace[second], runner)
      heartRate = runner.heartRate(
        after: heartRate, speed: legs.speed, grade: grade[second],
        drift: runner.traits.driftPerSecond * Double(second))
      let felt = heartRate + noise[second]
      isInTarget.append(tally.add(felt))
      if let reading = sensor.reading(of: felt, at: second, day) {
        engine.heartRate(reading, at: now, into: &events)
        trace?.add(second: second, heartRate: felt, reading: reading, speed: legs.speed)
      }
    }
    // What is due in the last second is told, and nobody can act on it any more.
    engine.advance(to: .seconds(seconds), into: &events)
    hear(&ear, &legs, &trace)
    var outcome = tally.outcome
    ear.tell(&outcome)
    if settings.strategy.every != nil { tellChecks(&outcome) }
    return outcome
  }

  private mutating func hear(_ ear: inout CueEar, _ legs: inout Legs, _ trace: inout RunTrace?) {
    for event in events {
      guard case .decision(let decision) = event else { continue }
      let second = Int(decision.time.nanoseconds / 1_000_000_000)
      checks.append(second)
      let follows = ear.hear(decision, at: second, &legs)
      trace?.add(decision, isFollowed: follows)
    }
    events.removeAll(keepingCapacity: true)
  }

  private func tellChecks(_ outcome: inout RunOutcome) {
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

/// What a runner makes of cues: counts them, follows some of them, each after a while.
struct CueEar {
  private let compliance: Double
  private let latency: Int
  private let step: Double
  private let doublesStep: Bool
  private let obedience: CounterRandom
  private var counts = RunOutcome()
  private var lastAction: CueAction?

  init(_ runner: VirtualRunner, _ behaviour: Behaviour, _ day: Disturbances) {
    compliance = behaviour.compliance ?? runner.traits.compliance
    latency = behaviour.latencySeconds ?? runner.traits.latencySeconds
    step = behaviour.step ?? runner.traits.step
    doublesStep = behaviour.doublesStep
    obedience = day.obedience
  }

  /// Hears a decision; tells whether it is a cue to change the speed that is followed.
  mutating func hear(_ decision: Decision, at second: Int, _ legs: inout Legs) -> Bool {
    guard case .cue(let action) = decision.outcome else { return false }
    counts.cues += 1
    guard action != .hold else { return false }
    counts.directionalCues += 1
    if let lastAction, lastAction != action { counts.directionChanges += 1 }
    lastAction = action
    guard obedience.unit(at: UInt64(second)) < compliance else { return false }
    counts.followedCues += 1
    let size = doublesStep && decision.isTwoZonesOff ? 2 * step : step
    legs.change(by: action == .speedUp ? size : -size, at: second + latency)
    return true
  }

  /// Puts what was counted into an outcome.
  func tell(_ outcome: inout RunOutcome) {
    outcome.cues = counts.cues
    outcome.directionalCues = counts.directionalCues
    outcome.followedCues = counts.followedCues
    outcome.directionChanges = counts.directionChanges
  }
}

extension Decision {
  /// Whether the band that was judged lies two zones or more from the zone that is the target. A target that is a range
  /// has no zones.
  fileprivate var isTwoZonesOff: Bool {
    guard case .zone(let wanted)? = target?.target, case .band(let band)? = band else { return false }
    switch band {
    case .below: return wanted >= 2
    case .zone(let number): return (number - wanted).magnitude >= 2
    case .aboveMaximum: return true
    }
  }
}
