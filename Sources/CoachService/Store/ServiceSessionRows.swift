package import SessionStore
package import TextFormats
internal import WorkoutHistory
package import WorkoutSession

extension ServiceStore {
  /// What became of a request to begin a session.
  package enum Beginning: Hashable, Sendable {
    /// It is kept.
    case new
    /// The same was asked for before, with the same key; the session of then.
    case repeated(String)
    /// Something else was asked for before with the key.
    case different
    /// Too many are live already.
    case tooMany
    /// The secret with which it is begun is of somebody else by now, as after another name: it is read again in a moment.
    case renamed
    /// The secret with which it is begun holds no longer.
    case revoked
    /// The person was deleted meanwhile; whoever has the name by now is somebody else.
    case gone
  }

  /// What a request of a name led to before, where its body is the same.
  ///
  /// - Returns: `nil` for a name that was not used before.
  /// - Throws: `DatabaseError` when it cannot be read.
  package func beginning(of name: String, body: [UInt8], by maker: String) throws -> Beginning? {
    let known = try database().query(
      "SELECT body, session FROM repeat WHERE maker = ? AND key = ?", .text(maker), .text(name)
    ) { (row) throws(DatabaseError) in (row.blob(0), row.text(1)) }
    return known.first.map { $0.0 == body ? .repeated($0.1) : .different }
  }

  /// Keeps a session that begins.
  ///
  /// - Parameters:
  ///   - key: what the sender calls its request, with the hash of its body; absent where it calls it nothing.
  ///   - liveLimit: how many sessions of the person, or of the maker where there is none, are live at most.
  ///   - hold: under which it is written, where instances share the store.
  ///   - profile: by which it is judged: it has to be that of the person still.
  ///   - isOfSecret: whether its maker is a secret, which has to hold still.
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be written, `SharedSessionProblem.heldElsewhere` where another
  ///   instance has its shard by now.
  package func begin(
    _ row: BegunSession, key: (name: String, body: [UInt8])?, liveLimit: Int, under hold: SharedHold? = nil,
    as profile: ProfileID? = nil, isOfSecret: Bool = false
  ) throws -> Beginning {
    let database = try database()
    return try database.transaction(.changing) {
      if let key {
        if let known = try beginning(of: key.name, body: key.body, by: row.maker) { return known }
      }
      // Else it would be that of whoever has the old name next.
      let holders = try database.query("SELECT person FROM grant_ WHERE id = ?", .text(row.maker)) {
        (row) throws(DatabaseError) in row.optionalText(0)
      }
      if isOfSecret, holders.isEmpty { return .revoked }
      if let holder = holders.first ?? nil, !(row.person.map(holder.hasBytes) ?? false) { return .renamed }
      // Deletions of people come one after another with this: what is begun before one is found by it.
      if let profile, let person = row.person {
        if try !holdsProfile(profile, of: person, in: database) { return .gone }
      }
      let (column, owner) = row.person.map { ("person", $0) } ?? ("person IS NULL AND maker", row.maker)
      let live = try database.query(
        "SELECT count(*) FROM session WHERE ended_ns IS NULL AND \(column) = ?", .text(owner)
      ) { (row) throws(DatabaseError) in row.int(0) }
      guard live.first ?? 0 < liveLimit else { return .tooMany }
      if let key {
        try database.run(
          "INSERT INTO repeat VALUES (?, ?, ?, ?, ?)", .text(row.maker), .text(key.name), .blob(key.body),
          .text(row.id),
          .integer(row.createdAt.nanoseconds))
      }
      if case .shared(let tables) = database, let hold {
        try tables.insert(row, under: hold)
      } else {
        try database.run(
          "INSERT INTO session VALUES (?, ?, ?, ?, ?, NULL)", .text(row.id), .optional(row.person), .text(row.maker),
          .text(row.request), .integer(row.createdAt.nanoseconds))
      }
      return .new
    }
  }

