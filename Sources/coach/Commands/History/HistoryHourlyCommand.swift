import TextFormats
import WorkoutHistory

/// `coach history hourly`: steps and heart rate of each hour of a day, of each person for itself.
enum HistoryHourlyCommand {
  /// Prints the hours with readings, person by person, in order.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let clock = LocalClock.ofThisMachine()
      let filter = try await HistoryRequest.ofAllDays(parsed, in: history)
      let day: CivilDate?
      if let asked = parsed[HistoryOptions.date] {
        day = asked
      } else {
        let newest = try await history.newestHour(person: filter.person, includesSimulated: filter.includesSimulated)
        day = newest.flatMap { clock.day(of: $0) } ?? clock.today
      }
      guard let day, let span = clock.instants(of: day...day) else {
        throw CommandFailure("--date: expected a day from 1678 to 2200", .usage)
      }
      let people = try await history.hoursOfEach(
        in: span, person: filter.person, includesSimulated: filter.includesSimulated)
      HistoryRequest.reportLeftOut(
        simulated: try await history.simulatedLeftOut(filter, withHoursIn: span), console)
      guard parsed[OutputOptions.format] == .text else {
        try HistoryRequest.print(people.flatMap(\.hours), as: "hours", parsed, console) { $0.writeObject(to: &$1) }
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      guard people.count > 1 else {
        let hours = people.first?.hours ?? []
        try console.print(HourlyView(hours, day: day, clock: clock, width: facts.width).lines, facts)
        return 0
      }
      let blocks = people.map { one in
        [StyledText(one.label ?? "nobody in particular", .bold).cut(to: facts.width)]
          + HourlyView(one.hours, day: day, clock: clock, width: facts.width).lines
      }
      try console.print(blocks.joinedBlocks, facts)
      return 0
    }
  }
}
