internal import ZoneEngine

/// What happens to a runner on a day whatever the coach says: one value a second, the same in every arm and under every
/// behaviour, so that arms differ by nothing but the coach.
package struct Disturbances: Sendable {
  /// Around the course of the heart rate, in bpm.
  private(set) var heartRate: [Double] = []
  /// Around the wanted speed, as a part of it.
  private(set) var pace: [Double] = []
  /// Grade of the ground, rise over run.
  private(set) var grade: [Double] = []
  /// What the sensor adds, in bpm; one value a reading.
  private(set) var sensor: [Double] = []
  /// Decides at each second whether a cue of that second is followed.
  private(set) var obedience = CounterRandom(seed: 0)
  /// Decides which spans of the signal are false, what is reported in them, and which are missing.
  private(set) var artifacts = CounterRandom(seed: 0)
  private(set) var artifactLevels = CounterRandom(seed: 0)
  private(set) var dropouts = CounterRandom(seed: 0)
  /// The day's part of the bias, in standard deviations.
  package private(set) var dayBias = 0.0

  /// Nothing yet; ``draw(_:seed:runner:day:seconds:)`` fills it, again and again in the same memory.
  package init() {}

  /// Draws a day of a runner.
  ///
  /// - Parameter day: 0 for the day on which all arms are compared, others for single sessions.
  package mutating func draw(_ model: RunnerModel, seed: UInt64, runner: Int, day: Int, seconds: Int) {
    func random(_ stream: RandomStream) -> CounterRandom {
      Self.random(stream, model, seed: seed, runner: runner, day: day)
    }
    NormalSequence(random(.heartRateNoise)).fillCorrelated(
      &heartRate, count: seconds, standardDeviation: model[.heartRateNoiseBPM].value,
      timeConstant: model[.heartRateNoiseSeconds].value)
    NormalSequence(random(.paceNoise)).fillCorrelated(
      &pace, count: seconds, standardDeviation: model[.paceNoiseShare].value,
      timeConstant: model[.paceNoiseSeconds].value)
    NormalSequence(random(.gradeNoise)).fillCorrelated(
      &grade, count: seconds, standardDeviation: model[.gradeNoise].value,
      timeConstant: model[.gradeNoiseSeconds].value)
    NormalSequence(random(.sensorNoise)).fill(
      &sensor, count: seconds / Int(model[.sensorIntervalSeconds].value) + 1,
      standardDeviation: model[.sensorNoiseBPM].value)
    obedience = random(.obedience)
    artifacts = random(.artifacts)
    artifactLevels = random(.artifactLevels)
    dropouts = random(.dropouts)
    dayBias = Self.dayBias(model, seed: seed, runner: runner, day: day)
  }

  /// The day's part of the bias of a runner, in standard deviations, without anything else of the day.
  package static func dayBias(_ model: RunnerModel, seed: UInt64, runner: Int, day: Int) -> Double {
    NormalSequence(Self.random(.dayBias, model, seed: seed, runner: runner, day: day)).pair(at: 0).0
  }

  private static func random(
    _ stream: RandomStream, _ model: RunnerModel, seed: UInt64, runner: Int, day: Int
  ) -> CounterRandom {
    CounterRandom(seed: seed, UInt64(runner), stream.rawValue, UInt64(day), model.gait == .run ? 1 : 0)
  }
}
