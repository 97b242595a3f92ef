package import SessionStore

/// What is read of the sessions that are over, over one connection: to the database that instances share, or to a replica of it.
///
/// A replica is as new as its log. ``position()`` of the database says how far that has come, ``hasReplayed(_:)`` of the replica
/// whether it has come as far: then everything is there that was answered before.
package final class FleetReader: Sendable {
  /// How many rows of a log are asked for at once.
  private static let pageRows = 2_000
  /// How long small questions may take, in seconds: somebody waits who could ask elsewhere.
  private static let questionSeconds = 2

  private let link: PostgresLink

  init(_ link: PostgresLink) { self.link = link }

  /// A reader; nothing is opened yet.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String) { link = PostgresLink(address, name: name) }

  /// Closes the connection; it is made again when it is needed.
  package func close() { link.close() }

  // MARK: - How new a replica is

  /// How far the log of the database is on its disk: what was answered before has been written there.
  ///
  /// - Throws: `PostgresError`; a replica has no such place.
  package func position() throws(PostgresError) -> String {
    try link.use { connection throws(PostgresError) in
      try connection.run("SELECT pg_current_wal_flush_lsn()::text", seconds: Self.questionSeconds)
    }.rows.first?.text(0) ?? ""
  }

  /// Whether a replica has replayed the log as far as a place of the database.
  ///
  /// - Throws: `PostgresError`.
  package func hasReplayed(_ position: String) throws(PostgresError) -> Bool {
    try link.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false)", [.text(position)],
        seconds: Self.questionSeconds)
    }.rows.first?.isTrue(0) ?? false
  }

  /// Which database it is, whatever server answers: its own and its replicas have the same.
  ///
  /// - Throws: `PostgresError`.
  package func identity() throws(PostgresError) -> String {
    try link.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT system_identifier::text || '/' || current_database() FROM pg_control_system()",
        seconds: Self.questionSeconds)
    }.rows.first?.text(0) ?? ""
  }

  /// Whether a server is a replica, which follows another one.
  ///
  /// - Throws: `PostgresError`.
  package func isReplica() throws(PostgresError) -> Bool {
    try link.use { connection throws(PostgresError) in
      try connection.run("SELECT pg_is_in_recovery()", seconds: Self.questionSeconds)
    }.rows.first?.isTrue(0) ?? false
  }

  // MARK: - Sessions

  /// A session with everything that was written of it; `nil` when there is none.
  ///
  /// - Throws: `PostgresError`, `.damaged` for a log with a gap.
  package func log(of sessionID: String) throws(PostgresError) -> SharedSessionLog? {
    try log(of: sessionID, hold: nil)
  }

  func log(of sessionID: String, hold: SharedHold?) throws(PostgresError) -> SharedSessionLog? {
    let found = try link.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT id, person, maker, request, created_ns, summary, ended_ns IS NOT NULL FROM coach.session WHERE id = $1",
        [.text(sessionID)])
    }
    guard let row = found.rows.first else { return nil }
    let session = BegunSession(row)
    return SharedSessionLog(
      session: session, hold: hold, rows: try column("content", of: "log_row", session),
      decisions: try column("line", of: "decision", session), summary: row.optionalBytes(5),
      others: try others(of: session), isOver: row.isTrue(6))
  }

  /// The files of a session that stand in no row of its log.
  private func others(of session: BegunSession) throws(PostgresError) -> [SessionFolderContent.File] {
    try link.read(as: session.person) { connection throws(PostgresError) in
      try connection.run(
        "SELECT name, content FROM coach.session_file WHERE session = $1 ORDER BY name COLLATE \"C\"",
        [.text(session.id)])
    }.rows.map { SessionFolderContent.File($0.text(0), $0.bytes(1)) }
  }

  /// The rows of a session, in their order, as whose it is.
  private func column(_ column: String, of table: String, _ session: BegunSession) throws(PostgresError) -> [[UInt8]] {
    var values: [[UInt8]] = []
    while true {
      let after = Int64(values.count)
      let rows = try link.read(as: session.person) { connection throws(PostgresError) in
        try connection.run(
          "SELECT index, \(column) FROM coach.\(table) WHERE session = $1 AND index > $2 ORDER BY index LIMIT $3",
          [.text(session.id), .integer(after), .integer(Int64(Self.pageRows))])
      }.rows
      for row in rows {
        guard row.integer(0) == Int64(values.count + 1) else {
          throw PostgresError(.damaged, "\(session.id): number \(values.count + 1) is missing in \(table)")
        }
        values.append(row.bytes(1))
      }
      if rows.count < Self.pageRows { return values }
    }
  }

  /// The sessions that came to their end, were written about or were deleted since somebody looked last.
  ///
  /// - Parameter horizon: that of the last look; 0 for all.
  /// - Throws: `PostgresError`.
  package func history(since horizon: Int64) throws(PostgresError) -> SharedHistory {
    let rows = try link.use { connection throws(PostgresError) in
      // Every transaction below the horizon is over: what it did is among the rows, of this look or of one before.
      try connection.run(
        """
        SELECT 'horizon', NULL, pg_snapshot_xmin(pg_current_snapshot())::text::bigint, NULL::bytea
        UNION ALL SELECT 'ended', id, NULL, NULL FROM coach.session
          WHERE ended_in >= $1::bigint::text::xid8 AND ended_ns IS NOT NULL AND summary IS NOT NULL
        UNION ALL SELECT 'noted', id, NULL, session_file.content FROM coach.session
          LEFT JOIN coach.session_file ON session_file.session = session.id AND session_file.name = $2
          WHERE noted_in >= $1::bigint::text::xid8
        UNION ALL SELECT 'deleted', session, NULL, NULL FROM coach.deletion WHERE deleted_in >= $1::bigint::text::xid8
        """, [.integer(horizon), .text(SessionFolder.notes)], seconds: 60)
    }.rows
    var history = SharedHistory(horizon: horizon)
    for row in rows {
      let id = row.text(1)
      switch row.text(0) {
      case "horizon": history.horizon = row.integer(2)
      case "ended": history.ended.append(id)
      case "noted": history.noted.append(SharedHistory.Noted(id: id, notes: row.optionalBytes(3)))
      default: history.deleted.append(id)
      }
    }
    return history
  }
}

/// What happened to the history that instances share.
package struct SharedHistory: Hashable, Sendable {
  /// A session about which something was written down.
  package struct Noted: Hashable, Sendable {
    /// Its identity.
    package let id: String
    /// The text of its notes, as in the folder of a session; absent where nothing is written down any more.
    package let notes: [UInt8]?

    /// Creates one.
    package init(id: String, notes: [UInt8]?) {
      self.id = id
      self.notes = notes
    }
  }

  /// What the next look begins with.
  package var horizon: Int64
  /// The sessions that came to their end.
  package var ended: [String] = []
  /// Those about which something was written down, with what stands there now.
  package var noted: [Noted] = []
  /// Those that were deleted.
  package var deleted: [String] = []
}
