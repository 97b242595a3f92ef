import WorkoutSession
import ZoneEngine

extension CueLine {
  /// The line of an event of the engine; decisions have lines of their own.
  func line(for event: EngineEvent) -> StyledText {
    let words = EventWording.texts(of: .engine(event), in: units) ?? []
    return switch event {
    case .decision(let decision): line(for: .engine(.decision(decision)))
    case .signalLost(let time), .quantityLost(let time, _): note(at: time, "✕", .bold, words)
    case .signalRestored(let time, _), .quantityRestored(let time, _, _): note(at: time, "✓", .plain, words)
    case .signalSuspect(let time, _, _): note(at: time, "?", .bold, words)
    case .stepChanged(let time, let number, let step, let target):
      note(at: time, "◆", .bold, step.map { self.words(forStep: number, $0, target) } ?? words)
    case .targetChanged(let time, _, _), .strategyChanged(let time, _, _): note(at: time, "◆", .bold, words)
    case .trialPoint(let time, let point): note(at: time, "⊙", .dim, point.texts)
    case .paused(let time): note(at: time, "‖", .bold, ["paused"])
    case .resumed(let time): note(at: time, "▶", .bold, ["resumed"])
    }
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

  private func words(forStep number: Int, _ step: TrainingPlan.Step, _ target: ResolvedTarget?) -> [String] {
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
