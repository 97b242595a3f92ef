import WorkoutSession
import ZoneEngine

/// What became of the steps of a plan: a sentence, then the steps.
struct VerdictView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a verdict.
  init(_ verdict: PlanVerdict, width: Int) {
    let columns = [
      TextTable.Column(title: "step", isNumber: true),
      TextTable.Column(title: "", limit: 24),
      TextTable.Column(title: "from", isNumber: true, rank: 2),
      TextTable.Column(title: "active", isNumber: true, rank: 1),
      TextTable.Column(title: "in target", isNumber: true),
      TextTable.Column(title: "there after", isNumber: true, rank: 1),
      TextTable.Column(title: ""),
    ]
    let rows = verdict.steps.map { step -> [TextTable.Cell] in
      [
        .text("\(step.number)"), .text(step.name), .text(QuantityText.clock(step.start)),
        .text("\(step.activeSeconds) s"), .text("\(step.inTargetSeconds) s"),
        .text(step.secondsToTarget.map { "\($0) s" }),
        .text(VerdictWords.result(step), step.result == .inTarget ? .plain : .bold),
      ]
    }
    lines =
      [StyledText("Plan", .bold).cut(to: width)]
      + SummaryView.paragraph(VerdictWords.sentence(verdict), width: width)
      + TextTable(columns, rows).lines(width: width)
  }
}

/// A verdict in words.
enum VerdictWords {
  /// `3 of 4 efforts in target; the third 40 s late.`
  static func sentence(_ verdict: PlanVerdict) -> String {
    let judged = verdict.judged
    let noun = verdict.isOfEfforts ? "effort" : "step"
    let head = "\(verdict.inTarget) of \(judged.count) \(noun)\(judged.count == 1 ? "" : "s") in target"
    let others = judged.enumerated().filter { $0.element.result != .inTarget }.map { index, step in
      (judged.count == 1 ? "it was " : "the \(ordinal(index + 1)) ") + result(step)
    }
    return ([head] + (others.isEmpty ? [] : [others.joined(separator: ", ")])).joined(separator: "; ") + "."
  }

  /// `in target`, `40 s late`, `too low`.
  static func result(_ step: PlanVerdict.Step) -> String {
    switch step.result {
    case .inTarget: "in target"
    case .late: "\(step.lateSeconds ?? 0) s late"
    case .tooLow: "too low"
    case .tooHigh: "too high"
    case .noData: "without enough heart rates"
    case .cutShort: "cut short"
    }
  }

  /// `first` to `tenth`, then `11th`, `21st`.
  static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    if (1...words.count).contains(number) { return words[number - 1] }
    guard !(11...13).contains(number % 100) else { return "\(number)th" }
    switch number % 10 {
    case 1: return "\(number)st"
    case 2: return "\(number)nd"
    case 3: return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
