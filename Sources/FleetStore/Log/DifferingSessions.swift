internal import SessionStore

/// Which sessions of a batch have other bytes under a number than their logs, when a batch was refused for it.
struct DifferingSessions {
  /// What the server says when other bytes come under a number that is there.
  static let refusal = "CO002"

  /// Asked with the first ten values of ``AppendStatement``: only what is held counts, as when it is written.
  private static let sql = """
    WITH held AS (
      SELECT lease.shard::bigint AS shard FROM coach.lease
      JOIN unnest($1, $2) AS mine (shard, fence) ON lease.shard = mine.shard AND lease.fence = mine.fence)
    SELECT given.session FROM unnest($3, $4, $5, $6) AS given (shard, session, index, content)
      JOIN held ON held.shard = given.shard
      JOIN coach.log_row AS known ON known.session = given.session AND known.index = given.index
      WHERE known.content <> given.content
    UNION
    SELECT given.session FROM unnest($7, $8, $9, $10) AS given (shard, session, index, line)
      JOIN held ON held.shard = given.shard
      JOIN coach.decision AS known ON known.session = given.session AND known.index = given.index
      WHERE known.line <> given.line
    """

  /// What is written under one number.
  private struct Place: Hashable {
    let session: String
    let index: Int
  }

  /// Their identities; empty where there are none by now.
  let sessions: Set<String>

  /// Looks at what a statement writes and at what is there.
  ///
  /// - Throws: `PostgresError`.
  init(_ statement: AppendStatement, in connection: PostgresConnection) throws(PostgresError) {
    let rows = try connection.run(Self.sql, Array(statement.values.prefix(10))).rows
    sessions = Set(rows.map { $0.text(0) }).union(Self.contradicting(statement))
  }

  /// The sessions that have two things under one number in the statement itself.
  static func contradicting(_ statement: AppendStatement) -> Set<String> {
    var sessions: Set<String> = []
    var rows: [Place: [UInt8]] = [:]
    for row in statement.rows {
      let known = rows.updateValue(row.chunks, forKey: Place(session: row.hold.sessionID, index: row.index))
      if let known, known != row.chunks { sessions.insert(row.hold.sessionID) }
    }
    var lines: [Place: [UInt8]] = [:]
    for one in statement.decisions {
      let known = lines.updateValue(one.line, forKey: Place(session: one.hold.sessionID, index: one.index))
      if let known, known != one.line { sessions.insert(one.hold.sessionID) }
    }
    return sessions
  }
}

extension SharedLogBatch {
  /// Leaves out what would be written under some holds.
  mutating func leaveOut(_ holds: Set<SharedHold>) {
    rows.removeAll { holds.contains($0.hold) }
    decisions.removeAll { holds.contains($0.hold) }
    ends.removeAll { holds.contains($0.hold) }
  }
}
