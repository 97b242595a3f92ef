internal import ZoneEngine

/// What is drawn for a runner, each from a sequence of its own, so that one more never changes another.
enum RandomStream: UInt64 {
  case traits, compliance, dayBias
  case heartRateNoise, paceNoise, gradeNoise, sensorNoise
  case obedience, artifacts, artifactLevels, dropouts
  case gain, delay, transition
}

/// A virtual person: what stays the same from session to session.
///
/// A function of seed and number alone, so any runner can be made without the others. The same person walks and runs.
package struct RunnerTraits: Hashable, Sendable {
  /// True maximum heart rate in bpm.
  package let maximumHeartRate: Double
  /// Heart rate at rest in bpm.
  package let restingHeartRate: Double
  /// Maximal oxygen uptake in ml/(kg·min).
  package let maximalOxygenUptake: Double
  /// Time constant of the heart rate in seconds.
  package let timeConstant: Double
  /// How much the steady heart rate rises with the speed, in bpm a m/s; absent where it follows from the oxygen cost.
  package let gain: Double?
  /// Whole seconds from the work to the begin of the heart's answer, 0…20.
  package let delaySeconds: Int
  /// The speed in m/s from which on the person runs; absent for somebody who keeps the gait.
  package let transition: Double?
  /// Drift of the heart rate in bpm a second.
  package let driftPerSecond: Double
  /// The share of cues that are followed.
  package let compliance: Double
  /// Seconds from a cue to the change of speed, 1…20.
  package let latencySeconds: Int
  /// By what part the speed changes after a cue.
  package let step: Double
  /// How much of the work is done only for a check, where behaviour spreads it among people; uniform in 0..<1.
  package let anticipation: Double
  /// Bias of the speed that is preferred, in standard deviations, before the day's part.
  package let bias: Double

  /// Draws a person. What is normal in the model is cut at 2.5 standard deviations, the time constant and the gain at a
  /// third and two and a half times their means.
  ///
  /// - Parameter formulaMaximum: the maximum heart rate in bpm that the formula gives.
  package init(_ model: RunnerModel, formulaMaximum: Double, seed: UInt64, runner: Int) {
    let key = UInt64(runner)
    let normal = NormalSequence(CounterRandom(seed: seed, key, RandomStream.traits.rawValue))
    func drawn(_ parameter: StudyParameter, _ z: Double) -> Double {
      parameter.value + (parameter.spread ?? 0) * min(2.5, max(-2.5, z))
    }
    let (maximum, rest) = normal.pair(at: 0)
    let (uptake, constant) = normal.pair(at: 1)
    let (drift, latency) = normal.pair(at: 2)
    let (step, bias) = normal.pair(at: 3)
    maximumHeartRate = formulaMaximum + drawn(model[.trueMaximumOffsetBPM], maximum)
    restingHeartRate = drawn(model[.restingHeartRateBPM], rest)
    maximalOxygenUptake = max(10, drawn(model[.maximalOxygenUptake], uptake))
    timeConstant = Self.logNormal(model[.timeConstantSeconds], constant)
    gain = model.gain.map { parameter in
      let own = NormalSequence(CounterRandom(seed: seed, key, RandomStream.gain.rawValue))
      return Self.logNormal(parameter, own.pair(at: 0).0)
    }
    func drawn(_ parameter: StudyParameter, _ stream: RandomStream, in range: ClosedRange<Double>) -> Double {
      let own = NormalSequence(CounterRandom(seed: seed, key, stream.rawValue))
      return min(range.upperBound, max(range.lowerBound, drawn(parameter, own.pair(at: 0).0)))
    }
    delaySeconds = model.delay.map { Int(drawn($0, .delay, in: RunnerModel.delays.values).rounded()) } ?? 0
    transition = model.transition.map { drawn($0, .transition, in: RunnerModel.transitions.values) }
    driftPerSecond = max(0, drawn(model[.driftBPMPerMinute], drift)) / 60
    latencySeconds = Int(
      min(20, max(1, model[.latencySeconds].value * PortableMath.exp((model[.latencySeconds].spread ?? 0) * latency))))
    self.step = max(0.01, drawn(model[.stepShare], step))
    self.bias = bias
    let uniform = CounterRandom(seed: seed, key, RandomStream.compliance.rawValue)
    anticipation = uniform.unit(at: 0)
    compliance = Self.beta(model[.complianceShare], uniform)
  }

  /// A log-normal number of a mean and a standard deviation.
  private static func logNormal(_ parameter: StudyParameter, _ z: Double) -> Double {
    guard let spread = parameter.spread, spread > 0 else { return parameter.value }
    let ratio = spread / parameter.value
    let variance = PortableMath.log(1 + ratio * ratio)
    let factor = PortableMath.exp(z * variance.squareRoot() - variance / 2)
    return parameter.value * min(2.5, max(1.0 / 3, factor))
  }

  /// A beta distributed number of a mean and a standard deviation, with whole shapes: the a-th smallest of a + b − 1
  /// uniform numbers. Without spread, or for a mean of 0 or 1, the mean itself.
  private static func beta(_ parameter: StudyParameter, _ uniform: CounterRandom) -> Double {
    let mean = parameter.value
    guard let spread = parameter.spread, spread > 0, mean > 0, mean < 1 else { return mean }
    let total = min(1_000, max(2, mean * (1 - mean) / (spread * spread) - 1))
    let first = max(1, Int((mean * total).rounded()))
    let second = max(1, Int(((1 - mean) * total).rounded()))
    var draws = (0..<first + second - 1).map { uniform.unit(at: UInt64($0 + 1)) }
    draws.sort()
    return draws[first - 1]
  }
}
