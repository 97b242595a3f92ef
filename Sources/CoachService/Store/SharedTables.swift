internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// The tables of the service in a database that instances share, over one connection. It belongs to an actor, or to nobody else.
final class SharedTables {
  typealias Row = PostgresRows.Row

  /// The lock of changes that have to come one after another: the number of a lock of the database.
  private static let lock = "6071223003"

  private let link: PostgresLink
  /// The connection, while a transaction is under way.
  private var current: PostgresConnection?
  private var translations: [String: String] = [:]

  /// Tables that are not open yet.
  init(_ address: PostgresAddress, name: String) { link = PostgresLink(address, name: name) }

  /// Closes the connection; it is made again when it is needed.
  func close() { link.close() }

  /// Runs one statement, whose text is that of the embedded store.
  ///
  /// - Throws: `PostgresError`.
  func run(_ sql: String, _ values: [DatabaseValue]) throws(PostgresError) -> PostgresRows {
    let text = translations[sql] ?? Self.translation(of: sql)
    translations[sql] = text
    return try perform(text, values.map { Self.value($0) })
  }

  /// Runs one statement of PostgreSQL.
  ///
  /// - Throws: `PostgresError`.
  func perform(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresRows {
    if let current { return try current.run(sql, values) }
    return try link.use { connection throws(PostgresError) in try connection.run(sql, values) }
  }

  /// Runs `body` as one transaction, which is not begun again when nobody knows what became of it.
  ///
  /// - Throws: what `body` throws, or `PostgresError`.
  func transaction<Value>(_ purpose: Database.Transaction, _ body: () throws -> Value) throws -> Value {
    if current != nil { return try body() }
    let begin =
      switch purpose {
      case .changing: PostgresConnection.beginDurable + "; SELECT pg_advisory_xact_lock(\(Self.lock))"
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      }
    // A connection that was idle is often found to be lost so: nothing has happened yet, and it is begun on another one.
    try link.use { connection throws(PostgresError) in try connection.execute(begin, seconds: 10) }
    let result = try link.use(isRepeatable: false) { connection throws(PostgresError) -> Result<Value, any Error> in
      current = connection
      defer { current = nil }
      let result = Result { try body() }
      guard connection.isOpen else { return result }
      switch result {
      case .success: try connection.execute("COMMIT", seconds: 10)
      case .failure: try? connection.execute("ROLLBACK", seconds: 10)
      }
      return result
    }
    return try result.get()
  }

  /// Runs `body` as one transaction that reads, and in which only rows of a person are there, whatever it asks for.
  ///
  /// - Throws: what `body` throws, or `PostgresError`.
  func reading<Value>(as person: String, _ body: () throws -> Value) throws -> Value {
    precondition(current == nil, "a transaction of all people becomes none of one person")
    return try transaction(.reading) {
      _ = try perform(PostgresLink.enter, [.text(person)])
      return try body()
    }
  }

  private static func value(_ value: DatabaseValue) -> PostgresValue {
    switch value {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .blob(let value): .bytes(value)
    }
  }

  /// A statement of the embedded store for PostgreSQL: tables are named with their schema, and values have numbers. No statement
  /// has a question mark elsewhere, nor FROM, INTO or UPDATE before anything but a table, a query or a value.
  static func translation(of sql: String) -> String {
    var words: [String] = []
    for word in sql.split(separator: " ") {
      let isTable =
        ["FROM", "INTO", "UPDATE"].contains(words.last ?? "") && !word.hasPrefix("(") && !word.hasPrefix("?")
      words.append(isTable ? "coach.\(word)" : String(word))
    }
    var number = 0
    return words.joined(separator: " ").reduce(into: "") { text, character in
      guard character == "?" else { return text.append(character) }
      number += 1
      text += "$\(number)"
    }
  }
}

/// What a fleet does otherwise than a service alone: it says under which hold something is written.
extension SharedTables {
  /// Keeps a session that begins.
  ///
  /// - Throws: `SharedSessionProblem.heldElsewhere` where its shard is another instance's by now, `PostgresError`.
  func insert(_ session: BegunSession, under hold: SharedHold) throws {
    guard let current else { preconditionFailure("a session begins in a transaction") }
    guard try BeginStatement.run(session, under: hold, in: current) else {
      throw SharedSessionProblem.heldElsewhere(session.id)
    }
  }

  /// Whether the profile of a name is the one of an identity. Then nobody removes it before the transaction ends.
  ///
  /// - Throws: `PostgresError`.
  func holdsProfile(_ id: ProfileID, of name: String) throws -> Bool {
    guard let current else { preconditionFailure("a profile is held in a transaction") }
    guard let text = try FleetStore.heldProfile(at: ProfileFileName.path(of: name), in: current) else { return false }
    return (try? StoredProfile(json: text.span, name: name).id) == id
  }

  /// The lease of the shard of a session, held with its fence until the transaction ends, as an append holds it: whoever takes the shard
  /// meanwhile is waited for, and then nothing is written. The shard and the fence are the first two values.
  private static let held =
    "WITH held AS MATERIALIZED (SELECT shard FROM coach.lease WHERE shard = $1 AND fence = $2 FOR SHARE) "

  /// Notes that a session is over, which is held still; nothing where it is not.
  ///
  /// - Parameter request: what stays of what it was asked for.
  /// - Throws: `PostgresError`.
  func end(
    _ id: String, request: String, at time: WallClockTime, under hold: SharedHold
  ) throws(PostgresError) {
    _ = try perform(
      Self.held + """
        UPDATE coach.session SET ended_ns = coalesce(ended_ns, $4), request = $5
        FROM held WHERE session.id = $3 AND session.shard = held.shard
        """,
      [
        .integer(Int64(FleetShard.of(id))), .integer(hold.fence), .text(id), .integer(time.nanoseconds),
        .text(request),
      ])
  }

  /// Forgets a session that could not be begun, and is held still; nothing where it is not.
  ///
  /// - Throws: `PostgresError`.
  func forgetBeginning(of id: String, under hold: SharedHold) throws(PostgresError) {
    _ = try perform(
      Self.held + "DELETE FROM coach.session USING held WHERE session.id = $3 AND session.shard = held.shard",
      [.integer(Int64(FleetShard.of(id))), .integer(hold.fence), .text(id)])
  }
}
