import FleetStore
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The wall between people in the database itself, beside the checks of the service.
@Suite("The wall between people in the database")
struct PersonWallTests {
  /// A database in which two people and nobody have something in every table.
  private struct Filled {
    let server: PostgresServer
    let database: String
    let connection: PostgresConnection

    init() throws {
      server = try PostgresServer.shared.get()
      database = try server.database()
      connection = try server.connection(database)
      _ = try FleetSchema.make(in: connection)
      for (number, person) in ["ann", "bob", nil].enumerated() {
        let (name, id) = (person ?? "nobody", PostgresValue.optional(person))
        let session = Self.session(name)
        try run("INSERT INTO session VALUES ($1, $2, $3, 'm', '{}', 1)", [.text(session), .integer(Int64(number)), id])
        try run("INSERT INTO log_row VALUES ($1, 1, '\\x01')", [.text(session)])
        try run("INSERT INTO decision VALUES ($1, 1, '\\x01')", [.text(session)])
        try run("INSERT INTO session_file VALUES ($1, 'notes.txt', '\\x01')", [.text(session)])
        try run("INSERT INTO repeat VALUES ('m', $1, '\\x01', $2, 1)", [.text(name), .text(session)])
        try run(
          "INSERT INTO grant_ VALUES ($1, 'token', $1::bytea, 'send', $2, NULL, NULL, NULL, 1, 2)", [.text(name), id])
        try run("INSERT INTO link VALUES ($1::bytea, $2, 1)", [.text(name), id])
        try run("INSERT INTO identity VALUES ($1, 'i', 'sub', $1, $2, 1)", [.text(name), id])
        try run("INSERT INTO identity_sign_in VALUES ($1, $1)", [.text(name)])
        try run("INSERT INTO group_ VALUES ($1, $1, 'm', $2, 1)", [.text(name), id])
        try run("INSERT INTO kept_file VALUES ($1, $2, 1, '\\x01')", [.text(name), id])
        try run("INSERT INTO kept_piece VALUES ($1, 1, '\\x01')", [.text(name)])
        try run("INSERT INTO watched VALUES ($1, now())", [.text(name)])
        try run("INSERT INTO glance VALUES ($1, $2, '\\x01', now())", [.text(session), .text(name)])
      }
      for person in ["ann", "bob"] { try run("INSERT INTO member VALUES ('nobody', $1, '', 1)", [.text(person)]) }
    }

    static func session(_ name: String) -> String { "20261120T070000Z-running-\(name)" }

    private func run(_ sql: String, _ values: [PostgresValue]) throws {
      _ = try connection.run(sql.replacing("INSERT INTO ", with: "INSERT INTO coach."), values)
    }

    /// A link to the database.
    func link() throws -> PostgresLink { PostgresLink(try PostgresAddress(server.url(database)), name: "test") }

    /// What a statement gives somebody, as texts.
    func texts(_ sql: String, as person: String?) throws -> [String] {
      try link().read(as: person) { connection throws(PostgresError) in
        try connection.run(sql).rows.map { $0.text(0) }
      }
    }
  }

  /// What distinguishes the rows of a table; a table that is not here has nothing of people.
  private static let columns = [
    "session": "id", "log_row": "session", "decision": "session", "session_file": "session", "repeat": "key",
    "grant_": "id", "link": "convert_from(digest, 'UTF8')", "identity": "id", "identity_sign_in": "identity",
    "group_": "id", "member": "person", "kept_file": "name", "kept_piece": "file",
    "watched": "person", "glance": "session",
  ]
  /// Tables in which nothing of people stands but identities of sessions that are gone, and which nobody reads for a person.
  private static let closed: Set = [
    "migration", "instance", "change", "deletion", "profile_change", "audit", "address", "issuer",
    "sign_in_failure", "forgotten",
  ]

  @Test("A query without a condition has the rows of one person alone, of every table")
  func everyTable() throws {
    let filled = try Filled()
    for (table, column) in Self.columns {
      let sql = "SELECT \(column) FROM coach.\(table) ORDER BY 1"
      let all = try filled.texts(sql, as: nil)
      #expect(all.count == (table == "member" ? 2 : 3), "\(table)")
      for person in ["ann", "bob"] {
        let ofSessions = ["session", "log_row", "decision", "session_file", "glance"]
        let own = ofSessions.contains(table) ? Filled.session(person) : person
        // Who is in a group sees the group.
        let expected = table == "group_" ? [own, "nobody"] : [own]
        #expect(try filled.texts(sql, as: person) == expected, "\(table) as \(person)")
      }
      #expect(try filled.texts(sql, as: "eve") == [], "\(table)")
      #expect(try filled.texts(sql, as: "") == [], "\(table)")
    }
  }

