internal import WorkoutSession

/// Sessions as a table, a line each.
struct SessionListView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// A list of sessions, the newest first; it says so when there are none.
  init(_ entries: [SessionEntry], isFiltered: Bool, width: Int) {
    guard let newest = entries.first else {
      lines = Self.empty(isFiltered: isFiltered, width: width)
      return
    }
    let count = entries.count == 1 ? "1 session" : "\(entries.count) sessions"
    let name = String(newest.sessionID.prefix(15))
    lines =
      Self.table(entries, width: width) + [.empty]
      + SummaryView.paragraph("\(count). One of them: coach history show latest, or \(name)…", width: width)
  }

  /// What is said where there is no session.
  static func empty(isFiltered: Bool, width: Int) -> [StyledText] {
    let text =
      isFiltered
      ? "No session in this span." : "No session yet: coach live records one, from any stream of heart rates."
    return SummaryView.paragraph(text, width: width)
  }

  /// The head and a line for each session.
  static func table(_ entries: [SessionEntry], width: Int) -> [StyledText] {
    // The names have room beside the other columns on wide terminals only; a list can be long.
    TextTable(columns, entries.map { cells($0, hasName: width >= 100) }).lines(width: width)
  }

  private static let columns = [
    TextTable.Column(title: "start"),
    TextTable.Column(title: "activity", rank: 2, limit: 16),
    TextTable.Column(title: "active", isNumber: true),
    TextTable.Column(title: "bpm", isNumber: true),
    TextTable.Column(title: "in target", isNumber: true, rank: 3),
    TextTable.Column(title: "distance", isNumber: true, rank: 4),
    TextTable.Column(title: "steps", isNumber: true, rank: 5),
    TextTable.Column(title: "state", rank: 1),
    TextTable.Column(title: "person", rank: 6, limit: 20),
    TextTable.Column(title: "session", rank: 7, limit: 60),
  ]

  private static func cells(_ entry: SessionEntry, hasName: Bool) -> [TextTable.Cell] {
    [
      .text(entry.startText), .text(entry.activity), .text(QuantityText.clockRounded(entry.active)),
      .text(entry.heartRateText), .text(entry.compliance.map(QuantityText.percent)),
      .text(entry.distanceMeters.map { QuantityText.distance(meters: $0) }), .text(entry.steps.map { "\($0)" }),
      .text(entry.state == .recovered ? "recovered" : nil, .ink(.yellow)), .text(entry.person),
      .text(hasName ? entry.sessionID : nil, .dim),
    ]
  }
}
