internal import WorkoutSession
internal import ZoneEngine

/// Words for expectations and events, for the lines that say what was not met.
extension EventPattern {
  /// What is asked for, such as `slowDown cue`.
  var text: String {
    switch self {
    case .cue(let action, let band, let bpm, let reason):
      Self.words(
        [action?.rawValue ?? "", "cue"].filter { !$0.isEmpty }.joined(separator: " "), band.map { "in \($0)" },
        bpm.map { "at \($0) bpm" }, reason.map { "(\($0))" })
    case .withheld(let reason): "withheld (\(reason.rawValue))"
    case .signalLost: "signalLost"
    case .signalRestored(let bpm): Self.words("signalRestored", bpm.map { "\($0) bpm" })
    case .quantityLost(let quantity): "signalLost of \(quantity.rawValue)"
    case .quantityRestored(let quantity): "signalRestored of \(quantity.rawValue)"
    case .signalSuspect(let suspicion): Self.words("signalSuspect", suspicion?.rawValue)
    case .paused: "paused"
    case .resumed: "resumed"
    case .stepChanged(let number): Self.words("stepChanged", number.map(String.init))
    case .targetChanged(let to): Self.words("targetChanged", to.map { "to \($0)" })
    case .strategyChanged(let to): Self.words("strategyChanged", to.map { "to \($0)" })
    case .sourceChanged(let from, let to):
      Self.words("sourceChanged", from.map { "from \($0)" }, to.map { "to \($0)" })
    case .lap(let number): Self.words("lap", number.map(String.init))
    case .countdown(let remaining): Self.words("countdown", remaining.map(CueWording.seconds))
    case .ended(let reason): Self.words("ended", reason?.rawValue)
    }
  }

  /// Whether an event is of the kind that is asked for, so that it is worth naming in a failure.
  func isRelated(to event: SessionEvent) -> Bool {
    let pattern: EventPattern =
      switch self {
      case .cue, .withheld: .cue(nil, band: nil, heartRateBPM: nil, reason: nil)
      case .signalRestored: .signalRestored(heartRateBPM: nil)
      case .signalSuspect: .signalSuspect(nil)
      case .stepChanged: .stepChanged(number: nil)
      case .targetChanged: .targetChanged(to: nil)
      case .strategyChanged: .strategyChanged(to: nil)
      case .sourceChanged: .sourceChanged(from: nil, to: nil)
      case .lap: .lap(number: nil)
      case .countdown: .countdown(remaining: nil)
      case .ended: .ended(nil)
      case .signalLost, .quantityLost, .quantityRestored, .paused, .resumed: self
      }
    if case .cue = pattern, case .engine(.decision) = event { return true }
    return pattern.matches(event)
  }

  /// An event with its time, such as `hold cue in zone2 at 137 bpm at 120 s`.
  static func text(of event: SessionEvent) -> String {
    let pattern: EventPattern
    switch event {
    case .engine(.decision(let decision)):
      switch decision.outcome {
      case .cue(let action):
        pattern = .cue(
          action, band: decision.band?.description, heartRateBPM: decision.evidence.heartRateBPM,
          reason: decision.evidence.ceiling == nil ? nil : decision.reason)
      case .withheld(let reason): pattern = .withheld(reason)
      }
    case .engine(.signalLost): pattern = .signalLost
    case .engine(.signalRestored(_, let bpm)): pattern = .signalRestored(heartRateBPM: bpm)
    case .engine(.quantityLost(_, let band)): pattern = .quantityLost(band.quantity)
    case .engine(.quantityRestored(_, let band, _)): pattern = .quantityRestored(band.quantity)
    case .engine(.signalSuspect(_, let suspicion, _)): pattern = .signalSuspect(suspicion)
    case .engine(.stepChanged(_, let number, _, _)): pattern = .stepChanged(number: number)
    case .engine(.targetChanged(_, _, let target)):
      pattern = .targetChanged(to: (target?.target ?? .open).description)
    case .engine(.strategyChanged(_, _, let strategy)): pattern = .strategyChanged(to: strategy.specification)
    case .engine(.trialPoint(let time, let point)):
      return "decision point \(point.number) at \(CueWording.seconds(time))"
    case .engine(.paused): pattern = .paused
    case .engine(.resumed): pattern = .resumed
    case .lap(_, let number): pattern = .lap(number: number)
    case .sourceChanged(_, let from, let to): pattern = .sourceChanged(from: from, to: to)
    case .countdown(_, let remaining): pattern = .countdown(remaining: remaining)
    case .ended(_, let reason): pattern = .ended(reason)
    case .started: return "started"
    case .activityDiffers(let time, let asked, _): return "not \(asked.rawValue) at \(CueWording.seconds(time))"
    case .activity(let time, let activity): return "\(activity.name) at \(CueWording.seconds(time))"
    case .rejected(let time, let stream): return "rejected \(stream.name) at \(CueWording.seconds(time))"
    case .acknowledgement(let answer): return "acknowledgement of \(answer.id ?? "nothing")"
    }
    return pattern.text + (event.time.map { " at \(CueWording.seconds($0))" } ?? "")
  }

  private static func words(_ parts: String?...) -> String { parts.compactMap { $0 }.joined(separator: " ") }
}