  @Test("No table is forgotten: each has a wall, or is closed to the role")
  func complete() throws {
    let filled = try Filled()
    let rows = try filled.connection.run(
      """
      SELECT relname::text, relrowsecurity, has_table_privilege(coach.person_role(), oid, 'SELECT'),
        has_table_privilege(coach.person_role(), oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      FROM pg_class WHERE relnamespace = 'coach'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      """
    ).rows
    #expect(rows.count >= Self.columns.count + Self.closed.count)
    for row in rows {
      let name = row.text(0)
      #expect(!row.isTrue(3), "\(name): nothing is written through the wall")
      if Self.closed.contains(name) {
        #expect(!row.isTrue(2), "\(name)")
      } else if name != "lease" {
        #expect(Self.columns[name] != nil, "\(name)")
        #expect(row.isTrue(1), "\(name)")
        #expect(row.isTrue(2), "\(name)")
      }
    }
  }

  @Test("A wrong query for the session of another person finds none, and the name does not stay in the connection")
  func wrongQuery() throws {
    let filled = try Filled()
    let link = try filled.link()
    let count = { (person: String?) in
      try link.read(as: person) { connection throws(PostgresError) in
        try connection.run("SELECT content FROM coach.log_row WHERE session = $1", [.text(Filled.session("bob"))])
      }.rows.count
    }
    #expect(try count("ann") == 0)
    #expect(try count("bob") == 1)
    #expect(try count(nil) == 1)
    let error = #expect(throws: PostgresError.self) {
      try link.read(as: "ann") { connection throws(PostgresError) in
        try connection.execute("DELETE FROM coach.session")
      }
    }
    #expect(error?.kind == .refused("42501"))
    #expect(try count(nil) == 1)
  }

  @Test("Where a session is, is said to whose it is, and to who may ask for any")
  func places() throws {
    let filled = try Filled()
    let store = try filled.server.store(filled.database, "instance")
    let id = Filled.session("bob")
    #expect(try store.place(of: id, for: "ann") == nil)
    #expect(try store.place(of: id, for: "bob")?.session.person == "bob")
    #expect(try store.place(of: id, for: nil)?.session.person == "bob")
    #expect(try store.place(of: Filled.session("nobody"), for: "ann") == nil)
    #expect(try store.log(of: id)?.rows == [[1]])
    #expect(try store.log(of: Filled.session("nobody"))?.rows == [[1]])
  }

  @Test("A user that may make no roles is refused until an administrator has made it, and is held by the wall then")
  func ownRole() throws {
    let server = try PostgresServer.shared.get()
    let administrator = try server.connection("postgres")
    // Roles belong to all databases of the server, which other tests share.
    let user = "plain_" + (try server.database())
    try administrator.execute("CREATE ROLE \(user) LOGIN")
    try administrator.execute("CREATE DATABASE \(user) OWNER \(user)")
    let connection = try PostgresConnection(PostgresAddress(server.url(user, user: user)), name: "test", seconds: 10)
    let error = #expect(throws: PostgresError.self) { try FleetSchema.make(in: connection) }
    #expect(error?.kind == .refused("CO003"))
    #expect(error?.problem.contains("CREATE ROLE OWNER_person; GRANT OWNER_person TO OWNER") == true)
    try administrator.execute("CREATE ROLE \(user)_person; GRANT \(user)_person TO \(user)")
    #expect(try FleetSchema.make(in: connection).count == FleetSchema.migrations.count)
    _ = try connection.run(
      "INSERT INTO coach.session VALUES ('a', 1, 'ann', 'm', '{}', 1), ('b', 1, 'bob', 'm', '{}', 1)")
    let rows = try connection.transaction { () throws(PostgresError) in
      _ = try connection.run(PostgresLink.enter, [.text("bob")])
      return try connection.run("SELECT id FROM coach.session")
    }.rows
    #expect(rows.map { $0.text(0) } == ["b"])
    #expect(try connection.run("SELECT id FROM coach.session").rows.count == 2)
  }
}
