package import TextFormats
package import ZoneEngine

/// The machine records of a session: one JSON object a line, keys in a fixed order, so that the same input gives the
/// same bytes.
package enum SessionRecords {
  /// The version of every record.
  package static let version = 1

  /// Writes the record of an event as one line; a decision names the arm of a session whose strategy was drawn.
  package static func write(_ event: SessionEvent, of arm: DrawnArm?, to writer: inout JSONWriter) {
    writeObject(event, of: arm, to: &writer)
    writer.endLine()
  }

  /// Writes the record of an event of a session whose strategy was not drawn as one line.
  package static func write(_ event: SessionEvent, to writer: inout JSONWriter) { write(event, of: nil, to: &writer) }

  /// Writes the record of an event as a value among others; a decision names the arm of a session whose strategy was
  /// drawn.
  package static func writeObject(_ event: SessionEvent, of arm: DrawnArm?, to writer: inout JSONWriter) {
    writer.object { writer in
      switch event {
      case .engine(let event):
        members(of: event, to: &writer)
        if case .decision = event, let arm {
          writer.member("arm", arm.name)
          writer.member("armProbability", arm.probability)
        }
      case .started(let time): head("started", at: time, to: &writer)
      case .lap(let time, let number):
        head("lap", at: time, to: &writer)
        writer.member("lap", number)
      case .sourceChanged(let time, let from, let to):
        head("sourceChanged", at: time, to: &writer)
        writer.member("stream", "heartRate")
        writer.member("from", from)
        writer.member("to", to)
        writer.member("reason", "silent")
      case .activity(let time, let activity):
        head("activity", at: time, to: &writer)
        writer.member("fromSeconds", secondsFromNanoseconds: activity.since.nanoseconds)
        writer.member("activity", activity.name)
        writer.member("probability", activity.perMille.map { Double($0) / 1_000 })
      case .activityDiffers(let time, let asked, let activity):
        head("activityDiffers", at: time, to: &writer)
        writer.member("asked", asked.rawValue)
        writer.member("activity", activity.name)
        writer.member("message", CueWording.message(asked))
      case .countdown(let time, let remaining):
        head("countdown", at: time, to: &writer)
        writer.member("remainingSeconds", secondsFromNanoseconds: remaining.nanoseconds)
      case .rejected(let time, let stream):
        head("rejected", at: time, to: &writer)
        writer.member("stream", stream.name)
        writer.member("reason", CommandRefusal.implausibleTime.rawValue)
      case .acknowledgement(let answer):
        head("acknowledgement", at: nil, to: &writer)
        if let id = answer.id { writer.member("id", id) } else { writer.nullMember("id") }
        writer.member("accepted", answer.refusal == nil)
        writer.member("reason", answer.refusal?.rawValue)
        if answer.isRepeated { writer.member("repeated", true) }
      case .ended(let time, let reason):
        head("ended", at: time, to: &writer)
        writer.member("reason", reason.rawValue)
      }
    }
  }

  /// Writes the summary record of a session that is not kept as one line.
  package static func writeSummary(of pipeline: SessionPipeline, to writer: inout JSONWriter) {
    writer.object { writeSummaryMembers(of: pipeline, sessionID: nil, badLines: nil, to: &$0) }
    writer.endLine()
  }

  /// Writes the members of the summary record; `sessionID` is absent where nothing is kept, `badLines` where no lines
  /// were read.
  package static func writeSummaryMembers(
    of pipeline: SessionPipeline, sessionID: String?, badLines: Int?, to writer: inout JSONWriter
  ) {
    let summary = pipeline.engine.summary
    head("summary", at: nil, to: &writer)
    writer.member("sessionID", sessionID)
    writer.member("strategy", pipeline.engine.settings.strategy.specification)
    writer.member("activeSeconds", secondsFromNanoseconds: summary.active.nanoseconds)
    writer.member("elapsedSeconds", secondsFromNanoseconds: summary.elapsed.nanoseconds)
    writer.object("secondsInBand") { writer in
      for (band, duration) in summary.inBand {
        writer.member(JSONKey(band.description), secondsFromNanoseconds: duration.nanoseconds)
      }
      writer.member("noData", secondsFromNanoseconds: summary.noData.nanoseconds)
    }
    if summary.activeWithTarget > .zero {
      writer.member("secondsInTarget", secondsFromNanoseconds: summary.inTarget.nanoseconds)
    }
    writer.member("compliance", summary.compliance)
    writer.member("complianceOfActive", summary.complianceOfActive)
    if let minimum = summary.readings.minimum {
      writer.object("heartRate") { writer in
        writer.member("mean", summary.readings.mean)
        writer.member("timeWeightedMean", summary.timeWeightedMeanHeartRate)
        writer.member("minimum", minimum)
        writer.member("maximum", summary.readings.maximum)
      }
    }
    writer.member("distanceMeters", summary.distanceMeters)
    writer.member("averagePaceSecondsPerKilometer", summary.averagePaceSecondsPerKilometer)
    writer.member("steps", summary.steps)
    writer.member("cadenceStepsPerMinute", summary.cadenceStepsPerMinute)
    writer.member("energyKilocalories", summary.energyKilocalories)
    if summary.edwards != nil || summary.banister != nil || summary.lucia != nil {
      writer.object("trainingLoad") { writer in
        writer.member("edwards", summary.edwards)
        writer.member("banister", summary.banister)
        writer.member("lucia", summary.lucia)
      }
    }
    writer.object("cues") { writer in
      for action in CueAction.allCases { writer.member(JSONKey(action.rawValue), summary.cues.given[action] ?? 0) }
      writer.member("withheld", summary.cues.withheldTotal)
      if summary.cues.withheldTotal > 0 {
        writer.object("withheldByReason") { writer in
          for reason in WithholdingReason.allCases {
            writer.member(JSONKey(reason.rawValue), summary.cues.withheld[reason])
          }
        }
      }
    }
    writer.object("samples") { writer in
      writer.member("accepted", summary.acceptedHeartRates)
      writer.member("rejected", summary.rejectedHeartRates)
      writer.member("late", pipeline.intake.late)
      writer.member("duplicate", pipeline.intake.duplicates)
      if pipeline.intake.implausible > 0 { writer.member("implausibleTime", pipeline.intake.implausible) }
      if pipeline.intake.standby > 0 { writer.member("standby", pipeline.intake.standby) }
      writer.member("badLines", badLines)
      if summary.rejectedLocations > 0 { writer.member("rejectedLocations", summary.rejectedLocations) }
    }
  }

  private static func head(_ type: String, at time: SessionTime?, to writer: inout JSONWriter) {
    writer.member("version", version)
    writer.member("type", type)
    writer.member("atSeconds", secondsFromNanoseconds: time?.nanoseconds)
  }

  private static func members(of event: EngineEvent, to writer: inout JSONWriter) {
    switch event {
    case .decision(let decision): members(of: decision, to: &writer)
    case .signalLost(let time): head("signalLost", at: time, to: &writer)
    case .signalRestored(let time, let bpm):
      head("signalRestored", at: time, to: &writer)
      writer.member("heartRateBPM", bpm)
    case .signalSuspect(let time, let suspicion, let since):
      head("signalSuspect", at: time, to: &writer)
      writer.member("suspicion", suspicion.rawValue)
      writer.member("sinceSeconds", secondsFromNanoseconds: since.nanoseconds)
    case .quantityLost(let time, let band):
      head("signalLost", at: time, to: &writer)
      writer.member("quantity", band.quantity.rawValue)
    case .quantityRestored(let time, let band, let value):
      head("signalRestored", at: time, to: &writer)
      writer.member("quantity", band.quantity.rawValue)
      write(value, of: band, to: &writer)
    case .stepChanged(let time, let number, let step, let target):
      head("stepChanged", at: time, to: &writer)
      writer.member("step", number)
      writer.member("name", step?.name)
      writer.member("durationSeconds", secondsFromNanoseconds: step?.duration?.nanoseconds)
      writer.member("distanceMeters", step?.distanceMeters)
      writer.member("activity", step?.activity?.rawValue)
      writeLimits(of: target, to: &writer)
      if step == nil { writer.member("planFinished", true) }
    case .targetChanged(let time, let old, let new):
      head("targetChanged", at: time, to: &writer)
      writer.member("from", (old?.target ?? .open).description)
      writer.member("to", (new?.target ?? .open).description)
      writeLimits(of: new, to: &writer)
    case .strategyChanged(let time, let old, let new):
      head("strategyChanged", at: time, to: &writer)
      writer.member("from", old.specification)
      writer.member("to", new.specification)
    case .trialPoint(let time, let point):
      head("decisionPoint", at: time, to: &writer)
      point.write(to: &writer)
    case .paused(let time): head("paused", at: time, to: &writer)
    case .resumed(let time): head("resumed", at: time, to: &writer)
    }
  }

  private static func members(of decision: Decision, to writer: inout JSONWriter) {
    switch decision.outcome {
    case .cue(let action):
      head("cue", at: decision.time, to: &writer)
      writer.member("action", action.rawValue)
      writer.member("indicator", action.indicator)
      writer.member("haptic", action.haptic)
      writer.member("grade", decision.grade?.rawValue)
      members(ofWhatWasJudged: decision, to: &writer)
      writer.member("reason", decision.reason)
      write(decision.evidence, of: decision.target?.quantity, to: &writer)
      writer.member("message", CueWording.message(action, decision, in: .metric))
    case .withheld(let reason):
      head("withheld", at: decision.time, to: &writer)
      writer.member("reason", reason.rawValue)
      members(ofWhatWasJudged: decision, to: &writer)
      write(decision.evidence, of: decision.target?.quantity, to: &writer)
      writer.member(
        "message", CueWording.message(reason, decision))
    }
  }

  private static func members(ofWhatWasJudged decision: Decision, to writer: inout JSONWriter) {
    writer.member("band", decision.band?.description)
    writer.member("heartRateBPM", decision.evidence.heartRateBPM)
    if let band = decision.target?.quantity, let value = decision.evidence.measured?.value {
      write(value, of: band, to: &writer)
    }
    writeLimits(of: decision.target, to: &writer)
  }

  /// Writes the limits of a target: of a heart rate in beats per minute, of another quantity in its own unit, with its name.
  package static func writeLimits(of target: ResolvedTarget?, to writer: inout JSONWriter) {
    writer.member("targetLowerBPM", target?.lowerBPM)
    writer.member("targetUpperBPM", target?.upperBPM)
    guard let band = target?.quantity else { return }
    writer.member("quantity", band.quantity.rawValue)
    writer.member(JSONKey("targetLower\(band.recordKey)"), band.recorded(shown: band.lower))
    writer.member(JSONKey("targetUpper\(band.recordKey)"), band.recorded(shown: band.upper))
  }

  /// Writes a value of the quantity of a target under the name of its unit.
  private static func write(_ value: Double, of band: QuantityBand, to writer: inout JSONWriter) {
    writer.member(JSONKey(band.recordKey.lowercasedFirst), band.recorded(value))
  }

  private static func write(_ evidence: Evidence, of band: QuantityBand?, to writer: inout JSONWriter) {
    writer.object("evidence") { writer in
      writer.member("heartRateAgeSeconds", secondsFromNanoseconds: evidence.heartRateAge?.nanoseconds)
      writer.member("windowSeconds", secondsFromNanoseconds: evidence.window?.nanoseconds)
      writer.member("coveredSeconds", secondsFromNanoseconds: evidence.covered?.nanoseconds)
      writer.member("sideSeconds", secondsFromNanoseconds: evidence.sideHeld?.nanoseconds)
      writer.member("slopeBPMPerSecond", evidence.slopeBPMPerSecond.map { ($0 * 1_000).rounded() / 1_000 })
      writer.member("judgedBPM", evidence.judgedBPM)
      writer.member("expectedBPM", evidence.expectedBPM)
      if let measured = evidence.measured, let band { write(measured, of: band, to: &writer) }
      writer.member("ceilingBPM", evidence.ceiling?.beatsPerMinute)
      writer.member("aboveCeilingSeconds", secondsFromNanoseconds: evidence.ceiling?.above.nanoseconds)
      guard !evidence.held.isEmpty else { return }
      writer.object("secondsInBand") { writer in
        for held in evidence.held {
          writer.member(JSONKey(held.band.description), secondsFromNanoseconds: held.duration.nanoseconds)
        }
      }
    }
  }

  private static func write(_ measured: MeasuredEvidence, of band: QuantityBand, to writer: inout JSONWriter) {
    writer.member("ageSeconds", secondsFromNanoseconds: measured.age?.nanoseconds)
    if let judged = measured.judged {
      writer.member(JSONKey("judged\(band.recordKey)"), band.recorded(judged))
    }
    let (slope, perSecond) = band.slope(of: measured)
    writer.member(JSONKey(slope), perSecond.map { ($0 * 10_000).rounded() / 10_000 })
    writer.member("gradePercent", measured.gradient.map { ($0 * 1_000).rounded() / 10 })
    if let beats = measured.beats {
      writer.member("measuredOverSeconds", secondsFromNanoseconds: BeatWindow.length.nanoseconds)
      writer.member("artefactPercent", beats.artefactPercent)
    }
  }
}
