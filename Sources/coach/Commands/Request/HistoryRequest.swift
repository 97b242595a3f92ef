import CoachService
import TextFormats
import WorkoutHistory
import ZoneEngine

/// What the history verbs have in common: the history that is asked, its filter, and how records are printed.
enum HistoryRequest {
  /// Opens the history that the options name, gives it to `body` and closes it.
  ///
  /// - Throws: `CommandFailure` when nothing names a data folder, and for a zone or a target that is kept and cannot be, or what
  ///   `body` throws.
  static func with<Value>(
    _ parsed: ParsedArguments, _ body: (History) async throws -> Value
  ) async throws -> Value {
    let option = parsed[OutputOptions.dataFolder]
    // Whoever runs is coached all the same.
    let isCoached = parsed.verb.id == .live
    let history = History(dataFolder: try isCoached ? DataFolder.path(option) : DataFolder.keptPath(option))
    do {
      let value = try await body(history)
      await history.close()
      return value
    } catch let error as ZoneError {
      await history.close()
      // Nobody typed it: it is what is kept that cannot be.
      throw CommandFailure("\(error)", .unusableData)
    } catch {
      await history.close()
      throw error
    }
  }

  /// The person whose sessions are asked for; `nil` for everybody.
  ///
  /// - Throws: `ProfileStoreError.nobody` when there is no such person, or what the history throws when it is asked.
  static func person(_ parsed: ParsedArguments, in history: History) async throws -> String? {
    guard let name = parsed[HistoryOptions.person] else { return nil }
    try await history.requirePerson(named: name)
    return name
  }

  /// All sessions of the person that is named, simulated ones where they are asked for.
  ///
  /// - Throws: as for ``person(_:in:)``.
  static func ofAllDays(_ parsed: ParsedArguments, in history: History) async throws -> History.Filter {
    var filter = History.Filter()
    filter.person = try await person(parsed, in: history)
    filter.includesSimulated = parsed[HistoryOptions.includeSimulated]
    return filter
  }

  /// The sessions that the options ask for; days are those of the clock.
  ///
  /// - Throws: `CommandFailure` when options contradict each other, or as for ``person(_:in:)``.
  static func filter(
    _ parsed: ParsedArguments, in history: History, _ clock: LocalClock
  ) async throws -> History.Filter {
    var filter = History.Filter()
    let first = parsed[HistoryOptions.from]
    let last = parsed[HistoryOptions.to]
    if let days = parsed[HistoryOptions.days] {
      guard first == nil, last == nil else {
        throw CommandFailure("--days goes back from today: expected it without --from and --to", .usage)
      }
      (filter.from, filter.until) = (start(ofLastDays: days, clock), clock.endOfToday)
    }
    if let first, let last, first > last {
      throw CommandFailure("--from \(first): expected a day that is not after --to \(last)", .usage)
    }
    if let first { filter.from = clock.start(of: first) }
    if let last { filter.until = last.adding(days: 1).flatMap(clock.start(of:)) }
    filter.person = try await person(parsed, in: history)
    return filter
  }

  /// Says on standard error how many sessions were left out because no person was measured in them; nothing for none.
  static func reportLeftOut(simulated count: Int, _ console: Console) {
    if let words = leftOut(simulated: count) { console.complain(words) }
  }

  /// That sessions were left out because no person was measured in them; `nil` for none.
  static func leftOut(simulated count: Int) -> String? {
    guard count > 0 else { return nil }
    let (sessions, them) = count == 1 ? ("1 simulated session", "it") : ("\(count) simulated sessions", "them")
    return "\(sessions) left out: --include-simulated takes \(them) too"
  }

  /// Says on standard error what the numbers of a filter leave out, and when they add up several people; how many simulated sessions
  /// are left out.
  ///
  /// - Throws: what the history throws when it is asked.
  @discardableResult
  static func reportSelection(_ filter: History.Filter, of history: History, _ console: Console) async throws -> Int {
    let simulated = try await history.simulatedLeftOut(filter)
    reportLeftOut(simulated: simulated, console)
    guard filter.person == nil else { return simulated }
    let people = try await history.peopleCount(filter)
    if people > 1 { console.complain("sessions of \(people) people are added up: --person NAME takes those of one") }
    return simulated
  }

  /// Says on standard error how many sessions the last days leave out because they begin after today, as where the date of a device
  /// was wrong; nothing for none, nor without `--days`.
  ///
  /// - Throws: what the history throws when it is asked.
  static func reportAhead(
    _ parsed: ParsedArguments, _ filter: History.Filter, of history: History, _ clock: LocalClock, _ console: Console
  ) async throws {
    guard parsed[HistoryOptions.days] != nil else { return }
    try await reportAhead(filter, of: history, clock, console)
  }

  /// The same, whether or not days are asked for.
  ///
  /// - Throws: what the history throws when it is asked.
  static func reportAhead(
    _ filter: History.Filter, of history: History, _ clock: LocalClock, _ console: Console
  ) async throws {
    let count = try await history.sessionsAhead(filter, of: clock)
    guard count > 0 else { return }
    console.complain(
      count == 1
        ? "1 session begins after today and is left out" : "\(count) sessions begin after today and are left out")
  }

  /// When the last days begin, today included.
  static func start(ofLastDays days: Int, _ clock: LocalClock) -> WallClockTime? {
    clock.today.flatMap { $0.adding(days: 1 - days) }.flatMap(clock.start(of:))
  }

  /// The session of a name, the beginning of one, or `latest`.
  ///
  /// - Throws: `CommandFailure` when there is none, `RecordingError` when there are several.
  static func session(_ name: String, in history: History) async throws -> SessionEntry {
    if name == "latest" {
      guard let latest = try await history.latest(History.Filter(), of: .ofThisMachine()) else {
        throw CommandFailure("latest: no session yet: expected one in \(history.dataFolder)", .noInput)
      }
      return latest
    }
    guard let entry = try await history.session(name) else {
      throw CommandFailure("\(name): no such session: expected a name of `coach history list`", .noInput)
    }
    return entry
  }

  /// What a terminal shows, and where there is none.
  static func facts(_ parsed: ParsedArguments) -> TerminalFacts {
    TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
  }

  /// Prints records, one a line, or all of them in one document whose member `name` holds them.
  ///
  /// - Throws: `FileError` when they cannot be written.
  static func print<Record>(
    _ records: [Record], as name: String, _ parsed: ParsedArguments, _ console: Console,
    _ write: (Record, inout JSONWriter) -> Void
  ) throws {
    var list = RecordList(name, parsed[OutputOptions.format])
    for record in records { list.append { write(record, &$0) } }
    try list.print(to: console)
  }
}
