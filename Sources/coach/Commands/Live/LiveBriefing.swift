import ActivityRecognition
import WorkoutSession
import ZoneEngine

/// What is said before a live session begins: who decides and how, what is done and recognised, the ceiling, and what happens without
/// a target.
struct LiveBriefing {
  /// The most steps of a plan that are named.
  private static let largestCount = 16

  /// One line each, without the name of the program.
  let lines: [String]
  /// The activity, where it was assumed; `nil` where somebody or something said it.
  let assumption: String?
  /// That nothing checks what steps ask for; `nil` where something does, or they ask for nothing.
  let unchecked: String?

  /// Prepares the lines for a session that begins; they do not reveal a strategy that was drawn.
  init(
    _ parsed: ParsedArguments, _ request: SessionRequest, _ settings: CoachingSettings, _ activity: LiveActivity,
    _ recognition: RecognitionSettings?, _ units: UnitSystem, _ origin: SessionOrigin
  ) {
    var lines: [String] = []
    let coaching = request.coaching
    if request.randomization == nil {
      if let preset = coaching.coach {
        let isChosen = parsed[GuidanceOptions.coach] != nil
        lines.append(
          "\(preset.rawValue) — \(preset.summary)" + (isChosen ? "" : "; --coach or --strategy chooses another"))
      } else {
        lines.append("strategy \(coaching.strategy.specification)")
      }
    }
    if let line = activity.line { lines.append(line) }
    if let recognition {
      lines.append(
        Self.recognition(
          recognition, isRefused: parsed[RecognitionOptions.noAutoPause],
          isDrawn: request.randomization != nil || request.coaching.trial != nil))
    }
    if let ceiling = settings.ceiling {
      let source = parsed[GuidanceOptions.ceiling] == nil ? ", 5 above the maximum; --ceiling sets another" : ""
      lines.append(
        "ceiling \(ceiling.beatsPerMinute) bpm: above it for \(CueWording.seconds(ceiling.after)) you are cued to slow down"
          + source)
    } else if parsed[GuidanceOptions.ceiling] == nil {
      lines.append("no ceiling, because no maximum heart rate is known; --ceiling BPM sets one")
    }
    if coaching.plan != nil { lines.append("plan: " + Self.ahead(settings, units)) }
    unchecked =
      recognition == nil && settings.plan.steps.contains { $0.activity != nil }
      ? "the plan asks for walking or running, which nothing checks: --recognize MODEL does" : nil
    if let unchecked { lines.append(unchecked) }
    if origin == .simulated, let name = Self.unsimulated(settings) {
      lines.append("the simulated runner has no \(name): no cue is given of it")
    }
    if coaching.target == nil, coaching.plan == nil {
      let rest = settings.ceiling == nil ? "no cues" : "no cues but that of the ceiling"
      lines.append("no target: \(rest); --target z2, --target 119-137 or --plan sets one")
    }
    self.lines = lines
    assumption = activity.isAssumed ? activity.line : nil
  }

  /// Which model recognises activities, and whether the session pauses by itself; if not, why.
  static func recognition(_ settings: RecognitionSettings, isRefused: Bool, isDrawn: Bool) -> String {
    let model = "activities are recognised by the model \(settings.model.name)"
    if settings.pausesWhenStill {
      return model + ": the session pauses while you stand still; --no-auto-pause lets it run"
    }
    let reason =
      isRefused
      ? ""
      : isDrawn
        ? ", because the strategy is drawn" : ", because the model has no labels of standing still and of moving"
    return model + ": the session does not pause by itself" + reason
  }

  /// What a virtual runner lacks and a target needs: intervals between beats, or an altitude; `nil` where nothing is lacking.
  private static func unsimulated(_ settings: CoachingSettings) -> String? {
    let lacks = settings.plan.steps.compactMap { step -> String? in
      guard case .quantity(let band) = step.target else { return nil }
      return switch band.quantity {
      case .alpha1: "intervals between beats"
      case .gradeAdjustedPace: "altitude"
      case .pace, .speed, .cadence: nil
      }
    }
    return lacks.first
  }

  /// The steps that come, a long plan's first ones.
  private static func ahead(_ settings: CoachingSettings, _ units: UnitSystem) -> String {
    let steps = settings.plan.steps
    let texts = steps.prefix(largestCount).map { step in
      let length = units.length(step.length)
      let target = step.target.shortText(in: settings.zones, units)
      return [step.name, length, step.activity?.rawValue, target].compactMap(\.self).joined(separator: " ")
    }
    let rest = steps.count > largestCount ? ", and \(steps.count - largestCount) more steps" : ""
    return texts.joined(separator: ", ") + rest
  }

  /// Prints it as the first lines of text. Where records are written or a bar is fed, nothing of it is a result: an activity that was
  /// assumed, and that nothing checks what steps ask for, are complaints there, the rest is not said.
  ///
  /// - Parameter complain: shows a line beside the results.
  /// - Throws: `FileError` when it cannot be written.
  func print(_ parsed: ParsedArguments, _ console: Console, complain: (String) -> Void) throws {
    guard parsed[OutputOptions.format] == .text, parsed[ViewOptions.view] != .line else {
      for line in [assumption, unchecked] { if let line { complain(line) } }
      return
    }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    for (index, line) in lines.enumerated() {
      let text = index == 0 ? "coach: \(line)" : line
      try console.print(
        wrapped(text, width: facts.width, indent: 0, hanging: 2).map { StyledText($0, .dim).cut(to: facts.width) },
        facts)
    }
    try console.flush()
  }
}
