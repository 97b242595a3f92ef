internal import TextFormats
package import ZoneEngine

/// Sentences about decisions. They are made here, at the edge; decisions themselves carry values.
package enum CueWording {
  /// What a runner is shown, such as `Slow down: 146 bpm, above 119–137.`
  package static func message(_ action: CueAction, _ decision: Decision) -> String {
    if let (band, measured) = decision.measured { return message(action, decision, band, measured) }
    var text: String
    switch action {
    case .speedUp: text = "Speed up"
    case .hold: text = "Hold"
    case .slowDown: text = "Slow down"
    }
    if let bpm = decision.evidence.heartRateBPM { text += ": \(bpm) bpm" }
    if let ceiling = decision.evidence.ceiling {
      return text + ", above your ceiling of \(ceiling.beatsPerMinute) for \(seconds(ceiling.above))."
    }
    if let target = decision.target {
      let place =
        switch action {
        case .speedUp: "below"
        case .hold: "in"
        case .slowDown: "above"
        }
      text += ", \(place) \(range(target))"
    }
    if let judged = decision.evidence.judgedBPM, judged != decision.evidence.heartRateBPM {
      text += ", judged by \(judged)"
    }
    return text + span(of: decision) + "."
  }

  /// The same of a pace, a speed or a cadence: `Speed up: 5:52 /km, slower than 5:20–5:40 /km.`
  private static func message(
    _ action: CueAction, _ decision: Decision, _ band: QuantityBand, _ measured: MeasuredEvidence
  ) -> String {
    var text = "\(band.advice(action)): \(band.reason(action, measured))"
    if let judged = measured.judged, judged != measured.value { text += ", judged by \(band.text(judged))" }
    if let gradient = measured.gradient {
      text += " at a grade of \(QuantityText.number(gradient * 100, decimals: 1, unit: " %"))"
    }
    return text + span(of: decision) + "."
  }

  /// For how long a judgement holds: `for 20 s`, `for 45 s of the last 60 s`.
  private static func span(of decision: Decision) -> String {
    var text = decision.evidence.sideHeld.map { " for \(seconds($0))" } ?? ""
    let leader = decision.evidence.held.first { $0.band == decision.band }
    if let window = decision.evidence.window, let leader {
      text += " for \(seconds(leader.duration)) of the last \(seconds(window))"
    }
    return text
  }

  /// What is spoken, short and with what it is based on: `164, above target for 20 seconds. Ease off.`
  package static func spoken(_ action: CueAction, _ decision: Decision) -> String {
    if let (band, measured) = decision.measured { return spoken(action, decision, band, measured) }
    var evidence = decision.evidence.heartRateBPM.map { "\($0), " } ?? ""
    if let ceiling = decision.evidence.ceiling {
      return "\(evidence)above your ceiling of \(ceiling.beatsPerMinute) for \(spoken(ceiling.above)). Slow down."
    }
    let advice: String
    switch action {
    case .speedUp:
      evidence += "below target"
      advice = "Speed up."
    case .hold:
      evidence += "on target"
      advice = "Hold."
    case .slowDown:
      evidence += "above target"
      advice = "Ease off."
    }
    if action != .hold, let held = decision.evidence.sideHeld, held >= .seconds(1) {
      evidence += " for " + spoken(held)
    }
    return "\(evidence.prefix(1).uppercased())\(evidence.dropFirst()). \(advice)"
  }

  /// The same of a pace, a speed or a cadence: `5:52 a kilometer, too slow. Speed up.`
  private static func spoken(
    _ action: CueAction, _ decision: Decision, _ band: QuantityBand, _ measured: MeasuredEvidence
  ) -> String {
    let place =
      switch (action, band.quantity) {
      case (.hold, _): "on target"
      case (.speedUp, .cadence): "too few steps"
      case (.speedUp, .alpha1): "too easy"
      case (.slowDown, .alpha1): "too hard"
      case (.slowDown, .cadence): "too many steps"
      case (.speedUp, .pace), (.speedUp, .speed), (.speedUp, .gradeAdjustedPace): "too slow"
      case (.slowDown, .pace), (.slowDown, .speed), (.slowDown, .gradeAdjustedPace): "too fast"
      }
    var evidence = measured.value.map { band.spoken($0) + ", " + place } ?? place
    if action != .hold, let held = decision.evidence.sideHeld, held >= .seconds(1) {
      evidence += " for " + spoken(held)
    }
    return "\(evidence.prefix(1).uppercased())\(evidence.dropFirst()). \(band.advice(action))."
  }

  /// What is spoken of something that is no cue: a step of a plan, a signal that is gone, back or hard to believe; `nil`
  /// for everything else.
  package static func spoken(_ event: EngineEvent) -> String? {
    switch event {
    case .stepChanged(_, _, let step, let target):
      guard let step else { return "The plan is finished." }
      let parts = [
        step.name ?? "Next step", spoken(step.length),
        target.map { "target \(spoken($0))" } ?? "no target",
      ]
      let sentence = parts.joined(separator: ", ")
      return "\(sentence.prefix(1).uppercased())\(sentence.dropFirst())."
    case .signalLost: return "No heart rate. Check the sensor."
    case .signalRestored(_, let bpm): return "Heart rate is back, \(bpm)."
    case .signalSuspect(_, .stuck, _): return "Is that your heart? The reading does not change."
    case .signalSuspect(_, .cadenceLock, _): return "Is that your heart? The reading equals your cadence."
    case .quantityLost(_, let band): return "No \(band.name). Check the device."
    case .quantityRestored(_, let band, let value): return "The \(band.name) is back, \(band.spoken(value))."
    case .decision, .targetChanged, .strategyChanged, .paused, .resumed: return nil
    }
  }

  private static func spoken(_ target: ResolvedTarget) -> String {
    if let band = target.quantity { return band.spokenRange }
    return switch (target.lowerBPM, target.upperBPM) {
    case (let lower?, let upper?): "\(lower) to \(upper)"
    case (nil, let upper?): "\(upper) or less"
    case (let lower?, nil): "\(lower) or more"
    case (nil, nil): "any heart rate"
    }
  }

  /// A span as it is spoken: `20 seconds`, `1 minute`, `3 minutes`.
  private static func spoken(_ length: StepLength) -> String {
    switch length {
    case .untilLap: "until you mark a lap"
    case .time(let span): spoken(span)
    case .distance(let meters):
      if meters < 1_000 {
        QuantityText.number(meters, decimals: 0, unit: " meters")
      } else {
        QuantityText.number(
          meters / 1_000, decimals: meters.remainder(dividingBy: 1_000) == 0 ? 0 : 1, unit: " kilometers")
      }
    }
  }

  private static func spoken(_ span: SessionTime) -> String {
    let seconds = QuantityText.wholeSeconds(span)
    if seconds < 90 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
    return "\((seconds + 30) / 60) minutes"
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
    case .inTarget: "No cue: in the target."
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

  /// Seconds without needless digits, such as `45 s`.
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
