internal import SessionStore
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The index of the sessions in a data folder. It holds nothing that the folders do not, and can be made from them again.
///
/// One actor has all access to the database, on a queue of its own, because it waits for the disk.
package actor History {
  /// Which sessions are asked for. A session belongs to a span when it begins in it.
  package struct Filter: Hashable, Sendable {
    /// The earliest start; absent for all of the past.
    package var from: WallClockTime?
    /// The instant before which it begins; absent for all of the future.
    package var until: WallClockTime?
    /// The name of the person; absent for everybody.
    package var person: String?
    /// The most sessions, the newest first; absent for all.
    package var limit: Int?
    /// Whether sessions in which no person was measured are let through.
    package var includesSimulated = true

    /// Creates a filter that lets every session through.
    package init() {}

    /// What a row of `session` must satisfy, with the first three values of a statement; the limit is not a part of it.
    var condition: String {
      "start_ns >= ?1 AND start_ns < ?2 AND \(Self.personCondition) AND \(Self.originCondition(includesSimulated))"
    }

    /// The part of ``condition`` about where the samples came from.
    static func originCondition(_ includesSimulated: Bool) -> String {
      includesSimulated ? "TRUE" : "origin IS NOT '\(SessionOrigin.simulated.rawValue)'"
    }

    /// The part of ``condition`` about the person, by the third value.
    static let personCondition = "(?3 IS NULL OR \(PersonKeys.column) IN (SELECT value FROM json_each(?3)))"

    /// The values of ``condition``; the person is told by its keys.
    func values(person keys: DatabaseValue) -> [DatabaseValue] {
      [.integer(from?.nanoseconds ?? .min), .integer(until?.nanoseconds ?? .max), keys]
    }
  }

  /// The data folder.
  package nonisolated let dataFolder: StoredPath

  private let executor = QueueExecutor(label: "coach.history")
  /// How long another process is waited for.
  let busyMilliseconds: Int32
  private var opened: Database?

  /// Called when a session is deleted, with its identity and the data folder, before its folder goes: what is kept of it
  /// elsewhere has to go too.
  package typealias DeletionHandler = @Sendable (String, StoredPath) throws -> Void

  let onDelete: DeletionHandler

  /// Creates a history; nothing is opened until something is asked.
  ///
  /// - Parameters:
  ///   - dataFolder: the data folder.
  ///   - busyMilliseconds: how long another process is waited for.
  ///   - onDelete: drops what is kept of a deleted session outside of this target.
  package init(
    dataFolder: StoredPath, busyMilliseconds: Int32 = Database.usualBusyMilliseconds,
    onDelete: @escaping DeletionHandler
  ) {
    self.dataFolder = dataFolder
    self.busyMilliseconds = busyMilliseconds
    self.onDelete = onDelete
  }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The file of the index in a data folder.
  package static func path(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/coach.sqlite" }

  /// Closes the database.
  package func close() {
    opened?.close()
    opened = nil
  }

  /// The sessions that a filter lets through, the newest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  package func sessions(_ filter: Filter) throws -> [SessionEntry] {
    try sessions(filter, into: []) { $0.append($1) }
  }

  /// What `gather` makes of the sessions that a filter lets through, one after another, the newest first.
  ///
  /// Ten thousand entries take more memory than what is usually made of them. Until all are read a log of the database waits
  /// to be emptied, so `gather` must not wait for anybody.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  package func sessions<Gathered: Sendable>(
    _ filter: Filter, into gathered: consuming Gathered, _ gather: @Sendable (inout Gathered, SessionEntry) -> Void
  ) throws -> Gathered {
    let values = Self.values(filter, person: try keysValue(ofPersonNamed: filter.person))
    // Asked for by the first session of somebody.
    var people: Result<People, FileError>?
    _ = try read(Self.listing(filter), values) { row in
      var entry = SessionEntry(row)
      if entry.person != nil {
        let known = people ?? Result { () throws(FileError) in try self.people() }
        people = known
        if case .success(let known) = known {
          entry.person = known.name(profileID: entry.profileID, recordedAs: entry.person)
        }
      }
      gather(&gathered, entry)
    }
    _ = try people?.get()
    return gathered
  }

  /// The same with the keys of the person; the entries have the names of their days.
  func sessions(_ filter: Filter, person keys: DatabaseValue) throws -> [SessionEntry] {
    try read(Self.listing(filter), Self.values(filter, person: keys)) { SessionEntry($0) }
  }

  private static func listing(_ filter: Filter) -> String {
    """
    SELECT \(SessionEntry.columns) FROM session WHERE \(filter.condition)
    ORDER BY start_ns DESC, id DESC LIMIT ?4
    """
  }

  /// How many of the sessions that a filter would let through it leaves out because no person was measured in them.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  package func simulatedLeftOut(_ filter: Filter) throws -> Int { try simulatedLeftOut(filter, "TRUE", []) }

  /// How many of the same have hours with readings that begin in a span.
  ///
  /// - Throws: as without a span.
  package func simulatedLeftOut(_ filter: Filter, withHoursIn span: Range<WallClockTime>) throws -> Int {
    try simulatedLeftOut(
      filter, "EXISTS (SELECT 1 FROM hour WHERE hour.session = session.id AND from_s > ?4 AND from_s <= ?5)",
      Self.hourLimits(span))
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
    filter.values(person: keys) + [.integer(Int64(filter.limit ?? -1))]
  }

  /// The sessions that have an instant in common with a span, the oldest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func sessions(around start: WallClockTime, _ span: SessionTime) throws -> [SessionEntry] {
    try database().query(
      """
      SELECT \(SessionEntry.columns) FROM session
      WHERE start_ns <= ?1 AND start_ns + elapsed_ns >= ?2 ORDER BY start_ns, id
      """,
      .integer(start.nanoseconds &+ span.nanoseconds), .integer(start.nanoseconds)
    ) { SessionEntry($0) }
  }

  /// Whether there is an index at all; asking makes none.
  package nonisolated var hasIndex: Bool { FileSystem.exists(Self.path(in: dataFolder)) }

  /// The session with an identity, or with the only one that begins with `prefix`; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `RecordingError` when several begin with it.
  package func session(_ prefix: String) throws -> SessionEntry? {
    let found = try read(
      "SELECT \(SessionEntry.columns) FROM session WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 3",
      [.text(prefix)]
    ) { SessionEntry($0) }
    guard let first = found.first, first.sessionID != prefix, found.count > 1 else {
      return try named(Array(found.prefix(1))).first
    }
    throw RecordingError(path: prefix, problem: "several sessions begin so: expected more of the name")
  }

  // MARK: - Upkeep

  /// What is wrong with the database itself.
  func integrity() throws -> [HistoryFinding] {
    do {
      let found = try database().query("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      return found.map { HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: $0) }
    } catch let error as DatabaseError where error.isDamage {
      return [HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: error.reason)]
    }
  }

  /// Empties a database that is damaged, so that it can be made anew. One of another program is left alone.
  ///
  /// Of several that find the damage one empties it; the others wait, and find it sound.
  func startAnewIfDamaged() throws {
    guard try !integrity().isEmpty else { return }
    close()
    let attempt = try HeldFolder.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    guard case .held(let held) = attempt else {
      throw DatabaseError.busy(Self.path(in: dataFolder).path, "another coach makes it anew: try again when it is done")
    }
    defer { held.release() }
    guard try !integrity().isEmpty else { return }
    close()
    try Database.empty(Self.path(in: dataFolder), busyMilliseconds: busyMilliseconds)
  }

  /// The identities of all sessions in the index.
  func names() throws -> Set<String> { Set(try database().query("SELECT id FROM session") { $0.text(0) }) }

  /// What the index has of a session.
  func rows(of sessionID: String) throws -> SessionRows {
    let database = try database()
    return try database.transaction(.reading) { try SessionRows(of: sessionID, in: database) }
  }

  // MARK: - The database

  /// Runs a query that changes nothing; there are no rows where there is no index, and none is made.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func read<Value>(
    _ sql: String, _ values: [DatabaseValue], _ row: (Database.Row) throws(DatabaseError) -> Value
  ) throws -> [Value] {
    guard hasIndex else { return [] }
    return try database().query(sql, values, row)
  }

  /// The open database, brought to the newest version.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when the data folder cannot be made.
  func database() throws -> Database {
    if let opened { return opened }
    if !hasIndex { try DataFolderMark.make(dataFolder) }
    let database = try Database(path: Self.path(in: dataFolder), busyMilliseconds: busyMilliseconds)
    try HistorySchema.migrate(database) { try hasClosedFolders() }
    opened = database
    return database
  }
}
