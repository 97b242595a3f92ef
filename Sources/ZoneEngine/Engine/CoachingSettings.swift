/// Everything that decides what an engine says of the same samples.
public struct CoachingSettings: Hashable, Sendable {
  /// The zones of the person on the day.
  public let zones: HeartRateZones
  /// What is known of the person.
  public let athlete: Athlete
  /// The steps and their targets; one open step when nothing is asked for.
  public let plan: TrainingPlan
  /// When the session is judged.
  public let strategy: FeedbackStrategy
  /// What keeps a cue back.
  public let guardrails: Guardrails
  /// The heart rate that nobody is to stay above; absent when nothing is said of one.
  public let ceiling: SafetyCeiling?
  /// Whether altitudes beside a position and beside none are those of one device, as in a recording, whose points have one
  /// altitude each; live they are those of a receiver of positions and of a barometer.
  public var altitudesAreOfOneDevice = false
  /// Draws whether cues are given; absent without a trial.
  public var trial: MicroRandomization?
  /// The fastest speed between two fixes that is believed, in metres per second.
  public let fastestMetersPerSecond: Double

  /// The first target that is no heart rate; absent where all are.
  public var firstQuantity: QuantityBand? { targets.lazy.compactMap { $0?.quantity }.first }

  /// The targets of the plan's steps, resolved in the zones; `nil` for an open step.
  package let targets: [ResolvedTarget?]

  /// Creates settings.
  ///
  /// - Throws: ``ZoneError/target(text:expected:)`` when a step asks for a zone that the model does not have.
  public init(
    zones: HeartRateZones, athlete: Athlete, plan: TrainingPlan, strategy: FeedbackStrategy, guardrails: Guardrails,
    fastestMetersPerSecond: Double, ceiling: SafetyCeiling? = nil, trial: MicroRandomization? = nil
  ) throws(ZoneError) {
    self.zones = zones
    self.athlete = athlete
    self.plan = plan
    self.strategy = strategy
    self.guardrails = guardrails
    self.fastestMetersPerSecond = fastestMetersPerSecond
    self.ceiling = ceiling
    self.trial = trial
    var targets: [ResolvedTarget?] = []
    for step in plan.steps { targets.append(try ResolvedTarget(step.target, in: zones)) }
    self.targets = targets
  }
}
