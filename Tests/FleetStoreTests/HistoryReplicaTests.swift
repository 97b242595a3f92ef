@testable import CoachService
import FleetStore
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Instances that read the history from a replica of their database.
@Suite("A replica for the history", .serialized)
struct HistoryReplicaTests {
  fileprivate static let stop = #"{"type":"command","id":"stop","command":"stop"}"#

  /// A fleet with a replica that the second instance reads.
  private final class Following {
    let replica: PostgresServer
    let fleet: FleetServiceHarness
    let ann: IssuedSecret

    init() async throws {
      let (server, replica) = try PostgresServer.replicated.get()
      self.replica = replica
      fleet = try await FleetServiceHarness(server, replica: replica)
      ann = try await fleet.token(person: "ann")
      try await isUsable(true)
    }

    var reader: HistoryReplica? { fleet.services[1].settings.fleet?.replica }

    /// Waits until the second instance reads the replica, or does not.
    func isUsable(_ expected: Bool, at location: SourceLocation = #_sourceLocation) async throws {
      let reader = try #require(reader)
      let deadline = ContinuousClock.now + .seconds(60)
      while reader.isUsable != expected {
        try #require(ContinuousClock.now < deadline, "usable: \(reader.isUsable)", sourceLocation: location)
        try await Task.sleep(nanoseconds: 10_000_000)
      }
    }

    /// A session of ann at the first instance, which is over.
    func session() async throws -> String {
      let id = try await fleet.begin(0, ann)
      let path = "/v1/sessions/\(id)"
      let taken = await fleet.send(
        0, "POST", path + "/samples", ann, body: FleetServiceHarness.heartRates(0..<30),
        type: FleetServiceHarness.lines)
      try #require(taken.status == 200, "\(taken.text)")
      try #require(await fleet.send(0, "POST", path + "/commands", ann, body: HistoryReplicaTests.stop).status == 200)
      return id
    }

    /// The sessions that the second instance lists.
    func listed() async -> Set<String> {
      let answer = await fleet.send(1, "GET", "/v1/sessions", ann)
      return Set((answer.json?["sessions"]?.array ?? []).compactMap { $0["sessionID"]?.string })
    }

    /// How often the second instance has read the replica, and the database in its place.
    func reads() throws -> (replica: Int, database: Int) {
      let reader = try #require(reader)
      return (reader.readCount, reader.fallbackCount)
    }

    func close() async { await fleet.close() }
  }

