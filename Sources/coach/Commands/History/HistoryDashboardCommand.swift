import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history`: the latest workout and the last days.
enum HistoryDashboardCommand {
  /// Prints the dashboard.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      var filter = try await HistoryRequest.ofAllDays(parsed, in: history)
      let dashboard = try await history.dashboard(
        clock, person: filter.person, includesSimulated: filter.includesSimulated)
      // What would have been the latest workout, or in the last days.
      if let latest = dashboard.latest, let first = dashboard.days.first.flatMap({ clock.start(of: $0.day) }) {
        filter.from = min(latest.start, first)
      }
      let simulated = try await HistoryRequest.reportSelection(filter, of: history, console)
      if let latest = dashboard.latest, let end = clock.endOfToday, latest.start < end {
        try await HistoryRequest.reportAhead(filter, of: history, clock, console)
      }
      guard parsed[OutputOptions.format] == .text else {
        var writer = JSONWriter()
        dashboard.write(to: &writer)
        try console.write(writer.bytes)
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      var hasOthers = false
      // Those that lie ahead are in the history.
      if dashboard.latest == nil, try await history.sessions(History.Filter()).isEmpty {
        hasOthers = try history.hasAnySession()
      }
      try console.print(
        DashboardView(
          dashboard, simulatedLeftOut: simulated, hasOthers: hasOthers,
          units: UnitSystem(reading: parsed, of: nil), width: facts.width
        ).lines, facts)
      return 0
    }
  }
}
