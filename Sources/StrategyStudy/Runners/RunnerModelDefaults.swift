extension RunnerModel.Key {
  /// The values that are possible.
  package var range: ClosedRange<Double> {
    switch self {
    case .trueMaximumOffsetBPM, .biasBPM: -60...60
    case .restingHeartRateBPM: 30...100
    case .maximalOxygenUptake: 15...90
    case .timeConstantSeconds: 5...300
    case .driftBPMPerMinute: 0...5
    case .biasDayShare, .complianceShare: 0...1
    case .latencySeconds: 1...20
    case .stepShare: 0...0.5
    case .startAboveRestBPM: 0...80
    case .speedLagSeconds: 1...60
    case .heartRateNoiseBPM, .sensorNoiseBPM: 0...30
    case .paceNoiseShare: 0...0.3
    case .gradeNoise: 0...0.1
    case .heartRateNoiseSeconds, .paceNoiseSeconds, .gradeNoiseSeconds: 1...600
    case .sensorIntervalSeconds: 1...15
    }
  }

  /// The spreads that are possible; absent for a number that holds for all people.
  package var spreads: ClosedRange<Double>? {
    switch self {
    case .trueMaximumOffsetBPM, .restingHeartRateBPM, .maximalOxygenUptake: 0...20
    case .biasBPM: 0...60
    case .timeConstantSeconds: 0...100
    case .driftBPMPerMinute: 0...2
    case .complianceShare: 0...0.3
    case .latencySeconds: 0...1.5
    case .stepShare: 0...0.2
    case .biasDayShare, .startAboveRestBPM, .speedLagSeconds, .heartRateNoiseBPM, .heartRateNoiseSeconds,
      .paceNoiseShare, .paceNoiseSeconds, .gradeNoise, .gradeNoiseSeconds, .sensorNoiseBPM, .sensorIntervalSeconds:
      nil
    }
  }

  /// What holds when a study says nothing.
  func standard(_ gait: Gait) -> StudyParameter {
    let isWalk = gait == .walk
    switch self {
    case .trueMaximumOffsetBPM:
      return StudyParameter(0, spread: 10.8, .source("Nes 2013 (HUNT), 10.1111/j.1600-0838.2012.01445.x, SEE 10.8"))
    case .restingHeartRateBPM: return StudyParameter(65, spread: 8, .assumption("adults, seated"))
    case .maximalOxygenUptake: return StudyParameter(45, spread: 8, .assumption("recreational runners"))
    case .timeConstantSeconds:
      return StudyParameter(57.6, spread: 23.6, .source("Hunt 2015, 10.1186/s12938-015-0112-7, 24 men"))
    case .driftBPMPerMinute:
      return StudyParameter(isWalk ? 0.08 : 0.2, spread: isWalk ? 0.05 : 0.1, .assumption("a mild day"))
    case .biasBPM:
      return StudyParameter(
        0, spread: isWalk ? 16.3 : 19.3,
        .assumption("calibrated, so that without feedback \(isWalk ? 45 : 43) % are in the target Weight control"))
    case .biasDayShare: return StudyParameter(0.5, .assumption("half of it is the day's"))
    case .complianceShare: return StudyParameter(0.85, spread: 0.078, .assumption("beta distributed, as Beta(17, 3)"))
    case .latencySeconds: return StudyParameter(4, spread: 0.5, .assumption("log-normal, 1 to 20 s"))
    case .stepShare:
      return StudyParameter(
        0.1, spread: 0.04,
        .assumption(
          "how much a runner changes the pace after a cue; runners miss a prescribed pace by about a tenth (Green 2010, "
            + "10.1007/s00421-009-1257-5), which is not the same"))
    case .startAboveRestBPM: return StudyParameter(15, .assumption("standing, ready to go"))
    case .speedLagSeconds: return StudyParameter(5, .assumption("a change of pace takes some strides"))
    case .heartRateNoiseBPM:
      return isWalk
        ? StudyParameter(3, .assumption("more than in running"))
        : StudyParameter(2.2, .source("Wang & Hunt 2021, 10.1186/s12938-021-00875-7: residuals of 2.07 to 2.27 bpm"))
    case .heartRateNoiseSeconds: return StudyParameter(20, .assumption("slow variability, not beat to beat"))
    case .paceNoiseShare: return StudyParameter(0.03, .assumption("uneven running"))
    case .paceNoiseSeconds: return StudyParameter(60, .assumption("uneven running"))
    case .gradeNoise: return StudyParameter(0.01, .assumption("a flat course"))
    case .gradeNoiseSeconds: return StudyParameter(90, .assumption("a flat course"))
    case .sensorNoiseBPM: return StudyParameter(2, .assumption("an optical sensor that sits well"))
    case .sensorIntervalSeconds:
      return StudyParameter(5, .source("HealthKit delivers a workout's heart rate every 5 s"))
    }
  }
}