  @Test("What was just closed at one instance is listed at the other, which reads the replica and not the database")
  func everywhere() async throws {
    let following = try await Following()
    let before = try following.reads()
    var sessions: Set<String> = []
    for _ in 0..<5 {
      sessions.insert(try await following.session())
      #expect(await following.listed() == sessions)
    }
    let after = try following.reads()
    #expect(after.replica >= before.replica + 10, "a look and a log for each")
    #expect(after.database == before.database)
    for id in sessions {
      let data = following.fleet.services.map(\.settings.dataFolder)
      let texts = try data.map { try SessionFolderContent(sessionID: id, in: $0)[SessionFolder.summary] }
      #expect(texts[0] != nil)
      #expect(texts[0] == texts[1])
    }
    let id = try #require(sessions.first)
    let noted = await following.fleet.send(
      0, "PUT", "/v1/sessions/\(id)/notes", following.ann, body: #"{"note":"windy"}"#)
    #expect(noted.status == 200)
    let notes = await following.fleet.send(1, "GET", "/v1/sessions/\(id)/notes", following.ann)
    #expect(notes.json?["note"]?.string == "windy")
    #expect(await following.fleet.send(0, "DELETE", "/v1/sessions/\(id)", following.ann).status == 204)
    sessions.remove(id)
    #expect(await following.listed() == sessions)
    #expect(try following.reads().database == before.database)
    await following.close()
  }

  @Test("While the replica is behind, the database is read: nothing is missing and nothing that was deleted is there")
  func behind() async throws {
    let following = try await Following()
    let first = try await following.session()
    #expect(await following.listed() == [first])
    try following.replica.hold(true)
    let second = try await following.session()
    #expect(await following.listed() == [first, second])
    try await following.isUsable(false)
    #expect(await following.fleet.send(0, "DELETE", "/v1/sessions/\(first)", following.ann).status == 204)
    #expect(await following.listed() == [second])
    let before = try following.reads()
    #expect(before.database > 0)
    try following.replica.hold(false)
    try await following.isUsable(true)
    let third = try await following.session()
    #expect(await following.listed() == [second, third])
    #expect(try following.reads().replica > before.replica)
    await following.close()
  }

  @Test("While the replica is stopped, the database is read, which the metrics say; then it is read again")
  func away() async throws {
    let following = try await Following()
    let first = try await following.session()
    #expect(await following.listed() == [first])
    try following.replica.stop()
    let second = try await following.session()
    #expect(await following.listed() == [first, second])
    try await following.isUsable(false)
    let lines = try await metrics(of: following.fleet.services[1])
    #expect(lines.contains("coach_replica_usable 0"))
    for line in ["coach_history_whole 1", "coach_history_behind 0"] { #expect(lines.contains(line)) }
    let reads = try following.reads()
    #expect(lines.contains(#"coach_history_reads_total{from="replica"} \#(reads.replica)"#))
    #expect(lines.contains(#"coach_history_reads_total{from="database"} \#(reads.database)"#))
    try following.replica.start()
    try await following.isUsable(true)
    #expect(try await metrics(of: following.fleet.services[1]).contains("coach_replica_usable 1"))
    let third = try await following.session()
    #expect(await following.listed() == [first, second, third])
    await following.close()
  }

  private func metrics(of service: Service) async throws -> [String] {
    let head = HTTPHead(
      method: "GET", path: "/metrics", query: [], headers: [HTTPField("Host", "localhost")], address: "", byteCount: 50)
    guard case .taken(let taken) = MetricsHandler(service).admit(head) else {
      Issue.record("refused")
      return []
    }
    return await taken.answer(HTTPRequest(head)).text.split(separator: "\n").map(String.init)
  }

  @Test("The wall between people stands in the replica too")
  func wall() async throws {
    let following = try await Following()
    let id = try await following.session()
    #expect(await following.listed() == [id])
    let link = PostgresLink(
      try PostgresAddress(following.replica.url(following.fleet.database)), name: "test")
    for (person, count) in [("ann", 1), ("bob", 0), ("", 0)] {
      let rows = try link.read(as: person) { connection throws(PostgresError) in
        try connection.run("SELECT id FROM coach.session").rows
      }
      #expect(rows.count == count, "\(person)")
    }
    let error = #expect(throws: PostgresError.self) {
      try link.use { connection throws(PostgresError) in try connection.execute("DELETE FROM coach.session") }
    }
    #expect(error?.kind == .refused("25006"), "nothing is written there")
    await following.close()
  }

  @Test("What is no replica, or one of another database, is not read")
  func foreign() async throws {
    let (server, replica) = try PostgresServer.replicated.get()
    let other = try PostgresServer.shared.get()
    let database = try server.database()
    try waitUntil("the database is in the replica") { (try? replica.connection(database)) != nil }
    let own = FleetReader(try PostgresAddress(server.url(database)), name: "test")
    let following = FleetReader(try PostgresAddress(replica.url(database)), name: "test")
    let elsewhere = FleetReader(try PostgresAddress(replica.url("postgres")), name: "test")
    let foreign = FleetReader(try PostgresAddress(other.url(other.database())), name: "test")
    #expect(try following.identity() == own.identity())
    #expect(try elsewhere.identity() != own.identity())
    #expect(try foreign.identity() != own.identity())
    #expect(try following.isReplica())
    #expect(try !own.isReplica())
    let position = try own.position()
    try waitUntil("the replica has come as far") { try following.hasReplayed(position) }
    #expect(try !own.hasReplayed(position), "one that follows nobody has replayed nothing")
    let error = #expect(throws: PostgresError.self) { try following.position() }
    #expect(error?.kind == .refused("55000"))
  }
}
