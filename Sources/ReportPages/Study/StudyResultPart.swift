internal import StrategyStudy
internal import WorkoutSession

/// What a study found on one course under one behaviour.
struct StudyResultPart {
  let result: StudyResult
  /// The identity of the section; those in it begin with it.
  let id: String
  let exampleRunners: Int
  let switches: StudySwitches

  private var course: StudyCourse { result.study.courses[result.course] }

  /// The heading of the section.
  var heading: String {
    "\(course.gaitText), \(result.study.behaviours[result.behaviour].text)".capitalizedFirst
  }

  /// The arms with any of which the section is shown.
  var arms: String { StudySwitches.any(of: course.arms.map { switches.numbers($0.name) }) }

  /// Writes the section without its heading.
  func write(to page: inout Markup) {
    page.element(.p, result.study.behaviours[result.behaviour].behaviour.sentence)
    writeArms(to: &page)
    if !result.contrasts.isEmpty {
      let contrasts = StudySwitches.any(of: result.contrasts.map(numbers))
      page.element(.div, [.dataAnyArms: contrasts], writeContrasts)
      page.element(.div, [.dataAnyArms: contrasts], writeDifferences)
    }
    if let single = result.singleSessions {
      // Every line of it is of all of these arms.
      page.element(.div, [.dataArms: switches.numbers(single.observed.arms.map(name))]) {
        writeSingleSessions(single, to: &$0)
      }
    }
    writeExamples(to: &page)
  }

  // MARK: - Arms

  private func writeArms(to page: inout Markup) {
    page.element(.h3, "Arms")
    // One stroke for arms of one length; those of others stand in the text alone.
    let limits: [ArmOutcome: Double] = result.limits.count > 1 ? [:] : [.timeInTarget: result.limit.timeInTarget.mean]
    page.element(.div, [.class: "figures"]) { box in
      for outcome in ArmOutcome.allCases {
        guard let chart = outcome.figure(result.arms, id: id, limit: limits[outcome], switches) else { continue }
        box.element(.figure) { figure in
          figure.element(.h4, outcome.title)
          chart.write(to: &figure)
          if let limit = limits[outcome] {
            figure.element(
              .figcaption, "The upright stroke: a driven treadmill, \(StudyText.percent(limit)), to measure cues by."
            )
          }
        }
      }
    }
    page.note(
      "Dots are means over \(StudyText.counted(result.study.runners, "runner")), lines 95 % intervals; they show how sure the simulation is "
        + "of its own mean, not how wrong its model is.")
    writeTimes(to: &page)
    writeOutcomes(to: &page)
    for limit in result.limits {
      let arms = course.arms.filter { $0.seconds == limit.seconds }.map { switches.numbers($0.name) }
      page.element(.p, arms.isEmpty ? [:] : [.dataAnyArms: StudySwitches.any(of: arms)], text(of: limit))
    }
  }

  private func text(of limit: LimitResult) -> String {
    var text =
      "A treadmill that is driven by the true heart rate reaches \(StudyText.percent(limit.timeInTarget.mean))"
    if result.limits.count > 1 { text += " of \(limit.seconds) s" }
    if let later = limit.timeInTargetAfterStart { text += ", after 5 min \(StudyText.percent(later.mean))" }
    if let error = limit.rootMeanSquareErrorBPM {
      text += " with an RMSE of \(QuantityText.number(error.mean, decimals: 1)) bpm"
    }
    return text
      + ". It aims at the middle of the target; cues may reach more in a short session, or where the target is high."
  }

  private func writeTimes(to page: inout Markup) {
    let heading = "Time in target, with its errors in percentage points"
    page.element(.h4, heading)
    table(
      heading, ["Arm", "In target", "95 %", "Monte-Carlo error", "Spread", "After 3 min", "95 %", "Reached by"],
      to: &page
    ) { body in
      for arm in result.arms {
        let later = arm.timeInTargetAfterStart
        row(
          arm.arm.name,
          [
            StudyText.percent(arm.timeInTarget.mean), arm.timeInTarget.peopleInterval.map(StudyText.percents),
            arm.timeInTarget.standardError.map(Self.share), arm.timeInTarget.standardDeviation.map(Self.share),
            later.map { StudyText.percent($0.mean) }, later?.peopleInterval.map(StudyText.percents),
            QuantityText.percent(arm.reachedShare),
          ], of: switches.numbers(arm.arm.name), to: &body)
      }
    }
  }

