import WorkoutSession

/// The beats of a session: how their intervals vary, and what that suggests.
struct BeatsView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a report.
  init(_ report: BeatReport, width: Int) {
    lines =
      [StyledText("Beat by beat", .bold).cut(to: width)]
      + report.sentences.flatMap { SummaryView.paragraph($0, width: width) }
  }
}
