import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach history fitness`: load, fitness and form, intensities, the goal, suggestions.
enum HistoryFitnessCommand {
  /// Prints the report: as records days first, then weeks, the streak and suggestions.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let filter = try await HistoryRequest.ofAllDays(parsed, in: history)
      let report = try await history.fitness(filter, parsed[HistoryOptions.load], clock)
      let simulated = try await HistoryRequest.reportSelection(filter, of: history, console)
      try await HistoryRequest.reportAhead(filter, of: history, clock, console)
      let days = parsed[HistoryOptions.days]
      switch parsed[OutputOptions.format] {
      case .text:
        let facts = HistoryRequest.facts(parsed)
        try console.print(
          FitnessView(
            report, days: days, simulatedLeftOut: simulated, units: UnitSystem(reading: parsed, of: nil),
            width: facts.width
          ).lines, facts)
      case .json, .jsonl:
        let shown = report.since(days.flatMap { count in clock.today.flatMap { $0.adding(days: 1 - count) } })
        var writer = JSONWriter()
        if parsed[OutputOptions.format] == .json {
          shown.writeObject(to: &writer)
          writer.endLine()
        } else {
          shown.writeLines(to: &writer)
        }
        try console.write(writer.bytes)
      }
      return 0
    }
  }
}