  private func writeOutcomes(to page: inout Markup) {
    let outcomes: [ArmOutcome] = [
      .rootMeanSquareError, .overshoot, .secondsToTarget, .cues, .directionalCues, .directionChanges, .checkMinusMidway,
    ]
    let heading = "Other outcomes, means of the runners"
    page.element(.h4, heading)
    table(heading, ["Arm"] + outcomes.map(\.column) + ["95 %", "Followed"], to: &page) { body in
      for arm in result.arms {
        row(
          arm.arm.name,
          outcomes.map { outcome in outcome.moments(of: arm).map { outcome.text($0.mean) } }
            + [
              arm.checkMinusMidway?.peopleInterval.map { StudyText.points($0) },
              arm.followedShare.map(QuantityText.percent),
            ], of: switches.numbers(arm.arm.name), to: &body)
      }
    }
  }

  // MARK: - Contrasts

  private func writeContrasts(to page: inout Markup) {
    page.element(.h3, "Contrasts, paired by runner")
    page.element(.figure) { figure in
      DotFigure(
        id: "\(id)-contrasts", title: "Difference of the time in target, points",
        rows: result.contrasts.map { contrast in
          DotFigure.Row(
            name: name(contrast.contrast.a), more: "less \(name(contrast.contrast.b))",
            mean: 100 * contrast.difference.mean,
            interval: contrast.difference.peopleInterval.map { $0.scaled(by: 100) },
            label: StudyText.points(contrast.difference.mean)
              + (contrast.difference.peopleInterval.map { " (\(StudyText.points($0)))" } ?? ""),
            arms: numbers(contrast))
        },
        range: 0...0, markLabel: { Length.number($0).replacing("-", with: "−") }
      ).write(to: &figure)
      figure.element(
        .figcaption,
        "Difference of the time in target in percentage points, with its 95 % interval; right of 0 the first is better."
      )
    }
    table(
      "Contrasts",
      ["Arm", "less", "Points", "95 %", "Monte-Carlo error", "Spread", "Better for", "Same for", "p", "p (Holm)"],
      to: &page
    ) { body in
      for contrast in result.contrasts {
        let difference = contrast.difference
        row(
          name(contrast.contrast.a),
          [
            name(contrast.contrast.b), StudyText.points(difference.mean),
            difference.peopleInterval.map { StudyText.points($0) }, difference.standardError.map(Self.share),
            difference.standardDeviation.map(Self.share), QuantityText.percent(contrast.shareBetter),
            QuantityText.percent(Double(contrast.counts.same) / Double(contrast.counts.total)),
            difference.probabilityOfZero.map(StudyText.probability),
            contrast.adjustedProbability.map(StudyText.probability),
          ], of: numbers(contrast), to: &body)
      }
    }
    let unequal = result.contrasts.filter { !$0.isOfEqualLength }
    if !unequal.isEmpty {
      page.element(
        .p, [.dataAnyArms: StudySwitches.any(of: unequal.map(numbers))],
        "Arms of different length are compared: the way into the target at the start weighs less in a longer session, so "
          + "that a part of such a difference may be the length alone.")
    }
    if !result.suggestions.isEmpty {
      page.element(.p) { text in
        text.text("Kinds of strategies are compared at one interval; add these: ")
        for (index, suggestion) in result.suggestions.enumerated() {
          if index > 0 { text.text(", ") }
          text.element(.code, suggestion)
        }
        text.text(".")
      }
    }
  }

