internal import StrategyStudy
internal import WorkoutSession
internal import ZoneEngine

/// What a study assumes, how its numbers came about, and what they do not show.
enum StudyMethod {
  /// Every number that runners are made of, with where it comes from.
  static func writeAssumptions(of study: Study, to page: inout Markup) {
    page.element(
      .p,
      "No number below was measured for this purpose. What has a source was published of other people or other efforts; the "
        + "rest was assumed. What runners make of the coach is an assumption too, and the one that decides most.")
    for course in study.courses {
      page.element(.h3, course.courseText.capitalizedFirst)
      page.scrollingArea("Numbers of the runners: \(course.courseText)") { box in
        box.element(.table, [.class: "numbers"]) { table in
          SessionTables.head(["Number", "Value", "Spread"], words: "Where it comes from", to: &table)
          table.element(.tbody) { body in
            for key in RunnerModel.Key.allCases { row(key.words, course.model[key], to: &body) }
            if let gain = course.model.gain {
              row("Rise of the steady heart rate with the speed, bpm a m/s", gain, to: &body)
            }
          }
        }
      }
    }
  }

  private static func row(_ words: String, _ parameter: StudyParameter, to body: inout Markup) {
    body.element(.tr) { row in
      row.element(.th, [.scope: "row", .class: "words"], words)
      row.element(.td, parameter.value.shortest)
      row.element(.td, parameter.spread?.shortest ?? "–")
      row.element(.td, [.class: "words"]) { cell in
        switch parameter.provenance {
        case .source(let source):
          cell.text("Source: ")
          cell.name(source)
        case .assumption(""): cell.text("Assumption")
        case .assumption(let reason):
          cell.text("Assumption: ")
          cell.name(reason)
        }
      }
    }
  }

  /// What nobody may conclude.
  static func writeLimits(to page: inout Markup) {
    page.element(.ul) { list in
      for text in [
        "No person ran. Virtual runners do what their model says; percentages here are no prediction for people.",
        "It is no evidence that cues train anybody, or that they are healthy: the evidence for that is thin, and nothing "
          + "here adds to it. There is no medical claim on this page.",
        "A strategy that wins here wins under these behaviours. Nobody knows how many people behave in which of these ways.",
        "Intervals and p values are Monte-Carlo only: with more runners they shrink to nothing, and the model stays as wrong "
          + "as it is.",
        "Hills, heat, fatigue, learning and other ages are not in it, unless a number above says so.",
      ] { list.element(.li, text) }
    }
  }

  /// Definitions, and what is needed to repeat the study.
  static func write(of study: Study, to page: inout Markup) {
    let sameProtocol = study.trial == nil ? "" : ", the same protocol"
    var rows: [(name: String, text: String)] = [
      ("Simulated by", "coach \(Program.version)"), ("Study", study.hash), ("Seed", "\(study.seed)"),
      ("Zones", study.courses.first.map { zones($0) } ?? ""),
      (
        "The loop",
        "The coach hears what the sensor reports and decides by the same engine as in a run; the runner hears its cues, "
          + "and nothing else of it. An arm that never judges leaves the runner at the preferred speed."
      ),
      (
        "Pairing",
        "A runner is the same person on the same day in every arm: the noise of body, pace, ground and sensor is shared, so "
          + "that an arm against itself differs by exactly nothing. Differences are paired by runner."
      ),
      (
        "In target",
        "Seconds in which the true heart rate, as it would be displayed, is in the target, as a part of the session."
      ),
      (
        "Intervals",
        "Of the mean over runners, by Student's t. The Monte-Carlo error is its standard error, the spread the standard "
          + "deviation from runner to runner, both in percentage points."
      ),
      (
        "p",
        "Paired t test of no difference; p (Holm) is adjusted over the contrasts of one course and behaviour (Holm 1979)."
      ),
      (
        "Check − midway",
        "The share of checks in target less that of the instants midway between two: over 0 when runners are in the target "
          + "for the checks alone."
      ),
      (
        "Driven treadmill",
        "A belt that is driven by the true heart rate, a PI controller with a closed loop of 60 s that aims at the middle of "
          + "the target: what cues are measured by, and not the most that is possible. They may reach more in a short session, or "
          + "where the target is high."
      ),
      (
        "Repeat",
        "coach study with the same study file\(sameProtocol) and version gives this page to the byte, on any number of threads and shards; "
          + "--format json gives its numbers, --csv the outcomes of each runner."
      ),
    ]
    if let trial = study.trial?.trial { rows.insert(("Protocol of the trial", "SHA-256 \(trial.hash)"), at: 2) }
    page.list(rows)
  }

  private static func zones(_ course: StudyCourse) -> String {
    let source =
      course.person.maximumHeartRate == nil
      ? "by the formula \(course.person.formula.recordName)"
        + (course.person.ageYears.map { " for the age \($0)" } ?? "")
      : "measured"
    return "Five zones at 50, 60, 70, 80, 90 and 100 % of a maximum heart rate of \(course.zoneMaximum) bpm, \(source)."
  }
}
