package import WorkoutSession
package import ZoneEngine

/// What the runner is to do now, as it is shown.
package struct LiveAdvice: Sendable {
  /// The form that is drawn.
  package enum Sign: Sendable {
    /// The blob of a cue.
    case cue(CueAction)
    /// The session is paused.
    case pause
    /// There is no heart rate.
    case missing
    /// Nothing is drawn.
    case none
  }

  /// A cue stands out for this long.
  package static let freshness = SessionTime.seconds(30)

  /// The form.
  package let sign: Sign
  /// The words; never empty.
  package let words: String
  /// The word that says most of them.
  package let shortWords: String
  /// Whether it was said just now; what is older is dim.
  package let isFresh: Bool
  /// Why, in one line, from the longest to the shortest wording; may be empty.
  package let reasons: [String]

  /// What is to be done at this moment.
  package init(_ board: LiveBoard, _ pipeline: SessionPipeline, units: UnitSystem) {
    let engine = pipeline.engine
    if !board.hasStarted {
      self.init(.none, "ready", ["waiting for the first heart rate", "waiting for heart rate"])
    } else if engine.isPaused {
      self.init(.pause, "paused", ["space goes on"])
    } else if board.isSignalLost {
      if let band = engine.target?.quantity {
        self.init(
          .missing, "no usable \(band.name)", ["no cues until it is back: check the device", "check the device"])
        return
      }
      self.init(
        .missing, "no usable heart rate", ["no cues until it is back: check the strap", "check the strap"])
    } else if let (action, decision) = board.cue {
      let age = engine.now - decision.time
      self.init(
        .cue(action), decision.measured?.band.advice(action).uppercased() ?? action.words(decision.grade),
        Self.reasons(action, decision, units), isFresh: age <= Self.freshness, isGraded: decision.grade != nil)
    } else if engine.position.count > 1, let step = engine.position.step {
      self.init(
        .none, LiveStep.name(of: step, number: engine.position.number, of: engine.position.count),
        Self.progress(pipeline, units))
    } else if engine.target == nil {
      self.init(.none, "no target", ["nothing is asked for now", "nothing asked for"])
    } else {
      self.init(.none, engine.target.map { "target \($0.text(in: units))" } ?? "", Self.waiting(board.decision, engine))
    }
  }

  private init(
    _ sign: Sign, _ words: String, _ reasons: [String], isFresh: Bool = true, isGraded: Bool = false
  ) {
    let single = words.split(separator: " ")
    shortWords = (isGraded ? single.last : single.first).map(String.init) ?? ""
    self.sign = sign
    self.words = words
    self.isFresh = isFresh
    self.reasons = reasons
  }

  private static func reasons(_ action: CueAction, _ decision: Decision, _ units: UnitSystem) -> [String] {
    if let ceiling = decision.evidence.ceiling, let bpm = decision.evidence.heartRateBPM {
      let place = "above your ceiling of \(ceiling.beatsPerMinute)"
      return [
        "\(bpm) bpm, \(place) for \(QuantityText.seconds(ceiling.above))", "\(bpm), \(place)", "above the ceiling",
      ]
    }
    let place = decision.place(action, in: units)
    if let (asked, measured) = decision.measured {
      let band = asked.read(in: units)
      return [band.reason(place, measured), "\(place) \(band.rangeText)"]
    }
    guard let bpm = decision.evidence.heartRateBPM, let target = decision.target else { return [] }
    if decision.evidence.isAskedOtherwise { return ["\(bpm) bpm, as the program says", "as the program says"] }
    let range = target.rangeText
    return ["\(bpm) bpm, \(place) \(range)", "\(bpm), \(place) \(range)", "\(place) \(range)"]
  }

  /// What is left of the step, and what it asks for.
  private static func progress(_ pipeline: SessionPipeline, _ units: UnitSystem) -> [String] {
    let engine = pipeline.engine
    let left =
      pipeline.runStepRemaining.map { "\(QuantityText.clock($0.roundedUpToSeconds)) left" }
      ?? engine.position.remainingMeters.map { "\(units.distance(meters: $0.rounded(.up))) left" } ?? "until a lap"
    return ["\(left), \(engine.target?.text(in: units) ?? "no target")", left]
  }

  /// Why nothing was said, for as long as that is so: a warm-up and a grace end without a further decision.
  private static func waiting(_ decision: Decision?, _ engine: CoachingEngine) -> [String] {
    guard let decision, case .withheld(let reason) = decision.outcome else { return [] }
    let guardrails = engine.settings.guardrails
    if reason == .warmUp, engine.active >= guardrails.warmUp { return [] }
    if reason == .grace, engine.now - decision.time >= guardrails.grace { return [] }
    if reason == .minimumInterval, engine.now - decision.time >= guardrails.minimumInterval { return [] }
    let message = CueWording.message(reason, decision)
    return [String(message.dropFirst("No cue: ".count).dropLast())]
  }
}
