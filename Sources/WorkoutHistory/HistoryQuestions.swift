internal import SessionStore
package import TextFormats
package import WorkoutExports

/// What can be asked of the history. Each question is answered by one of several who read, from one moment of the index; a
/// long answer holds up nobody.
///
/// All throw `DatabaseError` when the index cannot be used, and `FileError` when profiles or folders cannot be looked at.
extension History {
  /// The sessions that a filter lets through, the newest first.
  package func sessions(_ filter: Filter) async throws -> [SessionEntry] {
    try await read { try $0.sessions(filter) }
  }

  /// The latest session that a filter lets through: the newest of those that begin by the end of today, by a clock; where all begin later
  /// the newest of them. `nil` when there is none.
  package func latest(_ filter: Filter, of clock: LocalClock) async throws -> SessionEntry? {
    try await read { try $0.latest(filter, of: clock) }
  }

  /// What `gather` makes of the sessions that a filter lets through, one after another, the newest first.
  ///
  /// Ten thousand entries take more memory than what is usually made of them. Until all are read a log of the database waits
  /// to be emptied, so `gather` must not wait for anybody.
  package func sessions<Gathered: Sendable>(
    _ filter: Filter, into gathered: Gathered, _ gather: @Sendable (inout Gathered, consuming SessionEntry) -> Void
  ) async throws -> Gathered {
    try await read { try $0.sessions(filter, into: gathered, gather) }
  }

  /// The same of what the record of a list says of them, for which less is read.
  package func listed<Gathered: Sendable>(
    _ filter: Filter, into gathered: Gathered, _ gather: @Sendable (inout Gathered, consuming ListedSession) -> Void
  ) async throws -> Gathered {
    try await read { try $0.sessions(filter, into: gathered, gather) }
  }

  /// The same of what a list says of them to people, for which still less is read.
  package func lines<Gathered: Sendable>(
    _ filter: Filter, into gathered: Gathered, _ gather: @Sendable (inout Gathered, consuming SessionLine) -> Void
  ) async throws -> Gathered {
    try await read { try $0.sessions(filter, into: gathered, gather) }
  }

  /// The session with an identity, or with the only one that begins with `prefix`; `nil` when there is none.
  ///
  /// - Throws: also `RecordingError` when several begin with it.
  package func session(_ prefix: String) async throws -> SessionEntry? { try await read { try $0.session(prefix) } }

  /// The session of a whole identity; `nil` when there is none.
  package func session(exactly id: String) async throws -> SessionEntry? {
    guard SessionFolder.isName(id) else { return nil }
    guard let entry = try await session(id), entry.sessionID == id else { return nil }
    return entry
  }

  /// The session with a whole identity, where it is of a person, whom a name stands for as in a list; `nil` alike when there is none
  /// and when it is somebody else's.
  package func session(exactly id: String, ofPersonNamed name: String) async throws -> SessionEntry? {
    try await read { try $0.session(exactly: id, ofPersonNamed: name) }
  }

  /// How many of the sessions that a filter would let through it leaves out because no person was measured in them.
  package func simulatedLeftOut(_ filter: Filter) async throws -> Int {
    try await read { try $0.simulatedLeftOut(filter) }
  }

  /// How many of the sessions that a filter lets through, whatever its last day, begin after today, by a clock.
  package func sessionsAhead(_ filter: Filter, of clock: LocalClock) async throws -> Int {
    try await read { try $0.sessionsAhead(filter, of: clock) }
  }

  /// How many of the same have hours with readings that begin in a span.
  package func simulatedLeftOut(_ filter: Filter, withHoursIn span: Range<WallClockTime>) async throws -> Int {
    try await read { try $0.simulatedLeftOut(filter, withHoursIn: span) }
  }

  /// Whether the index has all sessions that are closed: not while it is made from nothing, nor when that was cut off. Asking
  /// makes none.
  package func isWhole() async throws -> Bool { try await read { try $0.isWhole() } }

  // MARK: - People

  /// What the sessions of a person say: of the one with a profile of that name, else of those that say it and whose
  /// profile is gone.
  ///
  /// - Throws: also `RecordingError` when the profile cannot be read.
  package func keys(ofPersonNamed name: String) async throws -> PersonKeys {
    try await read { try $0.keys(ofPersonNamed: name) }
  }

  /// Refuses a name that nobody has: neither a profile nor the person of a session.
  ///
  /// - Throws: also `ProfileStoreError.nobody`.
  package func requirePerson(named name: String) async throws { try await read { try $0.requirePerson(named: name) } }

  /// The sessions of a person by what the folders say, and by what the index says of folders that cannot be read.
  package func sessionNames(of keys: PersonKeys) async throws -> [String] {
    try await change { try $0.sessionNames(of: keys) }
  }

  /// How many people the sessions of the index are of, nobody in particular counted as one.
  package func peopleCount(_ filter: Filter) async throws -> Int { try await read { try $0.peopleCount(filter) } }

