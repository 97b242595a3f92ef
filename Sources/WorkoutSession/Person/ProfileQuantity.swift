package import TextFormats
internal import ZoneEngine

/// What of a person changes over the years and is written down with its date.
package enum ProfileQuantity: String, CaseIterable, Hashable, Sendable {
  /// Body mass in kilograms.
  case weight = "weightKilograms"
  /// Resting heart rate in beats per minute.
  case restingHeartRate = "restingHeartRateBPM"
  /// Maximum heart rate in beats per minute.
  case maximumHeartRate = "maximumHeartRateBPM"
  /// Lactate-threshold heart rate in beats per minute.
  case thresholdHeartRate = "thresholdHeartRateBPM"

  /// The key in files and records, with the unit.
  package var key: String { rawValue }

  /// What it is called.
  package var words: String {
    switch self {
    case .weight: "weight"
    case .restingHeartRate: "resting heart rate"
    case .maximumHeartRate: "maximum heart rate"
    case .thresholdHeartRate: "threshold heart rate"
    }
  }

  /// The unit as it is written behind a value.
  package var unit: String { self == .weight ? "kg" : "bpm" }

  /// Values that are taken for real, both ends included.
  package var plausible: ClosedRange<Double> {
    switch self {
    case .weight: Athlete.plausibleWeights
    case .restingHeartRate: Self.whole(Athlete.plausibleRestingHeartRates)
    case .maximumHeartRate: Self.whole(MaximumHeartRate.plausible)
    case .thresholdHeartRate: Self.whole(AthleteProfile.plausibleThresholdHeartRates)
    }
  }

  /// What a value has to be in a file.
  package var field: JSONField<Double> {
    guard self != .weight else { return .double(in: plausible) }
    return JSONField<Int>.int(in: Int(plausible.lowerBound)...Int(plausible.upperBound))
      .mapped(to: "a whole number") { Double($0) }
  }

  private static func whole(_ range: ClosedRange<Int>) -> ClosedRange<Double> {
    Double(range.lowerBound)...Double(range.upperBound)
  }
}

/// How a value came to be known.
package enum ValueOrigin: String, CaseIterable, Hashable, Sendable {
  /// Measured: on scales, in a test or a race.
  case measured
  /// Estimated, by a formula or by experience.
  case estimated

  package static let field = JSONField<ValueOrigin>.word(["measured": .measured, "estimated": .estimated])
}