  private func writeDifferences(to page: inout Markup) {
    page.element(.h3, "Differences from runner to runner")
    page.element(.div, [.class: "figures"]) { box in
      for (index, contrast) in result.contrasts.enumerated() {
        DifferenceFigure(
          id: "\(id)-differences-\(index + 1)",
          title: "\(name(contrast.contrast.a)) less \(name(contrast.contrast.b))", counts: contrast.counts,
          arms: numbers(contrast)
        ).write(to: &box)
      }
    }
    page.note(
      "How many runners differ by so many percentage points of the time in target: a bar reaches from its neighbour nearer "
        + "to 0 to the point under it. Hatched bars are runners who do worse in the first arm, and the bar of 0 holds "
        + "those who do not differ at all.")
  }

  // MARK: - One session each

  private func writeSingleSessions(_ single: SingleSessionsResult, to page: inout Markup) {
    let arms = single.observed.arms.map(name)
    page.element(.h3, "If each person had run each arm once")
    let observed = zip(arms, single.observed.timeInTarget).map { "\($0) \(StudyText.percent($1))" }
    page.list([
      ("Observed in people", observed.joined(separator: ", ") + " (" + single.observed.source + ")"),
      (
        "The observed order",
        "\(QuantityText.percent(single.orderShare)) of virtual persons; "
          + "\(QuantityText.percent(single.orderShareWithoutDifference)) if the last arm did what the one before does"
      ),
      (
        "The observed gap or more",
        "\(QuantityText.percent(single.gapShare)); \(QuantityText.percent(single.gapShareWithoutDifference)) if the last "
          + "arm did what the one before does"
      ),
      (
        "Difference of the last two",
        "\(StudyText.points(single.difference.mean)) points"
          + (single.difference.peopleInterval.map { " (95 % \(StudyText.points($0)))" } ?? "")
          + (single.difference.standardDeviation.map { ", spread \(Self.share($0))" } ?? "")
      ),
      (
        "People needed to find it",
        StudyText.people(single.peopleNeeded).map { "\($0), one session an arm, power 0.8, alpha 0.05" }
          ?? "no difference was found: its interval includes none, so that no number of people follows"
      ),
    ])
  }

  // MARK: - Examples

  private func writeExamples(to page: inout Markup) {
    let examples = NamedTrace.first(
      exampleRunners, of: result.study, course: result.course, behaviour: result.behaviour)
    guard !examples.isEmpty else { return }
    page.element(.h3, "Example sessions")
    page.element(.div, [.class: "figures"]) { box in
      for (index, example) in examples.enumerated() {
        let arm = course.arms[index % course.arms.count]
        TraceFigure(
          example, target: course.target, seconds: arm.seconds, id: "\(id)-example-\(index + 1)",
          arms: switches.numbers(arm.name)
        )?.write(to: &box)
      }
    }
    page.note(
      "The curve is the true heart rate, the band the target. A mark stands at the heart rate that the sensor reported: "
        + "▲ go faster, ● hold, ▼ go slower, a hollow circle is a moment without a cue.")
  }

  // MARK: - Tables

  /// A share in percentage points with the digits of an error.
  private static func share(_ value: Double) -> String { QuantityText.number(100 * value, decimals: 2) }

  private func name(_ arm: Int) -> String { course.arms[arm].name }

  private func numbers(_ contrast: ContrastResult) -> String {
    switches.numbers(name(contrast.contrast.a), name(contrast.contrast.b))
  }

  private func table(_ name: String, _ titles: [String], to page: inout Markup, _ rows: (inout Markup) -> Void) {
    page.scrollingArea("\(self.heading): \(name)") { box in
      box.element(.table, [.class: "numbers wrapped"]) { table in
        SessionTables.head(titles, to: &table)
        table.element(.tbody, rows)
      }
    }
  }

  private func row(_ name: String, _ cells: [String?], of arms: String, to body: inout Markup) {
    body.element(.tr, [.dataArms: arms]) { row in
      row.element(.th, [.scope: "row"]) { $0.name(name) }
      for cell in cells { row.element(.td) { $0.name(cell ?? "–") } }
    }
  }
}
