package import SessionStore
package import TextFormats

/// The turn of those who import for a person, one after another whatever instance they are at: what one of them finds to be new while
/// it has the turn is new. The turn belongs to one connection, which is not made again when it is lost: nothing is added then.
package final class PersonImport: Sendable {
  /// How long a turn is waited for, in seconds.
  private static let waitingSeconds = 30
  /// How many names of sessions are tried.
  private static let mostNames = 1_000

  private let link: PostgresLink
  private let person: String

  /// A turn that is not taken yet.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String, person: String) {
    link = PostgresLink(address, name: name, staysLost: true)
    self.person = person
  }

  /// Waits for the turn.
  ///
  /// - Throws: `PostgresError`; it may pass when others have the turn for too long.
  package func begin() throws(PostgresError) {
    let person = person
    try link.use { connection throws(PostgresError) in
      try connection.transaction { () throws(PostgresError) in
        try connection.execute("SET LOCAL lock_timeout = '\(Self.waitingSeconds)s'")
        _ = try connection.run(
          "SELECT pg_advisory_lock(6071223, hashtext($1))", [.text(person)], seconds: Self.waitingSeconds + 10)
      }
    }
  }

  /// Adds a session of the person that is over, with all of its files. Where another one has its name, or had it before it was
  /// deleted, it gets the next one.
  ///
  /// - Returns: its identity.
  /// - Throws: `PostgresError`; `.lost` when nobody knows whether it was added, and when the turn is lost.
  package func add(_ content: SessionFolderContent, start: WallClockTime) throws(PostgresError) -> String {
    var content = content
    for _ in 0..<Self.mostNames {
      let session = BegunSession(id: content.sessionID, person: person, maker: "", request: "", createdAt: start)
      let outcome = try link.use(isRepeatable: false) { connection throws(PostgresError) -> FleetCopies.Outcome in
        // By itself: the tables of others are locked no longer than it takes to make them.
        _ = try connection.run("SELECT coach.make_month(left($1, 6))", [.text(session.id)])
        return try connection.transaction { () throws(PostgresError) -> FleetCopies.Outcome in
          try connection.execute("SET LOCAL synchronous_commit = on")
          return try FleetCopies.add(session, endedAt: start, content, in: connection)
        }
      }
      if outcome == .added { return session.id }
      content = content.renamed(to: SessionFolder.name(after: session.id))
    }
    throw PostgresError(.damaged, "no name is left for a session")
  }

  /// Gives the turn back.
  package func close() { link.close() }
}
