package import TextFormats
internal import WorkoutSession

/// Runners like the people whose sessions were fitted: what a study takes instead of the numbers of publications.
package struct FittedPopulation: Sendable {
  /// The versions of the file: 2 is the first with a delay and a change of gait, which runners of one of version 1 do not have.
  package static let versions = 1...2
  /// The largest file that is read, in bytes.
  package static let largestFile = 1 << 20

  /// How they move.
  package let gait: Gait
  /// Those numbers that were fitted, on top of the standard of the gait.
  package let model: RunnerModel
  /// The parameters that were fitted, without the gain.
  package let keys: [RunnerModel.Key]
  /// What was fitted and does not stand in the model as it was, a line each; none of a file that was read.
  package let losses: [String]

  /// Runners like some people; `nil` for none of a gait.
  ///
  /// People count alike, however long they were recorded; of one person nothing is known of how people differ, so that the
  /// spread is 0.
  package init?(_ fits: [RunnerFit], gait: Gait) {
    let fits = fits.filter { $0.gait == gait }
    guard !fits.isEmpty else { return nil }
    self.gait = gait
    var model = RunnerModel.standard(gait)
    let sessions = fits.reduce(0) { $0 + $1.sessions }
    let hours = QuantityText.number(Double(fits.reduce(0) { $0 + $1.seconds }) / 3600, decimals: 1)
    let whom = fits.count == 1 ? "1 person, so that the spread is not known" : "\(fits.count) people"
    let source = "fitted by coach study fit to \(sessions) sessions (\(hours) h) of \(whom)"
    var losses: [String] = []
    func parameter(
      _ name: String, _ values: [Double], _ range: ClosedRange<Double>, spreads: ClosedRange<Double>?
    ) -> StudyParameter {
      func limited(_ value: Double, _ range: ClosedRange<Double>, _ what: String) -> Double {
        let limit = min(range.upperBound, max(range.lowerBound, value))
        if limit != value {
          let fitted = QuantityText.number(value.magnitude, decimals: 2)
          losses.append(
            "\(name): \(what) of \(value < 0 ? "−" : "")\(fitted) was fitted, the model has \(range.lowerBound) to \(range.upperBound): \(limit)"
          )
        }
        return limit
      }
      let moments = SampleMoments(values)
      return StudyParameter(
        limited(moments?.mean ?? 0, range, "a mean"),
        spread: spreads.map { limited(moments?.standardDeviation ?? 0, $0, "a spread") }, .source(source))
    }
    model.gain = parameter(
      RunnerModel.gainName, fits.map(\.gain.value), RunnerModel.gains.values, spreads: RunnerModel.gains.spreads)
    let fitted: [(RunnerModel.Key, (RunnerFit) -> Double)] = [
      (.timeConstantSeconds, \.timeConstant.value), (.driftBPMPerMinute, \.drift.value),
      (.heartRateNoiseBPM, \.noiseBPM), (.heartRateNoiseSeconds, \.noiseSeconds),
    ]
    for (key, value) in fitted {
      model[key] = parameter(key.rawValue, fits.map(value), key.range, spreads: key.spreads)
    }
    keys = fitted.map(\.0)
    let delays = fits.map(\.delay.value)
    if delays.contains(where: { $0 > 0 }) {
      let ranges = RunnerModel.delays
      model.delay = parameter(RunnerModel.delayName, delays, ranges.values, spreads: ranges.spreads)
    }
    let transitions = fits.compactMap(\.transition)
    if !transitions.isEmpty {
      let ranges = RunnerModel.transitions
      model.transition = parameter(RunnerModel.transitionName, transitions, ranges.values, spreads: ranges.spreads)
    }
    self.model = model
    if let loss = Self.loss(ofTransitions: transitions.count, amongPeople: fits.count) { losses.append(loss) }
    for fit in fits {
      guard let heldOut = fit.heldOut, heldOut.rmseBPM > heldOut.lastMinuteRMSEBPM else { continue }
      let (error, staying) = (heldOut.rmseBPM, heldOut.lastMinuteRMSEBPM)
      losses.append(
        "\(fit.person): foreseen with an error of \(QuantityText.number(error, decimals: 1)) bpm, "
          + "\(QuantityText.number(staying, decimals: 1)) by staying as in the minute before: the numbers say little of this person"
      )
    }
    self.losses = losses
  }

  /// That all runners of the model change the gait, where some people did not show it; `nil` where all did, or nobody.
  static func loss(ofTransitions found: Int, amongPeople people: Int) -> String? {
    guard found > 0, found < people else { return nil }
    return
      "\(RunnerModel.transitionName): \(people - found) of \(people) people show no change from walking to running, "
      + "and all runners of the model change as the others do"
  }

  /// The oldest version that can hold it: what an older program could read stays as it was.
  private var version: Int { model.delay == nil && model.transition == nil ? 1 : 2 }

  /// Writes the file of the population.
  package func write(_ fits: [RunnerFit], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "runnerPopulation")
      writer.member("activity", gait.rawValue)
      writer.object("model") { model.write(keys, to: &$0) }
      writer.array("people") { writer in
        for fit in fits where fit.gait == gait { fit.write(to: &writer) }
      }
    }
    writer.endLine()
  }

  /// Reads the file of a population.
  ///
  /// - Throws: `JSONError` with the path of what is wrong.
  package init(json bytes: Span<UInt8>) throws(JSONError) {
    var reader = try JSONObjectReader(try JSONValue.parse(bytes), path: .root)
    let version = try reader.version(in: Self.versions)
    _ = try reader.required("type", .word(["runnerPopulation": true]))
    gait = try reader.required("activity", .word(["walk": Gait.walk, "run": .run]))
    // The version of study files whose models have the same numbers.
    model = try reader.required("model", .model(.standard(gait), version: version == 1 ? 2 : 4))
    keys = RunnerModel.Key.allCases
    losses = []
    // How the numbers came about is for people to read.
    _ = try reader.optional("people", JSONField<Bool>("what was fitted") { _ in true })
    try reader.finish()
  }
}

