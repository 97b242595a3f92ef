package import SessionStore
internal import TextFormats

/// What several instances share: the leases of the shards and the logs of the live sessions, in one PostgreSQL.
///
/// ```
/// keepLeases() each third of a lease ─► which shards are this instance's, with their fences
///                                            │
/// JournalWriter ─► append(batch) ────────────┴─► one transaction: leases held with these fences, rows, decisions, ends
/// takeover: log(of: session) ─► SharedSessionLog ─► the folder of the session ─► replay
/// ```
///
/// Every call waits for the database, for a bounded time, and is made on a queue that may. Leases have a connection of their own, so
/// that a write which waits never lets them expire, and so has what is read, so that a long log which is read holds up no write.
package final class FleetStore: SharedLog {
  /// How long a lease lasts, in seconds.
  package static let usualLeaseSeconds = 3.0
  /// What this instance is called in the database: another one each time it starts.
  package let name: String
  /// Where others reach it.
  package let url: String
  /// How long its leases last, in seconds.
  package var leaseSeconds: Double { held.seconds }

  private let migrations: [FleetMigration]
  private let leaseLink: PostgresLink
  private let logLink: PostgresLink
  let readLink: PostgresLink
  /// What is read of sessions, over the connection for reading.
  package let reader: FleetReader
  /// The time of day that all instances go by, as of the last turn of the leases.
  package let time = DatabaseClock()
  private let held: ShardLeases
  private let setAside = SetAsideSessions()
  private let notice: @Sendable (String) -> Void

  /// A store that is not open yet.
  ///
  /// - Parameters:
  ///   - address: where the database is.
  ///   - name: a name that no other instance has, nor this one when it starts again.
  ///   - url: where others reach it.
  ///   - migrations: what it knows of the schema; tests give others.
  ///   - elapsed: nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  ///   - notice: is given lines that the owner of an instance is to know.
  package init(
    _ address: PostgresAddress, name: String, url: String, leaseSeconds: Double = usualLeaseSeconds,
    migrations: [FleetMigration] = FleetSchema.migrations,
    elapsed: @escaping @Sendable () -> Int64 = { MonotonicClock.sinceBoot },
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.notice = notice
    self.name = name
    self.url = url
    self.migrations = migrations
    // What takes a lease over ends the connections of its holder by this name.
    leaseLink = PostgresLink(address, name: "coach \(name)")
    logLink = PostgresLink(address, name: "coach \(name)")
    readLink = PostgresLink(address, name: "coach \(name)")
    reader = FleetReader(readLink)
    held = ShardLeases(
      over: leaseLink, name: name, url: url, seconds: leaseSeconds, newestMigration: migrations.last?.number,
      elapsed: elapsed)
  }

  /// A name that nobody else has.
  package static func newName() -> String {
    let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    return digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
  }

  /// Brings the schema to what this program knows.
  ///
  /// - Returns: the names of the steps that were made now.
  /// - Throws: `PostgresError`, `.newerSchema` for one that this program does not know.
  @discardableResult
  package func open() throws(PostgresError) -> [String] {
    let migrations = migrations
    return try leaseLink.use { connection throws(PostgresError) in try FleetSchema.make(in: connection, migrations) }
  }

  /// Brings a database that was restored from a dump into another server to the transactions of that one. Sessions say in which
  /// transaction they ended; of numbers that the server has not come to yet, each question about the history would take all of them for new.
  ///
  /// - Returns: whether it was restored so. It is done once, and then the statistics of the tables are made, which a dump has none of.
  /// - Throws: `PostgresError`.
  package func adoptTransactions() throws(PostgresError) -> Bool {
    try leaseLink.use { connection throws(PostgresError) -> Bool in
      let places = [("session", "ended_in"), ("session", "noted_in"), ("deletion", "deleted_in")]
      func condition(_ column: String) -> String {
        "\(column) > pg_current_xact_id()" + (column == "ended_in" ? " AND ended_ns IS NOT NULL" : "")
      }
      let foreign = places.map { "EXISTS (SELECT FROM coach.\($0.0) WHERE \(condition($0.1)))" }
      let found = try connection.run("SELECT " + foreign.joined(separator: " OR "), seconds: 60)
      guard found.rows.first?.isTrue(0) ?? false else { return false }
      try connection.transaction { () throws(PostgresError) in
        // One of several instances that start at once.
        _ = try connection.run("SELECT pg_advisory_xact_lock(6071223006)", seconds: Self.adoptionSeconds)
        for (table, column) in places {
          _ = try connection.run(
            "UPDATE coach.\(table) SET \(column) = pg_current_xact_id() WHERE \(condition(column))",
            seconds: Self.adoptionSeconds)
        }
      }
      for table in ["session", "deletion", "session_file", "kept_file"] {
        try connection.execute("ANALYZE coach.\(table)", seconds: Self.adoptionSeconds)
      }
      return true
    }
  }

  /// How long a statement may take that goes through all sessions, in seconds.
  private static let adoptionSeconds = 600

  /// Makes sure that the schema is what this program knows, for who only reads: nothing is made.
  ///
  /// - Throws: `PostgresError`, `.olderSchema` or `.newerSchema` for another one.
  package func requireSchema() throws(PostgresError) {
    let migrations = migrations
    try leaseLink.use { connection throws(PostgresError) in try FleetSchema.require(in: connection, migrations) }
  }

  /// Closes the connections. Leases stay until they expire: ``leave()`` gives them back.
  package func close() {
    leaseLink.close()
    logLink.close()
    readLink.close()
  }

  /// Looks at the clock of the database, which ``time`` shows from then on.
  ///
  /// - Throws: `PostgresError`; it goes on as before.
  package func readTime() throws(PostgresError) {
    try time.look { () throws(PostgresError) in
      try leaseLink.use { connection throws(PostgresError) in
        try connection.run(Self.timeStatement, seconds: 3).rows.first?.integer(0) ?? 0
      }
    }
  }

  /// Asks for the time of the database, in nanoseconds since 1970.
  package static let timeStatement = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"

  // MARK: - Leases

  /// The shards that this instance held when it asked last.
  package var leases: [ShardLease] { held.all }

  /// The hold of a session whose shard this instance held when it asked last; `nil` for one of another shard.
  package func hold(of sessionID: String) -> SharedHold? { held.hold(of: sessionID) }

  /// Whether this instance held the shard of a session when it asked last.
  package func holds(_ sessionID: String) -> Bool { held.hold(of: sessionID) != nil }

  /// Whether the leases last still, by a clock of this instance that nobody sets: until then nobody else has what it holds, so that what
  /// is in memory is how things are.
  ///
  /// An instance that was stopped, or whose machine slept, may find them taken: who reads is answered after the next turn that succeeds
  /// (``keepLeases()``). What is written needs none of it, since the database looks at the fence.
  package var isLeased: Bool { held.areCurrent }

  /// Extends the leases, takes shards that nobody holds up to the share of this instance, gives back what is more than that. It
  /// can be repeated.
  ///
  /// - Returns: the shards that were lost since the last call.
  /// - Throws: `PostgresError`; the leases go on as they were, until they expire. After `.newerSchema` none is held: a step that
  ///   breaks with this program was made.
  @discardableResult
  package func keepLeases() throws(PostgresError) -> [ShardLease] { try held.keep() }

  /// Gives all leases back, when an instance ends: what it has taken is written by then.
  ///
  /// - Throws: `PostgresError`; the leases expire then.
  package func leave() throws(PostgresError) { try held.giveBack() }

  /// Runs `body` as one transaction, which can be repeated and is on the disk when this returns, whatever the database is set to.
  ///
  /// - Throws: `PostgresError` of the connection and of `body`.
  func changing<Value>(
    _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try readLink.use { connection throws(PostgresError) in
      try connection.transaction(PostgresConnection.beginDurable) { () throws(PostgresError) in try body(connection) }
    }
  }

  // MARK: - Sessions

  /// Keeps a session that begins here. It can be repeated.
  ///
  /// - Returns: the hold to write for it.
  /// - Throws: `PostgresError`; `SharedSessionProblem.heldElsewhere` when its shard is that of another instance.
  package func begin(_ session: BegunSession) throws -> SharedHold {
    guard let hold = hold(of: session.id) else { throw SharedSessionProblem.heldElsewhere(session.id) }
    let isHeld = try logLink.use { connection throws(PostgresError) in
      try BeginStatement.run(session, under: hold, in: connection)
    }
    guard isHeld else {
      forget(hold)
      throw SharedSessionProblem.heldElsewhere(session.id)
    }
    return hold
  }

  // MARK: - Appending

  package func append(_ batch: SharedLogBatch) throws -> Set<SharedHold> {
    var left = batch
    var differing: Set<SharedHold> = []
    var refused: Set<SharedHold> = []
    while !left.isEmpty {
      let statement = AppendStatement(left)
      do throws(PostgresError) {
        refused = try keep(left, by: statement)
        break
      } catch {
        guard error.kind == .refused(DifferingSessions.refusal) else { throw error }
        // The others of the batch do not wait for those that are at fault.
        let sessions = try logLink.use { connection throws(PostgresError) in
          try DifferingSessions(statement, in: connection).sessions
        }
        let holds = left.holds.filter { sessions.contains($0.sessionID) }
        guard !holds.isEmpty else {
          throw PostgresError(.damaged, "the log has something else under a number that is written again")
        }
        differing.formUnion(holds)
        left.leaveOut(holds)
      }
    }
    for hold in setAside.add(differing) {
      notice("\(hold.sessionID): the database has something else of it than this instance: it goes on from there")
    }
    return refused.union(differing)
  }

  /// Writes a batch; the holds under which nothing was written.
  private func keep(
    _ batch: SharedLogBatch, by statement: AppendStatement
  ) throws(PostgresError) -> Set<SharedHold> {
    let rows = try logLink.use { connection throws(PostgresError) in
      try connection.run(AppendStatement.sql, statement.values)
    }
    // What is deleted has no log: whoever sends for it gets that answer, and not that it was kept.
    let gone = Set(rows.rows.compactMap { $0.optionalText(1) })
    let kept = Set(rows.rows.lazy.filter { $0.optionalText(1) == nil }.map { Int($0.integer(0)) })
    for (shard, fence) in statement.fences where !kept.contains(shard) { held.forget(shard: shard, fence) }
    return batch.holds.filter { hold in
      let shard = FleetShard.of(hold.sessionID)
      return !kept.contains(shard) || statement.fences[shard] != hold.fence || gone.contains(hold.sessionID)
    }
  }

  /// Whether the log of a session has something else than what was to be written under a hold: what is in memory of it is of no use until
  /// it is taken over from its log.
  package func isSetAside(_ hold: SharedHold) -> Bool { setAside.contains(hold) }

  /// How many sessions were set aside since the instance started.
  package var setAsideCount: Int { setAside.count }

  /// How often shards or sessions that were held here were found not to be any more.
  package var lossCount: Int { held.lossCount + setAside.count }

  /// Goes on with a session from its log.
  func goOn(under hold: SharedHold) { setAside.remove(hold) }

  /// Lets go of a shard that another instance has by now.
  package func forget(_ hold: SharedHold) { held.forget(shard: FleetShard.of(hold.sessionID), hold.fence) }
}
