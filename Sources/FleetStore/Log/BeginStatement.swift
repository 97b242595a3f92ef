package import SessionStore
internal import TextFormats

/// The statement that keeps a session which begins.
package enum BeginStatement {
  /// Keeps a session, where its shard is held still. It can be repeated.
  ///
  /// - Returns: whether the shard is held still; nothing was written where it is not.
  /// - Throws: `PostgresError`.
  package static func run(
    _ session: BegunSession, under hold: SharedHold, in connection: PostgresConnection
  ) throws(PostgresError) -> Bool {
    try !connection.run(
      """
      WITH held AS MATERIALIZED (
        SELECT shard FROM coach.lease WHERE shard = $1 AND fence = $2 FOR SHARE),
      made AS (
        INSERT INTO coach.session (id, shard, person, maker, request, created_ns)
        SELECT $3, shard, $4, $5, $6, $7 FROM held ON CONFLICT DO NOTHING)
      SELECT shard::bigint FROM held
      """,
      [
        .integer(Int64(FleetShard.of(session.id))), .integer(hold.fence), .text(session.id),
        .optional(session.person), .text(session.maker), .text(session.request),
        .integer(session.createdAt.nanoseconds),
      ]
    ).rows.isEmpty
  }
}