extension RunnerFit {
  /// The version of the record.
  package static let version = 1

  /// Writes what was fitted as a record.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "runnerFit")
      writer.member("person", person)
      writer.member("sessions", sessions)
      OriginRecords.write(origins, to: &writer)
      writer.member("seconds", seconds)
      writer.member("activity", gait.rawValue)
      writer.member("knowsGrades", knowsGrades)
      writer.member("speedSpanSeconds", speedSpan)
      Self.write(gain, JSONKey(RunnerModel.gainName), to: &writer)
      writer.member("gainBPMPerUptake", risePerUptake)
      Self.write(timeConstant, "timeConstantSeconds", to: &writer)
      Self.write(delay, "delaySeconds", to: &writer)
      Self.write(drift, "driftBPMPerMinute", to: &writer)
      writer.member("heartRateNoiseBPM", noiseBPM)
      writer.member("heartRateNoiseSeconds", noiseSeconds)
      writer.member(JSONKey(RunnerModel.transitionName), transition)
      if let betweenSessions {
        writer.object("betweenSessions") { writer in
          writer.member("sessions", betweenSessions.sessions)
          Self.write(betweenSessions.gain, JSONKey(RunnerModel.gainName), to: &writer)
          Self.write(betweenSessions.timeConstant, "timeConstantSeconds", to: &writer)
          Self.write(betweenSessions.drift, "driftBPMPerMinute", to: &writer)
        }
      }
      if let heldOut {
        writer.object("heldOut") { writer in
          writer.member("seconds", heldOut.seconds)
          writer.member("rmseBPM", heldOut.rmseBPM)
          writer.member("biasBPM", heldOut.biasBPM)
          writer.member("lastMinuteRMSEBPM", heldOut.lastMinuteRMSEBPM)
          writer.member("withoutDelayRMSEBPM", heldOut.withoutDelayRMSEBPM)
        }
      }
      if let heldOutGait {
        writer.object("heldOutGait") { writer in
          writer.member("seconds", heldOutGait.seconds)
          writer.member("wrongShare", heldOutGait.wrongShare)
          writer.member("usualGaitWrongShare", heldOutGait.usualGaitWrongShare)
        }
      }
      writer.object("hunt2015") { writer in
        writer.member("gainStandardDeviations", huntGain)
        writer.member("timeConstantStandardDeviations", huntTimeConstant)
      }
    }
  }

  /// How many standard deviations of Hunt's people the gain lies from their mean; absent for walking, which they did not.
  package var huntGain: Double? {
    guard gait == .run, let hunt = RunnerPopulation.hunt.gain, let spread = hunt.spread else { return nil }
    return (gain.value - hunt.value) / spread
  }

  /// How many standard deviations of Hunt's people the time constant lies from their mean.
  package var huntTimeConstant: Double? {
    let hunt = RunnerModel.standard(gait)[.timeConstantSeconds]
    return hunt.spread.map { (timeConstant.value - hunt.value) / $0 }
  }

  private static func write(_ number: BetweenSessions.Number, _ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      writeMembers(number.mean, to: &writer)
      writer.member("spread", number.spread)
    }
  }

  private static func write(_ interval: Interval, _ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writeMembers(interval, to: &$0) }
  }

  private static func writeMembers(_ interval: Interval, to writer: inout JSONWriter) {
    writer.member("value", interval.value)
    writer.array("confidence95") { writer in
      writer.value(interval.lower)
      writer.value(interval.upper)
    }
  }
}

extension RunnerFit.Refusal: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .tooShort(let seconds):
      "\(seconds) s with heart rate and speed in stretches of \(RunnerFit.shortestStretch) s: expected at least \(RunnerFit.shortest) s"
    case .noResponse: "the heart rate does not rise with the speed: expected runs at several speeds, in which it does"
    case .noTimeConstant:
      "no time constant from \(Int(RunnerFit.timeConstants.lowerBound)) to \(Int(RunnerFit.timeConstants.upperBound)) s fits best: expected runs with changes of speed"
    case .noDelay:
      "no delay below \(RunnerFit.delays.upperBound) s fits best: expected heart rates and speeds by the same clock"
    }
  }
}
