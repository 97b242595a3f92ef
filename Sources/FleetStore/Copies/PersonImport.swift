package import SessionStore
internal import Synchronization
package import TextFormats

/// The turn of those who import for a person, one after another whatever instance they are at: what one of them finds to be new while
/// it has the turn is new.
///
/// The turn is a lock of a transaction that stays open, so that a pooler between leaves it one connection of the server for as long, and
/// nothing of it stays with a connection that others use after it. It is not made again when it is lost: nothing is added then. What is
/// added is a transaction of its own, which looks whether the turn is there still, and which the next one to have it waits for.
package final class PersonImport: Sendable {
  /// The first number of the lock that is the turn.
  private static let turnLock = 6_071_223
  /// That of the lock of what is being added.
  private static let addingLock = 6_071_224
  /// How long a turn is waited for, in seconds.
  private static let waitingSeconds = 30
  /// How many names of sessions are tried.
  private static let mostNames = 1_000

  private let turn: PostgresLink
  private let link: PostgresLink
  private let person: String
  private let isStill: @Sendable ([UInt8]?) -> Bool
  /// The process of the server that has the turn; `nil` before.
  private let holder = Mutex<Int64?>(nil)

  /// A turn that is not taken yet.
  ///
  /// - Parameters:
  ///   - name: what the server lists its connections as.
  ///   - isStill: whether the text of the profile that the database has under the name is that of the person; it is given `nil` where there
  ///     is none.
  package init(
    _ address: PostgresAddress, name: String, person: String,
    isStill: @escaping @Sendable ([UInt8]?) -> Bool = { _ in true }
  ) {
    self.isStill = isStill
    turn = PostgresLink(address, name: name, staysLost: true)
    link = PostgresLink(address, name: name)
    self.person = person
  }

  /// Waits for the turn.
  ///
  /// - Throws: `PostgresError`; it may pass when others have the turn for too long.
  package func begin() throws(PostgresError) {
    let person = person
    let process = try turn.use { connection throws(PostgresError) in
      try connection.execute(
        "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '\(Self.waitingSeconds)s'")
      let seconds = Self.waitingSeconds + 10
      _ = try connection.run(
        "SELECT pg_advisory_xact_lock(\(Self.turnLock), hashtext($1))", [.text(person)], seconds: seconds)
      // Who had the turn before, and lost it, may be adding still.
      try connection.execute("SAVEPOINT adding")
      _ = try connection.run(
        "SELECT pg_advisory_xact_lock(\(Self.addingLock), hashtext($1))", [.text(person)], seconds: seconds)
      try connection.execute("ROLLBACK TO SAVEPOINT adding")
      return try connection.run("SELECT pg_backend_pid()").rows.first?.integer(0)
    }
    holder.withLock { $0 = process }
  }

  /// Makes sure that the turn is there until the transaction ends: who takes it after that waits for the transaction.
  private func requireTurn(in connection: PostgresConnection) throws(PostgresError) {
    _ = try connection.run(
      "SELECT pg_advisory_xact_lock_shared(\(Self.addingLock), hashtext($1))", [.text(person)])
    let process = holder.withLock { $0 }
    let held = try connection.run(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = \(Self.turnLock) AND pid = $1 AND granted",
      [process.map { .integer($0) } ?? .null])
    guard !held.rows.isEmpty else { throw PostgresError(.lost, "the turn of the import was lost") }
  }

  /// What became of a session that was added.
  package struct Added: Hashable, Sendable {
    /// Its identity.
    package let name: String
    /// Whether the session whose place it was to take was there, and is not any more.
    package let hasReplaced: Bool
  }

  /// The person was deleted since the import began; whoever has the name by now is somebody else.
  package struct PersonGone: Error, Hashable, Sendable {
    /// Creates the error.
    package init() {}
  }

  /// Adds a session of the person that is over, with all of its files. Where another one has its name, or had it before it was
  /// deleted, it gets the next one.
  ///
  /// - Parameter old: a session of the person whose place it takes, in the same transaction, with what is written down about that; `nil`
  ///   for none.
  /// - Throws: `PostgresError`; `.lost` when nobody knows whether it was added, and when the turn is lost. ``PersonGone`` when the person
  ///   is: then nothing was added.
  package func add(
    _ content: SessionFolderContent, start: WallClockTime, replacing old: String? = nil
  ) throws -> Added {
    var content = content
    for _ in 0..<Self.mostNames {
      let session = BegunSession(id: content.sessionID, person: person, maker: "", request: "", createdAt: start)
      guard let (outcome, hasReplaced) = try add(session, content, replacing: old) else { throw PersonGone() }
      if outcome == .added { return Added(name: session.id, hasReplaced: hasReplaced) }
      content = content.renamed(to: SessionFolder.name(after: session.id))
    }
    throw PostgresError(.damaged, "no name is left for a session")
  }

  /// - Returns: `nil` where the person is gone.
  private func add(
    _ session: BegunSession, _ content: SessionFolderContent, replacing old: String?
  ) throws(PostgresError) -> (FleetCopies.Outcome, hasReplaced: Bool)? {
    try link.use(isRepeatable: false) { connection throws(PostgresError) -> (FleetCopies.Outcome, hasReplaced: Bool)? in
      // By itself: the tables of others are locked no longer than it takes to make them.
      _ = try connection.run("SELECT coach.make_month(left($1, 6))", [.text(session.id)])
      return try connection.transaction(PostgresConnection.beginDurable) {
        () throws(PostgresError) -> (FleetCopies.Outcome, hasReplaced: Bool)? in
        try requireTurn(in: connection)
        // Who deletes the person waits for this, and finds what was added.
        let profile = try FleetStore.heldProfile(at: ProfileFileName.path(of: person), in: connection)
        guard isStill(profile) else { return nil }
        let outcome = try FleetCopies.add(session, endedAt: session.createdAt, content, in: connection)
        guard outcome == .added, let old else { return (outcome, hasReplaced: false) }
        return (outcome, hasReplaced: try Self.replace(old, of: session.person, by: session.id, in: connection))
      }
    }
  }

  /// Deletes a session of which another one takes the place, with what is written down about it by now.
  private static func replace(
    _ old: String, of person: String?, by new: String, in connection: PostgresConnection
  ) throws(PostgresError) -> Bool {
    // Who writes something down about it waits, and finds it gone.
    let known = try connection.run(
      "SELECT FROM coach.session WHERE id = $1 AND person = $2 AND ended_ns IS NOT NULL FOR UPDATE",
      [.text(old), .optional(person)])
    guard !known.rows.isEmpty else { return false }
    let notes = PostgresValue.text(SessionFolder.notes)
    _ = try connection.run(
      "DELETE FROM coach.session_file WHERE session = $1 AND name = $2", [.text(new), notes])
    _ = try connection.run(
      "INSERT INTO coach.session_file SELECT $1, name, content FROM coach.session_file WHERE session = $2 AND name = $3",
      [.text(new), .text(old), notes])
    _ = try connection.run("DELETE FROM coach.session WHERE id = $1", [.text(old)])
    return true
  }

  /// Gives the turn back.
  package func close() {
    turn.close()
    link.close()
  }
}
