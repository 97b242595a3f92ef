import FleetStore
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The schema that instances share")
struct FleetSchemaTests {
  private static let next = FleetSchema.migrations.count + 1
  private static let added = FleetMigration(
    number: next, name: "an addition", isBreaking: false, script: "CREATE TABLE coach.added (value bigint)")
  private static let changed = FleetMigration(
    number: next, name: "another form of rows", isBreaking: true,
    script: "ALTER TABLE coach.log_row ADD COLUMN form smallint NOT NULL DEFAULT 1")

  private static let names = [
    "leases", "logs", "service", "kept files", "walls between people", "months", "notes", "profiles",
    "audit", "glances", "audit of folders", "failures to sign in", "what is forgotten",
  ]

  private func tables(_ connection: PostgresConnection) throws -> [String] {
    try connection.run(
      """
      SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '')
        FROM information_schema.columns WHERE table_schema = 'coach'
      UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'coach'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'coach'
      UNION ALL SELECT prosrc FROM pg_proc WHERE pronamespace = 'coach'::regnamespace
      UNION ALL SELECT tablename || ' ' || policyname || ' ' || roles::text || ' ' || cmd || ' ' || qual
        FROM pg_policies WHERE schemaname = 'coach'
      UNION ALL SELECT relname || ' ' || relrowsecurity || ' ' || coalesce(relacl::text, '')
        FROM pg_class WHERE relnamespace = 'coach'::regnamespace
      ORDER BY 1
      """
    ).rows.map { $0.text(0) }
  }

