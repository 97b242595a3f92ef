internal import TextFormats
internal import WorkoutHistory

/// A table of the service, as both stores have it: what a row is known by, and what it is called when it is refused.
struct CopiedServiceTable {
  private enum Kind {
    case text, number, bytes
  }

  private let name: String
  private let columns: [(name: String, kind: Kind)]
  /// How many of the first columns are the key.
  private let keyCount: Int
  /// What a row is called; the values of the key that may be shown stand behind it.
  private let word: String
  private let showsKey: Bool

  /// Those that are copied row by row, each behind what it refers to.
  static let all = [
    CopiedServiceTable(
      name: "grant_",
      columns: [
        ("id", .text), ("kind", .text), ("digest", .bytes), ("scopes", .text), ("person", .text), ("session", .text),
        ("group_", .text), ("request", .text), ("created_ns", .number), ("expires_ns", .number),
      ], keyCount: 1, word: "token or key", showsKey: true),
    CopiedServiceTable(
      name: "link", columns: [("digest", .bytes), ("person", .text), ("expires_ns", .number)], keyCount: 1,
      word: "a link to sign in", showsKey: false),
    CopiedServiceTable(
      name: "repeat",
      columns: [("maker", .text), ("key", .text), ("body", .bytes), ("session", .text), ("created_ns", .number)],
      keyCount: 2, word: "request of", showsKey: true),
    CopiedServiceTable(
      name: "group_",
      columns: [("id", .text), ("name", .text), ("maker", .text), ("person", .text), ("created_ns", .number)],
      keyCount: 1, word: "group", showsKey: true),
    CopiedServiceTable(
      name: "member",
      columns: [("group_", .text), ("person", .text), ("shares", .text), ("joined_ns", .number)], keyCount: 2,
      word: "member of", showsKey: true),
    CopiedServiceTable(
      name: "identity",
      columns: [
        ("id", .text), ("issuer", .text), ("claim", .text), ("value", .text), ("person", .text),
        ("created_ns", .number),
      ], keyCount: 1, word: "identity", showsKey: true),
    CopiedServiceTable(
      name: "identity_sign_in", columns: [("grant_", .text), ("identity", .text)], keyCount: 1, word: "sign-in",
      showsKey: true),
  ]

  /// Where the service was reached, and the provider, that ran last: of one row, and that of the store which has one stays.
  static let facts = ["address", "issuer"]

  /// Whether any of the tables has a row.
  ///
  /// - Throws: `DatabaseError` or `PostgresError`.
  static func hasRows(in tables: ServiceTables) throws -> Bool {
    try (all.map(\.name) + facts).contains { name in
      try !tables.query("SELECT 1 FROM \(name) LIMIT 1", values: []) { (row) throws(DatabaseError) in row.int(0) }
        .isEmpty
    }
  }

  /// The rows of a table.
  typealias Rows = [[DatabaseValue]]

  private var selection: String { "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)" }

  private func values(of row: ServiceRow) -> [DatabaseValue] {
    columns.enumerated().map { index, column in
      switch column.kind {
      case .text: .optional(row.optionalText(index))
      case .number: .integer(row.int64(index))
      case .bytes: .blob(row.blob(index))
      }
    }
  }

  /// All rows, in the order of their keys.
  ///
  /// - Throws: `DatabaseError` or `PostgresError`.
  func rows(in tables: ServiceTables) throws -> Rows {
    let keys = columns.prefix(keyCount).map(\.name).joined(separator: ", ")
    return try tables.query(selection + " ORDER BY " + keys, values: []) { row in values(of: row) }
  }

  /// Whether a row is about one of some sessions alone.
  func isAbout(_ sessions: Set<String>, _ row: [DatabaseValue]) -> Bool {
    guard let column = columns.firstIndex(where: { $0.name == "session" }), case .text(let id) = row[column] else {
      return false
    }
    return sessions.contains(id)
  }

  /// Adds a row where none of its key is there; otherwise nothing is changed.
  ///
  /// - Throws: `DatabaseError` or `PostgresError`.
  func add(_ row: [DatabaseValue], to tables: ServiceTables, _ report: inout StoreCopyReport) throws {
    guard !row.contains(where: \.hasZeroByte) else {
      return report.refuse(.service, title(of: row), "has a text with a zero byte, which no database keeps")
    }
    let marks = row.map { _ in "?" }.joined(separator: ", ")
    let made = try tables.query(
      "INSERT INTO \(name) VALUES (\(marks)) ON CONFLICT DO NOTHING RETURNING 1", values: row
    ) { (row) throws(DatabaseError) in row.int(0) }
    guard made.isEmpty else { return report.add(.service) }
    let condition = columns.prefix(keyCount).map { "\($0.name) = ?" }.joined(separator: " AND ")
    let known = try tables.query(selection + " WHERE " + condition, values: Array(row.prefix(keyCount))) { row in
      values(of: row)
    }
    if known.first == row {
      report.leave(.service)
    } else {
      report.refuse(.service, title(of: row), "the other store has another one: it was left as it is")
    }
  }

  private func title(of row: [DatabaseValue]) -> String {
    guard showsKey else { return word }
    let key = row.prefix(keyCount).map { value in
      if case .text(let text) = value { return text }
      return ""
    }
    return word + " " + key.joined(separator: ", ")
  }
}

/// A session as the service keeps it beside its course.
struct ServiceSessionRow: Hashable {
  let id: String
  let person: String?
  let maker: String
  /// What stays of what was asked for once it is over; empty before.
  let request: String
  let createdAt: WallClockTime
  /// Absent for one that is not over.
  let endedAt: WallClockTime?

  /// All that a service began.
  ///
  /// - Throws: `DatabaseError` or `PostgresError`.
  static func all(in tables: ServiceTables) throws -> [ServiceSessionRow] {
    try rows("maker <> ? ORDER BY id", "", in: tables)
  }

  private static func rows(
    _ condition: String, _ value: String, in tables: ServiceTables
  ) throws -> [ServiceSessionRow] {
    try tables.query(
      "SELECT id, person, maker, created_ns, ended_ns, ended_ns IS NOT NULL, request FROM session WHERE " + condition,
      values: [.text(value)]
    ) { (row) throws(DatabaseError) in
      ServiceSessionRow(
        id: row.text(0), person: row.optionalText(1), maker: row.text(2), request: row.int(5) == 0 ? "" : row.text(6),
        createdAt: WallClockTime(nanoseconds: row.int64(3)),
        endedAt: row.int(5) == 0 ? nil : WallClockTime(nanoseconds: row.int64(4)))
    }
  }

  /// Keeps the row of a session that is over in a file, unless there is one of it.
  ///
  /// - Throws: `DatabaseError`.
  func add(to tables: ServiceTables, _ report: inout StoreCopyReport) throws {
    let made = try tables.query(
      "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1",
      values: [
        .text(id), .optional(person), .text(maker), .text(request), .integer(createdAt.nanoseconds),
        .integer((endedAt ?? createdAt).nanoseconds),
      ]
    ) { (row) throws(DatabaseError) in row.int(0) }
    guard made.isEmpty else { return report.add(.service) }
    let known = try Self.rows("id = ?", id, in: tables).first
    // Whose it is stands in its manifest; a row may have the name of the day on which it began.
    if known?.maker == maker, known?.createdAt == createdAt {
      report.leave(.service)
    } else {
      report.refuse(.service, id, "the other store says otherwise who began it: it was left as it is")
    }
  }
}

extension DatabaseValue {
  fileprivate var hasZeroByte: Bool {
    if case .text(let text) = self { return text.utf8.contains(0) }
    return false
  }
}
