internal import SessionStore

/// The one statement that writes to the logs of sessions.
struct AppendStatement {
  /// A row has a shard that is held, or a session that is not in the database any more.
  static let sql = """
    SELECT held_shard, NULL FROM coach.append_log($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    UNION ALL SELECT NULL, given.id FROM unnest($14) AS given (id)
      WHERE NOT EXISTS (SELECT FROM coach.session WHERE session.id = given.id)
    """

  /// The newest fence of each of its shards. What stands under an older one is left out.
  let fences: [Int: Int64]
  /// What it writes, under the newest fences.
  let rows: [SharedLogBatch.Row]
  /// The decisions that it writes, under the newest fences.
  let decisions: [SharedLogBatch.Decision]
  /// What is bound.
  let values: [PostgresValue]

  /// The statement for a batch.
  init(_ batch: SharedLogBatch) {
    var fences: [Int: Int64] = [:]
    for hold in batch.holds {
      let shard = FleetShard.of(hold.sessionID)
      fences[shard] = max(fences[shard] ?? hold.fence, hold.fence)
    }
    self.fences = fences
    func isNewest(_ hold: SharedHold) -> Bool { fences[FleetShard.of(hold.sessionID)] == hold.fence }
    func shards(_ holds: [SharedHold]) -> PostgresValue {
      .integers(holds.map { Int64(FleetShard.of($0.sessionID)) })
    }
    rows = batch.rows.filter { isNewest($0.hold) }
    decisions = batch.decisions.filter { isNewest($0.hold) }
    let ends = batch.ends.filter { isNewest($0.hold) }
    let own = fences.keys.sorted()
    values = [
      .integers(own.map { Int64($0) }), .integers(own.compactMap { fences[$0] }),
      shards(rows.map(\.hold)), .texts(rows.map(\.hold.sessionID)), .integers(rows.map { Int64($0.index) }),
      .blobs(rows.map(\.chunks)),
      shards(decisions.map(\.hold)), .texts(decisions.map(\.hold.sessionID)),
      .integers(decisions.map { Int64($0.index) }), .blobs(decisions.map(\.line)),
      shards(ends.map(\.hold)), .texts(ends.map(\.hold.sessionID)), .blobs(ends.map(\.summary)),
      .texts(Set(batch.holds.map(\.sessionID)).sorted()),
    ]
  }
}
