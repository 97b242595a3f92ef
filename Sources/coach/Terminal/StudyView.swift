import StrategyStudy
import WorkoutSession
import ZoneEngine

/// Shows what a study found on a course under a behaviour.
struct StudyView {
  private let result: StudyResult
  private let width: Int

  /// A view in a number of columns.
  init(_ result: StudyResult, width: Int) {
    self.result = result
    self.width = width
  }

  private var course: StudyCourse { result.study.courses[result.course] }

  /// The lines: what was simulated, the arms, the contrasts, the limit, and what else was asked for.
  var lines: [StyledText] {
    let target = course.target
    let heading =
      [StyledText("\(course.gaitText), \(result.study.behaviours[result.behaviour].text)", .bold)]
      + SummaryView.paragraph(
        "\(StudyText.counted(result.study.runners, "virtual runner")), target \(course.targetRequest.text) (\(target.lowerBPM)–\(target.upperBPM) bpm), "
          + "seed \(result.study.seed)", width: width)
      + (result.study.trial.map { SummaryView.paragraph(StudyText.trial($0.trial), width: width) } ?? [])
    return [heading + arms, contrasts, closing].joinedBlocks
  }

  private var arms: [StyledText] {
    typealias Column = TextTable.Column
    let columns = [
      Column(title: "arm", limit: 60, isLabel: true), Column(title: "in target", isNumber: true),
      Column(title: "95 %", isNumber: true),
      Column(title: "after 3 min", isNumber: true), Column(title: "rmse bpm", isNumber: true),
      Column(title: "over bpm", isNumber: true), Column(title: "reached s", isNumber: true),
      Column(title: "cues/h", isNumber: true), Column(title: "followed", isNumber: true),
      Column(title: "check−midway", isNumber: true),
    ]
    let rows = result.arms.map { arm in
      [
        TextTable.Cell.text(arm.arm.name), .text(StudyText.percent(arm.timeInTarget.mean)),
        .text(arm.timeInTarget.peopleInterval.map(StudyText.percents)),
        .text(arm.timeInTargetAfterStart.map { StudyText.percent($0.mean) }),
        .text(arm.rootMeanSquareErrorBPM.map { QuantityText.number($0.mean, decimals: 1) }),
        .text(QuantityText.number(arm.overshootBPM.mean, decimals: 1)),
        .text(arm.secondsToTarget.map { QuantityText.number($0.mean, decimals: 0) }),
        .text(QuantityText.number(arm.cuesPerHour.mean, decimals: 1)),
        .text(arm.followedShare.map(QuantityText.percent)),
        .text(arm.checkMinusMidway.map { StudyText.points($0.mean) }),
      ]
    }
    return TextTable(columns, rows).wrappedLines(width: width)
  }

  private var contrasts: [StyledText] {
    guard !result.contrasts.isEmpty else { return [] }
    let columns = [
      TextTable.Column(title: "arm", limit: 60, isLabel: true),
      TextTable.Column(title: "less", limit: 60, isLabel: true),
      TextTable.Column(title: "points", isNumber: true), TextTable.Column(title: "95 %", isNumber: true),
      TextTable.Column(title: "better for", isNumber: true),
      TextTable.Column(title: "p (Holm)", isNumber: true),
    ]
    let rows = result.contrasts.map { contrast in
      [
        TextTable.Cell.text(course.arms[contrast.contrast.a].name), .text(course.arms[contrast.contrast.b].name),
        .text(StudyText.points(contrast.difference.mean)),
        .text(contrast.difference.peopleInterval.map { StudyText.points($0) }),
        .text(QuantityText.percent(contrast.shareBetter)),
        .text(contrast.adjustedProbability.map(StudyText.probability)),
      ]
    }
    return TextTable(columns, rows).wrappedLines(width: width)
  }

  private var closing: [StyledText] {
    var sentences = ["A driven treadmill reaches \(StudyText.limits(result.limits))."]
    if let absence = PeopleInterval.absence(ofPeople: result.study.runners) { sentences.append(absence) }
    if result.contrasts.contains(where: { !$0.isOfEqualLength }) {
      sentences.append(
        "Arms of different length are compared: the start weighs less in a longer one. --minutes N makes them equal.")
    }
    if let single = result.singleSessions {
      sentences.append(
        "One session an arm, different days: the claimed order for \(QuantityText.percent(single.orderShare)) of people, "
          + "the claimed gap for \(QuantityText.percent(single.gapShare)); "
          + "if the last two did not differ, \(QuantityText.percent(single.orderShareWithoutDifference)) and "
          + "\(QuantityText.percent(single.gapShareWithoutDifference)). Differences \(StudyText.points(single.difference.mean)) ± "
          + "\(QuantityText.number(100 * (single.difference.standardDeviation ?? 0), decimals: 1)) points"
          + (single.difference.peopleInterval.map { ", mean within \(StudyText.points($0)): " } ?? ": ")
          + (StudyText.people(single.peopleNeeded).map { "\($0) people to find it." } ?? "no difference was found."))
    }
    if !result.suggestions.isEmpty { sentences.append("Kinds of strategies are compared at one interval; add these:") }
    return sentences.flatMap { SummaryView.paragraph($0, width: width, indent: 2) }
      + result.suggestions.flatMap { SummaryView.paragraph("--arm \($0)", width: width, indent: 4) }
  }
}