  // MARK: - Spans of time

  /// What the sessions came to that begin in a span, those in which no person was measured only when they are asked for.
  ///
  /// - Complexity: O(number of sessions in the span).
  package func totals(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) async throws -> PeriodTotals {
    try await read { try $0.totals(in: span, person: person, includesSimulated: includesSimulated) }
  }

  /// The hours with readings that begin in a span, in order; an hour of several sessions is one, whosever they are.
  package func hours(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) async throws -> [HistoryHour] {
    try await read { try $0.hours(in: span, person: person, includesSimulated: includesSimulated) }
  }

  /// The same of each person for itself, in the order of their names; nobody in particular comes first. The label is what a table
  /// calls the person.
  package func hoursOfEach(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) async throws -> [(person: String?, label: String?, hours: [HistoryHour])] {
    try await read { try $0.hoursOfEach(in: span, person: person, includesSimulated: includesSimulated) }
  }

  /// The beginning of the newest hour with readings; `nil` when there is none.
  package func newestHour(person: String?, includesSimulated: Bool = false) async throws -> WallClockTime? {
    try await read { try $0.newestHour(person: person, includesSimulated: includesSimulated) }
  }

  /// The latest workout and the last days on a clock, those in which no person was measured only when they are asked for.
  package func dashboard(
    _ clock: LocalClock, person: String?, includesSimulated: Bool = false
  ) async throws -> Dashboard {
    try await read { try $0.dashboard(clock, person: person, includesSimulated: includesSimulated) }
  }

  /// The last weeks of ISO 8601 on a clock, the oldest first, the current one last; those before the first session are
  /// left out. Sessions in which no person was measured count only when they are asked for.
  package func weeks(
    _ count: Int, _ clock: LocalClock, person: String?, includesSimulated: Bool = false
  ) async throws -> [WeekTotals] {
    try await read { try $0.weeks(count, clock, person: person, includesSimulated: includesSimulated) }
  }

  /// The report of the sessions that a filter lets through; days are those of a clock. Without a first day it begins with
  /// the first session, without a last one it ends today. `nil` when there is no session.
  ///
  /// - Throws: also `RecordingError` or `ZoneError` when the manifest of a session cannot be used.
  package func report(of filter: Filter, _ clock: LocalClock) async throws -> PeriodReport? {
    try await read { try $0.report(of: filter, clock) }
  }

  /// The last weeks of ISO 8601 on a clock, the current one last, as a report by weeks without the course of a session and the
  /// hours of the day. Weeks before the first session of them are left out. `nil` when there is none.
  ///
  /// - Complexity: O(number of sessions in the weeks).
  package func weeksReport(_ count: Int, of filter: Filter, _ clock: LocalClock) async throws -> PeriodReport? {
    try await read { try $0.weeksReport(count, of: filter, clock) }
  }

  // MARK: - One session

  /// Everything that the index knows of a session; `nil` when it has just been deleted.
  ///
  /// - Throws: also `RecordingError` or `ZoneError` when the manifest cannot be used.
  package func detail(of entry: SessionEntry) async throws -> SessionDetail? {
    try await read { try $0.detail(of: entry) }
  }

  /// How a session compares with the last ones of the same person and activity before it; `nil` when the index does not know
  /// it. Sessions of nobody in particular are compared with each other. One in which no person was measured is compared
  /// with none, and none is compared with it.
  package func standing(of sessionID: String) async throws -> SessionStanding? {
    try await read { try $0.standing(of: sessionID) }
  }

  /// The report of a session, its way without what lies within a radius of both ends; `nil` when it is gone.
  ///
  /// - Throws: also `RecordingError` or `ZoneError` when the folder of the session cannot be used.
  /// - Complexity: O(rows) time: its logs are read twice, when the index has answered.
  package func report(of entry: SessionEntry, hidingEndsWithin radius: PrivacyRadius?) async throws -> SessionReport? {
    let known = try await read { worker in
      try worker.detail(of: entry).map { ($0, try worker.hours(of: entry.sessionID)) }
    }
    guard let (detail, hours) = known else { return nil }
    return try await change { try $0.report(detail, hours, hidingEndsWithin: radius) }
  }

  /// The course of a session as a table; `nil` when it is gone.
  ///
  /// - Throws: also `RecordingError` or `ZoneError` when its folder cannot be used.
  package func series(
    of sessionID: String, _ columns: [SessionSeries.Column], everySeconds: Int
  ) async throws -> SessionSeries? {
    try await change { try $0.series(of: sessionID, columns, everySeconds: everySeconds) }
  }

  /// A session in a format; `nil` when it is gone.
  ///
  /// - Throws: also `ExportError` when the format cannot hold it.
  package func exported(
    _ entry: SessionEntry, as format: ExportChoice, hidingEndsWithin radius: PrivacyRadius?
  ) async throws -> SessionExport? {
    try await change { try $0.exported(entry, as: format, hidingEndsWithin: radius) }
  }
}
