package import ZoneEngine

extension CueAction {
  /// A symbol that differs by its shape.
  package var symbol: String {
    switch self {
    case .speedUp: "▲"
    case .hold: "●"
    case .slowDown: "▼"
    }
  }

  /// The words on a line.
  package var words: String {
    switch self {
    case .speedUp: "SPEED UP"
    case .hold: "HOLD"
    case .slowDown: "SLOW DOWN"
    }
  }
}

extension CueAction {
  /// The words on a line where it is said how much.
  package func words(_ grade: CueGrade?) -> String {
    switch (self, grade) {
    case (_, nil), (.hold, _): words
    case (.speedUp, .little): "A LITTLE FASTER"
    case (.speedUp, .much): "MUCH FASTER"
    case (.slowDown, .little): "A LITTLE SLOWER"
    case (.slowDown, .much): "MUCH SLOWER"
    }
  }
}

extension WithholdingReason {
  /// The reason after a number of withheld cues, as in `2 without a heart rate`.
  package var words: String {
    switch self {
    case .paused: "paused"
    case .noTarget: "without a target"
    case .signalLost: "without usable heart rate"
    case .noAltitude: "without an altitude"
    case .artefacts: "with too many corrected beats"
    case .lowCoverage: "with too little heart rate"
    case .aboveCeiling: "above the ceiling"
    case .warmUp: "in the warm-up"
    case .grace: "in the grace"
    case .minimumInterval: "too soon after the last"
    case .returning: "on the way back"
    case .notWorthACue: "not worth a cue"
    case .inTarget: "in the target"
    case .silent: "silent by the program"
    case .unanswered: "without an answer of the program"
    case .drawn: "drawn by the trial"
    }
  }
}

extension SampleStream {
  /// The name of the stream as people read it.
  package var title: String {
    switch self {
    case .heartRate: "Heart rate"
    case .steps: "Steps"
    case .cadence: "Cadence"
    case .distance: "Distance"
    case .speed: "Speed"
    case .location: "Location"
    case .motion: "Motion"
    case .rrInterval: "RR intervals"
    case .direction: "Direction"
    case .altitude: "Altitude"
    }
  }
}
