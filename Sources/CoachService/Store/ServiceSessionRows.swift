package import TextFormats
internal import WorkoutHistory

/// A session that was begun over the service.
package struct ServiceSessionRow: Hashable, Sendable {
  /// Its identity.
  package let id: String
  /// Whose it is; absent for nobody's.
  package let person: String?
  /// The token or key that began it.
  package let maker: String
  /// What was asked for, as JSON.
  package let request: String
  /// When it was begun.
  package let createdAt: WallClockTime

  /// Creates the row.
  package init(id: String, person: String?, maker: String, request: String, createdAt: WallClockTime) {
    self.id = id
    self.person = person
    self.maker = maker
    self.request = request
    self.createdAt = createdAt
  }
}

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
  /// - Throws: `DatabaseError` when it cannot be written.
  package func begin(
    _ row: ServiceSessionRow, key: (name: String, body: [UInt8])?, liveLimit: Int
  ) throws -> Beginning {
    let database = try database()
    return try database.transaction(.changing) {
      if let key {
        if let known = try beginning(of: key.name, body: key.body, by: row.maker) { return known }
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
      try database.run(
        "INSERT INTO session VALUES (?, ?, ?, ?, ?, NULL)", .text(row.id), .optional(row.person), .text(row.maker),
        .text(row.request), .integer(row.createdAt.nanoseconds))
      return .new
    }
  }

  /// The sessions that are not over, the oldest first.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  package func openSessions() throws -> [ServiceSessionRow] {
    try rows("WHERE ended_ns IS NULL ORDER BY created_ns, id")
  }

  /// The session of an identity; `nil` for one that the service did not begin.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  package func session(_ id: String) throws -> ServiceSessionRow? { try rows("WHERE id = ?", .text(id)).first }

  private func rows(_ condition: String, _ value: DatabaseValue...) throws -> [ServiceSessionRow] {
    let read = { (row: Database.Row) throws(DatabaseError) -> ServiceSessionRow in
      ServiceSessionRow(
        id: row.text(0), person: row.optionalText(1), maker: row.text(2), request: row.text(3),
        createdAt: WallClockTime(nanoseconds: row.int64(4)))
    }
    let sql = "SELECT id, person, maker, request, created_ns FROM session " + condition
    if let value = value.first { return try database().query(sql, value, row: read) }
    return try database().query(sql, row: read)
  }

  /// Notes that a session is over; what it was asked for is kept no longer.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func end(_ id: String, at time: WallClockTime) throws {
    try database().run(
      "UPDATE session SET ended_ns = ?, request = '' WHERE id = ?", .integer(time.nanoseconds), .text(id))
  }

  /// Forgets a session that is deleted.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func forget(_ id: String) throws {
    try database().run("DELETE FROM session WHERE id = ?", .text(id))
    try database().run("DELETE FROM repeat WHERE session = ?", .text(id))
  }

  /// Forgets everything of a person: sessions, secrets, and the groups that the person is in.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func forget(person: String) throws {
    let database = try database()
    try database.transaction(.changing) {
      try database.run(
        "DELETE FROM repeat WHERE session IN (SELECT id FROM session WHERE person = ?)", .text(person))
      try database.run("DELETE FROM member WHERE group_ IN (SELECT id FROM group_ WHERE person = ?)", .text(person))
      for table in ["session", "grant_", "link", "member", "group_", "identity"] {
        try database.run("DELETE FROM \(table) WHERE person = ?", .text(person))
      }
    }
  }

  /// Forgets the names of requests that are older than a time.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func forgetRepeats(before time: WallClockTime) throws {
    try database().run("DELETE FROM repeat WHERE created_ns < ?", .integer(time.nanoseconds))
  }
}
