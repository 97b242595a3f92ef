import WorkoutSession
import ZoneEngine

/// What became of the steps of a plan: a sentence, then the steps.
struct VerdictView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a verdict on a plan, whose steps are called as in the table of the laps.
  init(_ verdict: PlanVerdict, of plan: PlanRequest?, width: Int) {
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
        .text("\(step.number)"), .text(plan?.title(ofStep: step.number) ?? step.name),
        .text(QuantityText.clock(step.start)),
        .text("\(step.activeSeconds) s"), .text("\(step.inTargetSeconds) s"),
        .text(step.secondsToTarget.map { "\($0) s" }),
        .text(VerdictWords.result(step), step.result == .inTarget ? .plain : .bold),
      ]
    }
    lines =
      [StyledText("Plan", .bold).cut(to: width)]
      + SummaryView.paragraph(VerdictWords.sentence(verdict, of: plan), width: width)
      + TextTable(columns, rows).lines(width: width)
  }
}
