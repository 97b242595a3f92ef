internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension HistoryWorker {
  /// The sessions that a filter lets through, the newest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func sessions(_ filter: Filter) throws -> [SessionEntry] {
    try sessions(filter, into: []) { (all: inout [SessionEntry], entry: consuming SessionEntry) in all.append(entry) }
  }

  /// What `gather` makes of what is read of the sessions that a filter lets through, one after another, the newest first.
  ///
  /// Ten thousand entries take more memory than what is usually made of them. Until all are read a log of the database waits
  /// to be emptied, so `gather` must not wait for anybody.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func sessions<Session: IndexedSession, Gathered: Sendable>(
    _ filter: Filter, into gathered: consuming Gathered, _ gather: (inout Gathered, consuming Session) -> Void
  ) throws -> Gathered {
    let values = Self.values(filter, person: try keysValue(ofPersonNamed: filter.person))
    // Asked for where there is somebody, and looked at by the first session of somebody.
    let hasPeople = try !read("SELECT 1 FROM session WHERE \(PersonKeys.column) IS NOT NULL LIMIT 1", []) { $0.int(0) }
      .isEmpty
    let people = hasPeople ? Result { () throws(FileError) in try self.people() } : nil
    let known = try? people?.get()
    let labels = Session.distinguishesPeople ? try known.map { try self.labels(of: $0) } : nil
    var isOfSomebody = false
    _ = try read(Self.listing(filter, Session.columns), values) { row in
      var session = Session(row)
      if let recorded = session.line.person {
        isOfSomebody = true
        let profileID = session.line.profileID
        if let known {
          let name = known.name(profileID: profileID, recordedAs: recorded)
          session.line.personMark = labels?.mark(profileID: profileID, recordedAs: recorded, called: name)
          session.line.person = name
        }
      }
      gather(&gathered, session)
    }
    if isOfSomebody { _ = try people?.get() }
    return gathered
  }

  /// The same with the keys of the person; the entries have the names of their days.
  func sessions(_ filter: Filter, person keys: DatabaseValue) throws -> [SessionEntry] {
    try read(Self.listing(filter, SessionEntry.columns), Self.values(filter, person: keys)) { SessionEntry($0) }
  }

  /// The latest session that a filter lets through: the newest of those that begin by the end of today, by a clock, as the last days end
  /// today. Where all begin later it is the newest of them, because it is this clock that is wrong. `nil` when there is none.
  ///
  /// - Throws: as ``sessions(_:)``.
  func latest(_ filter: Filter, of clock: LocalClock) throws -> SessionEntry? {
    var (newest, upToToday) = (filter, filter)
    newest.limit = 1
    upToToday.limit = 1
    upToToday.until = [filter.until, clock.endOfToday].compactMap(\.self).min()
    return try sessions(upToToday).first ?? sessions(newest).first
  }

  private static func listing(_ filter: Filter, _ columns: String) -> String {
    """
    SELECT \(columns) FROM session WHERE \(filter.condition) AND \(Filter.listCondition)
    ORDER BY start_ns DESC, id DESC LIMIT ?4
    """
  }

  /// How many of the sessions that a filter would let through it leaves out because no person was measured in them.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func simulatedLeftOut(_ filter: Filter) throws -> Int { try simulatedLeftOut(filter, "TRUE", []) }

  /// How many of the same have hours with readings that begin in a span.
  ///
  /// - Throws: as without a span.
  func simulatedLeftOut(_ filter: Filter, withHoursIn span: Range<WallClockTime>) throws -> Int {
    try simulatedLeftOut(
      filter, "EXISTS (SELECT 1 FROM hour WHERE hour.session = session.id AND from_s > ?4 AND from_s <= ?5)",
      Self.hourLimits(span))
  }

  /// How many of the sessions that a filter lets through, whatever its last day, begin after today, by a clock: their devices had another
  /// date.
  ///
  /// - Throws: as without a span.
  func sessionsAhead(_ filter: Filter, of clock: LocalClock) throws -> Int {
    guard let end = clock.endOfToday else { return 0 }
    var ahead = filter
    (ahead.from, ahead.until) = (max(filter.from ?? end, end), nil)
    return try read(
      "SELECT count(*) FROM session WHERE \(ahead.condition)",
      ahead.values(person: keysValue(ofPersonNamed: filter.person))
    ) { $0.int(0) }.first ?? 0
  }

  private func simulatedLeftOut(_ filter: Filter, _ condition: String, _ values: [DatabaseValue]) throws -> Int {
    guard !filter.includesSimulated else { return 0 }
    var all = filter
    all.includesSimulated = true
    return try read(
      """
      SELECT count(*) FROM session
      WHERE \(all.condition) AND origin = '\(SessionOrigin.simulated.rawValue)' AND \(condition)
      """,
      all.values(person: keysValue(ofPersonNamed: filter.person)) + values
    ) { $0.int(0) }.first ?? 0
  }

  private static func values(_ filter: Filter, person keys: DatabaseValue) -> [DatabaseValue] {
    filter.values(person: keys) + [.integer(Int64(filter.limit ?? -1))] + filter.listValues
  }

  /// The sessions that have an instant in common with a span, the oldest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  /// - Complexity: O(log n) of the sessions, and of those as long as each other only the ones that begin so near that they may
  ///   be among the answer.
  func sessions(around start: WallClockTime, _ span: SessionTime) throws -> [SessionEntry] {
    try database().query(
      Self.overlapping, .integer(start.nanoseconds &+ span.nanoseconds), .integer(start.nanoseconds)
    ) { SessionEntry($0) }
  }

  /// The sessions that begin until the first value and end from the second one on. Those of as many hexadecimal digits of
  /// nanoseconds stand together in an index, and none of them is longer than its digits say, so that none is looked at which
  /// began before that.
  static let overlapping = """
    WITH class(digits, longest_ns) AS (VALUES \(lengthClasses))
    SELECT \(SessionEntry.columns) FROM class CROSS JOIN session
    WHERE \(HistorySchema.lengthDigits) = digits AND start_ns BETWEEN ?2 - longest_ns AND ?1
      AND start_ns + elapsed_ns >= ?2
    ORDER BY start_ns, id
    """

  private static let lengthClasses = (1...16).map { digits in "(\(digits), \(Int64.max >> max(0, 63 - 4 * digits)))" }
    .joined(separator: ", ")

  /// The session with a whole identity, where it is of a person, whom a name stands for as in a list; `nil` alike when there is none
  /// and when it is somebody else's.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func session(exactly id: String, ofPersonNamed name: String) throws -> SessionEntry? {
    let found = try read(
      """
      SELECT \(SessionEntry.columns) FROM session
      WHERE id = ?1 AND \(PersonKeys.column) IN (SELECT value FROM json_each(?2))
      """,
      [.text(id), keysValue(ofPersonNamed: name)]
    ) { SessionEntry($0) }
    return try named(found).first
  }

  /// The session with an identity, or with the only one that begins with `prefix`; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `RecordingError` when several begin with it.
  func session(_ prefix: String) throws -> SessionEntry? {
    let found = try read(
      "SELECT \(SessionEntry.columns) FROM session WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 3",
      [.text(prefix)]
    ) { SessionEntry($0) }
    guard let first = found.first, first.sessionID != prefix, found.count > 1 else {
      return try named(Array(found.prefix(1))).first
    }
    throw RecordingError(path: prefix, problem: "several sessions begin so: expected more of the name")
  }
}
