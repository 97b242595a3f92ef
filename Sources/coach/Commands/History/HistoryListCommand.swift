import WorkoutSession

/// `coach history list`: the sessions that are kept.
enum HistoryListCommand {
  /// Prints the sessions, the newest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let filter = try HistoryRequest.filter(parsed, .ofThisMachine())
      let entries = try await history.sessions(filter)
      let isFiltered = filter.from != nil || filter.until != nil || filter.person != nil
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(entries, as: "sessions", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(SessionListView(entries, isFiltered: isFiltered, width: facts.width).lines, facts)
      return 0
    }
  }
}
