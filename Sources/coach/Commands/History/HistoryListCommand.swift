import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history list`: the sessions that are kept.
enum HistoryListCommand {
  /// Prints the sessions, the newest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let filter = try await HistoryRequest.filter(parsed, in: history, .ofThisMachine())
      guard parsed[OutputOptions.format] == .text else {
        let records = RecordBatches<SessionEntry>("sessions", parsed[OutputOptions.format]) { $0.writeObject(to: &$1) }
        try await history.sessions(filter, into: records) { $0.append($1) }.finished().print(to: console)
        return 0
      }
      let isFiltered = filter.from != nil || filter.until != nil || filter.person != nil
      let facts = HistoryRequest.facts(parsed)
      let list = SessionListView(
        isFiltered: isFiltered, units: UnitSystem(reading: parsed, of: nil), width: facts.width)
      try await history.sessions(filter, into: list) { $0.append($1) }.print(to: console, facts)
      return 0
    }
  }
}
