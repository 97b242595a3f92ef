import WorkoutSession

/// `coach history hourly`: steps and heart rate of each hour of a day.
enum HistoryHourlyCommand {
  /// Prints the hours with readings, in order.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let person = parsed[HistoryOptions.person]
      var day = parsed[HistoryOptions.date]
      if day == nil { day = try await history.newestHour(person: person).flatMap { clock.day(of: $0) } ?? clock.today }
      guard let day, let span = clock.instants(of: day...day) else {
        throw CommandFailure("--date: expected a day from 1678 to 2200", .usage)
      }
      let hours = try await history.hours(in: span, person: person)
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(hours, as: "hours", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(HourlyView(hours, day: day, clock: clock, width: facts.width).lines, facts)
      return 0
    }
  }
}
