internal import LiveCoaching
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// How a live session stands, for whoever watches it: what the terminal's screen shows, as one object.
enum LiveState {
  /// Writes the object.
  ///
  /// - Parameters:
  ///   - watch: whoever looks; what they chose is in it, with the notices that they have not seen, and their units are those of
  ///     every text. Numbers are metric.
  ///   - said: what is to be said to them now.
  ///   - heartRateAge: how old the newest heart rate is, in nanoseconds; absent where nobody knows. The session has no clock for
  ///     it, whose time stands still where nothing comes.
  /// - Returns: what of the object is the same as long as nothing happens: all before that age, with which it ends.
  @discardableResult
  static func write(
    _ pipeline: SessionPipeline, to watch: LiveWatch, saying said: [String], heartRateAge: Int64? = nil,
    _ writer: inout JSONWriter
  ) -> ArraySlice<UInt8> {
    let units = watch.units
    let engine = pipeline.engine
    let summary = engine.summary
    let start = writer.bytes.count
    var lasting = start
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "state")
      writer.member("atSeconds", secondsFromNanoseconds: engine.now.nanoseconds)
      writer.member("activeSeconds", secondsFromNanoseconds: engine.active.nanoseconds)
      writer.member("isPaused", engine.isPaused)
      // A stale heart rate is never shown.
      if let newest = engine.newestReading, engine.now - newest.time <= CoachingEngine.holdLimit {
        writer.member("heartRateBPM", newest.displayedBPM)
        writer.member("heartRateAtSeconds", secondsFromNanoseconds: newest.time.nanoseconds)
        writer.member("band", engine.settings.zones.band(ofDisplayedBPM: newest.displayedBPM).description)
      }
      SessionRecords.writeLimits(of: engine.target, to: &writer)
      if let band = engine.target?.quantity {
        let read = band.read(in: units)
        writer.member("targetText", read.rangeText)
        writer.member("valueText", engine.currentQuantity.map { read.text($0) })
      }
      if let speed = engine.currentSpeed, speed > 0.3 {
        writer.member("paceSecondsPerKilometer", (1_000 / speed * 10).rounded() / 10)
      }
      engine.beatVariability?.writeMembers(to: &writer)
      // What the motion sensors say is done.
      writer.member("activity", pipeline.activity?.name)
      writer.member("distanceMeters", engine.distanceMeters)
      writer.member("steps", engine.stepCount)
      writer.member("compliance", summary.compliance)
      writer.member("secondsToNextCheck", secondsFromNanoseconds: engine.timeToNextCheck?.nanoseconds)
      writer.member("lap", pipeline.lap)
      writer.member("remainingSeconds", secondsFromNanoseconds: pipeline.remaining?.nanoseconds)
      if let (action, decision) = pipeline.newest.cue {
        writer.object("cue") { writer in
          writer.member("atSeconds", secondsFromNanoseconds: decision.time.nanoseconds)
          writer.member("message", CueWording.message(action, decision, in: units))
        }
      }
      writer.array("fields") { writer in
        for shown in watch.shown(pipeline, timeOfDay: nil) {
          writer.object { writer in
            writer.member("field", shown.field.rawValue)
            writer.member("title", shown.title)
            writer.member("value", shown.value?.number)
            writer.member("unit", shown.value?.unit)
          }
        }
      }
      if !said.isEmpty {
        writer.member("language", watch.language.rawValue)
        writer.array("said") { writer in for sentence in said { writer.value(sentence) } }
      }
      if !watch.notices.isEmpty {
        writer.array("notices") { writer in
          for notice in watch.notices {
            writer.object { writer in
              writer.member("text", notice.text)
              writer.member("seconds", notice.seconds)
            }
          }
        }
      }
      let position = engine.position
      if position.count > 1, position.step != nil {
        writer.object("step") { writer in
          writer.member("number", position.number)
          writer.member("count", position.count)
          writer.member("name", position.step?.name)
          writer.member("activity", position.step?.activity?.rawValue)
          writer.member("repetition", position.step?.repetition?.number)
          writer.member("repetitions", position.step?.repetition?.count)
          writer.member(
            "title", position.step.map { LiveStep.name(of: $0, number: position.number, of: position.count) })
          writer.member("remainingSeconds", secondsFromNanoseconds: position.remaining?.nanoseconds)
          writer.member("remainingMeters", position.remainingMeters)
          writer.member("durationSeconds", secondsFromNanoseconds: position.step?.duration?.nanoseconds)
          writer.member("distanceMeters", position.step?.distanceMeters)
          let start = pipeline.newest.stepStart
          writer.member("activeSeconds", secondsFromNanoseconds: (engine.active - start.active).nanoseconds)
          if engine.target != nil {
            writer.member("inTargetSeconds", secondsFromNanoseconds: (summary.inTarget - start.inTarget).nanoseconds)
            writer.member(
              "coveredSeconds", secondsFromNanoseconds: (summary.coveredWithTarget - start.covered).nanoseconds)
          }
          writer.member("nextText", LiveStep.next(position, engine.settings.zones, units)?.first)
          writer.member("next", position.next.map { $0.name ?? units.length($0.length) })
        }
      }
      lasting = writer.bytes.count
      writer.member("heartRateAgeSeconds", secondsFromNanoseconds: heartRateAge)
    }
    return writer.bytes[start..<lasting]
  }
}
