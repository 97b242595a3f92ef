import WorkoutSession

/// `coach history trends`: weeks.
enum HistoryTrendsCommand {
  /// Prints the weeks, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let weeks = try await history.weeks(
        parsed[HistoryOptions.weeks], .ofThisMachine(), person: parsed[HistoryOptions.person])
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(weeks, as: "weeks", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(TrendsView(weeks, width: facts.width).lines, facts)
      return 0
    }
  }
}
