internal import ZoneEngine

/// How values of a target that is no heart rate stand in records: metric, whatever the target was written in, and as they
/// were compared.
extension QuantityBand {
  /// The name with its unit, as it stands behind `targetLower`.
  var recordKey: String {
    switch quantity {
    case .pace: "PaceSecondsPerKilometer"
    case .gradeAdjustedPace: "GradeAdjustedPaceSecondsPerKilometer"
    case .speed: "SpeedMetersPerSecond"
    case .cadence: "CadencePerMinute"
    case .alpha1: "Alpha1"
    }
  }

  /// A measured value, metres per second or steps a minute, as it is shown and compared; absent for a pace of somebody who
  /// stands.
  func recorded(_ value: Double) -> Double? {
    let shown = unit.shown(value)
    return unit.isPace && shown >= 36_000 ? nil : recorded(shown: shown)
  }

  /// The name of a slope with its unit, and how fast the quantity moves; of α1, whose inverse is measured, by its own slope.
  func slope(of measured: MeasuredEvidence) -> (name: String, perSecond: Double?) {
    switch quantity {
    case .cadence: ("slopePerMinutePerSecond", measured.slopePerSecond)
    case .pace, .speed, .gradeAdjustedPace: ("slopeMetersPerSecondPerSecond", measured.slopePerSecond)
    case .alpha1:
      ("slopeAlpha1PerSecond", measured.slopePerSecond.flatMap { slope in measured.value.map { -slope / ($0 * $0) } })
    }
  }

  /// A number as it is shown in the unit of records: to a tenth of a second for a kilometre, a hundredth of a metre per second.
  func recorded(shown number: Int) -> Double {
    let value = unit.value(ofShown: number)
    switch quantity {
    case .pace, .gradeAdjustedPace: return (1_000 / value * 10).rounded() / 10
    case .speed: return (value * 100).rounded() / 100
    case .cadence: return value
    case .alpha1: return Double(number) / 100
    }
  }
}

extension String {
  /// The same with a small first letter.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
