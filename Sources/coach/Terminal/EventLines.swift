import WorkoutSession
import ZoneEngine

extension CueLine {
  /// The line of an event of the engine; decisions have lines of their own.
  func line(for event: EngineEvent) -> StyledText {
    switch event {
    case .decision(let decision): line(for: .engine(.decision(decision)))
    case .signalLost(let time):
      note(at: time, "✕", .bold, ["signal lost: no usable heart rate for 15 s", "signal lost"])
    case .signalRestored(let time, let bpm):
      note(at: time, "✓", .plain, ["signal restored: \(bpm) bpm", "signal: \(bpm) bpm"])
    case .quantityLost(let time, let band):
      note(
        at: time, "✕", .bold, ["signal lost: no usable \(band.name) for 15 s", "no \(band.name)", "signal lost"])
    case .quantityRestored(let time, let band, let value):
      note(
        at: time, "✓", .plain,
        [
          "signal restored: \(band.read(in: units).text(value))", "signal: \(band.read(in: units).text(value))",
          "signal",
        ])
    case .signalSuspect(let time, let suspicion, let since):
      note(at: time, "?", .bold, Self.words(for: suspicion, since: since))
    case .stepChanged(let time, let number, let step, let target):
      note(at: time, "◆", .bold, words(forStep: number, step, target))
    case .targetChanged(let time, _, let target):
      note(
        at: time, "◆", .bold,
        target.map { ["target now \($0.text(in: units))"] } ?? ["no target now: no cues", "no target"])
    case .strategyChanged(let time, _, let strategy):
      note(at: time, "◆", .bold, ["strategy now \(strategy.specification)", "strategy now \(strategy.kind)"])
    case .trialPoint(let time, let point): note(at: time, "⊙", .dim, point.texts)
    case .paused(let time): note(at: time, "‖", .bold, ["paused"])
    case .resumed(let time): note(at: time, "▶", .bold, ["resumed"])
    }
  }

  /// Another device is in charge of the heart rate.
  func sourceChanged(at time: SessionTime, from: String?, to: String?) -> StyledText {
    let name = to ?? "an unnamed source"
    let silent = from ?? "the first source"
    return note(
      at: time, "⇄", .plain,
      ["heart rate now from \(name), \(silent) is silent", "heart rate now from \(name)", "now from \(name)"])
  }

  /// Somebody does something else.
  func activity(at time: SessionTime, _ activity: RecognizedActivity) -> StyledText {
    let since = "since " + QuantityText.clock(activity.since)
    return note(at: time, "≈", .plain, ["\(activity.name) \(since)", activity.name])
  }

  /// The answer to a command.
  func acknowledged(_ answer: Acknowledgement) -> StyledText {
    let again = answer.isRepeated ? " (answered before)" : ""
    let id = answer.id ?? "without an id"
    guard let refusal = answer.refusal else {
      return note(at: nil, "✓", .dim, ["command \(id) done\(again)", "\(id) done"])
    }
    let refused = "\(id) refused: "
    let reason = Self.words(for: refusal)
    return note(
      at: nil, "✕", .plain, ["command \(refused)\(reason.long)\(again)", refused + reason.long, refused + reason.short])
  }

  /// How a session ended, to be put after a word.
  static func words(for reason: SessionEvent.EndReason) -> String {
    switch reason {
    case .stop: ""
    case .endOfInput: ": end of the input"
    case .durationLimit: ": the time is up"
    case .interrupted: ": interrupted"
    case .recovered: ": recovered"
    }
  }

  private static func words(for suspicion: SignalSuspicion, since: SessionTime) -> [String] {
    let since = " since " + QuantityText.clock(since)
    switch suspicion {
    case .stuck: return ["is it the heart? the same reading\(since)", "same reading\(since)"]
    case .cadenceLock:
      return ["is it the heart? it equals the cadence\(since)", "equals the cadence\(since)", "equals the cadence"]
    }
  }

  private func words(
    forStep number: Int, _ step: TrainingPlan.Step?, _ target: ResolvedTarget?
  ) -> [String] {
    guard let step else { return ["plan finished"] }
    let head = "step \(number)" + (step.name.map { ": " + $0 } ?? "")
    let activity = step.activityBesideName?.rawValue
    let length = ", " + units.length(step.length) + (activity.map { " " + $0 } ?? "")
    let short = head + (activity.map { ", " + $0 } ?? "")
    // What is to be done stands there as long as anything does.
    let least = "step \(number)" + (activity.map { ", " + $0 } ?? "")
    guard let target, case let range = target.range(in: units) else {
      return [head + length + ", no target", head + length, short] + (activity == nil ? [] : [least])
    }
    return [
      head + length + ", target \(target.text(in: units))", head + length + ", " + range, short + ", " + range,
      least + ", " + range,
    ] + (activity == nil ? [] : [least])
  }

  private static func words(for refusal: CommandRefusal) -> (long: String, short: String) {
    switch refusal {
    case .stale: ("it is older than 30 s", "too old")
    case .implausibleTime: ("its time is not of this session", "wrong time")
    case .notStarted: ("the session has not begun", "not begun")
    case .alreadyStarted: ("the session is under way", "under way")
    case .alreadyPaused: ("the session is paused already", "paused already")
    case .notPaused: ("the session is not paused", "not paused")
    case .ended: ("the session is over", "over")
    case .randomized: ("the strategy of this session was drawn, another would falsify it", "the strategy was drawn")
    case .notAllowed: ("its sender may not send commands (--commands)", "not allowed")
    case .unknownCommand: ("it is none of the commands", "no command")
    case .missingID: ("it has no id", "no id")
    case .impossibleValue: ("what it asks for cannot be", "impossible")
    }
  }
}
