import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history list`: the sessions that are kept.
enum HistoryListCommand {
  /// Prints the sessions, the newest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let filter = try await HistoryRequest.filter(parsed, in: history, clock)
      try await HistoryRequest.reportAhead(parsed, filter, of: history, clock, console)
      guard parsed[OutputOptions.format] == .text else {
        let records = RecordBatches<ListedSession>("sessions", parsed[OutputOptions.format]) { $0.writeObject(to: &$1) }
        try await history.listed(filter, into: records) { $0.append($1) }.finished().print(to: console)
        return 0
      }
      let isFiltered = filter.from != nil || filter.until != nil || filter.person != nil
      let facts = HistoryRequest.facts(parsed)
      let empty = SessionListView(
        isFiltered: isFiltered, units: UnitSystem(reading: parsed, of: nil), width: facts.width)
      let batches = Batches<SessionLine, SessionListView> { sessions, _ in
        var list = empty
        for session in sessions { list.append(session) }
        return list
      }
      var list = empty
      let parts = try await history.lines(filter, into: batches) { $0.append($1) }
      for part in await parts.finished() { list.append(part) }
      if list.isEmpty { list.hasOthers = try history.hasAnySession() }
      try await list.print(to: console, facts)
      return 0
    }
  }
}
