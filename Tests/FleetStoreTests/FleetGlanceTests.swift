import FleetStore
import SessionStore
import Testing
@testable import WorkoutTestSupport

/// What instances show one another of live runs, in the database.
@Suite("Glances at live runs of several instances")
struct FleetGlanceTests {
  /// Two instances, the second of which has a run of erika.
  private struct Pair {
    let server: PostgresServer
    let database: String
    let first: FleetStore
    let second: FleetStore
    let hold: SharedHold

    init() throws {
      server = try PostgresServer.shared.get()
      database = try server.database()
      first = try server.store(database, "first")
      second = try server.store(database, "second")
      try first.open()
      try second.keepLeases()
      hold = try second.begin(.test(heldBy: second))
    }

    func glance(_ content: String = "a", of person: String = "erika") -> FleetStore.Glance {
      FleetStore.Glance(session: hold.sessionID, person: person, content: Array(content.utf8))
    }

    /// What the first instance sees of erika.
    func seen() throws -> [FleetStore.Glance] { try first.exchange(watching: ["erika"], showing: []).runs }

    func run(_ sql: String) throws -> PostgresRows { try server.connection(database).run(sql) }
  }

  @Test("Who is watched at one instance is known to the other, whose glance the first one gets, the newest alone")
  func exchange() throws {
    let pair = try Pair()
    let first = try pair.first.exchange(watching: ["erika", "otto"], showing: [])
    #expect(first == FleetStore.Sights(watched: ["erika", "otto"], runs: []))
    for content in ["a", "b"] {
      let shown = try pair.second.exchange(watching: [], showing: [pair.glance(content)])
      #expect(shown == FleetStore.Sights(watched: ["erika", "otto"], runs: []), "it watches nobody")
    }
    let runs = try pair.seen()
    #expect(runs.map(\.content) == [Array("b".utf8)])
    #expect(runs.first?.session == pair.hold.sessionID)
    #expect(runs.first?.person == "erika")
    #expect(try pair.first.exchange(watching: ["otto"], showing: []).runs == [])
  }

  @Test("A glance grows old by the clock of the database, and is forgotten after ten seconds, as is who is watched")
  func ages() throws {
    let pair = try Pair()
    _ = try pair.seen()
    _ = try pair.second.exchange(watching: [], showing: [pair.glance()])
    _ = try pair.run("UPDATE coach.glance SET seen = seen - interval '4 s'")
    let run = try #require(try pair.seen().first)
    #expect(run.age >= 4_000_000_000)
    #expect(run.age < 9_000_000_000)
    _ = try pair.run("UPDATE coach.glance SET seen = seen - interval '10 s'")
    _ = try pair.run("UPDATE coach.watched SET until = until - interval '11 s'")
    #expect(try pair.second.exchange(watching: [], showing: []) == FleetStore.Sights())
    #expect(try pair.run("SELECT FROM coach.glance").rows.isEmpty)
    #expect(try pair.run("SELECT FROM coach.watched").rows.isEmpty)
  }

  @Test("Nothing is shown of a session that is over, of somebody else or deleted, and nothing of it stays")
  func gone() throws {
    let pair = try Pair()
    _ = try pair.second.exchange(watching: [], showing: [pair.glance(of: "otto")])
    #expect(try pair.run("SELECT FROM coach.glance").rows.isEmpty)
    _ = try pair.second.exchange(watching: [], showing: [pair.glance()])
    #expect(try pair.seen().count == 1)
    _ = try pair.run("UPDATE coach.session SET ended_ns = 1")
    #expect(try pair.seen() == [])
    _ = try pair.run("UPDATE coach.session SET ended_ns = NULL")
    #expect(try pair.seen().count == 1)
    _ = try pair.run("DELETE FROM coach.session")
    #expect(try pair.run("SELECT FROM coach.glance").rows.isEmpty)
    _ = try pair.second.exchange(watching: [], showing: [pair.glance()])
    #expect(try pair.seen() == [])
  }

  @Test("During the upgrade the older instance goes on beside one that shows runs")
  func upgrade() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old", migrations: Array(FleetSchema.migrations.prefix(9)))
    try old.open()
    try old.keepLeases()
    let new = try server.store(database, "new")
    #expect(try new.open().first == "glances")
    let hold = try old.begin(.test(heldBy: old))
    #expect(try old.append(.rows(hold, ["a"])) == [])
    try old.keepLeases()
    #expect(old.holds(hold.sessionID))
    #expect(try new.exchange(watching: ["erika"], showing: []).watched == ["erika"])
  }
}
