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
      try await HistoryRequest.reportSelection(filter, of: history, console)
      let days = parsed[HistoryOptions.days]
      switch parsed[OutputOptions.format] {
      case .text:
        let facts = HistoryRequest.facts(parsed)
        try console.print(
          FitnessView(report, days: days, units: UnitSystem(reading: parsed, of: nil), width: facts.width).lines, facts)
      case .json, .jsonl:
        let first = days.flatMap { count in clock.today.flatMap { $0.adding(days: 1 - count) } }
        try write(report, from: first, isDocument: parsed[OutputOptions.format] == .json, to: console)
      }
      return 0
    }
  }

  private static func write(
    _ report: FitnessReport, from first: CivilDate?, isDocument: Bool, to console: Console
  ) throws(FileError) {
    let days = report.days.filter { day in first.map { day.day >= $0 } ?? true }
    let weeks = report.weeks.filter { week in first.map { (week.monday.adding(days: 6) ?? week.monday) >= $0 } ?? true }
    var writer = JSONWriter()
    guard isDocument else {
      for day in days {
        day.writeObject(to: &writer, report.method)
        writer.endLine()
      }
      for week in weeks {
        week.writeObject(to: &writer, report.method)
        writer.endLine()
      }
      if let streak = report.streak {
        streak.writeObject(to: &writer)
        writer.endLine()
      }
      for suggestion in report.suggestions {
        suggestion.writeObject(to: &writer)
        writer.endLine()
      }
      for suggestion in report.beatSuggestions {
        suggestion.writeObject(to: &writer)
        writer.endLine()
      }
      return try console.write(writer.bytes)
    }
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "fitnessReport")
      writer.member("loadMethod", report.method.rawValue)
      writer.member("sessionsWithoutLoad", report.withoutLoad)
      writer.array("days") { writer in for day in days { day.writeObject(to: &writer, report.method) } }
      writer.array("weeks") { writer in for week in weeks { week.writeObject(to: &writer, report.method) } }
      if let streak = report.streak {
        writer.key("streak")
        streak.writeObject(to: &writer)
      }
      writer.array("suggestions") { writer in
        for suggestion in report.suggestions { suggestion.writeObject(to: &writer) }
        for suggestion in report.beatSuggestions { suggestion.writeObject(to: &writer) }
      }
    }
    writer.endLine()
    try console.write(writer.bytes)
  }
}
