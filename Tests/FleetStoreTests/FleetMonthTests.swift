import FleetStore
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Logs in a table a month: made ahead, found wherever they are, and let go of at once.
@Suite("The months of the logs")
struct FleetMonthTests {
  private static func store(_ migrations: [FleetMigration] = FleetSchema.migrations) throws -> (FleetStore, String) {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let store = try server.store(database, "instance", migrations: migrations)
    try store.open()
    try store.keepLeases()
    return (store, database)
  }

  private func session(_ day: String, _ number: Int = 1, person: String? = "ann") -> BegunSession {
    BegunSession(
      id: "\(day)T070000Z-running-0000000\(number)", person: person, maker: "m", request: "{}",
      createdAt: WallClockTime(nanoseconds: 1))
  }

  private func append(_ session: BegunSession, _ store: FleetStore) throws {
    let hold = try store.begin(session)
    #expect(try store.append(.rows(hold, ["a", "b"]).deciding(hold, ["{}"])) == [])
  }

  /// The table in which the rows of a session are.
  private func table(_ session: BegunSession, _ connection: PostgresConnection) throws -> [String] {
    try connection.run(
      "SELECT DISTINCT relname::text FROM coach.log_row JOIN pg_class ON pg_class.oid = log_row.tableoid WHERE session = $1",
      [.text(session.id)]
    ).rows.map { $0.text(0) }
  }

  @Test("This month and the next two have tables, and a row is in that of the month in which its session began")
  func ahead() throws {
    let (store, database) = try Self.store()
    let connection = try PostgresServer.shared.get().connection(database)
    let now = try connection.run("SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMM')").rows[0].text(0)
    try store.makeMonths()
    #expect(try store.months().count == 4)
    #expect(try store.months().first?.name == now)
    #expect(try store.months().last?.name == "other")
    let begun = session(now + "01")
    try append(begun, store)
    #expect(try table(begun, connection) == ["log_row_\(now)"])
    #expect(try store.months().first?.sessionCount == 1)
  }

  @Test("What belongs to no month that is there is kept and found too, and so is its month when it is asked for later")
  func others() throws {
    let (store, database) = try Self.store()
    let connection = try PostgresServer.shared.get().connection(database)
    let wrong = session("20991231")
    try append(wrong, store)
    #expect(try table(wrong, connection) == ["log_row_other"])
    #expect(try store.log(of: wrong.id)?.rows == [Array("a".utf8), Array("b".utf8)])
    _ = try connection.run("SELECT coach.make_month('209912'), coach.make_month('209911'), coach.make_month('nothing')")
    #expect(try table(wrong, connection) == ["log_row_other"])
    let earlier = session("20991101")
    try append(earlier, store)
    #expect(try table(earlier, connection) == ["log_row_209911"])
    _ = try connection.run("UPDATE coach.session SET ended_ns = 1 WHERE id = $1", [.text(wrong.id)])
    #expect(try store.dropMonth("209912") == 1)
    #expect(try store.log(of: wrong.id) == nil)
    #expect(try connection.run("SELECT FROM coach.log_row_other").rows.isEmpty)
  }

  @Test(
    "During the upgrade the older instance goes on: what it wrote stays where it is, and is written again as before")
  func upgrade() throws {
    let (old, database) = try Self.store(Array(FleetSchema.migrations.prefix(5)))
    let server = try PostgresServer.shared.get()
    let begun = try BegunSession.test(heldBy: old)
    let hold = try old.begin(begun)
    #expect(try old.append(.rows(hold, ["a", "b"]).deciding(hold, ["{}"])) == [])
    let new = try server.store(database, "new")
    #expect(try new.open().first == "months")
    let connection = try server.connection(database)
    #expect(try table(begun, connection) == ["log_row_before"])
    // Its answer was lost: the same again, and something new.
    #expect(try old.append(.rows(hold, ["a", "b", "c"]).deciding(hold, ["{}", "[]"])) == [])
    // Other bytes under a number that is there: nothing of the session is written.
    #expect(try old.append(.rows(hold, ["z"], from: 3)) == [hold])
    let log = try new.log(of: begun.id)
    #expect(log?.rows.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "c"])
    #expect(log?.decisions.count == 2)
    #expect(try old.log(of: begun.id)?.rows == log?.rows)
  }

  @Test("Several that make months at once make them once")
  func together() async throws {
    let (_, database) = try Self.store()
    let server = try PostgresServer.shared.get()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let connection = try server.connection(database)
          for month in ["202001", "202002"] { _ = try connection.run("SELECT coach.make_month($1)", [.text(month)]) }
        }
      }
      try await group.waitForAll()
    }
    let tables = try server.connection(database).run(
      "SELECT relname::text FROM pg_class WHERE relname LIKE 'log_row_2020%' AND relkind = 'r' ORDER BY 1")
    #expect(tables.rows.map { $0.text(0) } == ["log_row_202001", "log_row_202002"])
  }

  @Test("A month goes as if each of its sessions had been deleted, and the others stay")
  func drop() throws {
    let (store, database) = try Self.store()
    let server = try PostgresServer.shared.get()
    let copies = FleetCopies(try PostgresAddress(server.url(database)), name: "copies")
    let (gone, alsoGone, kept) = (session("20240131"), session("20240101", 2), session("20240201"))
    let content = { (one: BegunSession) in
      SessionFolderContent(
        sessionID: one.id, files: [SessionFolderContent.File(SessionFolder.summary, Array("{}".utf8))])
    }
    for one in [gone, alsoGone, kept] {
      #expect(try copies.add(one, endedAt: one.createdAt, content(one)) == .added)
    }
    let connection = try server.connection(database)
    _ = try connection.run(
      "INSERT INTO coach.grant_ VALUES ('g', 'token', '\\x01', 'watch', NULL, $1, NULL, NULL, 1, 2)", [.text(gone.id)])
    let horizon = try store.history(since: 0).horizon
    #expect(try store.months().prefix(2).map(\.sessionCount) == [2, 1])
    #expect(try store.dropMonth("202401") == 2)
    #expect(try store.history(since: horizon).deleted.sorted() == [alsoGone.id, gone.id].sorted())
    #expect(try store.log(of: gone.id) == nil)
    #expect(try store.log(of: kept.id)?.summary == Array("{}".utf8))
    #expect(try connection.run("SELECT FROM coach.grant_").rows.isEmpty)
    #expect(try connection.run("SELECT to_regclass('coach.log_row_202401')::text").rows[0].optionalText(0) == nil)
    #expect(try copies.add(gone, endedAt: gone.createdAt, content(gone)) == .deleted)
    #expect(try store.dropMonth("202401") == 0)
  }

  @Test("A month in which a session is not over stays, all of it; and what is no month is refused")
  func open() throws {
    let (store, database) = try Self.store()
    let begun = session("20240131")
    try append(begun, store)
    let error = #expect(throws: PostgresError.self) { try store.dropMonth("202401") }
    #expect(error?.kind == .refused("CO004"))
    #expect(try store.log(of: begun.id)?.rows.count == 2)
    for month in ["2024", "202413", "202400", "20240a", "'; --"] {
      let error = #expect(throws: PostgresError.self) { try store.dropMonth(month) }
      #expect(error?.kind == .refused("22023"), "\(month)")
    }
    let connection = try PostgresServer.shared.get().connection(database)
    #expect(try connection.run("SELECT FROM coach.session").rows.count == 1)
  }
}
