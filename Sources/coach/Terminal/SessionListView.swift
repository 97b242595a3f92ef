import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// Sessions as a table, a line each, the newest first. There can be many: lists are made of some of them each, and put together.
struct SessionListView: Sendable {
  private let isFiltered: Bool
  /// Whether there are sessions that no list has, such as one that is being recorded, or that was cut off and could not be closed; it
  /// is said where this list has none.
  var hasOthers: Bool
  private let width: Int
  private let units: UnitSystem
  private var table = TextTable(columns)
  private var count = 0
  private var newest = ""

  /// A list without sessions, none of whose lines is wider than asked for.
  init(isFiltered: Bool, hasOthers: Bool = false, units: UnitSystem, width: Int) {
    self.units = units
    self.isFiltered = isFiltered
    self.hasOthers = hasOthers
    self.width = width
  }

  /// Adds a session.
  mutating func append(_ session: SessionLine) {
    if count == 0 { newest = String(session.sessionID.prefix(15)) }
    count += 1
    // The names have room beside the other columns on wide terminals only; a list can be long. That nobody ran is always
    // said.
    let hasName = width >= 100
    let origin = session.origin == .simulated ? session.origin?.rawValue : nil
    table.appendRow { cells in
      cells.append(session) {
        CalendarText.append(minute: $0.start, utcOffsetSeconds: $0.utcOffsetSeconds, to: &$1)
      }
      cells.append(session.activity)
      cells.append(session.active) { QuantityText.append(clockRounded: $0, to: &$1) }
      cells.append(session.shownHeartRate) { QuantityText.append($0, decimals: 0, to: &$1) }
      cells.append(session.compliance) { QuantityText.append(percent: $0, to: &$1) }
      cells.append(session.distanceMeters) { units.append(distanceMeters: $0, to: &$1) }
      cells.append(session.steps) { DecimalFormat.append(Int64($0), to: &$1) }
      cells.append(session.state == .recovered ? "recovered" : nil, .ink(.yellow))
      cells.append(origin, session.origin == .simulated ? .ink(.yellow) : .plain)
      cells.append(session.personLabel)
      cells.append(hasName ? session.sessionID : nil, .dim)
    }
  }

  /// Adds the sessions of another list after those of this one.
  mutating func append(_ other: SessionListView) {
    if count == 0 { newest = other.newest }
    count += other.count
    table.append(other.table)
  }

  /// The lines from the top; it says so when there are no sessions.
  var lines: [StyledText] { (count > 0 ? table.lines(width: width) : []) + ending }

  /// Writes the same.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func print(to console: Console, _ facts: TerminalFacts) async throws(FileError) {
    if count > 0 {
      let pieces = await table.rendered(width: width, usingColor: facts.usesColor, in: facts.glyphs)
      for piece in pieces { try console.write(piece) }
    }
    try console.print(ending, facts)
  }

  /// Whether it has no session.
  var isEmpty: Bool { count == 0 }

  /// What stands under the table.
  private var ending: [StyledText] {
    guard !isEmpty else { return Self.empty(isFiltered: isFiltered, hasOthers: hasOthers, width: width) }
    let sessions = count == 1 ? "1 session" : "\(count) sessions"
    // The latest session of all may not be among those that were asked for.
    let command = isFiltered ? "coach history show \(newest)…" : "coach history show latest, or \(newest)…"
    return [.empty]
      + SummaryView.paragraph("\(sessions). \(count == 1 ? "See" : "One of them"): \(command)", width: width)
  }

  /// What is said where there is no session, but maybe some in which no person was measured, which were left out, or some that no list
  /// has.
  static func empty(
    isFiltered: Bool, simulatedLeftOut: Int = 0, hasOthers: Bool = false, width: Int
  ) -> [StyledText] {
    let text =
      if let simulated = OriginText.leftOut(simulated: simulatedLeftOut) {
        "No session of a person \(isFiltered ? "in this span" : "yet"). \(simulated)"
      } else if hasOthers, !isFiltered {
        "No session is in the history: what is there is being recorded, was cut off and is not closed, or cannot be read."
      } else {
        isFiltered
          ? "No session in this span." : "No session yet: coach live records one, from any stream of heart rates."
      }
    return SummaryView.paragraph(text, width: width)
  }

  /// The head and the line of one session.
  static func table(_ entry: SessionEntry, units: UnitSystem, width: Int) -> [StyledText] {
    var list = SessionListView(isFiltered: false, units: units, width: width)
    list.append(entry.line)
    return list.table.lines(width: width)
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
    TextTable.Column(title: "origin"),
    TextTable.Column(title: "person", rank: 6, limit: 20, isLabel: true),
    TextTable.Column(title: "session", rank: 7, limit: 60),
  ]
}