  /// The sessions that are not over, the oldest first.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  package func openSessions() throws -> [BegunSession] {
    try rows("WHERE ended_ns IS NULL ORDER BY created_ns, id")
  }

  /// The session of an identity; `nil` for one that the service did not begin.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  package func session(_ id: String) throws -> BegunSession? { try rows("WHERE id = ?", .text(id)).first }

  /// The same where it is not over. Of one that is over the history says whose it is: whoever has the name by now may be somebody else.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be read.
  package func openSession(_ id: String) throws -> BegunSession? {
    try rows("WHERE ended_ns IS NULL AND id = ?", .text(id)).first
  }

  /// A session that is over and of which the history knows nothing, since it ended before it began, where it was that of who asks.
  ///
  /// No profile says whose it was, and whoever has the name by now may be somebody else. A secret goes with its person, so that one that
  /// is older than the session is of the same.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be read.
  func endedSession(_ id: String, of caller: Caller) throws -> BegunSession? {
    guard let row = try rows("WHERE ended_ns IS NOT NULL AND id = ?", .text(id)).first,
      caller.session.map({ $0 == id }) ?? true, caller.mayUse(person: row.person, maker: row.maker)
    else { return nil }
    if caller.person == nil || caller.id == row.maker || caller.session != nil { return row }
    let older = try database().query(
      "SELECT 1 FROM grant_ WHERE id = ? AND created_ns <= ?", .text(caller.id),
      .integer(row.createdAt.nanoseconds)
    ) { (row) throws(DatabaseError) in row.int(0) }
    return older.isEmpty ? nil : row
  }

  private func rows(_ condition: String, _ value: DatabaseValue...) throws -> [BegunSession] {
    let read = { (row: ServiceRow) throws(DatabaseError) -> BegunSession in
      BegunSession(
        id: row.text(0), person: row.optionalText(1), maker: row.text(2), request: row.text(3),
        createdAt: WallClockTime(nanoseconds: row.int64(4)))
    }
    let sql = "SELECT id, person, maker, request, created_ns FROM session " + condition
    if let value = value.first { return try database().query(sql, value, row: read) }
    return try database().query(sql, row: read)
  }

  /// Notes that a session is over, the first time that this is said; what it was asked for is kept no longer, but for its clock.
  ///
  /// - Parameters:
  ///   - clock: what moved it on between samples; `nil` where that is not known.
  ///   - hold: under which it is written, where instances share the store: nothing is where it is over.
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be written.
  package func end(
    _ id: String, clock: SessionClock?, at time: WallClockTime, under hold: SharedHold? = nil
  ) throws {
    let request = BegunSession.requestOfEnded(clock)
    if case .shared(let tables) = try database(), let hold {
      return try tables.end(id, request: request, at: time, under: hold)
    }
    try database().run(
      "UPDATE session SET ended_ns = coalesce(ended_ns, ?), request = ? WHERE id = ?", .integer(time.nanoseconds),
      .text(request), .text(id))
  }

  /// Forgets a session that could not be begun.
  ///
  /// - Parameter hold: as for the end.
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be written.
  package func forgetBeginning(of id: String, under hold: SharedHold? = nil) throws {
    if case .shared(let tables) = try database(), let hold { return try tables.forgetBeginning(of: id, under: hold) }
    try Self.forgetBeginning(of: id, in: database())
  }

  /// The newest session of a maker that is not over; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be read.
  func newestOpenSession(by maker: String) throws -> BegunSession? {
    try rows("WHERE ended_ns IS NULL AND maker = ? ORDER BY created_ns DESC, id DESC LIMIT 1", .text(maker)).first
  }

  /// The sessions of a person that a key of theirs has begun and that ended since a time, the newest first.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when they cannot be read.
  func endedSessions(by key: Caller, since: WallClockTime, atMost most: Int) throws -> [String] {
    guard let person = key.person else { return [] }
    return try database().query(
      "SELECT id FROM session WHERE person = ? AND maker = ? AND ended_ns >= ? ORDER BY created_ns DESC, id DESC LIMIT ?",
      .text(person), .text(key.id), .integer(since.nanoseconds), .integer(Int64(most))
    ) { (row) throws(DatabaseError) in row.text(0) }
  }

  /// The sessions of a person that are not over, the oldest first.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when they cannot be read.
  package func openSessions(of person: String) throws -> [BegunSession] {
    try database().reading(as: person) {
      try rows("WHERE ended_ns IS NULL AND person = ? ORDER BY created_ns, id", .text(person))
    }
  }

  /// Whose the sessions are that are not over: identities, and names where they are somebody's.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when they cannot be read.
  func ownersOfOpenSessions() throws -> [(id: String, person: String?)] {
    try database().query("SELECT id, person FROM session WHERE ended_ns IS NULL") { (row) throws(DatabaseError) in
      (id: row.text(0), person: row.optionalText(1))
    }
  }

  /// The sessions that are over and stand under a name, whosever they are by now.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when they cannot be read.
  func endedSessions(called person: String) throws -> [String] {
    try database().query("SELECT id FROM session WHERE ended_ns IS NOT NULL AND person = ?", .text(person)) {
      (row) throws(DatabaseError) in row.text(0)
    }
  }

  /// Notes that a session is nobody's, where it is not over.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be written.
  func disown(_ id: String) throws {
    try database().run("UPDATE session SET person = NULL WHERE id = ? AND ended_ns IS NULL", .text(id))
  }

  /// Whether a maker of sessions is a key.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be read.
  func isKey(_ maker: String) throws -> Bool {
    try !database().query(
      "SELECT 1 FROM grant_ WHERE id = ? AND kind = ?", .text(maker), .text(Caller.Kind.key.rawValue)
    ) { (row) throws(DatabaseError) in row.int(0) }.isEmpty
  }
}

extension BegunSession {
  /// What moves it on between samples, which its manifest does not say; `nil` where its row does not either.
  var clock: SessionClock? {
    (try? JSONValue.parse(request))?["clock"]?.string.flatMap { SessionClock(rawValue: $0) }
  }

  /// What stays of the request of a session that is over: its clock, which its folder does not say, so that lines that are sent again
  /// after a start or a takeover are answered as they were.
  fileprivate static func requestOfEnded(_ clock: SessionClock?) -> String {
    clock.map { #"{"clock":"\#($0.rawValue)"}"# } ?? ""
  }
}