  @Test("An empty database gets every step by its name, and nothing when it has them")
  func fresh() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    #expect(try FleetSchema.make(in: connection) == Self.names)
    #expect(try FleetSchema.make(in: connection) == [])
    let names = try connection.run("SELECT number, name FROM coach.migration ORDER BY number").rows
    #expect(names.map { $0.text(1) } == Self.names)
    #expect(names.map { $0.integer(0) } == (1...names.count).map(Int64.init))
    #expect(FleetSchema.migrations.map(\.number) == Array(1...FleetSchema.migrations.count))
  }

  @Test("A schema that was made step by step is that which is made at once")
  func stepwise() throws {
    let server = try PostgresServer.shared.get()
    let (one, other) = (try server.connection(server.database()), try server.connection(server.database()))
    _ = try FleetSchema.make(in: one)
    for count in 1...FleetSchema.migrations.count {
      let made = try FleetSchema.make(in: other, Array(FleetSchema.migrations.prefix(count)))
      #expect(made == [FleetSchema.migrations[count - 1].name])
    }
    #expect(try tables(one) == tables(other))
    #expect(try tables(one).count > 20)
  }

  @Test("Several that make the schema at once make it once")
  func together() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let made = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<6 {
        group.addTask { try FleetSchema.make(in: server.connection(database)) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(made.sorted() == Self.names.sorted())
  }

  @Test("A step that fails leaves nothing, and says so")
  func failing() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let broken = FleetMigration(
      number: Self.next, name: "broken", isBreaking: true, script: "CREATE TABLE coach.half (x bigint); SELECT 1 / 0")
    let error = #expect(throws: PostgresError.self) {
      try FleetSchema.make(in: connection, FleetSchema.migrations + [broken])
    }
    #expect(error?.kind == .refused("22012"))
    #expect(try FleetSchema.make(in: connection) == Self.names)
    #expect(try connection.run("SELECT to_regclass('coach.half')::text").rows.first?.optionalText(0) == nil)
  }

  @Test("A newer schema is refused, with the name of the first step that is not known")
  func newer() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    _ = try FleetSchema.make(in: server.connection(database), FleetSchema.migrations + [Self.added])
    let store = try server.store(database, "old")
    let error = #expect(throws: PostgresError.self) { try store.open() }
    #expect(error?.kind == .newerSchema)
    #expect(error?.exitCode == 65)
    #expect(error?.description.contains("step \(Self.next) (an addition)") == true)
  }

  @Test("Who only reads makes no step, and hears which are missing")
  func reading() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let none = #expect(throws: PostgresError.self) { try FleetSchema.require(in: connection) }
    #expect(none?.kind == .olderSchema)
    #expect(try connection.run("SELECT to_regnamespace('coach')::text").rows.first?.optionalText(0) == nil)
    _ = try FleetSchema.make(in: connection)
    try FleetSchema.require(in: connection)
    let older = #expect(throws: PostgresError.self) {
      try FleetSchema.require(in: connection, FleetSchema.migrations + [Self.added])
    }
    #expect(older?.kind == .olderSchema)
    #expect(older?.exitCode == 65)
    #expect(older?.description.contains("\(Self.next - 1) of \(Self.next) steps") == true)
    #expect(try FleetSchema.make(in: connection) == [])
    _ = try FleetSchema.make(in: connection, FleetSchema.migrations + [Self.added])
    let newer = #expect(throws: PostgresError.self) { try FleetSchema.require(in: connection) }
    #expect(newer?.kind == .newerSchema)
  }

  @Test("A database that was restored from a dump into another server is asked for what is new alone, as before")
  func restored() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let store = try server.store(database, "one")
    try store.open()
    try store.keepLeases()
    var ids: [String] = []
    for number in 0..<4 {
      let hold = try store.begin(.test(heldBy: store, number))
      ids.append(hold.sessionID)
      guard number < 3 else { continue }
      var end = SharedLogBatch()
      end.ends = [SharedLogBatch.End(hold, summary: Array("{}\n".utf8))]
      #expect(try store.append(end) == [])
    }
    #expect(try !store.adoptTransactions(), "it is that of this server")
    let connection = try server.connection(database)
    // A server that has done much more.
    try connection.execute(
      "UPDATE coach.session SET ended_in = '9000000000000' WHERE ended_ns IS NOT NULL;"
        + "UPDATE coach.session SET noted_in = '9000000000001' WHERE id = '\(ids[0])';"
        + "INSERT INTO coach.deletion VALUES ('gone', '9000000000002')")
    let all = try store.history(since: 0)
    #expect(try store.history(since: all.horizon).ended.count == 3)
    #expect(try store.adoptTransactions())
    #expect(try !store.adoptTransactions(), "once")
    let after = try store.history(since: 0)
    #expect(after.ended.sorted() == ids.prefix(3).sorted())
    #expect(after.noted.map(\.id) == [ids[0]])
    #expect(after.deleted == ["gone"])
    // Whoever looked before it has all of it once more, and then nothing.
    #expect(try store.history(since: all.horizon).ended.count == 3)
    try waitUntil("nothing is new") {
      let now = try store.history(since: 0)
      let next = try store.history(since: now.horizon)
      return next.ended.isEmpty && next.noted.isEmpty && next.deleted.isEmpty
    }
    #expect(try store.openSessions().map(\.id) == [ids[3]])
  }

  @Test("Another program's step under a known number is refused too")
  func foreign() throws {
    let server = try PostgresServer.shared.get()
    let connection = try server.connection(server.database())
    let other = FleetMigration(number: 1, name: "theirs", isBreaking: true, script: FleetSchema.migrations[0].script)
    _ = try FleetSchema.make(in: connection, [other])
    let error = #expect(throws: PostgresError.self) { try FleetSchema.make(in: connection) }
    #expect(error?.kind == .newerSchema)
  }

  @Test("During an upgrade that adds, the older instance goes on beside the newer one")
  func upgradeThatAdds() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old")
    try old.open()
    try old.keepLeases()
    let new = try server.store(database, "new", migrations: FleetSchema.migrations + [Self.added])
    #expect(try new.open() == ["an addition"])
    try new.keepLeases()
    #expect(try old.keepLeases().count == 32)
    try new.keepLeases()
    #expect(old.leases.count == 32)
    #expect(new.leases.count == 32)
    let session = try BegunSession.test(heldBy: old)
    let hold = try old.begin(session)
    #expect(try old.append(.rows(hold, ["a"])) == [])
  }

  @Test("A step that breaks takes the leases of older instances away, and they take none any more")
  func upgradeThatBreaks() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old")
    try old.open()
    try old.keepLeases()
    let hold = try old.begin(.test(heldBy: old))
    #expect(try old.append(.rows(hold, ["a"])) == [])
    let new = try server.store(database, "new", migrations: FleetSchema.migrations + [Self.changed])
    #expect(try new.open() == ["another form of rows"])
    #expect(try old.append(.rows(hold, ["b"], from: 2)) == [hold])
    let error = #expect(throws: PostgresError.self) { try old.keepLeases() }
    #expect(error?.kind == .newerSchema)
    #expect(old.leases == [])
    try new.keepLeases()
    #expect(new.leases.count == 64)
    #expect(try new.log(of: hold.sessionID)?.rows == [Array("a".utf8)])
  }
}
