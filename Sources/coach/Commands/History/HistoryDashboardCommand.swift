import WorkoutSession

/// `coach history`: the latest workout and the last days.
enum HistoryDashboardCommand {
  /// Prints the dashboard.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let dashboard = try await history.dashboard(.ofThisMachine(), person: parsed[HistoryOptions.person])
      guard parsed[OutputOptions.format] == .text else {
        var writer = JSONWriter()
        dashboard.write(to: &writer)
        try console.write(writer.bytes)
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(DashboardView(dashboard, width: facts.width).lines, facts)
      return 0
    }
  }
}
