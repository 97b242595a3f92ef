import ActivityRecognition
@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Sessions that recognise activities, at instances that were started with other models or none.
@Suite("Models of sessions at several instances", .serialized)
struct FleetModelTests {
  private static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples","recognize":"by hand"}"#

  /// A model as it is read from its file.
  private static func model() throws -> SharedModel {
    try SharedModel(file: MotionModelFile.bytes(of: ThresholdModel.model), name: "by hand")
  }

  private static let lines = ThresholdModel.lines([
    .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 10),
    .init(activity: "running", seconds: 10),
  ]).map { $0 + "\n" }

  private func begin(_ fleet: FleetServiceHarness, _ token: IssuedSecret) async throws -> String {
    let begun = await fleet.send(0, "POST", "/v1/sessions", token, body: Self.order)
    return try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
  }

  private func send(
    _ lines: ArraySlice<String>, _ id: String, _ fleet: FleetServiceHarness, _ number: Int, _ token: IssuedSecret
  ) async throws -> Int {
    try await fleet.sendAnywhere(
      number, "POST", "/v1/sessions/\(id)/samples", token, body: lines.joined(), type: FleetServiceHarness.lines
    ).response.status
  }

  private func records(
    _ id: String, _ fleet: FleetServiceHarness, _ number: Int, _ token: IssuedSecret
  ) async -> String {
    await fleet.send(
      number, "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")]
    ).text.replacing(id, with: "SESSION")
  }

  @Test("Whichever instance goes on with a session recognises by its model, as one alone does", arguments: [0, 25])
  func takeover(at cut: Int) async throws {
    let server = try PostgresServer.shared.get()
    let alone = try await FleetServiceHarness(server, instances: 1, models: [[Self.model()]])
    let owner = try await alone.token()
    let first = try await begin(alone, owner)
    #expect(try await send(Self.lines[...], first, alone, 0, owner) == 200)
    let expected = await records(first, alone, 0, owner)
    #expect(expected.contains(#""type":"activity""#), "\(expected)")
    await alone.close()

    let fleet = try await FleetServiceHarness(server, models: [[Self.model()]])
    let token = try await fleet.token()
    let id = try await begin(fleet, token)
    if cut > 0 { #expect(try await send(Self.lines[..<cut], id, fleet, 0, token) == 200) }
    await fleet.services[0].close()
    #expect(try await send(Self.lines[cut...], id, fleet, 1, token) == 200)
    #expect(await records(id, fleet, 1, token) == expected)
    // What begins there is asked of that instance alone.
    let other = await fleet.send(1, "POST", "/v1/sessions", token, body: Self.order)
    #expect(other.status == 404)
    #expect(other.json?["pointer"]?.string == "/recognize")
    await fleet.services[1].close()
  }

  @Test("A session whose model is nowhere is refused for now, and goes on where it is")
  func nowhere() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), models: [[Self.model()]])
    let token = try await fleet.token()
    let id = try await begin(fleet, token)
    #expect(try await send(Self.lines[..<25], id, fleet, 0, token) == 200)
    // As of a release that kept none.
    let connection = try fleet.server.connection(fleet.database)
    _ = try connection.run("DELETE FROM coach.kept_file WHERE starts_with(name, 'models/')")
    await fleet.services[0].close()
    try waitUntil("the other instance has all shards") {
      fleet.services[1].settings.fleet?.store.leases.count == FleetShard.count
    }
    for (method, path, body) in [("GET", "", nil), ("POST", "/samples", Self.lines[25...].joined())] {
      let answer = await fleet.send(
        1, method, "/v1/sessions/\(id)\(path)", token, body: body, type: FleetServiceHarness.lines)
      #expect(answer.status == 503, "\(answer.text)")
      #expect(answer.header("Retry-After") == "30")
      #expect(answer.json?["detail"]?.string?.contains("the model with which the session began") == true)
    }
    await fleet.services[1].close()
    let back = try await fleet.restart(0)
    #expect(try await send(Self.lines[25...], id, fleet, back, token) == 200)
    await fleet.services[back].close()
  }

  /// A session whose instance is gone with its model, after so many lines, at the second of two instances.
  private func stranded(
    after count: Int
  ) async throws -> (fleet: FleetServiceHarness, id: String, token: IssuedSecret, records: String) {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), models: [[Self.model()]])
    let token = try await fleet.token()
    let id = try await begin(fleet, token)
    if count > 0 { #expect(try await send(Self.lines[..<count], id, fleet, 0, token) == 200) }
    let records = await fleet.send(
      0, "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")]
    ).text
    let connection = try fleet.server.connection(fleet.database)
    _ = try connection.run("DELETE FROM coach.kept_file WHERE starts_with(name, 'models/')")
    await fleet.services[0].close()
    try waitUntil("the other instance has all shards") {
      fleet.services[1].settings.fleet?.store.leases.count == FleetShard.count
    }
    return (fleet, id, token, records)
  }

  @Test("A session whose model is nowhere can be stopped and then deleted, and has what it sent")
  func stoppedWithoutModel() async throws {
    let (fleet, id, token, records) = try await stranded(after: 25)
    let path = "/v1/sessions/\(id)"
    #expect(await fleet.send(1, "DELETE", path, token).status == 409)
    let pause = await fleet.send(1, "POST", path + "/commands", token, body: #"{"id":"1","command":"pause"}"#)
    #expect(pause.status == 503)
    for _ in 0..<2 {
      let stopped = await fleet.send(1, "POST", path + "/commands", token, body: #"{"id":"2","command":"stop"}"#)
      #expect(stopped.status == 200, "\(stopped.text)")
      #expect(stopped.json?["accepted"]?.bool == true)
    }
    let shown = await fleet.send(1, "GET", path, token)
    #expect(shown.json?["state"]?.string == "recovered", "\(shown.text)")
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    #expect(log.isOver)
    #expect(log.summary != nil)
    let decided = String(decoding: log.decisions.joined(), as: UTF8.self)
    #expect(decided.hasPrefix(records))
    #expect(!records.isEmpty)
    let added = decided.dropFirst(records.count)
    #expect(added.contains(#""id":"2","accepted":true"#))
    #expect(added.contains(#""type":"ended""#))
    #expect(added.contains("recovered"))
    // The log and the folder say the same.
    let content = try log.content()
    let folder = SessionFolder.path(of: id, in: fleet.services[1].settings.dataFolder)
    for file in content.files {
      let bytes = try POSIXFile(reading: folder + "/" + file.name).readAll(maximumBytes: 1 << 24)
      #expect(bytes == file.bytes, "\(file.name)")
    }
    let late = await fleet.send(
      1, "POST", path + "/samples", token, body: Self.lines[25], type: FleetServiceHarness.lines)
    #expect(late.status == 409)
    #expect(await fleet.send(1, "DELETE", path, token).status == 204)
    let connection = try fleet.server.connection(fleet.database)
    for table in ["session", "log_row", "decision"] {
      #expect(try connection.run("SELECT FROM coach.\(table)").rows.isEmpty, "\(table)")
    }
    await fleet.services[1].close()
  }

  @Test("A session whose model is nowhere ends when it has rested for longer than a pause may last")
  func restedWithoutModel() async throws {
    let (fleet, id, token, _) = try await stranded(after: 0)
    let connection = try fleet.server.connection(fleet.database)
    func isOver() throws -> Bool {
      try !connection.run("SELECT FROM coach.session WHERE ended_ns IS NOT NULL").rows.isEmpty
    }
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)", token).status == 503)
    #expect(try !isOver())
    _ = try connection.run(
      "UPDATE coach.session SET created_ns = created_ns - \(ServiceSessions.longestPause + 60_000_000_000)")
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isOver(), ContinuousClock.now < deadline {
      await fleet.services[1].take(.time)
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    #expect(try isOver())
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)", token).status == 404)
    await fleet.services[1].close()
  }

  @Test("A model is kept once, and stays in the database when a store is copied into a folder")
  func kept() throws {
    let store = try CopiedStore()
    let copies = FleetCopies(try store.address, name: "copies")
    #expect(try store.coach(["token", "create", "--scope", "watch", "--database", store.url]).status == 0)
    let (one, other) = (FleetModels(), FleetModels())
    let model = try Self.model()
    for _ in 0..<2 {
      try one.keep(model, in: copies)
      try other.keep(model, in: copies)
    }
    let found = try copies.keptFiles()
    #expect(found.map(\.name) == ["models/\(model.hash)/by hand"])
    // A name that another one begins with.
    let short = try SharedModel(file: MotionModelFile.bytes(of: ThresholdModel.model), name: "by")
    try FleetModels().keep(short, in: copies)
    #expect(try copies.keptFiles().count == 2)
    #expect(try FleetModels().model(named: "by", hash: short.hash, in: copies)?.name == "by")
    #expect(try FleetModels().model(named: "by hand", hash: model.hash, in: copies)?.hash == model.hash)
    #expect(try FleetModels().model(named: "by hand", hash: nil, in: copies)?.hash == model.hash)
    #expect(try FleetModels().model(named: "hand", hash: nil, in: copies) == nil)
    #expect(try FleetModels().model(named: "by hand", hash: String(repeating: "0", count: 64), in: copies) == nil)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let record = try store.record(into: "folder", data: back)
    #expect(record["profiles"]?["refused"]?.number?.int64 == 0)
    #expect(!FileSystem.exists(back + "/models"))
  }
}
