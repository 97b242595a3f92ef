private import CSQLite
private import Glibc
package import TextFormats

/// A value of a row, as SQLite stores it.
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// A number, or nothing.
  package static func optional(_ value: Int64?) -> DatabaseValue { value.map { .integer($0) } ?? .null }
  /// A number, or nothing.
  package static func optional(_ value: Int?) -> DatabaseValue { optional(value.map { Int64($0) }) }
  /// A number, or nothing; what is not finite is nothing.
  package static func optional(_ value: Double?) -> DatabaseValue {
    value.flatMap { $0.isFinite ? .real($0) : nil } ?? .null
  }
  /// A text, or nothing.
  package static func optional(_ value: String?) -> DatabaseValue { value.map { .text($0) } ?? .null }
}

/// An open SQLite database. One task uses it at a time: it belongs to an actor, or to nobody else.
///
/// Commits are on the disk when they return (`synchronous=FULL`, write-ahead log), and what is deleted is overwritten.
@safe
package final class Database {
  /// How long another process is waited for, unless something else is asked for: a minute. None holds a database for longer
  /// than a few sessions take to be written.
  package static let usualBusyMilliseconds: Int32 = 60_000
  /// The longest value and the longest row, in bytes, unless something else is asked for. What coach writes is far shorter: who planted a
  /// longer one would have it fill the memory.
  static let usualLongestValueBytes: Int32 = 64 << 20
  /// How large the write-ahead log stays after a checkpoint.
  private static let journalBytes = 4 << 20

  /// The file.
  package let path: String
  private var handle: OpaquePointer?
  private let busyMilliseconds: Int32
  private var statements: [String: Statement] = [:]

  /// The endings of the files that SQLite keeps beside a database, and of the database.
  private static let endings = ["", "-wal", "-shm", "-journal"]

  /// Opens a database; it is created where there is none, for its owner only.
  ///
  /// - Parameter busyMilliseconds: how long another process is waited for.
  /// - Throws: `DatabaseError` when it cannot be opened or is no database.
  package convenience init(
    path place: StoredPath, busyMilliseconds: Int32 = usualBusyMilliseconds
  ) throws(DatabaseError) {
    try self.init(path: place, busyMilliseconds: busyMilliseconds, longestValueBytes: Self.usualLongestValueBytes)
  }

  /// The same, with another bound of what a value may have, in bytes.
  init(path place: StoredPath, busyMilliseconds: Int32, longestValueBytes: Int32) throws(DatabaseError) {
    path = place.path
    self.busyMilliseconds = busyMilliseconds
    do throws(FileError) {
      for ending in Self.endings { try Self.requireFile(place + ending) }
      try Self.createIfMissing(place)
    } catch {
      throw DatabaseError(error.path, error.operation.rawValue, code: SQLITE_CANTOPEN, reason: error.reason)
    }
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    let code = unsafe try sqlite3_open_v2(Self.realPath(of: place).systemPath, &handle, flags, nil)
    guard code == SQLITE_OK else { throw DatabaseError(path, "cannot open", code: code) }
    limitValues(longestValueBytes)
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    try useWriteAheadLog()
    for pragma in [
      "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON", "trusted_schema=OFF",
      "cell_size_check=ON", "journal_size_limit=\(Self.journalBytes)",
    ] {
      _ = try query("PRAGMA \(pragma)") { _ in }
    }
    try requireTablesAlone()
  }

  /// Creates a database in memory, which goes when it is closed.
  ///
  /// - Throws: `DatabaseError` when there is no memory for it.
  package init(inMemory name: String) throws(DatabaseError) {
    path = name
    busyMilliseconds = 0
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY
    let code = unsafe sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK else { throw DatabaseError(path, "cannot open", code: code) }
  }

  /// Opens a database that is there and only reads it, for which its folder need not let anything be written.
  ///
  /// Where its write-ahead log is empty or absent, nothing but the file is looked at, and nobody may change it meanwhile. Else the log
  /// is read with what another process left beside it.
  /// - Throws: `DatabaseError` when it cannot be opened, is no database, or has changes that cannot be read without writing.
  package convenience init(
    reading place: StoredPath, busyMilliseconds: Int32 = usualBusyMilliseconds
  ) throws(DatabaseError) {
    try self.init(
      reading: place, busyMilliseconds: busyMilliseconds, longestValueBytes: Self.usualLongestValueBytes)
  }

  /// The same, with another bound of what a value may have, in bytes.
  init(reading place: StoredPath, busyMilliseconds: Int32, longestValueBytes: Int32) throws(DatabaseError) {
    path = place.path
    self.busyMilliseconds = busyMilliseconds
    let hasChanges: Bool
    do throws(FileError) {
      for ending in Self.endings { try Self.requireFile(place + ending) }
      hasChanges = try (FileSystem.status(place + "-wal")?.size ?? 0) > 0
    } catch {
      throw DatabaseError(error.path, error.operation.rawValue, code: SQLITE_CANTOPEN, reason: error.reason)
    }
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    let address = try Self.address(of: Self.realPath(of: place)) + (hasChanges ? "" : "?immutable=1")
    let code = unsafe sqlite3_open_v2(address, &handle, flags, nil)
    guard code == SQLITE_OK else { throw DatabaseError(path, "cannot open", code: code) }
    limitValues(longestValueBytes)
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    do throws(DatabaseError) {
      for pragma in ["query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "schema_version"] {
        _ = try query("PRAGMA \(pragma)") { _ in }
      }
      try requireTablesAlone()
    } catch  where hasChanges && error.isOfWriting {
      throw DatabaseError(
        path, "cannot open", code: error.code,
        reason: "\(place.lastName)-wal has changes that are not in it yet, and the folder cannot be written: "
          + "expected one that can be")
    }
  }

  /// Has SQLite refuse what is longer than coach makes it, before it is in memory.
  private func limitValues(_ bytes: Int32) { _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes) }

  /// A path as an address for SQLite, with every byte but letters, digits and a few signs by its number.
  private static func address(of path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.".utf8)
    let digits = Array("0123456789ABCDEF")
    return path.systemPath.dropLast().reduce(into: "file:") { address, character in
      let byte = UInt8(bitPattern: character)
      if plain.contains(byte) {
        address.append(Character(Unicode.Scalar(byte)))
      } else {
        address += ["%", digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
  }

  /// The path for SQLite, which follows no link on the whole way: those to the root are followed before.
  private static func realPath(of place: StoredPath) throws(DatabaseError) -> String {
    guard let root = unsafe realpath(place.folder.path.systemPath, nil) else {
      throw DatabaseError(place.path, "cannot open", code: SQLITE_CANTOPEN)
    }
    defer { unsafe free(root) }
    return unsafe FileName.text(cString: root) + "/" + place.lastName
  }

  /// Creates the file, which SQLite would create for everybody to read; its other files take the permissions of this one.
  ///
  /// It has its name only when it is closed again: a file that is closed takes along the locks of all connections that this
  /// process has to it.
  private static func createIfMissing(_ place: StoredPath) throws(FileError) {
    guard try FileSystem.status(place) == nil else { return }
    do throws(FileError) {
      try PendingFile(place).commit(replacing: false)
    } catch  where error.isExisting {
      // Another one was faster.
    }
  }

  /// Makes an empty database of a damaged one, or of what is none, in its place, so that other connections see it too.
  ///
  /// - Throws: `DatabaseError` when it cannot be changed, or another process holds it for longer than is waited.
  static func empty(_ place: StoredPath, busyMilliseconds: Int32) throws(DatabaseError) {
    let path = place.path
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = unsafe try sqlite3_open_v2(realPath(of: place).systemPath, &handle, flags, nil)
    defer { _ = unsafe sqlite3_close_v2(handle) }
    guard code == SQLITE_OK else { throw DatabaseError(path, "cannot open", code: code) }
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    // It is looked at first, so that it keeps its write-ahead log where it has one.
    _ = unsafe sqlite3_table_column_metadata(handle, nil, "session", nil, nil, nil, nil, nil, nil)
    _ = unsafe coach_set_reset(handle, 1)
    let emptied = unsafe sqlite3_exec(handle, "VACUUM", nil, nil, nil)
    _ = unsafe coach_set_reset(handle, 0)
    guard emptied == SQLITE_OK else { throw DatabaseError(path, "cannot empty", code: emptied) }
  }

  /// Makes sure that there are tables and their indexes and nothing else. Views, triggers and virtual tables, which coach never
  /// makes, are programs of whoever planted the file: they would run in every query, and need not end.
  private func requireTablesAlone() throws(DatabaseError) {
    let isPlain = ["TABLE", "INDEX", "UNIQUE INDEX"].map { "sql GLOB 'CREATE \($0) *'" }.joined(separator: " OR ")
    let others = try query("SELECT 1 FROM sqlite_schema WHERE NOT (\(isPlain)) LIMIT 1") { _ in true }
    guard others.isEmpty else {
      throw DatabaseError(
        path, "cannot open", code: DatabaseError.damagedDatabase,
        reason: "it holds a view, a trigger or the like: expected tables alone, as coach makes them")
    }
  }

  /// What is in it, by the statements that made it, in a fixed order, without what SQLite counts for its plans.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  func schema() throws(DatabaseError) -> [String] {
    try query(
      "SELECT type, name, ifnull(sql, '') FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat*' ORDER BY type, name"
    ) { row in
      [row.text(0), row.text(1), row.text(2)].joined(separator: " ")
    }
  }

  /// Turns the write-ahead log on, which a new database does not have.
  ///
  /// SQLite itself does not wait for another process that does the same at the same time.
  private func useWriteAheadLog() throws(DatabaseError) {
    let deadline = ContinuousClock.now + .milliseconds(Int(busyMilliseconds))
    while true {
      do throws(DatabaseError) {
        _ = try query("PRAGMA journal_mode=WAL") { _ in }
        return
      } catch {
        guard error.isBusy, ContinuousClock.now < deadline else { throw error }
        usleep(5_000)
      }
    }
  }

  /// Makes sure that SQLite will find a file of the user's own under a name, or nothing: it would wait at a pipe, and write
  /// into what has another name elsewhere.
  private static func requireFile(_ place: StoredPath) throws(FileError) {
    guard let problem = try FileSystem.problemOfWriting(place) else { return }
    throw FileError(.openForReading, place.path, code: problem)
  }

  deinit { close() }

  /// Closes the database; nothing for one that is closed.
  package func close() {
    statements.removeAll()
    // The statements are gone, so that this cannot fail; what was committed is on the disk already.
    _ = unsafe sqlite3_close_v2(handle)
    unsafe handle = nil
  }

  /// Runs statements without values, separated by semicolons.
  ///
  /// - Throws: `DatabaseError`; what ran before stays unless it is in a transaction.
  package func execute(_ script: String) throws(DatabaseError) {
    let code = unsafe sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error("cannot change", code) }
  }

  /// Runs one statement with values.
  ///
  /// - Throws: `DatabaseError` when it cannot be carried out.
  package func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) {
    try run(sql, values: values)
  }

  /// Runs one statement with values.
  ///
  /// - Throws: `DatabaseError` when it cannot be carried out.
  func run(_ sql: String, values: [DatabaseValue]) throws(DatabaseError) {
    _ = try query(sql, values) { _ in }
  }

  /// Runs one statement and gives every row to `body`; what `body` makes of the rows, in order.
  ///
  /// - Throws: `DatabaseError` when it cannot be carried out, or what `body` throws.
  package func query<Value>(
    _ sql: String, _ values: DatabaseValue..., row body: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] { try query(sql, values, body) }

  /// Runs one statement with a list of values and gives every row to `body`; what `body` makes of the rows, in order.
  ///
  /// - Throws: `DatabaseError` when it cannot be carried out, or what `body` throws.
  package func query<Value>(
    _ sql: String, _ values: [DatabaseValue], _ body: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      let code = statement.bind(value, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw error("cannot bind", code) }
    }
    var results: [Value] = []
    while true {
      let code = statement.step()
      if code == SQLITE_DONE { return results }
      guard code == SQLITE_ROW else { throw error("cannot use", code) }
      results.append(try body(Row(statement: statement)))
    }
  }

  /// What a transaction is for, and how it begins.
  package enum Transaction: String {
    /// To change something: all of it happens or nothing, even when the process is killed in it. Those of all processes come
    /// one after another.
    case changing = "BEGIN IMMEDIATE"
    /// To read: all that is read is of one moment.
    case reading = "BEGIN"
  }

  /// Runs `body` as one transaction.
  ///
  /// - Throws: what `body` throws, or `DatabaseError` when the transaction cannot be begun or committed.
  package func transaction<Value>(_ purpose: Transaction, _ body: () throws -> Value) throws -> Value {
    try execute(purpose.rawValue)
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // Where SQLite has rolled back by itself there is nothing left to undo.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Runs `body` as a part of a transaction: when it fails nothing of it stays, and the rest goes on.
  ///
  /// - Throws: what `body` throws, or `DatabaseError`; see ``isInTransaction``.
  func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    try execute("SAVEPOINT part")
    do {
      let value = try body()
      try execute("RELEASE part")
      return value
    } catch {
      // Where SQLite has rolled back by itself there is nothing left to undo.
      try? execute("ROLLBACK TO part; RELEASE part")
      throw error
    }
  }

  /// Whether a transaction is under way: SQLite ends one by itself after some errors, such as a full disk.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Refuses everything that would change the database from now on.
  ///
  /// - Throws: `DatabaseError` when that cannot be set.
  func refuseChanges() throws(DatabaseError) { _ = try query("PRAGMA query_only=ON") { _ in } }

  /// Moves everything into the database file and empties the write-ahead log.
  ///
  /// - Throws: `DatabaseError` when another process reads at the moment, and goes on for longer than is waited.
  package func checkpoint() throws(DatabaseError) {
    let deadline = ContinuousClock.now + .milliseconds(Int(busyMilliseconds))
    while try query("PRAGMA wal_checkpoint(TRUNCATE)", row: { $0.int(0) != 0 }).contains(true) {
      // SQLite itself does not wait for another one that does the same at the same time.
      guard ContinuousClock.now < deadline else {
        throw DatabaseError(path, "cannot empty the write-ahead log", code: SQLITE_BUSY)
      }
      usleep(5_000)
    }
  }

  private func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else { throw error("cannot use", code) }
    let statement = unsafe Statement(handle)
    statements[sql] = statement
    return statement
  }

  private func error(_ action: String, _ code: Int32) -> DatabaseError {
    let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
    return DatabaseError(path, action, code: code, reason: words)
  }

  /// The row that a query stands at. Columns are counted from 0.
  package struct Row {
    fileprivate let statement: Statement

    /// A whole number; 0 for nothing.
    package func int64(_ column: Int) -> Int64 { statement.int64(Int32(column)) }
    /// A whole number; 0 for nothing.
    package func int(_ column: Int) -> Int { Int(int64(column)) }
    /// A number; `nil` for nothing. One beyond 10¹⁵, which nothing of coach's reaches, is taken for that, so that sums stay finite.
    package func double(_ column: Int) -> Double? {
      statement.isNull(Int32(column)) ? nil : min(max(statement.double(Int32(column)), -1e15), 1e15)
    }
    /// A whole number; `nil` for nothing.
    package func optionalInt64(_ column: Int) -> Int64? { statement.isNull(Int32(column)) ? nil : int64(column) }
    /// A text; empty for nothing.
    package func text(_ column: Int) -> String { optionalText(column) ?? "" }
    /// A text; `nil` for nothing.
    package func optionalText(_ column: Int) -> String? { statement.text(Int32(column)) }
    /// A text of which many rows have the same, so that it is not made anew for each; `nil` for nothing.
    func repeatedText(_ column: Int) -> String? { statement.repeatedText(Int32(column)) }
    /// Bytes; none for nothing.
    package func blob(_ column: Int) -> [UInt8] { statement.blob(Int32(column)) }
    /// The values of all columns, as they are stored.
    var values: [DatabaseValue] { (0..<statement.columnCount).map { statement.value($0) } }
  }
}
