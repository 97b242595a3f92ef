package import ZoneEngine

/// Paces, speeds and cadences as people read them.
extension TargetQuantity {
  /// What it is called in a sentence: `pace`, `speed`, `cadence`, `grade-adjusted pace`.
  package var name: String {
    switch self {
    case .pace: "pace"
    case .speed: "speed"
    case .cadence: "cadence"
    case .gradeAdjustedPace: "grade-adjusted pace"
    case .alpha1: "DFA-α1"
    }
  }
}

extension QuantityBand {
  /// What it is called in a sentence: `pace`, `speed`, `cadence`, `grade-adjusted pace`.
  package var name: String { quantity.name }

  /// What stands behind a number: ` /km`, ` km/h`, ` spm`; a grade-adjusted pace says so.
  private var unitText: String {
    switch unit {
    case .secondsPerKilometer: quantity == .gradeAdjustedPace ? " /km grade-adjusted" : " /km"
    case .secondsPerMile: quantity == .gradeAdjustedPace ? " /mi grade-adjusted" : " /mi"
    case .kilometersPerHour: " km/h"
    case .milesPerHour: " mph"
    case .metersPerSecond: " m/s"
    case .stepsPerMinute: " spm"
    case .alpha1: ""
    }
  }

  /// What stands before a number: of α1 its name.
  private var prefixText: String { unit == .alpha1 ? "α1 " : "" }

  /// `5:20–5:40 /km`, `10–12 km/h`.
  package var rangeText: String { prefixText + Self.number(lower, unit) + "–" + Self.number(upper, unit) + unitText }

  /// A measured value, metres per second or steps a minute: `5:32 /km`, `11.4 km/h`; of somebody who hardly moves
  /// `standing`.
  package func text(_ value: Double) -> String {
    isStanding(value) ? "standing" : prefixText + Self.number(unit.shown(value), unit) + unitText
  }

  /// Whether nobody would call it a pace: slower than an hour for a kilometre or mile.
  private func isStanding(_ value: Double) -> Bool { unit.isPace && unit.shown(value) >= 3_600 }

  /// What is to be done to come into the target.
  package func advice(_ action: CueAction) -> String {
    switch (action, quantity) {
    case (.hold, _): "Hold"
    case (.speedUp, .cadence): "Quicker steps"
    case (.slowDown, .cadence): "Slower steps"
    case (.speedUp, .pace), (.speedUp, .speed), (.speedUp, .gradeAdjustedPace), (.speedUp, .alpha1): "Speed up"
    case (.slowDown, .pace), (.slowDown, .speed), (.slowDown, .gradeAdjustedPace), (.slowDown, .alpha1): "Slow down"
    }
  }

  /// Where a value of that action lies: `slower than`, `in`, `faster than`; of steps `below`, `in`, `above`; α1 is above where the
  /// effort is too small.
  package func place(_ action: CueAction) -> String {
    switch (action, quantity) {
    case (.hold, _): "in"
    case (.speedUp, .cadence), (.slowDown, .alpha1): "below"
    case (.slowDown, .cadence), (.speedUp, .alpha1): "above"
    case (.speedUp, .pace), (.speedUp, .speed), (.speedUp, .gradeAdjustedPace): "slower than"
    case (.slowDown, .pace), (.slowDown, .speed), (.slowDown, .gradeAdjustedPace): "faster than"
    }
  }

  /// `5:52 /km, slower than 5:20–5:40`, as one line says why; `place` is where the value lies, such as `slower than`. α1 is of the
  /// two minutes before, which is said.
  package func reason(_ place: String, _ evidence: MeasuredEvidence) -> String {
    let span = unit == .alpha1 ? " of the last two minutes" : ""
    let value = evidence.value.map { text($0) + span + ", " } ?? ""
    return "\(value)\(place) \(rangeText)"
  }
}

/// Why no cue was given of a quantity that is no heart rate.
extension WithholdingReason {
  /// The reason as one sentence.
  package func message(of band: QuantityBand) -> String {
    let name = band.name
    switch self {
    case .paused, .noTarget, .aboveCeiling, .warmUp, .minimumInterval, .notWorthACue, .inTarget, .silent, .unanswered,
      .drawn:
      return CueWording.message(self)
    case .signalLost: return "No cue: no usable \(name) for more than 15 s."
    case .noAltitude, .artefacts: return CueWording.message(self)
    case .lowCoverage where band.quantity == .alpha1:
      return "No cue: α1 needs two whole minutes of intervals between beats."
    case .lowCoverage: return "No cue: less than half of the window has a \(name)."
    case .grace: return "No cue: time for the \(name) to follow what has just begun."
    case .returning: return "No cue: the \(name) is on its way into the target."
    }
  }
}

extension Decision {
  /// The quantity that was judged, and on what; absent for a heart rate, and where the ceiling speaks.
  package var measured: (band: QuantityBand, evidence: MeasuredEvidence)? {
    guard let band = target?.quantity, let measured = evidence.measured else { return nil }
    return (band, measured)
  }
}
