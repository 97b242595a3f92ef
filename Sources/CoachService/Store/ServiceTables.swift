internal import FleetStore
internal import TextFormats
internal import WorkoutHistory

/// The tables of the service: in a file of their own, or in a database that instances share. The statements are the same.
enum ServiceTables {
  /// `service.sqlite`.
  case embedded(Database)
  /// The schema of a fleet.
  case shared(SharedTables)

  /// Runs one statement with values.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be carried out.
  func run(_ sql: String, _ values: DatabaseValue...) throws {
    switch self {
    case .embedded(let database): _ = try database.query(sql, values) { _ in }
    case .shared(let tables): _ = try tables.run(sql, values)
    }
  }

  /// Runs one statement and gives every row to `body`; what `body` makes of the rows, in order.
  ///
  /// - Throws: as ``run(_:_:)``.
  func query<Value>(
    _ sql: String, _ values: DatabaseValue..., row body: (ServiceRow) throws(DatabaseError) -> Value
  ) throws -> [Value] { try query(sql, values: values, row: body) }

  /// Runs one statement with a list of values and gives every row to `body`; what `body` makes of the rows, in order.
  ///
  /// - Throws: as ``run(_:_:)``.
  func query<Value>(
    _ sql: String, values: [DatabaseValue], row body: (ServiceRow) throws(DatabaseError) -> Value
  ) throws -> [Value] {
    switch self {
    case .embedded(let database):
      return try database.query(sql, values) { (row) throws(DatabaseError) in try body(.embedded(row)) }
    case .shared(let tables): return try tables.run(sql, values).rows.map { try body(.shared($0)) }
    }
  }

  /// Runs `body` as one transaction. Those that change come one after another, whoever makes them.
  ///
  /// - Throws: what `body` throws, or what the transaction cannot be begun or committed for.
  func transaction<Value>(_ purpose: Database.Transaction, _ body: () throws -> Value) throws -> Value {
    switch self {
    case .embedded(let database): try database.transaction(purpose, body)
    case .shared(let tables): try tables.transaction(purpose, body)
    }
  }

  /// Reads what is somebody's: where instances share the tables, no rows but those of the person are there meanwhile.
  ///
  /// - Throws: what `body` throws, or what the transaction cannot be begun or committed for.
  func reading<Value>(as person: String, _ body: () throws -> Value) throws -> Value {
    switch self {
    case .embedded: try body()
    case .shared(let tables): try tables.reading(as: person, body)
    }
  }

  /// A number that changes when another process has changed something.
  ///
  /// - Throws: as ``run(_:_:)``.
  func version() throws -> Int {
    switch self {
    case .embedded: try query("PRAGMA data_version") { (row) throws(DatabaseError) in row.int(0) }.first ?? 0
    case .shared: try query("SELECT number FROM change") { (row) throws(DatabaseError) in row.int(0) }.first ?? 0
    }
  }

  /// Closes the database, or the connection to it.
  func close() {
    switch self {
    case .embedded(let database): database.close()
    case .shared(let tables): tables.close()
    }
  }
}

/// A row of the tables of the service. Columns are counted from 0.
enum ServiceRow {
  /// A row of SQLite.
  case embedded(Database.Row)
  /// A row of PostgreSQL.
  case shared(SharedTables.Row)

  /// A text; empty for nothing.
  func text(_ column: Int) -> String { optionalText(column) ?? "" }

  /// A text; `nil` for nothing.
  func optionalText(_ column: Int) -> String? {
    switch self {
    case .embedded(let row): row.optionalText(column)
    case .shared(let row): row.optionalText(column)
    }
  }

  /// Bytes; none for nothing.
  func blob(_ column: Int) -> [UInt8] {
    switch self {
    case .embedded(let row): row.blob(column)
    case .shared(let row): row.bytes(column)
    }
  }

  /// A whole number; 0 for nothing.
  func int64(_ column: Int) -> Int64 {
    switch self {
    case .embedded(let row): row.int64(column)
    case .shared(let row): row.integer(column)
    }
  }

  /// A whole number; 0 for nothing.
  func int(_ column: Int) -> Int { Int(int64(column)) }
}
