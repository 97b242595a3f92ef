import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history records`: the best over each distance and time.
enum HistoryRecordsCommand {
  /// Prints the records, person by person and activity by activity.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      var filter = try await HistoryRequest.filter(parsed, in: history, clock)
      filter.includesSimulated = parsed[HistoryOptions.includeSimulated]
      let records = try await history.records(filter, activity: parsed[SessionOptions.activity])
      let simulated = try await history.simulatedLeftOut(filter)
      HistoryRequest.reportLeftOut(simulated: simulated, console)
      try await HistoryRequest.reportAhead(parsed, filter, of: history, clock, console)
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(records, as: "records", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(
        RecordsView(
          records, simulatedLeftOut: simulated, units: UnitSystem(reading: parsed, of: nil), width: facts.width
        ).lines, facts)
      return 0
    }
  }
}
