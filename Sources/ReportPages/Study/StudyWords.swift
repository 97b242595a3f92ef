internal import StrategyStudy
internal import TextFormats

extension Behaviour {
  /// What such a runner does, in sentences.
  var sentence: String {
    var parts: [String] = []
    if let steering {
      parts.append(
        "Sees the heart rate and corrects \(Self.number(steering.gain)) of the gap to the target every "
          + "\(steering.everySeconds) s, beside the cues.")
    } else {
      parts.append("Does not see the heart rate.")
    }
    parts.append(
      relapseSeconds.map { "Slides back to the preferred speed with a time constant of \(Self.number($0)) s." }
        ?? "Keeps the corrected speed until the next correction.")
    if let anticipation {
      let share =
        anticipation.share.map { $0 == 1 ? "all" : Self.number($0) } ?? "a share, uniform in 0…1 among people,"
      parts.append(
        "Works only for the checks: gives up \(share) of the correction except in the judged span and "
          + "\(Self.number(anticipation.leadSeconds)) s before it; where checks cannot be foreseen works "
          + "\(anticipation.unforeseen.rawValue).")
    }
    if let compliance { parts.append("Follows \(Self.number(100 * compliance)) % of the cues.") }
    if let latencySeconds { parts.append("Changes the speed \(latencySeconds) s after a cue.") }
    if let step { parts.append("Changes the speed by \(Self.number(100 * step)) %.") }
    if !doublesStep { parts.append("Takes no larger step when far off.") }
    for (fault, words) in [(artifacts, "the cadence instead of the heart"), (dropouts, "nothing")] where fault.share > 0
    {
      parts.append(
        "In \(Self.number(100 * fault.share)) % of spans of \(Self.number(fault.seconds)) s the sensor reports \(words)."
      )
    }
    return parts.joined(separator: " ")
  }

  private static func number(_ value: Double) -> String { value.shortest }
}

extension Double {
  /// The number with as many digits as it has.
  var shortest: String {
    var bytes: [UInt8] = []
    DecimalFormat.appendShortest(self, to: &bytes, alwaysPlain: true)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension RunnerModel.Key {
  /// What the number is, with its unit.
  var words: String {
    switch self {
    case .trueMaximumOffsetBPM: "True maximum heart rate less that of the zones, bpm"
    case .restingHeartRateBPM: "Heart rate at rest, bpm"
    case .maximalOxygenUptake: "Maximal oxygen uptake, ml/(kg·min)"
    case .timeConstantSeconds: "Time constant of the heart rate, s; log-normal among people"
    case .driftBPMPerMinute: "Drift of the heart rate at an even effort, bpm a minute"
    case .biasBPM: "Heart rate at the preferred speed less the middle of the target, bpm"
    case .biasDayShare: "Part of the variance of that which each day draws anew"
    case .complianceShare: "Share of cues that are followed; beta distributed among people"
    case .latencySeconds: "From a cue to the change of speed, s: the median; spread of the logarithm"
    case .stepShare: "By what part the speed changes after a cue"
    case .startAboveRestBPM: "Heart rate at the start over that at rest, bpm"
    case .speedLagSeconds: "Time constant of the speed, s"
    case .heartRateNoiseBPM: "Noise of the heart rate, standard deviation, bpm"
    case .heartRateNoiseSeconds: "Noise of the heart rate, time constant, s"
    case .paceNoiseShare: "Noise of the speed, standard deviation as a part of it"
    case .paceNoiseSeconds: "Noise of the speed, time constant, s"
    case .gradeNoise: "Noise of the grade of the ground, standard deviation"
    case .gradeNoiseSeconds: "Noise of the grade of the ground, time constant, s"
    case .sensorNoiseBPM: "Noise of the sensor, standard deviation, bpm"
    case .sensorIntervalSeconds: "Seconds between two heart rates of the sensor"
    }
  }
}
