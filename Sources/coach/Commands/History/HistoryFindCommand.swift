import WorkoutSession
import TextFormats
import WorkoutHistory
import ZoneEngine

/// `coach history find`: sessions by distance, place, activity, label, tag and text.
enum HistoryFindCommand {
  /// Prints the sessions of which all holds that is asked for, the newest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let filter = try await HistoryRequest.filter(parsed, in: history, clock)
      var search = SessionSearch()
      search.meters = parsed[HistoryOptions.distance]
      search.activity = parsed[SessionOptions.activity]
      search.label = parsed[HistoryOptions.label]
      search.tags = parsed[HistoryOptions.tag].map { [withoutPlus($0)] } ?? []
      search.text = parsed[HistoryOptions.text]
      guard parsed[HistoryOptions.near] != nil || !parsed.isGiven(HistoryOptions.within) else {
        throw CommandFailure("--within: expected --near beside it", .usage)
      }
      if let near = parsed[HistoryOptions.near] {
        search.near = .init(try await place(near, in: history), withinMeters: parsed[HistoryOptions.within])
      }
      let found = try await history.sessions(filter, search)
      try await HistoryRequest.reportAhead(parsed, filter, of: history, clock, console)
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(found, as: "sessions", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      guard !found.isEmpty else {
        try console.print(SummaryView.paragraph("No such session.", width: facts.width), facts)
        return 0
      }
      var list = SessionListView(isFiltered: true, units: UnitSystem(reading: parsed, of: nil), width: facts.width)
      for entry in found { list.append(entry.line) }
      try await list.print(to: console, facts)
      return 0
    }
  }

  /// A tag as `coach history tag` prints it, with a `+` before it, or as it is.
  private static func withoutPlus(_ tag: String) -> String {
    tag.count > 1 && tag.first == "+" ? String(tag.dropFirst()) : tag
  }

  /// `46.77,23.6`, or where a session began.
  private static func place(_ text: String, in history: History) async throws -> Coordinate {
    guard let origin = SessionSearch.Origin(text) else {
      throw CommandFailure("--near \(text.visible): expected degrees such as 46.77,23.6, or a session", .usage)
    }
    let name: String
    switch origin {
    case .coordinate(let place): return place
    case .session(let session): name = session
    }
    let session = try await HistoryRequest.session(name, in: history).sessionID
    guard let start = try await history.start(of: session) else {
      throw CommandFailure("\(session): has no position: expected a session that says where it began", .unusableData)
    }
    return start
  }
}
