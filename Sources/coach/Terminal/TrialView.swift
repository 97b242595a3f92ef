import StrategyStudy
import WorkoutSession

/// What the arms of a study did, of sessions for which they were drawn.
struct TrialView {
  private let trial: RandomizedTrial

  /// A view of a study.
  init(_ trial: RandomizedTrial) { self.trial = trial }

  /// The lines, each in at most `width` columns.
  func lines(width: Int) -> [StyledText] {
    let design = trial.design
    let title = "Study '\(design.study)', \(design.course): \(counts)"
    var lines = wrapped(title, width: width, indent: 0, hanging: 0).map { StyledText($0, .bold).cut(to: width) }
    lines += arms.wrappedLines(width: width)
    if !trial.contrasts.isEmpty { lines += [.empty] + contrasts.wrappedLines(width: width) }
    return lines
  }

  private var counts: String {
    let left = [
      trial.imported > 0 ? "\(trial.imported) imported" : nil,
      trial.withoutOutcome > 0 ? "\(trial.withoutOutcome) without a target or a heart rate" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
    return StudyText.counted(trial.sessions, "live session") + " of "
      + StudyText.counted(trial.people, "person", "people")
      + (left.isEmpty ? "" : ", not counted: \(left)")
  }

  private var arms: TextTable {
    let columns =
      [TextTable.Column(title: "in target of", isLabel: true)]
      + ["covered", "95 % from", "to", "active", "sessions", "people"].map {
        TextTable.Column(title: $0, isNumber: true)
      }
    let rows = zip(trial.design.arms, trial.arms).map { arm, found in
      let compliance = found.means[0]
      return [
        TextTable.Cell.text(arm.name), percent(compliance?.value), percent(compliance?.confidence?.lower),
        percent(compliance?.confidence?.upper), percent(found.means[1]?.value), .text("\(found.sessions)"),
        .text("\(found.people)"),
      ]
    }
    return TextTable(columns, rows)
  }

  private var contrasts: TextTable {
    let columns =
      [TextTable.Column(title: "points of covered", limit: 48, isLabel: true)]
      + ["difference", "95 % from", "to", "people", "p (Holm)"].map { TextTable.Column(title: $0, isNumber: true) }
    let rows = trial.contrasts.filter { $0.outcome == .compliance }.map { contrast in
      let names = [contrast.a, contrast.b].map { trial.design.arms[$0].name }
      let difference = contrast.difference
      return [
        TextTable.Cell.text("\(names[0]) less \(names[1])"), points(difference.value),
        points(difference.confidence?.lower), points(difference.confidence?.upper), .text("\(difference.people)"),
        .text(contrast.adjustedProbability.map(StudyText.probability) ?? "–"),
      ]
    }
    return TextTable(columns, rows)
  }

  private func percent(_ share: Double?) -> TextTable.Cell { .text(share.map(QuantityText.percent) ?? "–") }

  private func points(_ share: Double?) -> TextTable.Cell {
    .text(share.map { StudyText.points($0) } ?? "–")
  }
}
