import CoachService
import FleetStore
import TextFormats
import WorkoutSession

/// `coach store months`: what a database that instances share has of each month.
enum StoreMonthsCommand {
  /// Prints the months, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let months = try StoreOfMonths.with(parsed, for: .reading) { store in try store.months() }
    guard parsed[OutputOptions.format] == .text else {
      var list = RecordList("months", parsed[OutputOptions.format])
      for month in months {
        list.append { writer in
          writer.object { writer in
            writer.member("version", SessionRecords.version)
            writer.member("type", "month")
            writer.member("month", month.name)
            writer.member("sessions", month.sessionCount)
            writer.member("bytes", month.byteCount)
          }
        }
      }
      try list.print(to: console)
      return 0
    }
    for month in months { try console.line(month.words) }
    return 0
  }
}

/// `coach store drop-month`: the sessions of a month go for good, at every instance.
enum StoreDropMonthCommand {
  /// Asks on a terminal, deletes, and says in one line what went.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let name = parsed[Operands.month]
    guard name.utf8.count == 6, name.isDigits, (1...12).contains(Int(name.suffix(2)) ?? 0) else {
      throw CommandFailure("\(name.visible): expected a month as YYYYMM, such as 202411", .usage)
    }
    return try StoreOfMonths.with(parsed, for: .changing) { store in
      let month =
        try store.months().first { $0.name == name } ?? FleetStore.Month(name: name, sessionCount: 0, byteCount: 0)
      guard month.sessionCount > 0 || month.byteCount > 0 else {
        throw CommandFailure("\(name): nothing of that month: expected one of `coach store months`", .noInput)
      }
      guard try parsed[HistoryOptions.yes] || Agreement.isGiven("drop-month", [month.words], console) else { return 0 }
      let count: Int
      do throws(PostgresError) { count = try store.dropMonth(name) } catch {
        guard error.isOpenMonth else { throw error }
        throw CommandFailure(
          "\(name): a session of it is not over: nothing was deleted: expected another try when it is", .unusableData)
      }
      try console.line("\(name): \(count == 1 ? "1 session" : "\(count) sessions") deleted")
      return 0
    }
  }
}

/// The database whose months are asked for.
private enum StoreOfMonths {
  static func with<Value>(
    _ parsed: ParsedArguments, for purpose: StoreOfService.Purpose, _ body: (FleetStore) throws -> Value
  ) throws -> Value {
    guard let address = try StoreOfService.database(parsed) else {
      throw CommandFailure("--database is needed: expected postgresql://USER@HOST/NAME", .usage)
    }
    try StoreOfService.prepare(address, for: purpose)
    let store = FleetStore(address, name: "coach-terminal", url: "")
    defer { store.close() }
    return try body(store)
  }
}

extension FleetStore.Month {
  /// One line.
  fileprivate var words: String {
    let sessions = sessionCount == 1 ? "1 session" : "\(sessionCount) sessions"
    return "\(name)  \(sessions)  \(byteCount) bytes"
  }
}
