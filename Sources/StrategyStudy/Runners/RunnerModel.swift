/// A number of the model of virtual runners, with how people differ in it and where it comes from.
package struct StudyParameter: Hashable, Sendable {
  /// Where a number comes from.
  package enum Provenance: Hashable, Sendable {
    /// A publication.
    case source(String)
    /// Nobody measured it for this purpose.
    case assumption(String)
  }

  /// The mean of people, or the number that holds for all.
  package let value: Double
  /// How people differ; absent for a number that holds for all.
  package let spread: Double?
  /// Where it comes from.
  package let provenance: Provenance

  /// Creates a parameter.
  package init(_ value: Double, spread: Double? = nil, _ provenance: Provenance) {
    self.value = value
    self.spread = spread
    self.provenance = provenance
  }
}

/// All numbers that a virtual runner is made of.
package struct RunnerModel: Hashable, Sendable {
  /// What ``gain`` is called in a study file.
  package static let gainName = "gainBPMPerMeterPerSecond"
  /// The values that ``gain`` may have, and its spreads.
  package static let gains = (values: 5.0...100, spreads: 0.0...50)
  /// What ``delay`` is called in a study file.
  package static let delayName = "delaySeconds"
  /// The values that ``delay`` may have, and its spreads.
  package static let delays = (values: 0.0...20, spreads: 0.0...20)
  /// What ``transition`` is called in a study file.
  package static let transitionName = "walkRunTransitionMetersPerSecond"
  /// The values that ``transition`` may have, and its spreads.
  package static let transitions = (values: 1.2...3.2, spreads: 0.0...1)

  /// Of which gait the numbers are.
  package let gait: Gait
  /// From which people they are.
  package let population: RunnerPopulation
  /// How much the steady heart rate rises with the speed, in bpm a m/s; log-normal among people. Absent where it follows
  /// from the oxygen cost.
  package var gain: StudyParameter?
  /// Seconds from the work to the begin of the heart's answer, body, sensor and the watch's own filter together; normal among people.
  /// Absent where it answers at once.
  package var delay: StudyParameter?
  /// The speed in m/s from which on somebody runs, and below which somebody walks; normal among people. Absent where everybody keeps
  /// the gait.
  package var transition: StudyParameter?
  /// How the heart follows the work; ``HeartShape/firstOrder`` where nothing is said.
  package var heart = HeartShape.firstOrder
  private var parameters: [Key: StudyParameter]

  /// The numbers of the study of the Wise paper; ``Key`` says what each is.
  package static func standard(_ gait: Gait) -> RunnerModel { standard(gait, .wise) }

  /// The numbers of a population.
  package static func standard(_ gait: Gait, _ population: RunnerPopulation) -> RunnerModel {
    var model = RunnerModel(
      gait: gait, population: population, gain: population.gain,
      parameters: Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, $0.standard(gait)) }))
    if let bias = population.bias(gait) { model[.biasBPM] = bias }
    return model
  }

  /// Speeds in m/s that its runners can go at: those of the gait, or of both where they change it.
  package var speeds: ClosedRange<Double> { transition == nil ? gait.speeds : Gait.eitherSpeeds }

  /// The parameter of a key.
  package subscript(key: Key) -> StudyParameter {
    get {
      guard let parameter = parameters[key] else { preconditionFailure("a runner model has every parameter") }
      return parameter
    }
    set { parameters[key] = newValue }
  }

  /// The same people without any noise and drift, all alike: what is left is what the coach does.
  package var withoutSpreadAndNoise: RunnerModel {
    var model = self
    func withoutSpread(_ parameter: StudyParameter?) -> StudyParameter? {
      parameter.map { StudyParameter($0.value, spread: 0, .assumption("no spread and no noise")) }
    }
    model.gain = withoutSpread(gain)
    model.delay = withoutSpread(delay)
    model.transition = withoutSpread(transition)
    for key in Key.allCases {
      let isNoise = Key.noises.contains(key)
      model[key] = StudyParameter(
        isNoise ? 0 : self[key].value, spread: self[key].spread.map { _ in 0 }, .assumption("no spread and no noise"))
    }
    return model
  }
}

extension RunnerModel {
  /// The names of the parameters, as in a study file.
  package enum Key: String, CaseIterable, Hashable, Sendable {
    /// True maximum heart rate less what the formula says, in bpm.
    case trueMaximumOffsetBPM
    /// Heart rate at rest in bpm.
    case restingHeartRateBPM
    /// Maximal oxygen uptake in ml/(kg·min).
    case maximalOxygenUptake
    /// Time constant of the heart rate in seconds; log-normal among people.
    case timeConstantSeconds
    /// Drift of the heart rate at an even effort, in bpm a minute.
    case driftBPMPerMinute
    /// Where the heart rate at the speed that a runner prefers lies, less the middle of the target, in bpm.
    case biasBPM
    /// The part of the variance of the bias that is drawn anew each day.
    case biasDayShare
    /// The share of cues that a runner follows; beta distributed among people.
    case complianceShare
    /// Seconds from a cue to the change of speed; the median, and the standard deviation of the logarithm.
    case latencySeconds
    /// By what part a runner changes the speed after a cue.
    case stepShare
    /// The heart rate at the start less the one at rest, in bpm.
    case startAboveRestBPM
    /// Time constant of the speed in seconds.
    case speedLagSeconds
    /// Standard deviation of the heart rate around its course, in bpm.
    case heartRateNoiseBPM
    /// Time constant of that noise in seconds.
    case heartRateNoiseSeconds
    /// Standard deviation of the speed around the wanted one, as a part of it.
    case paceNoiseShare
    /// Time constant of that noise in seconds.
    case paceNoiseSeconds
    /// Standard deviation of the grade of the ground.
    case gradeNoise
    /// Time constant of that noise in seconds.
    case gradeNoiseSeconds
    /// Standard deviation of what the sensor reports around the heart rate, in bpm.
    case sensorNoiseBPM
    /// Seconds between two heart rates of the watch, a whole number.
    case sensorIntervalSeconds

    /// Those that are zero in a world without noise.
    static let noises: Set<Key> = [
      .driftBPMPerMinute, .biasBPM, .biasDayShare, .heartRateNoiseBPM, .paceNoiseShare, .gradeNoise, .sensorNoiseBPM,
    ]
  }
}
