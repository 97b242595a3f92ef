import StrategyStudy
import WorkoutSession

/// The result of the benchmark on a terminal.
struct BenchmarkView {
  private let result: CueBenchmarkResult

  init(_ result: CueBenchmarkResult) { self.result = result }

  /// The arms, then the worst cells of the policy.
  func lines(width: Int) -> [StyledText] {
    let run = result.run
    let counted = result.cells.count { !$0.isFitted }
    var lines = [StyledText("\(CueBenchmark.name) \(CueBenchmark.number): \(run.text)", .bold).cut(to: width)]
    lines += SummaryView.paragraph(
      "\(run.seeds == .final ? "FINAL" : "development") seeds (\(CueBenchmark.seed(run.seeds))), \(counted) cells, "
        + "\(StudyText.counted(run.runners, "virtual runner")) each, \(CueBenchmark.seconds / 60) min", width: width)
    lines.append(StyledText("definition \(CueBenchmark.hash)").cut(to: width))
    lines += armTable(width: width)
    if let absence = PeopleInterval.absence(ofPeople: run.runners) {
      lines += SummaryView.paragraph(absence, width: width)
    }
    lines += SummaryView.paragraph("worst cell: \(result.cells[result.policy.worstCell].words)", width: width)
    lines.append(StyledText(""))
    lines += cellTable("cells with most regret", Array(worst(result.cells.filter { !$0.isFitted }).prefix(12)), width)
    let fitted = result.cells.filter(\.isFitted)
    if !fitted.isEmpty {
      lines.append(StyledText(""))
      lines += cellTable("people of the file, which are no part of the benchmark", fitted, width)
    }
    return lines
  }

  private func worst(_ cells: [CueBenchmarkCell]) -> [CueBenchmarkCell] {
    cells.sorted { $0.regret[result.place].mean > $1.regret[result.place].mean }
  }

  private func number(_ cuesPerHour: Double) -> String { StudyText.number(cuesPerHour, decimals: 1) }

  private func armTable(width: Int) -> [StyledText] {
    let columns = [
      TextTable.Column(title: "arm", limit: 60, isLabel: true), TextTable.Column(title: "in target", isNumber: true),
      TextTable.Column(title: "95 %"), TextTable.Column(title: "cues/h", isNumber: true),
      TextTable.Column(title: "cues/h, 95 %"), TextTable.Column(title: "mean regret", isNumber: true),
      TextTable.Column(title: "mean, 95 %"), TextTable.Column(title: "worst regret", isNumber: true),
      TextTable.Column(title: "worst, 95 %"),
      TextTable.Column(title: "ahead by"),
    ]
    let rows = result.arms.enumerated().map { index, arm in
      [
        TextTable.Cell.text(arm.name), .text(StudyText.percent(arm.timeInTarget.mean)),
        .text(arm.timeInTarget.peopleInterval.map(StudyText.percents)),
        .text(number(arm.cuesPerHour.mean)),
        .text(arm.cuesPerHour.peopleInterval.map { "\(number($0.lower))–\(number($0.upper))" }),
        .text(StudyText.points(arm.meanRegret.mean)), .text(arm.meanRegret.peopleInterval.map(StudyText.points)),
        .text(StudyText.points(arm.worstRegret.mean)), .text(arm.worstRegret.peopleInterval.map(StudyText.points)),
        .text(
          index == 0
            ? nil : StudyText.points(arm.lead.mean) + (arm.lead.peopleInterval.map { " " + StudyText.points($0) } ?? "")
        ),
      ]
    }
    return TextTable(columns, rows).wrappedLines(width: width)
  }

  /// Cells by their numbers, which the lines before the table name: many names begin and end alike, so that none may be cut.
  private func cellTable(_ title: String, _ cells: [CueBenchmarkCell], _ width: Int) -> [StyledText] {
    let names = cells.enumerated().flatMap { index, cell in
      SummaryView.paragraph("\(index + 1): \(cell.words)", width: width, indent: 2)
    }
    let columns = [
      TextTable.Column(title: "cell", isLabel: true), TextTable.Column(title: "in target", isNumber: true),
      TextTable.Column(title: "cues/h", isNumber: true), TextTable.Column(title: "best other"),
      TextTable.Column(title: "its in target", isNumber: true),
      TextTable.Column(title: "its cues/h", isNumber: true), TextTable.Column(title: "regret", isNumber: true),
      TextTable.Column(title: "95 %"),
    ]
    let place = result.place
    let rows = cells.enumerated().map { index, cell in
      let best = cell.best[place]
      return [
        TextTable.Cell.text("\(index + 1)"), .text(StudyText.percent(cell.timeInTarget[place].mean)),
        .text(number(cell.cuesPerHour[place].mean)),
        .text(CueBenchmark.references[best].name), .text(StudyText.percent(cell.timeInTarget[best].mean)),
        .text(number(cell.cuesPerHour[best].mean)),
        .text(StudyText.points(cell.regret[place].mean)),
        .text(cell.regret[place].peopleInterval.map(StudyText.points)),
      ]
    }
    return [StyledText(title, .dim).cut(to: width)] + names + TextTable(columns, rows).wrappedLines(width: width)
  }
}
