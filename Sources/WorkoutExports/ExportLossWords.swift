internal import TextFormats

extension ExportLosses.Loss {
  /// The loss as the rest of a sentence that begins with the format: what, how often.
  package var sentence: String {
    let what =
      switch kind {
      case .activitiesJoined: "holds one activity: \(count) joined"
      case .activitiesWithoutPosition: "holds positions only: \(counted("activity", "activities")) left out"
      case .sports: "has no place for the sport"
      case .sportsRenamed: "has another name for the sport"
      case .sportsTakenForRunning: "has steps only with a sport, which is not stated: running written"
      case .labels: "has no place for labels: \(counted("change")) left out"
      case .device: "has no place for the device"
      case .simulatedMark: "has no place for the mark that no person was measured: say so where you pass it on"
      case .deviceCut: "holds 254 bytes of the device's name: the rest left out"
      case .statedDistances: "has no place for a distance beside those of the points: \(count) left out"
      case .statedSteps: "has no place for steps beside those of the points: \(count) left out"
      case .laps: "has no place for laps: \(count), with the steps of a plan, became one"
      case .lapsMoved: "begins no lap in a pause: \(count) moved to its beginning"
      case .stepNames: "has no place for names of steps: \(count) left out"
      case .energies: "has no place for the energy"
      case .repeatedReadings: "has once what was sent twice: \(counted("reading")) left out"
      case .cues: "has no place for \(counted("cue")): left out"
      case .addedFields: "lacks \(counted("field")) that an app or a developer added, which are not read"
      case .pauses: "has no place for \(counted("pause")): left out"
      case .pausesMoved: "marks pauses by its points: \(count) moved to the nearest"
      case .timesCut: "holds whole seconds: \(counted("time")) cut"
      case .samplesMerged: "holds whole seconds: \(counted("sample")) merged"
      case .samplesMoved:
        "holds positions only: \(counted("sample")) written with that of the same second or the next one"
      case .samplesInPauses: "has no place for what was measured in a pause: \(counted("sample")) left out"
      case .heartRatesWithoutPosition: "holds positions only: \(counted("heart rate")) without one left out"
      case .samplesWithoutPosition: "holds positions only: \(counted("other sample")) without one left out"
      case .heartRatesOutOfRange: "has no number for \(counted("heart rate")): left out"
      case .heartRatesRounded: "holds whole beats: \(counted("heart rate")) rounded"
      case .steps: "has no place for steps: \(counted("sample")) left out"
      case .cadences: "has no place for cadence: \(counted("sample")) left out"
      case .distances: "has no place for distances: \(counted("sample")) left out"
      case .speedsWithoutPosition: "holds a speed with a position only: \(counted("sample")) left out"
      case .oddSteps: "counts strides of two steps: \(counted("odd count")) rounded down"
      case .cadencesOffFoot: "has no steps for this sport: \(counted("sample")) of cadence and steps left out"
      case .cadencesRounded: "holds cadences as strides of one leg: \(count) rounded"
      case .accuracies: "has no place for the accuracy of positions: \(count) left out"
      case .invalidPositions: "cannot say that a position is invalid: \(count) left out"
      case .rrIntervals: "has no place for RR intervals: \(counted("interval")) left out"
      case .directions: "has no place for courses, headings and their accuracies: \(counted("reading")) left out"
      case .directionsWithoutPosition: "holds courses and headings only with a position: \(counted("reading")) left out"
      case .motions: "has no place for motion: \(counted("reading")) left out"
      case .valuesRounded: "holds values in steps: \(count) rounded"
      case .valuesOutOfRange: "has no number for \(counted("value")): left out"
      case .motionsResampled: "has rows at an even rate: \(counted("motion reading")) interpolated"
      case .valuesFilled: "is filled: \(counted("value")) repeated from rows before, in which they were measured"
      }
    return detail.map { "\(what): \($0)" } ?? what
  }

  private func counted(_ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}

extension PrivacyRadius {
  /// How many positions were hidden, as a sentence.
  package func sentence(hiding count: Int) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.appendShortest(meters, to: &bytes)
    let radius = String(decoding: bytes, as: UTF8.self)
    return "\(count) positions within \(radius) m of a beginning or an end are left out"
  }
}
