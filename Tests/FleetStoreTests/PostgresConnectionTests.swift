import FleetStore
import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("Connections to PostgreSQL")
struct PostgresConnectionTests {
  @Test("Values come back as they were bound, and are never a part of the statement")
  func values() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let row = try #require(
      connection.run(
        """
        SELECT $1::bigint, $2::text, $3::bytea, $4::text, 7::smallint, -2::integer, $5::double precision = 0.25,
          $6::bigint[] = '{1,-9}', $7::text[] = ARRAY['a,b', '"'], $8::bytea[] = ARRAY[''::bytea, '\\x00ff'], '{}' = $9::text[]
        """,
        [
          .integer(-5), .text("O'Brien\"; DROP TABLE x --"), .bytes([0, 255, 39]), .null, .real(0.25),
          .integers([1, -9]), .texts(["a,b", "\""]), .blobs([[], [0, 255]]), .texts([]),
        ]
      ).rows.first)
    #expect(row.integer(0) == -5)
    #expect(row.text(1) == "O'Brien\"; DROP TABLE x --")
    #expect(row.bytes(2) == [0, 255, 39])
    #expect(row.optionalText(3) == nil)
    #expect(row.integer(4) == 7)
    #expect(row.integer(5) == -2)
    for column in 6..<11 { #expect(row.isTrue(column), "column \(column)") }
  }

  @Test("A large value crosses the connection whole in both directions")
  func large() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let bytes = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    #expect(try connection.run("SELECT $1::bytea", [.bytes(bytes)]).rows.first?.bytes(0) == bytes)
  }

  @Test("An error of the server is one line with its code, in which no value stands")
  func errors() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    try connection.execute("CREATE TABLE person (name text PRIMARY KEY)")
    _ = try connection.run("INSERT INTO person VALUES ($1)", [.text("Erika Mustermann")])
    let doubled = #expect(throws: PostgresError.self) {
      try connection.run("INSERT INTO person VALUES ($1)", [.text("Erika Mustermann")])
    }
    #expect(doubled?.description == "database: the server refused it (SQLSTATE 23505)")
    let unreadable = #expect(throws: PostgresError.self) {
      try connection.run("SELECT $1::text::integer", [.text("Erika 142")])
    }
    #expect(unreadable?.description == "database: the server refused it (SQLSTATE 22P02)")
    let missing = #expect(throws: PostgresError.self) { try connection.run("SELECT 1 FROM nothing_there") }
    #expect(missing?.description == #"database: relation "nothing_there" does not exist (SQLSTATE 42P01)"#)
    // It goes on after that.
    #expect(try connection.run("SELECT count(*) FROM person").rows.first?.integer(0) == 1)
  }

  @Test("What fails in a transaction leaves nothing of it")
  func transaction() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    try connection.execute("CREATE TABLE person (name text PRIMARY KEY)")
    #expect(throws: PostgresError.self) {
      try connection.transaction { () throws(PostgresError) in
        _ = try connection.run("INSERT INTO person VALUES ('a')")
        _ = try connection.run("INSERT INTO person VALUES ('a')")
      }
    }
    #expect(try connection.run("SELECT count(*) FROM person").rows.first?.integer(0) == 0)
  }

  @Test(
    "An address that is none is refused, and nothing of it is repeated",
    arguments: [
      "", "coach", "mysql://coach@host/db", "postgresql://coach:geheim/pass@host/db?x", "postgresql://u:geheim@[::1/db",
      "postgresql://u:geheim@host/db?nonsense=1", "postgresql://u:%zz@host/geheim", "postgresql://u:geheim@host/db\0x",
    ])
  func addresses(text: String) {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.kind == .address)
    #expect(error?.exitCode == 64)
    #expect(error?.description.contains("geheim") == false)
  }

  @Test(
    "A setting that the program makes is refused in an address",
    arguments: ["replication=database", "application_name=coach", "client_encoding=LATIN1"])
  func settings(setting: String) {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress("postgresql://u:geheim@host/db?\(setting)") }
    #expect(error?.description.contains(setting.prefix { $0 != "=" }) == true)
    #expect(error?.description.contains("geheim") == false)
  }

  @Test("A password stands in no description, also when it is wrong, and may stand in a file of its own")
  func password() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let connection = try server.connection(database)
    try connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'sesame'")
    let rules = server.folder + "/data/pg_hba.conf"
    let before = try String(contentsOfFile: rules, encoding: .utf8)
    try Data(("local all guarded scram-sha-256\n" + before).utf8).write(to: URL(fileURLWithPath: rules))
    _ = try connection.run("SELECT pg_reload_conf()")
    let host = server.folder.replacingOccurrences(of: "/", with: "%2F")
    // The server reads its rules in its own time.
    var error: PostgresError?
    for _ in 0..<100 where error == nil {
      let wrong = try PostgresAddress("postgresql://guarded:geheim@\(host)/\(database)")
      #expect(wrong.hasPassword)
      #expect(!"\(wrong)".contains("geheim"))
      do throws(PostgresError) {
        _ = try PostgresConnection(wrong, name: "test", seconds: 10)
        Thread.sleep(forTimeInterval: 0.05)
      } catch let refused {
        error = refused
      }
    }
    #expect(error?.kind == .unreachable)
    #expect(error?.exitCode == 69)
    #expect(error?.description.contains("geheim") == false)
    #expect(error?.description.contains("\n") == false)
    let file = server.folder + "/passwords"
    try Data("*:*:*:guarded:sesame\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let right = try PostgresAddress("postgresql://guarded@\(host)/\(database)?passfile=\(file)")
    #expect(!right.hasPassword)
    let guarded = try PostgresConnection(right, name: "test", seconds: 10)
    #expect(try guarded.run("SELECT current_user::text").rows.first?.text(0) == "guarded")
  }

  @Test("Nobody who listens is one line, at once")
  func unreachable() throws {
    let address = try PostgresAddress("postgresql://coach@%2Fnowhere/db")
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(address, name: "test", seconds: 5) }
    #expect(error?.kind == .unreachable)
    #expect(error?.isTemporary == true)
    #expect(error?.description.hasPrefix("database: postgresql://") == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test("An answer that does not come in time closes the connection: nobody knows what came of it")
  func late() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let start = ContinuousClock.now
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT pg_sleep(30)", seconds: 1) }
    #expect(error?.kind == .lost)
    #expect(!connection.isOpen)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(throws: PostgresError(.lost, "the connection is closed")) { try connection.run("SELECT 1") }
  }

  @Test("A link whose connection was ended makes another one, and repeats what can be repeated")
  func link() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let link = PostgresLink(try PostgresAddress(server.url(database)), name: "linked")
    func process() throws -> Int64 {
      try link.use { connection throws(PostgresError) in
        try connection.run("SELECT pg_backend_pid()").rows.first?.integer(0) ?? 0
      }
    }
    let first = try process()
    let other = try server.connection(database)
    _ = try other.run("SELECT pg_terminate_backend($1::bigint::integer)", [.integer(first)])
    #expect(try process() != first)
    let second = try process()
    _ = try other.run("SELECT pg_terminate_backend($1::bigint::integer)", [.integer(second)])
    let error = #expect(throws: PostgresError.self) {
      try link.use(isRepeatable: false) { connection throws(PostgresError) in try connection.run("SELECT 1") }
    }
    #expect(error?.kind == .lost)
  }

  @Test("A server that was stopped is away, and found again when it is started")
  func restarted() throws {
    let server = try PostgresServer()
    let link = PostgresLink(try PostgresAddress(server.url("postgres")), name: "linked")
    func ask() throws -> Int64 {
      try link.use { connection throws(PostgresError) in try connection.run("SELECT 42::bigint").rows[0].integer(0) }
    }
    #expect(try ask() == 42)
    try server.stop()
    let error = #expect(throws: PostgresError.self) { try ask() }
    #expect(error?.kind == .unreachable)
    try server.start()
    #expect(try ask() == 42)
  }
}
