package import SessionStore
internal import TextFormats

/// What is read of the sessions that instances share.
extension FleetStore {
  /// How many rows of a log are asked for at once.
  private static let pageRows = 2_000

  /// Who holds the shard of a session.
  ///
  /// - Throws: `PostgresError`.
  package func holder(of sessionID: String) throws(PostgresError) -> ShardHolder {
    let rows = try readLink.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT holder, url, expires <= clock_timestamp() FROM coach.lease WHERE shard = $1",
        [.integer(Int64(FleetShard.of(sessionID)))])
    }
    guard let row = rows.rows.first else { throw PostgresError(.damaged, "a shard has no lease") }
    return ShardHolder(name: row.optionalText(0), url: row.optionalText(1), isExpired: row.isTrue(2))
  }

  /// The sessions that are not over, of the shards that this instance holds, the oldest first.
  ///
  /// - Throws: `PostgresError`.
  package func openSessions() throws(PostgresError) -> [BegunSession] {
    let shards = leases.map { Int64($0.shard) }
    let rows = try readLink.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT id, person, maker, request, created_ns FROM coach.session"
          + " WHERE ended_ns IS NULL AND shard = ANY ($1) ORDER BY created_ns, id", [.integers(shards)])
    }
    return rows.rows.map { BegunSession($0) }
  }

  /// A session with everything that was written of it, for who reads it; `nil` when there is none.
  ///
  /// - Throws: `PostgresError`, `.damaged` for a log with a gap.
  package func log(of sessionID: String) throws(PostgresError) -> SharedSessionLog? {
    try log(of: sessionID, hold: nil)
  }

  /// The same for an instance that goes on with the session: nobody adds to it any more but this one, until another one takes it.
  ///
  /// - Throws: as ``log(of:)``; `SharedSessionProblem.heldElsewhere` when its shard is that of another instance.
  package func takeOver(_ sessionID: String) throws -> SharedSessionLog? {
    // The fence is that of before the reading: who takes the session meanwhile makes this hold worthless.
    guard let hold = hold(of: sessionID) else { throw SharedSessionProblem.heldElsewhere(sessionID) }
    return try log(of: sessionID, hold: hold)
  }

  private func log(of sessionID: String, hold: SharedHold?) throws(PostgresError) -> SharedSessionLog? {
    let found = try readLink.use { connection throws(PostgresError) in
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
    try readLink.read(as: session.person) { connection throws(PostgresError) in
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
      let rows = try readLink.read(as: session.person) { connection throws(PostgresError) in
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

  /// The session of an identity with whether it is over, and who holds its shard; `nil` where there is no such session.
  ///
  /// - Parameter person: who asks, for whom there are no sessions but their own; `nil` for who may ask for any.
  /// - Throws: `PostgresError`.
  package func place(of sessionID: String, for person: String?) throws(PostgresError) -> SharedSessionPlace? {
    let rows = try readLink.read(as: person) { connection throws(PostgresError) in
      try connection.run(
        "SELECT id, person, maker, request, created_ns, ended_ns IS NOT NULL, holder, url, expires <= clock_timestamp()"
          + " FROM coach.session JOIN coach.lease USING (shard) WHERE id = $1", [.text(sessionID)])
    }
    return rows.rows.first.map { row in
      SharedSessionPlace(
        session: BegunSession(row), isOver: row.isTrue(5),
        holder: ShardHolder(name: row.optionalText(6), url: row.optionalText(7), isExpired: row.isTrue(8)))
    }
  }

  /// The sessions that came to their end, were written about or were deleted since somebody looked last.
  ///
  /// - Parameter horizon: that of the last look; 0 for all.
  /// - Throws: `PostgresError`.
  package func history(since horizon: Int64) throws(PostgresError) -> SharedHistory {
    let rows = try readLink.use { connection throws(PostgresError) in
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

/// A session that instances share, and where it is.
package struct SharedSessionPlace: Hashable, Sendable {
  /// The session.
  package let session: BegunSession
  /// Whether it is over.
  package let isOver: Bool
  /// Who has it.
  package let holder: ShardHolder
}

extension BegunSession {
  /// A session as the database has it.
  init(_ row: PostgresRows.Row) {
    self.init(
      id: row.text(0), person: row.optionalText(1), maker: row.text(2), request: row.text(3),
      createdAt: WallClockTime(nanoseconds: row.integer(4)))
  }
}
