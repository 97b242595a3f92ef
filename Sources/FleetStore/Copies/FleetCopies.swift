package import SessionStore
package import TextFormats

/// What a folder store brings to a database that instances share, and takes from there. It has a connection of its own, so that
/// nobody who takes samples waits for it, and holds no lease: it writes only what no instance writes any more.
package final class FleetCopies: Sendable {
  /// What became of something that was to be added.
  package enum Outcome: Hashable, Sendable {
    /// It is in the database now.
    case added
    /// Something of that name is there already, and was left as it is.
    case there
    /// It was deleted there.
    case deleted
  }

  /// A session that the database has.
  package struct KnownSession: Hashable, Sendable {
    /// Its identity, whatever stands there.
    package let id: String
    /// Whether it is over.
    package let isOver: Bool
    /// Whether there is a summary; one that is over without it ended before it began.
    package let hasSummary: Bool
    /// Whether there is a log and no summary.
    package let hasLogAlone: Bool
  }

  /// A file of a data folder that the database has.
  package struct KeptFile: Hashable, Sendable {
    /// Its path in the data folder, whatever stands there.
    package let name: String
    /// How many bytes it has.
    package let byteCount: Int
    /// Their SHA-256.
    package let digest: [UInt8]
  }

  /// How many bytes are sent at once, and of a kept file in a row.
  private static let pieceBytes = 4 << 20
  /// How long a statement may take, in seconds.
  private static let statementSeconds = 60

  private let link: PostgresLink

  /// Copies at a database whose schema is there; nothing is opened yet.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String) { link = PostgresLink(address, name: name) }

  /// Closes the connection.
  package func close() { link.close() }

  private func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
    try link.use { connection throws(PostgresError) in
      try connection.run(sql, values, seconds: Self.statementSeconds)
    }
  }

  private func transaction<Value>(
    _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    // A connection that was idle is often found to be lost so, before anything was done.
    _ = try run("SELECT 1")
    return try link.use(isRepeatable: false) { connection throws(PostgresError) in
      // What is counted is on the disk of the database.
      try connection.transaction(PostgresConnection.beginDurable) { () throws(PostgresError) in try body(connection) }
    }
  }

  // MARK: - Sessions

  /// All sessions that the database has, sorted by the bytes of their identities.
  ///
  /// - Throws: `PostgresError`.
  package func sessions() throws(PostgresError) -> [KnownSession] {
    try run(
      """
      SELECT id, ended_ns IS NOT NULL, summary IS NOT NULL,
        summary IS NULL AND EXISTS (SELECT FROM coach.log_row WHERE log_row.session = session.id)
      FROM coach.session ORDER BY id COLLATE "C"
      """
    ).rows.map { row in
      KnownSession(id: row.text(0), isOver: row.isTrue(1), hasSummary: row.isTrue(2), hasLogAlone: row.isTrue(3))
    }
  }

  /// The sessions that were deleted there, sorted.
  ///
  /// - Throws: `PostgresError`.
  package func deletedSessions() throws(PostgresError) -> [String] {
    try run("SELECT session FROM coach.deletion ORDER BY session COLLATE \"C\"").rows.map { $0.text(0) }
  }

  /// The session of an identity; `nil` where there is none.
  ///
  /// - Throws: `PostgresError`.
  package func session(_ id: String) throws(PostgresError) -> BegunSession? {
    try run("SELECT id, person, maker, request, created_ns FROM coach.session WHERE id = $1", [.text(id)])
      .rows.first.map { BegunSession($0) }
  }

  /// Adds a session that is over, with all of its files, or nothing of it.
  ///
  /// - Parameters:
  ///   - session: who it is of and who began it; a maker without a letter for one that no service began.
  ///   - endedAt: when it was over.
  ///   - content: its files; `nil` for one that ended before it began.
  /// - Throws: `PostgresError`; `.lost` when nobody knows, so that it is to be asked for again.
  package func add(
    _ session: BegunSession, endedAt: WallClockTime, _ content: SessionFolderContent?
  ) throws(PostgresError) -> Outcome {
    // By itself: the tables of others are locked no longer than it takes to make them.
    _ = try run("SELECT coach.make_month(left($1, 6))", [.text(session.id)])
    return try transaction { connection throws(PostgresError) in
      try Self.add(session, endedAt: endedAt, content, in: connection)
    }
  }

  /// The same in a transaction, whose month has its tables.
  static func add(
    _ session: BegunSession, endedAt: WallClockTime, _ content: SessionFolderContent?, in connection: PostgresConnection
  ) throws(PostgresError) -> Outcome {
    guard
      try connection.run("SELECT FROM coach.deletion WHERE session = $1", [.text(session.id)]).rows.isEmpty
    else { return .deleted }
    let made = try connection.run(
      """
      INSERT INTO coach.session (id, shard, person, maker, request, created_ns, summary, ended_ns)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING true
      """,
      [
        .text(session.id), .integer(Int64(FleetShard.of(session.id))), .optional(session.person),
        .text(session.maker), .text(session.request), .integer(session.createdAt.nanoseconds),
        .optional(content?[SessionFolder.summary]), .integer(endedAt.nanoseconds),
      ], seconds: Self.statementSeconds)
    guard !made.rows.isEmpty else { return .there }
    guard let content else { return .added }
    var rows = NumberedRows(session.id, "coach.log_row (session, index, content)")
    try content.forEachRow { (row) throws(PostgresError) in try rows.append(row, connection) }
    try rows.send(connection)
    var lines = NumberedRows(session.id, "coach.decision (session, index, line)")
    for line in content.decisions { try lines.append(line, connection) }
    try lines.send(connection)
    for file in content.others {
      _ = try connection.run(
        "INSERT INTO coach.session_file VALUES ($1, $2, $3)",
        [.text(session.id), .text(file.name), .bytes(file.bytes)], seconds: Self.statementSeconds)
    }
    return .added
  }

  /// Rows of a table whose columns are a name, a number from 1 on and bytes, some megabytes at a time.
  private struct NumberedRows {
    private let name: String
    private let columns: String
    private var indexes: [Int64] = []
    private var contents: [[UInt8]] = []
    private var byteCount = 0
    private var count: Int64

    /// - Parameter last: the number of the last row that is there.
    init(_ name: String, _ columns: String, after last: Int64 = 0) {
      self.name = name
      self.columns = columns
      count = last
    }

    mutating func append(_ content: [UInt8], _ connection: PostgresConnection) throws(PostgresError) {
      count += 1
      indexes.append(count)
      contents.append(content)
      byteCount += content.count
      if byteCount >= FleetCopies.pieceBytes || indexes.count >= 20_000 { try send(connection) }
    }

    mutating func send(_ connection: PostgresConnection) throws(PostgresError) {
      guard !indexes.isEmpty else { return }
      _ = try connection.run(
        "INSERT INTO \(columns) SELECT $1, given.index, given.content FROM unnest($2, $3) AS given (index, content)",
        [.text(name), .integers(indexes), .blobs(contents)], seconds: FleetCopies.statementSeconds)
      (indexes, contents, byteCount) = ([], [], 0)
    }
  }

  // MARK: - Files of the data folder

  /// The files that the database keeps, sorted by the bytes of their names.
  ///
  /// - Throws: `PostgresError`.
  package func keptFiles() throws(PostgresError) -> [KeptFile] {
    try run("SELECT name, byte_count, digest FROM coach.kept_file ORDER BY name COLLATE \"C\"").rows.map { row in
      KeptFile(name: row.text(0), byteCount: Int(row.integer(1)), digest: row.bytes(2))
    }
  }

  /// Those whose names begin with some letters, sorted by the bytes of their names.
  ///
  /// - Throws: `PostgresError`.
  package func keptFiles(in place: String) throws(PostgresError) -> [KeptFile] {
    try run(
      "SELECT name, byte_count, digest FROM coach.kept_file WHERE starts_with(name, $1) ORDER BY name COLLATE \"C\"",
      [.text(place)]
    ).rows.map { row in KeptFile(name: row.text(0), byteCount: Int(row.integer(1)), digest: row.bytes(2)) }
  }

  /// The bytes of a file.
  ///
  /// - Parameter mostBytes: how many there may be.
  /// - Throws: `PostgresError`, `.damaged` where they are not those that were kept, or too many.
  package func content(of file: KeptFile, mostBytes: Int) throws(PostgresError) -> [UInt8] {
    var bytes: [UInt8] = []
    var index: Int64 = 0
    while true {
      index += 1
      let rows = try run(
        "SELECT content FROM coach.kept_piece WHERE file = $1 AND index = $2", [.text(file.name), .integer(index)])
      guard let row = rows.rows.first else { break }
      guard bytes.count + row.bytes(0).count <= mostBytes else {
        throw PostgresError(.damaged, "\(file.name.visible): is larger than \(mostBytes) bytes")
      }
      bytes += row.bytes(0)
    }
    guard bytes.count == file.byteCount, SHA256.digest(of: bytes.span) == file.digest else {
      throw PostgresError(.damaged, "\(file.name.visible): its bytes are not those that were kept")
    }
    return bytes
  }

  /// Adds what a file has gained at its end, all of it or nothing: nothing that was kept is written again.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, which begins with what is kept.
  ///   - earlier: what is kept.
  /// - Returns: `.there` when something else is kept by now.
  /// - Throws: `PostgresError`; `.lost` when nobody knows, so that it is to be asked for again.
  package func extend(_ earlier: KeptFile, to bytes: [UInt8]) throws(PostgresError) -> Outcome {
    let name = earlier.name
    let digest = SHA256.digest(of: bytes.span)
    return try transaction { connection throws(PostgresError) in
      let changed = try connection.run(
        "UPDATE coach.kept_file SET byte_count = $3, digest = $4 WHERE name = $1 AND digest = $2 RETURNING true",
        [.text(name), .bytes(earlier.digest), .integer(Int64(bytes.count)), .bytes(digest)],
        seconds: Self.statementSeconds)
      guard !changed.rows.isEmpty else { return .there }
      let last = try connection.run("SELECT max(index) FROM coach.kept_piece WHERE file = $1", [.text(name)])
      var rows = NumberedRows(
        name, "coach.kept_piece (file, index, content)", after: last.rows.first?.integer(0) ?? 0)
      for start in stride(from: earlier.byteCount, to: bytes.count, by: Self.pieceBytes) {
        try rows.append(Array(bytes[start..<min(start + Self.pieceBytes, bytes.count)]), connection)
      }
      try rows.send(connection)
      return .added
    }
  }

  /// Keeps a file of a data folder, all of it or nothing.
  ///
  /// - Parameters:
  ///   - name: its path in the data folder.
  ///   - person: whose it is, so that it goes with the person; `nil` for nobody's.
  ///   - earlier: what it takes the place of; `nil` to leave what is there as it is.
  /// - Returns: `.there` when something else is there than what it was to take the place of.
  /// - Throws: `PostgresError`; `.lost` when nobody knows, so that it is to be asked for again.
  package func keep(
    _ bytes: [UInt8], as name: String, of person: String?, replacing earlier: KeptFile?
  ) throws(PostgresError) -> Outcome {
    let digest = SHA256.digest(of: bytes.span)
    return try transaction { connection throws(PostgresError) in
      if let earlier {
        _ = try connection.run(
          "DELETE FROM coach.kept_file WHERE name = $1 AND digest = $2", [.text(name), .bytes(earlier.digest)],
          seconds: Self.statementSeconds)
      }
      let made = try connection.run(
        "INSERT INTO coach.kept_file VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING true",
        [.text(name), .optional(person), .integer(Int64(bytes.count)), .bytes(digest)],
        seconds: Self.statementSeconds)
      guard !made.rows.isEmpty else { return .there }
      var rows = NumberedRows(name, "coach.kept_piece (file, index, content)")
      for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
        try rows.append(Array(bytes[start..<min(start + Self.pieceBytes, bytes.count)]), connection)
      }
      try rows.send(connection)
      // Instances have it beside the profiles.
      if name == DataFolderMark.formerPeople {
        _ = try connection.run("UPDATE coach.profile_change SET number = number + 1")
      }
      return .added
    }
  }
}
