import Testing
@testable import TextFormats
@testable import WorkoutHistory
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The database")
struct DatabaseTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/coach.sqlite" }

  init() throws { folder = try ScratchFolder() }

  private func table(_ path: String) throws -> Database {
    let database = try Database(path: path)
    try database.execute("CREATE TABLE thing (number INTEGER, real REAL, text TEXT, bytes BLOB) STRICT")
    return database
  }

  @Test("Every kind of value comes back as it went in, after a restart too")
  func values() throws {
    let texts = ["", "plain", "it's \"quoted\"; DROP TABLE thing", "zero\0byte", "fēnix 🏃"]
    let database = try table(path)
    for (index, text) in texts.enumerated() {
      try database.run(
        "INSERT INTO thing VALUES (?, ?, ?, ?)", .integer(Int64.max - Int64(index)), .real(0.1 * Double(index)),
        .text(text), .blob(Array(text.utf8)))
    }
    try database.run("INSERT INTO thing VALUES (?, ?, ?, ?)", .null, .optional(Double.nan), .null, .null)
    database.close()
    let again = try Database(path: path)
    let rows = try again.query("SELECT number, real, text, bytes FROM thing ORDER BY rowid") {
      ($0.optionalInt64(0), $0.double(1), $0.optionalText(2), $0.blob(3))
    }
    #expect(rows.count == texts.count + 1)
    for (index, text) in texts.enumerated() {
      #expect(rows[index].0 == Int64.max - Int64(index))
      #expect(rows[index].1 == 0.1 * Double(index))
      #expect(rows[index].2 == text)
      #expect(rows[index].3 == Array(text.utf8))
    }
    let last = try #require(rows.last)
    #expect(last.0 == nil)
    #expect(last.1 == nil)
    #expect(last.2 == nil)
    #expect(last.3.isEmpty)
  }

  @Test("A text that many rows have is read like any other, in every column")
  func repeatedTexts() throws {
    // Texts that begin alike or are as long as each other, so that they share places, and texts that are longer than others.
    let texts = [
      "running", "walking", "running", "running!", "rowing", nil, "", "running", "ride", "rode", "r", "zero\0byte",
      "zero\0bite", "fēnix 🏃", "fēnix 🏄", String(repeating: "long", count: 40), "running",
    ]
    let database = try table(path)
    let values = texts + texts.reversed()
    for (first, second) in zip(values, values.reversed()) {
      try database.run(
        "INSERT INTO thing (text, bytes) VALUES (?, CAST(? AS BLOB))", .optional(first), .optional(second))
    }
    for _ in 0..<2 {
      let found = try database.query("SELECT text, CAST(bytes AS TEXT) FROM thing ORDER BY rowid") {
        ($0.repeatedText(0), $0.repeatedText(1))
      }
      #expect(found.map(\.0) == values)
      #expect(found.map(\.1) == values.reversed())
    }
  }

  @Test("A transaction that fails changes nothing, and the next one works")
  func transactions() throws {
    struct Change: Error {}
    let database = try table(path)
    #expect(throws: Change.self) {
      try database.transaction(.changing) {
        try database.run("INSERT INTO thing (number) VALUES (1)")
        throw Change()
      }
    }
    #expect(throws: DatabaseError.self) {
      try database.transaction(.changing) {
        try database.run("INSERT INTO thing (number) VALUES (2)")
        try database.run("INSERT INTO thing (number) VALUES (?)", .text("no number"))
      }
    }
    try database.transaction(.changing) { try database.run("INSERT INTO thing (number) VALUES (3)") }
    #expect(try database.query("SELECT number FROM thing") { $0.int(0) } == [3])
  }

  @Test("All files are for their owner only, and commits are durable")
  func settings() throws {
    let database = try table(path)
    try database.run("INSERT INTO thing (number) VALUES (1)")
    for name in try FileSystem.list(folder.path) {
      #expect(try permissions(folder.path + "/" + name) == 0o600, "\(name)")
    }
    #expect(try FileSystem.list(folder.path).contains("coach.sqlite-wal"))
    #expect(try database.query("PRAGMA synchronous") { $0.int(0) } == [2])
    #expect(try database.query("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
    #expect(try database.query("PRAGMA secure_delete") { $0.int(0) } == [1])
  }

  @Test("What is no database is reported in one line, with its exit code, and stays as it is")
  func noDatabase() throws {
    let text = try folder.write(String(repeating: "this is a text\n", count: 100), "coach.sqlite")
    let error = #expect(throws: DatabaseError.self) { try Database(path: text) }
    #expect(error?.isDamage == true)
    #expect(error?.exitCode == 65)
    #expect(error.map { "\($0)" }?.hasPrefix("\(text): ") == true)
    #expect(try self.text(of: text).hasPrefix("this is a text\n"))
    let nowhere = #expect(throws: DatabaseError.self) { try Database(path: folder.path + "/none/coach.sqlite") }
    #expect(nowhere?.exitCode == 73)
  }

  private func text(of path: String) throws -> String { try WorkoutTestSupport.text(of: path) }

  private func schema(_ database: Database) throws -> [String] {
    try database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name") {
      [$0.text(0), $0.text(1), $0.text(2)].joined(separator: " ")
    }
  }

  @Test("Tables that were upgraded step by step equal fresh ones")
  func upgrade() throws {
    let fresh = try Database(path: path)
    try HistorySchema.migrate(fresh)
    let all = HistorySchema.migrations + [HistorySchema.Migration(name: "more", script: "CREATE TABLE more (a) ")]
    for known in 0...HistorySchema.migrations.count {
      let database = try Database(path: folder.path + "/\(known).sqlite")
      try HistorySchema.migrate(database, Array(HistorySchema.migrations.prefix(known)))
      try HistorySchema.migrate(database)
      #expect(try schema(database) == schema(fresh))
      try HistorySchema.migrate(database, all)
      #expect(try database.query("PRAGMA user_version") { $0.int(0) } == [all.count])
      #expect(try schema(database).count == schema(fresh).count + 1)
    }
  }

  @Test("A migration that fails leaves the version before it")
  func brokenMigration() throws {
    let database = try Database(path: path)
    let broken = HistorySchema.Migration(name: "broken", script: "CREATE TABLE new (a); CREATE TABLE session (a)")
    #expect(throws: DatabaseError.self) { try HistorySchema.migrate(database, HistorySchema.migrations + [broken]) }
    #expect(try schema(database).isEmpty)
    try HistorySchema.migrate(database)
    #expect(throws: DatabaseError.self) { try HistorySchema.migrate(database, HistorySchema.migrations + [broken]) }
    #expect(try database.query("PRAGMA user_version") { $0.int(0) } == [HistorySchema.migrations.count])
  }

  @Test(
    "A view, a trigger or a virtual table is damage that is found before it runs, to read as well as to write",
    arguments: [
      "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
      "CREATE TRIGGER all_gone AFTER INSERT ON thing BEGIN DELETE FROM thing; END",
      "CREATE VIRTUAL TABLE boxes USING rtree(id, lower, upper)",
    ])
  func planted(script: String) throws {
    let database = try table(path)
    try database.execute(
      "CREATE UNIQUE INDEX thing_by_text ON thing (text); CREATE INDEX thing_by_real ON thing (real)")
    database.close()
    let sound = try Database(path: path)
    try sound.execute(script)
    sound.close()
    let writing = #expect(throws: DatabaseError.self) { try Database(path: path) }
    let reading = #expect(throws: DatabaseError.self) {
      try Database(reading: StoredPath(dataFolder: folder.path) + "/coach.sqlite", busyMilliseconds: 1_000)
    }
    for error in [writing, reading] {
      #expect(error?.isDamage == true)
      #expect(error?.exitCode == 65)
      #expect(error?.reason.hasPrefix("it holds a view, a trigger or the like") == true)
    }
  }

  @Test("A value longer than coach makes any is damage, to read as well as to write, and is not taken into memory")
  func endlessValue() throws {
    let bound = 100_000
    let writer = try table(path)
    try writer.run("INSERT INTO thing (bytes) VALUES (zeroblob(?))", .integer(Int64(bound / 2)))
    func open() throws -> [Database] {
      let place = StoredPath(dataFolder: folder.path) + "/coach.sqlite"
      return [
        try Database(path: place, busyMilliseconds: 1_000, longestValueBytes: Int32(bound)),
        try Database(reading: place, busyMilliseconds: 1_000, longestValueBytes: Int32(bound)),
      ]
    }
    for database in try open() {
      #expect(try database.query("SELECT bytes FROM thing") { $0.blob(0).count } == [bound / 2])
    }
    try writer.run("INSERT INTO thing (bytes) VALUES (zeroblob(?))", .integer(Int64(bound + 1)))
    #expect(throws: DatabaseError.self) {
      let longest = Int64(Database.usualLongestValueBytes)
      try writer.run("INSERT INTO thing (bytes) VALUES (zeroblob(?))", .integer(longest + 1))
    }
    writer.close()
    for database in try open() {
      let error = #expect(throws: DatabaseError.self) { try database.query("SELECT bytes FROM thing") { $0.blob(0) } }
      #expect(error?.isDamage == true)
      #expect(error?.exitCode == 65)
    }
  }

  @Test("A version that its tables do not have is damage", arguments: [-1, 0, 3])
  func wrongVersion(version: Int) throws {
    let database = try Database(path: path)
    try HistorySchema.migrate(database)
    try database.execute("PRAGMA user_version=\(version)")
    let error = #expect(throws: DatabaseError.self) { try HistorySchema.migrate(database) }
    #expect(error?.isDamage == true)
    #expect(error?.exitCode == 65)
  }

  @Test("A newer database and one of another program are refused and stay as they are")
  func foreign() throws {
    let newer = try Database(path: path)
    try HistorySchema.migrate(newer)
    try newer.execute("PRAGMA user_version=99")
    let error = #expect(throws: DatabaseError.self) { try HistorySchema.migrate(newer) }
    #expect(error?.exitCode == 65)
    let known = HistorySchema.migrations.count
    #expect(error?.reason == "version 99, made by a newer coach: expected version \(known) or older")
    let other = try table(folder.path + "/other.sqlite")
    let foreign = #expect(throws: DatabaseError.self) { try HistorySchema.migrate(other) }
    #expect(foreign?.reason == "a database of another program")
    #expect(try schema(other).count == 1)
  }
}
