package import SessionStore
internal import TextFormats

/// What is read of the sessions that instances share.
extension FleetStore {
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
  package func log(of sessionID: String) throws(PostgresError) -> SharedSessionLog? { try reader.log(of: sessionID) }

  /// The same for an instance that goes on with the session: nobody adds to it any more but this one, until another one takes it.
  ///
  /// - Throws: as ``log(of:)``; `SharedSessionProblem.heldElsewhere` when its shard is that of another instance.
  package func takeOver(_ sessionID: String) throws -> SharedSessionLog? {
    // The fence is that of before the reading: who takes the session meanwhile makes this hold worthless.
    guard let hold = hold(of: sessionID) else { throw SharedSessionProblem.heldElsewhere(sessionID) }
    let log = try reader.log(of: sessionID, hold: hold)
    goOn(under: hold)
    return log
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
    try reader.history(since: horizon)
  }
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
