internal import TextFormats
package import ZoneEngine

/// Sentences about decisions. They are made here, at the edge; decisions themselves carry values.
package enum CueWording {
  /// What a runner is shown, such as `Slow down: 146 bpm, above 119–137.`
  package static func message(_ action: CueAction, _ decision: Decision, in units: UnitSystem) -> String {
    if let (band, measured) = decision.measured {
      return message(action, decision, band.read(in: units), measured, in: units)
    }
    let words = action.words(decision.grade)
    var text = String(words.prefix(1)) + words.dropFirst().lowercased()
    if let bpm = decision.evidence.heartRateBPM { text += ": \(bpm) bpm" }
    if let ceiling = decision.evidence.ceiling {
      return text + ", above your ceiling of \(ceiling.beatsPerMinute) for \(measured(ceiling.above))."
    }
    if decision.evidence.isAskedOtherwise { return text + ", as the program says." }
    if let target = decision.target { text += ", \(decision.place(action, in: units)) \(range(target))" }
    if let judged = decision.evidence.judgedBPM, judged != decision.evidence.heartRateBPM {
      text += ", judged by \(judged)"
    }
    if let expected = decision.evidence.expectedBPM { text += ", expected \(expected) in 60 s without a word" }
    return text + span(of: decision, in: units) + "."
  }

  /// The same of a pace, a speed or a cadence: `Speed up: 5:52 /km, slower than 5:20–5:40 /km.`
  private static func message(
    _ action: CueAction, _ decision: Decision, _ band: QuantityBand, _ measured: MeasuredEvidence, in units: UnitSystem
  ) -> String {
    var text = "\(band.advice(action)): \(band.reason(decision.place(action, in: units), measured))"
    if let judged = measured.judged, judged != measured.value { text += ", judged by \(band.text(judged))" }
    if let gradient = measured.gradient {
      text += " at a grade of \(QuantityText.number(gradient * 100, decimals: 1, unit: " %"))"
    }
    return text + span(of: decision, in: units) + "."
  }

  /// For how long a judgement holds: `for 20 s`, `for 45 s of the last 60 s`; it says of what, where that is not where the newest
  /// value is.
  private static func span(of decision: Decision, in units: UnitSystem) -> String {
    let isOutside = decision.sideOfHold(in: units) != nil
    var text = ""
    if let held = decision.evidence.sideHeld {
      text += (isOutside && decision.isByMargin ? ", in it or near it" : "") + " for \(measured(held))"
    }
    let leader = decision.evidence.held.first { $0.band == decision.band }
    if let window = decision.evidence.window, let leader {
      text += (isOutside ? ", in it" : "") + " for \(measured(leader.duration)) of the last \(seconds(window))"
    }
    return text
  }

  /// Why no cue was given at a moment, with what is expected where that is known.
  package static func message(_ reason: WithholdingReason, _ decision: Decision) -> String {
    if let band = decision.target?.quantity { return reason.message(of: band) }
    guard let expected = decision.evidence.expectedBPM else { return message(reason) }
    if reason == .returning { return "No cue: expected \(expected) in 60 s without a word." }
    if reason == .notWorthACue {
      return "No cue: expected \(expected) in 60 s without a word, and a cue would gain too little."
    }
    return message(reason)
  }

  /// Why no cue was given.
  package static func message(_ reason: WithholdingReason) -> String {
    switch reason {
    case .paused: "No cue: the session is paused."
    case .noTarget: "No cue: nothing is asked for now."
    case .signalLost: "No cue: no usable heart rate for more than 15 s."
    case .noAltitude: "No cue: there is no altitude, so nobody knows the grade."
    case .artefacts: "No cue: too many beats had to be corrected, or they do not fit the heart rate."
    case .lowCoverage: "No cue: less than half of the window has a heart rate."
    case .aboveCeiling: "No cue: the heart rate is above the ceiling."
    case .warmUp: "No cue: warm-up."
    case .grace: "No cue: time for the heart rate to follow what has just begun."
    case .minimumInterval: "No cue: the last one was too short a time ago."
    case .returning: "No cue: the heart rate is on its way into the target."
    case .notWorthACue: "No cue: it would gain too little time in the target."
    case .inTarget: "No cue: in the target."
    case .silent: "No cue: the program says nothing."
    case .unanswered: "No cue: the program did not answer."
    case .drawn: "No cue: the trial drew silence."
    }
  }

  /// The limits of a target, such as `119–137`, `under 145`, `168 or more`.
  package static func range(_ target: ResolvedTarget) -> String {
    if let band = target.quantity { return band.rangeText }
    return switch (target.lowerBPM, target.upperBPM) {
    case (let lower?, let upper?): "\(lower)–\(upper)"
    case (nil, let upper?): "\(upper) or less"
    case (let lower?, nil): "\(lower) or more"
    case (nil, nil): "any heart rate"
    }
  }

  /// Seconds that were measured, to a tenth, such as `4.7 s`: the clock of a machine has nine digits, and nobody reads them.
  package static func measured(_ span: SessionTime) -> String {
    let tenth: Int64 = 100_000_000
    let (tenths, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: tenth)
    return seconds(SessionTime(nanoseconds: (tenths + (rest * 2 / tenth)) * tenth))
  }

  /// Seconds that were asked for, all digits and no needless ones, such as `45 s`.
  package static func seconds(_ span: SessionTime) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.append(seconds: span.nanoseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + " s"
  }
}

extension CueWording {
  /// What is said to somebody who does something else than the step of the plan asks for.
  package static func message(_ asked: StepActivity) -> String { "This step is for \(asked.rawValue)." }
}
