import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history trends`: weeks.
enum HistoryTrendsCommand {
  /// Prints the weeks, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let isWide = parsed[HistoryOptions.includeSimulated]
      var filter = History.Filter()
      filter.person = try await HistoryRequest.person(parsed, in: history)
      let weeks = try await history.weeks(
        parsed[HistoryOptions.weeks], clock, person: filter.person, includesSimulated: isWide)
      filter.includesSimulated = isWide
      filter.from = clock.today.flatMap { $0.adding(days: -$0.weekday - 7 * (parsed[HistoryOptions.weeks] - 1)) }
        .flatMap(clock.start(of:))
      let simulated = try await HistoryRequest.reportSelection(filter, of: history, console)
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(weeks, as: "weeks", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(
        TrendsView(
          weeks, simulatedLeftOut: simulated, units: UnitSystem(reading: parsed, of: nil), width: facts.width
        ).lines, facts)
      return 0
    }
  }
}
