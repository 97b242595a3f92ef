package import TextFormats
package import ZoneEngine

/// How zones are asked for, before the values of a person are put in.
package enum ZoneModelChoice: Hashable, Sendable {
  /// Five zones of the maximum.
  case percentOfMaximum
  /// Five zones of the heart-rate reserve.
  case heartRateReserve
  /// Zones of the threshold heart rate.
  case percentOfThreshold(ThresholdScheme)
  /// Three zones by two thresholds.
  case threeZone(first: Int, second: Int)
  /// Bounds of one's own.
  case custom([Int])

  /// Whether the model cannot do without a maximum.
  package var needsMaximum: Bool {
    switch self {
    case .percentOfMaximum, .heartRateReserve: true
    case .percentOfThreshold, .threeZone, .custom: false
    }
  }

  func model(of profile: AthleteProfile) throws(ZoneError) -> ZoneModel {
    switch self {
    case .percentOfMaximum: return .percentOfMaximum
    case .heartRateReserve:
      guard let resting = profile.restingHeartRate else {
        throw ZoneError.missing(quantity: "a resting heart rate", neededFor: "the zone model heart-rate-reserve")
      }
      return .heartRateReserve(restingBPM: resting)
    case .percentOfThreshold(let scheme):
      guard let threshold = profile.thresholdHeartRate else {
        throw ZoneError.missing(quantity: "a threshold heart rate", neededFor: "the zone model percent-of-threshold")
      }
      return .percentOfThreshold(thresholdBPM: threshold, scheme: scheme)
    case .threeZone(let first, let second):
      return .threeZone(firstThresholdBPM: first, secondThresholdBPM: second)
    case .custom(let bounds): return .custom(boundsBPM: bounds)
    }
  }
}

/// A plan as people write it, whose targets depend on the zones.
package struct PlanRequest: Hashable, Sendable {
  /// One step.
  package struct Step: Hashable, Sendable {
    /// What the runner is shown.
    package let name: String?
    /// How long it lasts.
    package let length: StepLength
    /// What is asked for; `nil` for an open target.
    package let target: TargetRequest?
    /// What is to be done; absent where that is left open.
    package let activity: StepActivity?
    /// Which of several equal ones it is; absent where it stands alone.
    package let repetition: StepRepetition?

    /// Creates a step.
    package init(
      name: String?, length: StepLength, target: TargetRequest?, activity: StepActivity? = nil,
      repetition: StepRepetition? = nil
    ) {
      self.activity = activity
      self.repetition = repetition
      self.name = name
      self.length = length
      self.target = target
    }

    /// Creates a step that lasts some active time, or until a lap is marked.
    package init(name: String?, duration: SessionTime?, target: TargetRequest?) {
      self.init(name: name, length: duration.map { .time($0) } ?? .untilLap, target: target)
    }
  }

  /// The steps in order.
  package let steps: [Step]

  /// Creates a plan.
  package init(steps: [Step]) { self.steps = steps }

  /// Steps that are done several times, each with its number. Those that know theirs already, because they stand in a bracket of
  /// their own, keep it.
  package static func repeated(_ steps: [Step], times: Int) -> [Step] {
    (0..<times).flatMap { index in
      steps.map { step in
        guard times > 1, step.repetition == nil else { return step }
        return Step(
          name: step.name, length: step.length, target: step.target, activity: step.activity,
          repetition: StepRepetition(number: index + 1, count: times))
      }
    }
  }
}

/// What somebody asks to be coached by: the same in a scenario, in a manifest and on a command line.
package struct CoachingRequest: Hashable, Sendable {
  /// The person.
  package var profile = AthleteProfile()
  /// How zones are made.
  package var zoneModel = ZoneModelChoice.percentOfMaximum
  /// The target for the whole session.
  package var target: TargetRequest?
  /// The plan; wins over the target.
  package var plan: PlanRequest?
  /// When the session is judged.
  package var strategy = FeedbackStrategy.none
  /// The trial within the session; absent without one.
  package var trial: TrialAssignment?
  /// What keeps a cue back.
  package var guardrails = Guardrails.off
  /// The heart rate that nobody is to stay above; absent when there is none.
  package var ceiling: SafetyCeiling?
  /// The preset that strategy and guardrails come from; absent when they were chosen one by one.
  package var coach: CoachPreset?
  /// What the person does, such as `running`.
  package var activity = Activity.unlabelled

  /// Creates a request for nothing.
  package init() {}

  /// The zones of the person on a day.
  ///
  /// - Throws: `ZoneError` when the model lacks a value or a value is not possible.
  package func zones(on day: CivilDate?) throws(ZoneError) -> HeartRateZones {
    let maximum: MaximumHeartRate?
    if let known = profile.maximumHeartRate, profile.maximumOrigin == .estimated {
      maximum = try MaximumHeartRate(estimated: known)
    } else if zoneModel.needsMaximum || profile.maximumHeartRate != nil || profile.age(on: day) != nil {
      maximum = try MaximumHeartRate.resolve(
        measured: profile.maximumHeartRate, ageYears: profile.age(on: day), sex: profile.sex,
        formula: profile.formula)
    } else {
      maximum = nil
    }
    return try HeartRateZones(model: zoneModel.model(of: profile), maximum: maximum)
  }

  /// The settings of an engine on a day.
  ///
  /// - Throws: `ZoneError` when something is missing or not possible.
  package func settings(on day: CivilDate?) throws(ZoneError) -> CoachingSettings {
    let zones = try zones(on: day)
    let resolved: TrainingPlan
    if let plan {
      var steps: [TrainingPlan.Step] = []
      for step in plan.steps {
        steps.append(
          try TrainingPlan.Step(
            name: step.name, length: step.length, target: step.target?.target(in: zones) ?? .open,
            activity: step.activity, repetition: step.repetition))
      }
      resolved = try TrainingPlan(steps: steps)
    } else if let target {
      resolved = TrainingPlan(constant: try target.target(in: zones))
    } else {
      resolved = TrainingPlan(constant: .open)
    }
    return try CoachingSettings(
      zones: zones, athlete: profile.athlete(on: day), plan: resolved, strategy: strategy, guardrails: guardrails,
      fastestMetersPerSecond: activity.fastestMetersPerSecond, ceiling: ceiling, trial: trial?.randomization)
  }

  /// Takes strategy and guardrails of a preset.
  package mutating func follow(_ preset: CoachPreset) {
    coach = preset
    strategy = preset.strategy
    guardrails = preset.guardrails
  }

  /// Takes the ceiling that a live session has for which nothing is said, where a maximum is known on the day.
  package mutating func useUsualCeiling(on day: CivilDate?) {
    // Zones that cannot be made are reported by whoever needs them.
    let zones = try? zones(on: day)
    ceiling = zones?.maximum.map { SafetyCeiling(above: $0) }
  }
}
