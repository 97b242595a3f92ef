package import FleetStore
internal import SessionStore
internal import SessionUpload
package import TextFormats
package import WorkoutHistory

extension History {
  /// Creates a history of whose deletions nothing stays beside it, whoever asks for them: nothing of a session waits to be
  /// sent, and the service keeps nothing of a session or a person. Nothing is opened until something is asked.
  package init(dataFolder: StoredPath, busyMilliseconds: Int32 = Database.usualBusyMilliseconds) {
    self.init(dataFolder: dataFolder, busyMilliseconds: busyMilliseconds) { deletion, folder in
      switch deletion {
      case .session(let sessionID): try PendingUploads.forget(sessionID, in: folder)
      case .person: break
      }
      try ServiceStore.forget(deletion, in: folder)
    }
  }
}

extension ServiceStore {
  /// Forgets what is deleted, where a service ever ran. A server that runs sees that within a second, and ends the streams of
  /// tokens that are gone.
  ///
  /// - Throws: `DatabaseError` when it cannot be written, `ServiceStoreError` when it is of a newer version.
  static func forget(_ deletion: History.Deletion, in dataFolder: StoredPath) throws {
    let place = dataFolder + "/" + fileName
    guard try FileSystem.has(place) else { return }
    let database = try Database(path: place)
    defer { database.close() }
    try ServiceSchema.make(in: database)
    // What was taken of sessions that ended before they began: the history knows nothing of them.
    if case .person(let name) = deletion {
      let ended = try ServiceTables.embedded(database).query(
        "SELECT id FROM session WHERE ended_ns IS NOT NULL AND person = ?", .text(name)
      ) { (row) throws(DatabaseError) in row.text(0) }
      for id in ended where SessionFolder.isName(id) { try EndedInputs.remove(id, in: dataFolder) }
    }
    try forget(deletion, in: .embedded(database))
    // What is deleted is overwritten in the file, and not left in its write-ahead log.
    let changes = try database.query("SELECT total_changes()") { (row) throws(DatabaseError) in row.int(0) }.first ?? 0
    if changes > 0 { try database.checkpoint() }
  }

  /// Forgets what is deleted, at every instance of a fleet, which see that at once.
  ///
  /// - Throws: `PostgresError` when it cannot be written; it is finished by the next start.
  package static func forget(_ deletion: History.Deletion, inDatabase address: PostgresAddress, name: String) throws {
    let tables = SharedTables(address, name: name)
    defer { tables.close() }
    try forget(deletion, in: .shared(tables))
  }

  /// Forgets everything of a person at every instance of a fleet: what has the name, and sessions that are the person's whatever the
  /// database calls them.
  ///
  /// - Parameters:
  ///   - sessions: those of the person that the history knows. One that is not over stays.
  ///   - others: those that the database has under the name, and the history under the profile of somebody else. They stay, and are
  ///     nobody's there.
  ///   - caller: who asks, whose secret has to hold still and for the same person; absent for nobody.
  /// - Throws: `PostgresError` when it cannot be written, `ServiceProblem` where the secret does not hold.
  static func forget(
    person: String, sessions: [String], others: [String], by caller: Caller?, inDatabase address: PostgresAddress,
    name: String
  ) throws -> ForgottenPerson {
    let tables = SharedTables(address, name: name)
    defer { tables.close() }
    let database = ServiceTables.shared(tables)
    return try database.transaction(.changing) {
      // Who adds an import for the person just now is waited for, and what is added goes too; who begins a session comes before this
      // or finds the person gone.
      try database.run("SELECT FROM kept_file WHERE person = ? FOR UPDATE", .text(person))
      try require(caller, in: database)
      let isLive = try !database.query(
        "SELECT 1 FROM session WHERE person = ? AND ended_ns IS NULL LIMIT 1", .text(person)
      ) { (row) throws(DatabaseError) in row.int(0) }.isEmpty
      if isLive { return .isLive }
      for id in others {
        try database.run(
          "UPDATE session SET person = NULL WHERE id = ? AND person = ? AND ended_ns IS NOT NULL", .text(id),
          .text(person))
      }
      let isKnown = try namedTables.contains { table in
        try !database.query("SELECT 1 FROM \(table) WHERE person = ? LIMIT 1", .text(person)) {
          (row) throws(DatabaseError) in row.int(0)
        }.isEmpty
      }
      if isKnown { try forget(person: person, in: database) }
      for id in sessions {
        try database.run("DELETE FROM session WHERE id = ? AND ended_ns IS NOT NULL", .text(id))
      }
      return isKnown || !sessions.isEmpty ? .gone : .unknown
    }
  }

  /// What became of a person who was to be forgotten.
  enum ForgottenPerson: Hashable, Sendable {
    /// Everything is gone.
    case gone
    /// Nothing was there.
    case unknown
    /// A session of theirs is live: nothing was changed.
    case isLive
  }

  /// The tables of a fleet that say of a row whose it is.
  private static let namedTables = [
    "session", "grant_", "link", "member", "group_", "identity", "kept_file", "watched", "glance",
  ]

  private static func forget(_ deletion: History.Deletion, in database: ServiceTables) throws {
    try database.transaction(.changing) {
      switch deletion {
      case .session(let id): try forget(session: id, in: database)
      case .person(let name): try forget(person: name, in: database)
      }
    }
  }

  /// Forgets a session, what was sent to begin it, and the secrets for it alone.
  private static func forget(session id: String, in database: ServiceTables) throws {
    try forgetBeginning(of: id, in: database)
    try database.run("DELETE FROM grant_ WHERE session = ?", .text(id))
  }

  /// Forgets a session that was noted, and what was sent to begin it.
  static func forgetBeginning(of id: String, in database: ServiceTables) throws {
    try database.run("DELETE FROM session WHERE id = ?", .text(id))
    try database.run("DELETE FROM repeat WHERE session = ?", .text(id))
  }

  /// Forgets everything of a person: sessions, secrets, and the groups that the person is in.
  private static func forget(person: String, in database: ServiceTables) throws {
    try database.run("DELETE FROM repeat WHERE session IN (SELECT id FROM session WHERE person = ?)", .text(person))
    try database.run("DELETE FROM session WHERE person = ?", .text(person))
    try forgetAuthority(of: person, in: database)
    // The profile and recordings of motion, which a folder has as files, and what boards show.
    if case .shared = database {
      for table in ["kept_file", "watched", "glance"] {
        try database.run("DELETE FROM \(table) WHERE person = ?", .text(person))
      }
    }
  }
}
