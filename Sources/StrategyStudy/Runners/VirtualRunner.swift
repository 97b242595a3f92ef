/// Where a runner of a study should be: both limits are whole beats per minute and belong to the target.
package struct StudyTarget: Hashable, Sendable {
  /// The lowest displayed heart rate in the target.
  package let lowerBPM: Int
  /// The highest displayed heart rate in the target.
  package let upperBPM: Int

  /// Creates a target.
  package init(lowerBPM: Int, upperBPM: Int) {
    self.lowerBPM = lowerBPM
    self.upperBPM = upperBPM
  }

  /// The middle in bpm.
  package var middle: Double { Double(lowerBPM + upperBPM) / 2 }
}

/// A person on a day with a target: what the loop of a session needs, in the units in which it calculates.
package struct VirtualRunner: Sendable {
  /// The person.
  package let traits: RunnerTraits
  /// Where the heart rate should be.
  package let target: StudyTarget
  /// Speeds that the runner can go at, in m/s.
  package let speeds: ClosedRange<Double>
  /// The speed without a coach in m/s: its steady heart rate is the middle of the target and the bias of the day.
  package let preferredSpeed: Double
  /// How much the steady heart rate rises with the speed at the preferred one, in bpm a m/s; never under 8.
  package let slope: Double
  /// The heart rate at the start in bpm.
  package let startBPM: Double
  /// What part of the gap to the wanted speed is closed in a second.
  let speedGain: Double
  /// What part of the gap to the steady heart rate is closed in a second.
  let heartGain: Double
  /// Seconds between two heart rates of the watch.
  let sensorInterval: Int
  /// How the heart follows.
  let shape: HeartShape
  /// Whole seconds from the work to the begin of the heart's answer; those of a heart that is late by itself are not in it.
  let delaySeconds: Int

  private let response: SpeedResponse

  /// Puts a person, a day and a target together.
  ///
  /// - Parameters:
  ///   - cost: the oxygen cost of the model's gait; that of both takes its place for somebody who changes the gait.
  ///   - dayBias: the day's part of the bias in standard deviations.
  ///   - speeds: speeds in m/s that the cost knows; those of the model when nothing is said.
  package init(
    _ traits: RunnerTraits, _ model: RunnerModel, cost: OxygenCost, target: StudyTarget, dayBias: Double,
    speeds: ClosedRange<Double>? = nil
  ) {
    let speeds = speeds ?? model.speeds
    let cost = traits.transition.map(OxygenCost.changing) ?? cost
    self.traits = traits
    self.target = target
    self.speeds = speeds
    startBPM = traits.restingHeartRate + model[.startAboveRestBPM].value
    speedGain = 1 / model[.speedLagSeconds].value
    heartGain = 1 / traits.timeConstant
    sensorInterval = Int(model[.sensorIntervalSeconds].value)
    let shape = model.heart
    self.shape = shape
    delaySeconds = shape == .delayed ? 0 : traits.delaySeconds
    let reserve = traits.maximumHeartRate - traits.restingHeartRate
    func steady(_ speed: Double, _ response: SpeedResponse) -> Double {
      let rise = shape.steadyRise(response.rise(speed: speed, grade: 0), reserve: reserve)
      return traits.restingHeartRate + min(reserve, max(0, rise))
    }
    let dayShare = model[.biasDayShare].value
    let z = (1 - dayShare).squareRoot() * traits.bias + dayShare.squareRoot() * dayBias
    let wanted = target.middle + model[.biasBPM].value + (model[.biasBPM].spread ?? 0) * z
    func preferred(_ response: SpeedResponse) -> Double {
      var (slow, fast) = (speeds.lowerBound, speeds.upperBound)
      for _ in 0..<40 {
        let middle = (slow + fast) / 2
        if steady(middle, response) < wanted { slow = middle } else { fast = middle }
      }
      return (slow + fast) / 2
    }
    let byCost = SpeedResponse(cost, bpmPerUptake: reserve / (traits.maximalOxygenUptake - 3.5))
    let response: SpeedResponse
    let isSteady = traits.transition == nil
    switch (traits.gain, model.gait) {
    case (nil, _): response = byCost
    case (let gain?, .run): response = isSteady ? byCost.line(gain: gain) : byCost.changing(gain: gain)
    case (let gain?, .walk):
      let speed = preferred(byCost)
      response = isSteady ? byCost.line(gain: gain, through: speed) : byCost.changing(gain: gain, through: speed)
    }
    self.response = response
    let preferredSpeed = preferred(response)
    self.preferredSpeed = preferredSpeed
    let low = max(speeds.lowerBound, preferredSpeed - 0.1)
    let high = min(speeds.upperBound, preferredSpeed + 0.1)
    slope = max(8, (steady(high, response) - steady(low, response)) / (high - low))
  }

  /// The same with a speed that is preferred whatever the target.
  package init(
    _ traits: RunnerTraits, _ model: RunnerModel, cost: OxygenCost, target: StudyTarget, preferredSpeed: Double
  ) {
    let any = VirtualRunner(traits, model, cost: cost, target: target, dayBias: 0)
    self.init(any, preferredSpeed: preferredSpeed)
  }

  /// The same with another preferred speed.
  init(_ other: VirtualRunner, preferredSpeed: Double) {
    traits = other.traits
    target = other.target
    speeds = other.speeds
    self.preferredSpeed = preferredSpeed
    slope = other.slope
    startBPM = other.startBPM
    speedGain = other.speedGain
    heartGain = other.heartGain
    sensorInterval = other.sensorInterval
    shape = other.shape
    delaySeconds = other.delaySeconds
    response = other.response
  }

  /// The heart rate in bpm that a speed in m/s and a grade lead to, without drift; never over the maximum.
  @inline(__always)
  package func steadyHeartRate(speed: Double, grade: Double) -> Double {
    let straight = rise(speed: speed, grade: grade)
    let rise = shape.steadyRise(straight, reserve: traits.maximumHeartRate - traits.restingHeartRate)
    return steady(rise: max(0, rise), drift: 0)
  }

  /// How far a speed in m/s and a grade raise the steady heart rate over the one at rest by the straight line or the oxygen
  /// cost, in bpm; may be negative.
  @inline(__always)
  func rise(speed: Double, grade: Double) -> Double { response.rise(speed: speed, grade: grade) }

  /// The steady heart rate in bpm; never over the maximum.
  @inline(__always)
  func steady(rise: Double, drift: Double) -> Double {
    min(traits.maximumHeartRate, traits.restingHeartRate + rise + drift)
  }

  /// The heart rate in bpm a second later, in first order.
  @inline(__always)
  func heartRate(after heartRate: Double, rise: Double, drift: Double) -> Double {
    heartRate + (steady(rise: rise, drift: drift) - heartRate) * heartGain
  }

  /// A speed that the runner can go at.
  @inline(__always)
  func possible(_ speed: Double) -> Double { min(speeds.upperBound, max(speeds.lowerBound, speed)) }
}
