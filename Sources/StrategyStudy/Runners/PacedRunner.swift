package import ZoneEngine

/// A virtual runner who runs second by second and hears a coach that somebody else runs, so that anyone can try one.
///
/// The body, the sensor and the ear are those of the study; with the same engine the same runner on the same day has the
/// same heart rates as in ``ClosedLoop``.
package struct PacedRunner: Sendable {
  /// What a second brings.
  package struct Second: Hashable, Sendable {
    /// Its number, from 0.
    package let number: Int
    /// What the sensor reports, in whole bpm; absent between its readings and in a dropout.
    package let heartRate: Double?
    /// How fast the runner is, in m/s.
    package let speed: Double
  }

  /// How long a runner can run, in seconds.
  package let longest: Int

  private var runner: VirtualRunner
  /// The same runner with another target.
  private let aiming: @Sendable (StudyTarget) -> VirtualRunner
  private let behaviour: Behaviour
  private let day: Disturbances
  private let relapse: Double
  private var legs: Legs
  private var heart: Heart
  private var sensor: WristSensor
  private var ear: CueEar
  private var attention: Attention
  private var nextSteering: Int
  /// Where the body notes which seconds were in the target; the session counts for itself.
  private var isInTarget: [Bool]
  private var second = 0

  /// Creates a runner who stands at the start.
  ///
  /// - Parameters:
  ///   - maximumHeartRate: what the formula gives, in bpm; the runner's own differs by what the model spreads.
  ///   - strategy: what the runner knows of the coach's schedule, for behaviours that foresee it.
  ///   - mayWalk: whether a runner walks where running would be too much, as for a warm-up in zone 1; the runners of a
  ///     study have one gait.
  ///   - seed: who runs, and on what day.
  ///   - longest: how long the runner can run, in seconds.
  /// - Precondition: `longest` is above 0.
  package init(
    _ gait: Gait, maximumHeartRate: Double, target: StudyTarget, behaviour: Behaviour, strategy: FeedbackStrategy,
    mayWalk: Bool = false, seed: UInt64, longest: Int
  ) {
    precondition(longest > 0, "a runner runs for a while")
    let model = RunnerModel.standard(gait)
    var day = Disturbances()
    day.draw(model, seed: seed, runner: 0, day: 0, seconds: longest)
    let traits = RunnerTraits(model, formulaMaximum: maximumHeartRate, seed: seed, runner: 0)
    let isEither = mayWalk && gait == .run
    let dayBias = day.dayBias
    let aiming: @Sendable (StudyTarget) -> VirtualRunner = { target in
      VirtualRunner(
        traits, model, cost: isEither ? .ofEither : OxygenCost(gait), target: target, dayBias: dayBias,
        speeds: isEither ? Gait.walk.speeds.lowerBound...Gait.run.speeds.upperBound : nil)
    }
    self.init(aiming(target), behaviour, strategy, on: day, longest: longest, aiming: aiming)
  }

  init(
    _ runner: VirtualRunner, _ behaviour: Behaviour, _ strategy: FeedbackStrategy, on day: Disturbances, longest: Int,
    aiming: (@Sendable (StudyTarget) -> VirtualRunner)? = nil
  ) {
    self.runner = runner
    self.aiming = aiming ?? { _ in runner }
    self.behaviour = behaviour
    self.day = day
    self.longest = longest
    relapse = behaviour.relapseSeconds.map { 1 / $0 } ?? 0
    legs = Legs(runner)
    heart = Heart(runner)
    sensor = WristSensor(interval: runner.sensorInterval, behaviour)
    ear = CueEar(runner, behaviour, day)
    attention = Attention(strategy, behaviour, runner)
    nextSteering = behaviour.steering?.everySeconds ?? .max
    isInTarget = Array(repeating: false, count: longest)
  }

  /// Runs for a second; `nil` at the end of the strength.
  package mutating func run() -> Second? {
    guard second < longest else { return nil }
    legs.takeEffect(in: second, runner)
    let rest = attention.restingShare(at: second)
    if second == nextSteering, let steering = behaviour.steering {
      nextSteering += steering.everySeconds
      if let shown = sensor.displayed(at: second) {
        legs.correct(by: steering.gain * (1 - rest) * ClosedLoop.gap(shown, runner) / runner.slope, runner)
      }
    }
    var noted: [Bool] = []
    swap(&noted, &isInTarget)
    var flags = noted.mutableSpan
    heart.beat(second..<second + 1, &legs, rest: rest, relapse: relapse, runner, day, &flags)
    swap(&noted, &isInTarget)
    let reading = second == sensor.nextReading ? sensor.read(heart.felt, day) : nil
    defer { second += 1 }
    return Second(number: second, heartRate: reading, speed: legs.speed)
  }

  /// Aims at something else from the next second on, as somebody does when a step of a plan begins: at the speed that is
  /// thought to lead there, which the cues then correct.
  package mutating func aim(at aim: RunnerAim) {
    switch aim {
    case .heartRate(let target): runner = aiming(target)
    case .speed(let metersPerSecond):
      let misjudged = metersPerSecond * (1 + Self.paceMisjudgement * runner.traits.bias)
      runner = VirtualRunner(runner, preferredSpeed: runner.possible(misjudged))
    }
    legs.corrected = runner.preferredSpeed
  }

  /// How much of a pace a runner misses without a watch, for one standard deviation. Source: none, an assumption.
  private static let paceMisjudgement = 0.04

  /// Hears a decision, after the second that it is about.
  package mutating func hear(_ decision: Decision) {
    let decided = Int(decision.time.nanoseconds / 1_000_000_000)
    _ = ear.hear(decision, at: decided, now: max(0, second - 1), &legs)
  }
}
