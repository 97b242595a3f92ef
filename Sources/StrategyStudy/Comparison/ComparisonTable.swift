internal import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// A comparison as a CSV for R, Python and the like: a row a recording, or session, and strategy;
/// `docs/compared-recordings.csv` says what each column is.
package enum ComparisonTable {
  /// The columns in their order.
  package static let columns =
    [
      "recording", "session", "person", "person_id", "origin", "start_time", "activity", "strategy_number", "strategy",
      "active_s", "cues", "directional_cues", "reversals", "excursions", "excursions_cued", "withheld",
    ] + metrics.map(\.column) + [
      "study", "study_sha256", "course", "arm", "arm_strategy", "position", "probability", "seed", "loop",
      "session_active_s",
      "session_active_with_target_s", "session_covered_with_target_s", "session_in_target_s", "compliance",
      "compliance_of_active", "session_cues",
    ]

  private static let metrics: [(column: String, metric: ComparisonMetric)] = [
    ("cues_per_hour", .cuesPerHour), ("directional_cues_per_hour", .directionalCuesPerHour),
    ("spurious_share", .spuriousShare), ("returning_share", .returningShare),
    ("reversals_per_hour", .reversalsPerHour), ("excursions_cued_share", .excursionsCuedShare),
    ("latency_median_s", .latencyMedian), ("latency_p90_s", .latencyP90),
  ]

  /// The table, its header first: persons and their recordings in a decided order, the strategies in that in which they were
  /// asked for.
  package static func csv(_ recordings: [ComparedRecording], strategies: [FeedbackStrategy]) -> [UInt8] {
    let sorted = recordings.sorted { left, right in
      if left.person != right.person { return left.person < right.person }
      let (a, b) = (left.source?.start?.nanoseconds ?? .min, right.source?.start?.nanoseconds ?? .min)
      if a != b { return a < b }
      return (left.source?.name ?? "").utf8.lexicographicallyPrecedes((right.source?.name ?? "").utf8)
    }
    var text = CSVText.row(columns)
    for recording in sorted {
      let drawn = recording.randomized.map(fields) ?? Array(repeating: "", count: drawnCount)
      for (index, strategy) in strategies.enumerated() {
        text += CSVText.row(fields(recording, index, strategy) + drawn)
      }
    }
    return Array(text.utf8)
  }

  /// How many columns are of a session whose strategy was drawn.
  private static let drawnCount = 16

  private static func fields(
    _ recording: ComparedRecording, _ index: Int, _ strategy: FeedbackStrategy
  ) -> [String] {
    let tally = recording.tallies[index]
    let source = recording.source
    return [
      source?.name ?? "", source?.sessionID ?? "", recording.person.name, recording.person.identity,
      source?.origin?.rawValue ?? "", source?.start.map { "\($0)" } ?? "", source?.activity ?? "", "\(index + 1)",
      strategy.specification, number(tally.active.seconds), "\(tally.cues)", "\(tally.directional)",
      "\(tally.reversals)", "\(tally.excursions)", "\(tally.latencies.count)",
      "\(tally.withheld.values.reduce(0, +))",
    ] + metrics.map { $0.metric.value(of: tally).map(number) ?? "" }
  }

  private static func fields(_ session: RandomizedSession) -> [String] {
    let drawn = session.randomization
    let times = [session.active, session.activeWithTarget, session.coveredWithTarget, session.inTarget]
    return [
      drawn.design.study, drawn.design.studyHash, drawn.design.course, drawn.drawnArm.name,
      drawn.design.arms[drawn.arm].strategy.specification, "\(drawn.position)", number(drawn.drawnArm.probability),
      "\(drawn.seed)", drawn.loop.rawValue,
    ] + times.map { number($0.seconds) }
      + RandomizedOutcome.allCases.map { $0.value(of: session).map(number) ?? "" } + ["\(session.cues)"]
  }

  private static func number(_ value: Double) -> String { JSONNumber(value).text }
}
