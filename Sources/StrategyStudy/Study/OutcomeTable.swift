internal import TextFormats
internal import ZoneEngine

/// The outcomes of each runner as a CSV for R, Python and the like; `docs/study-outcomes.csv` says what each column is.
package enum OutcomeTable {
  /// The columns in their order.
  package static let columns = [
    "activity", "behaviour", "arm", "runner", "session", "seconds", "seconds_in_target",
    "seconds_in_target_after_start", "seconds_to_target", "rmse_bpm", "overshoot_bpm", "cues", "directional_cues",
    "followed_cues", "direction_changes", "checks", "checks_in_target", "midways", "midways_in_target",
    "course", "population", "heart", "target",
  ]

  /// How many runners are read at once.
  private static let runnersAtOnce = 1_024

  /// Gives the table to a sink, in pieces.
  ///
  /// - Throws: what the sink throws, or the outcomes where they cannot be read.
  package static func write(
    _ outcomes: some StudyOutcomeSource, to sink: (Span<UInt8>) throws -> Void
  ) throws {
    let study = outcomes.study
    let layout = StudyLayout(study)
    var bytes = Array((columns.joined(separator: ",") + "\n").utf8)
    func flush() throws {
      try sink(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
    for (index, course) in study.courses.enumerated() {
      let model = course.model
      // A target of heart rates has neither commas nor quotes.
      let end = ",\(index + 1),\(model.population.rawValue),\(model.heart.rawValue),\(course.targetRequest.text)\n"
      var sessions: ArraySlice<RunOutcome> = []
      for number in outcomes.runners {
        if sessions.isEmpty {
          sessions = try outcomes.sessions(of: number..<min(number + runnersAtOnce, outcomes.runners.upperBound))
        }
        let ofRunner = sessions.prefix(layout.sessionsPerRunner)
        sessions = sessions.dropFirst(layout.sessionsPerRunner)
        func row(_ place: Int, _ behaviour: String, _ arm: String, _ session: String, _ seconds: Int) {
          let names = [model.gait.rawValue, quoted(behaviour), quoted(arm), "\(number + 1)", session]
          bytes += Array(names.joined(separator: ",").utf8)
          append(ofRunner[ofRunner.startIndex + place], seconds, to: &bytes)
          bytes += Array(end.utf8)
        }
        for (place, seconds) in course.durations.enumerated() {
          row(layout.treadmill(index, place), "", "drivenTreadmill", "limit", seconds)
        }
        for (behaviour, choice) in study.behaviours.enumerated() {
          for (arm, value) in course.arms.enumerated() {
            row(layout.arm(arm, index, behaviour), choice.text, value.name, "paired", value.seconds)
          }
          for (place, arm) in course.singleArms.enumerated() {
            let session = ["single1", "single2", "single3", "single3WithoutDifference"][place]
            let value = course.arms[arm]
            row(layout.single(place, index, behaviour), choice.text, value.name, session, value.seconds)
          }
        }
        if bytes.count > 60_000 { try flush() }
      }
    }
    try flush()
  }

  private static func append(_ outcome: RunOutcome, _ seconds: Int, to bytes: inout [UInt8]) {
    func number(_ value: Int32?) {
      bytes.append(UInt8(ascii: ","))
      if let value { DecimalFormat.append(Int64(value), to: &bytes) }
    }
    number(Int32(seconds))
    number(outcome.secondsInTarget)
    number(outcome.secondsInTargetAfterStart)
    number(outcome.secondsToTarget)
    for value in [outcome.rootMeanSquareErrorBPM, outcome.overshootBPM] {
      bytes.append(UInt8(ascii: ","))
      if let value { DecimalFormat.append(Double(value), decimals: 3, to: &bytes) }
    }
    for count in [
      outcome.cues, outcome.directionalCues, outcome.followedCues, outcome.directionChanges, outcome.checks,
      outcome.checksInTarget, outcome.midways, outcome.midwaysInTarget,
    ] { number(count) }
  }

  /// A text in quotes, since specifications have commas.
  private static func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
