@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

/// Recordings that are sent as files to one of several instances.
@Suite(
  "Imports at several instances", .serialized,
  .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
struct FleetImportTests {
  private func fleet(_ people: [String] = ["ann"]) async throws -> (FleetServiceHarness, IssuedSecret) {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), program: CopiedStore.program())
    let owner = try await fleet.token()
    for name in people {
      let body = #"{"name":"\#(name)","birthDate":"1990-05-17"}"#
      #expect(await fleet.send(0, "POST", "/v1/people", owner, body: body).status == 201)
    }
    return (fleet, owner)
  }

  /// Heart rates of five minutes, one a second.
  private static func recording(_ hour: Int = 7, rate: Int = 100) -> String {
    "time,heart_rate\n"
      + (0..<300).map { second in
        let (minutes, seconds) = (second / 60, second % 60)
        return String(format: "2026-11-20T%02d:%02d:%02dZ,%d\n", hour, minutes, seconds, rate + second % 40)
      }.joined()
  }

  /// Two workouts of a device.
  private static let workouts: String = {
    let activities = [9, 12].map { hour in
      let points = (0..<120).map { second in
        let time = String(format: "2026-11-21T%02d:%02d:%02dZ", hour, second / 60, second % 60)
        return
          "<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(110 + second % 30)</Value></HeartRateBpm></Trackpoint>"
      }
      let start = String(format: "2026-11-21T%02d:00:00Z", hour)
      return
        "<Activity Sport=\"Running\"><Id>\(start)</Id><Lap StartTime=\"\(start)\"><TotalTimeSeconds>119</TotalTimeSeconds>"
        + "<Track>\(points.joined())</Track></Lap></Activity>"
    }
    return
      "<?xml version=\"1.0\"?><TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\">"
      + "<Activities>\(activities.joined())</Activities></TrainingCenterDatabase>\n"
  }()

  private func send(
    _ fleet: FleetServiceHarness, _ number: Int, _ token: IssuedSecret, _ body: String, person: String = "ann",
    more: String = ""
  ) async -> HTTPResponse {
    await fleet.send(number, "POST", "/v1/import?person=\(person)\(more)", token, body: body, type: "text/csv")
  }

  private func sessions(_ fleet: FleetServiceHarness, _ number: Int, _ token: IssuedSecret) async -> [String] {
    let listed = await fleet.send(number, "GET", "/v1/sessions", token)
    return listed.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string }.sorted() ?? []
  }

  /// The files of a session at an instance.
  private func content(_ id: String, _ fleet: FleetServiceHarness, _ number: Int) throws -> SessionFolderContent {
    try SessionFolderContent(sessionID: id, in: fleet.services[number].settings.dataFolder)
  }

  /// Whether nothing is left of what was being imported.
  private func isClean(_ fleet: FleetServiceHarness, _ number: Int) throws -> Bool {
    let folder = fleet.services[number].settings.dataFolder + "/importing"
    return try !FileSystem.listIfPresent(folder).contains { $0.hasPrefix(CacheFolderMark.importPrefix) }
  }

  @Test("What is imported at one instance is in the history of all, byte by byte, once, and goes with the person")
  func everywhere() async throws {
    let (fleet, owner) = try await fleet()
    let added = await send(fleet, 0, owner, Self.recording())
    #expect(added.status == 200, "\(added.text)")
    #expect(added.json?["status"]?.string == "added")
    let id = try #require(added.json?["sessionID"]?.string, "\(added.text)")
    for number in [1, 0] { #expect(await sessions(fleet, number, owner) == [id]) }
    #expect(try content(id, fleet, 0) == content(id, fleet, 1))
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    #expect(log.session.person == "ann")
    #expect(log.isOver)
    #expect(try log.content() == content(id, fleet, 1))
    for number in [1, 0] {
      let again = await send(fleet, number, owner, Self.recording())
      #expect(again.status == 200, "\(again.text)")
      #expect(again.json?["status"]?.string == "duplicate")
      #expect(again.json?["sessionID"]?.string == id)
      #expect(again.json?["file"]?.string == "upload")
      #expect(try isClean(fleet, number))
    }
    let other = await send(fleet, 1, owner, Self.recording(15))
    #expect(other.json?["status"]?.string == "added", "\(other.text)")
    #expect(await sessions(fleet, 0, owner).count == 2)
    let noted = await fleet.send(0, "PUT", "/v1/sessions/\(id)/notes", owner, body: #"{"note":"windy"}"#)
    #expect(noted.status == 200, "\(noted.text)")
    #expect(await fleet.send(0, "DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for number in [0, 1] { #expect(await sessions(fleet, number, owner) == []) }
    #expect(try fleet.server.connection(fleet.database).run("SELECT FROM coach.log_row").rows.isEmpty)
    await fleet.close()
  }

  @Test("Of the same file that is sent to several instances at once one session comes, and each answer says which")
  func together() async throws {
    let (fleet, owner) = try await fleet()
    var answers: [HTTPResponse] = []
    await withTaskGroup(of: HTTPResponse.self) { group in
      for number in [0, 1, 0, 1] {
        let call = fleet.call(
          number, "POST", "/v1/import?person=ann", owner, body: Self.recording(), type: "text/csv")
        group.addTask { await call() }
      }
      for await answer in group { answers.append(answer) }
    }
    let words = answers.compactMap { $0.json?["status"]?.string }.sorted()
    #expect(words == ["added", "duplicate", "duplicate", "duplicate"], "\(answers.map(\.text))")
    #expect(Set(answers.compactMap { $0.json?["sessionID"]?.string }).count == 1)
    for number in [0, 1] { #expect(await sessions(fleet, number, owner).count == 1) }
    await fleet.close()
  }

  @Test("The same file of another person, and one whose session was deleted, is a session by another name")
  func names() async throws {
    let (fleet, owner) = try await fleet(["ann", "bob"])
    let first = try #require(await send(fleet, 0, owner, Self.recording()).json?["sessionID"]?.string)
    let second = await send(fleet, 1, owner, Self.recording(), person: "bob")
    #expect(second.json?["status"]?.string == "added", "\(second.text)")
    let name = try #require(second.json?["sessionID"]?.string)
    #expect(name == SessionFolder.name(after: first))
    let folder = SessionFolder.path(of: name, in: fleet.services[0].settings.dataFolder)
    #expect(await sessions(fleet, 0, owner) == [first, name].sorted())
    #expect(try SessionFolderRecording(path: folder).manifest.sessionID == name)
    let summary = await fleet.send(0, "GET", "/v1/sessions/\(name)/summary", owner)
    #expect(summary.json?["sessionID"]?.string == name, "\(summary.text)")
    #expect(await fleet.send(1, "DELETE", "/v1/sessions/\(first)", owner).status == 204)
    let third = await send(fleet, 0, owner, Self.recording())
    #expect(third.json?["status"]?.string == "added", "\(third.text)")
    let again = try #require(third.json?["sessionID"]?.string)
    #expect(again == SessionFolder.name(after: name))
    for number in [0, 1] { #expect(await sessions(fleet, number, owner) == [name, again].sorted()) }
    await fleet.close()
  }

  @Test("Each workout of a file is a session, and of one that is known in part the rest is added")
  func several() async throws {
    let (fleet, owner) = try await fleet()
    let first = await send(fleet, 0, owner, Self.workouts)
    #expect(first.status == 200, "\(first.text)")
    let records = try first.text.split(separator: "\n").map { try JSONValue.parse(String($0)) }
    #expect(records.map { $0["status"]?.string } == ["added", "added"])
    let ids = records.compactMap { $0["sessionID"]?.string }
    #expect(await sessions(fleet, 1, owner) == ids.sorted())
    #expect(await fleet.send(0, "DELETE", "/v1/sessions/\(ids[0])", owner).status == 204)
    let second = await send(fleet, 1, owner, Self.workouts)
    let statuses = try second.text.split(separator: "\n").map { try JSONValue.parse(String($0))["status"]?.string }
    #expect(statuses == ["added", "duplicate"], "\(second.text)")
    #expect(await sessions(fleet, 0, owner).count == 2)
    await fleet.close()
  }

  /// One workout, with a distance or without, and of a sport or another.
  private static func workout(
    positions: Bool, sport: String = "Running",
    start: WallClockTime = WallClockTime(nanoseconds: 1_795_338_000_000_000_000)
  ) -> String {
    let points = (0..<240).map { second in
      let time = WallClockTime(nanoseconds: start.nanoseconds + Int64(second) * 1_000_000_000)
      let latitude = String(format: "<LatitudeDegrees>46.1%03d</LatitudeDegrees>", second)
      let place = "<Position>\(latitude)<LongitudeDegrees>15.25</LongitudeDegrees></Position>"
      return
        "<Trackpoint><Time>\(time)</Time>\(positions ? place : "")<HeartRateBpm><Value>\(110 + second % 30)</Value>"
        + "</HeartRateBpm></Trackpoint>"
    }
    return
      "<?xml version=\"1.0\"?><TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\">"
      + "<Activities><Activity Sport=\"\(sport)\"><Id>\(start)</Id><Lap StartTime=\"\(start)\">"
      + "<TotalTimeSeconds>239</TotalTimeSeconds><Track>\(points.joined())</Track></Lap></Activity></Activities>"
      + "</TrainingCenterDatabase>\n"
  }

  @Test("What says more takes the place of what is there, with notes and activity, everywhere, when it is asked to")
  func replacing() async throws {
    let (fleet, owner) = try await fleet()
    let poor = Self.workout(positions: false)
    let old = try #require(await send(fleet, 0, owner, poor, more: "&replace=true").json?["sessionID"]?.string)
    let notes = #"{"note":"windy","tags":["race"]}"#
    let noted = await fleet.send(1, "PUT", "/v1/sessions/\(old)/notes", owner, body: notes)
    #expect(noted.status == 200, "\(noted.text)")
    // The sport is not said any more: it stays the one that is known.
    let better = Self.workout(positions: true, sport: "Other")
    let asked = await send(fleet, 1, owner, better)
    #expect(asked.json?["status"]?.string == "duplicate", "\(asked.text)")
    #expect(asked.json?["sessionID"]?.string == old)
    #expect(asked.json?["reason"]?.string?.contains("says more of it") == true)
    let replaced = await send(fleet, 1, owner, better, more: "&replace=true")
    #expect(replaced.json?["status"]?.string == "added", "\(replaced.text)")
    #expect(replaced.json?["replaces"]?.string == old)
    let new = try #require(replaced.json?["sessionID"]?.string)
    for number in [0, 1] {
      #expect(await sessions(fleet, number, owner) == [new])
      let notes = await fleet.send(number, "GET", "/v1/sessions/\(new)/notes", owner)
      #expect(notes.json?["note"]?.string == "windy", "\(notes.text)")
      #expect(notes.json?["tags"]?.array?.map(\.string) == ["race"])
      #expect(await fleet.send(number, "GET", "/v1/sessions/\(old)", owner).status == 404)
      let folder = SessionFolder.path(of: new, in: fleet.services[number].settings.dataFolder)
      #expect(try SessionFolderRecording(path: folder).manifest.request.activity == .running)
      #expect(try isClean(fleet, number))
    }
    #expect(try content(new, fleet, 0) == content(new, fleet, 1))
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: new))
    #expect(try log.content() == content(new, fleet, 0))
    let connection = try fleet.server.connection(fleet.database)
    #expect(try connection.run("SELECT session FROM coach.deletion").rows.map { $0.text(0) } == [old])
    #expect(try connection.run("SELECT DISTINCT session FROM coach.log_row").rows.map { $0.text(0) } == [new])
    // Asked again, whichever is sent, nothing changes.
    for file in [poor, better] {
      let again = await send(fleet, 0, owner, file, more: "&replace=true")
      #expect(again.json?["status"]?.string == "duplicate", "\(again.text)")
      #expect(again.json?["sessionID"]?.string == new)
    }
    #expect(await sessions(fleet, 1, owner) == [new])
    await fleet.close()
  }

  @Test("What was recorded live stays, whatever a file says more of it")
  func liveStays() async throws {
    let (fleet, owner) = try await fleet()
    let ann = try await fleet.token(person: "ann")
    let id = try await fleet.begin(0, ann, more: #","activity":"running""#)
    let path = "/v1/sessions/\(id)"
    let lines = (0..<240).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(110 + $0 % 30)}"# + "\n" }
    let taken = await fleet.send(
      0, "POST", path + "/samples", ann, body: lines.joined(), type: FleetServiceHarness.lines)
    #expect(taken.status == 200, "\(taken.text)")
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await fleet.send(0, "POST", path + "/commands", ann, body: stop).status == 200)
    let folder = SessionFolder.path(of: id, in: fleet.services[0].settings.dataFolder)
    let start = try SessionFolderRecording(path: folder).manifest.start
    let answer = await send(fleet, 1, owner, Self.workout(positions: true, start: start), more: "&replace=true")
    #expect(answer.json?["status"]?.string == "duplicate", "\(answer.text)")
    #expect(answer.json?["sessionID"]?.string == id)
    #expect(answer.json?["reason"]?.string?.contains("was recorded live") == true, "\(answer.text)")
    #expect(await sessions(fleet, 0, owner) == [id])
    await fleet.close()
  }

  @Test("What cannot be imported is refused as by a service alone, and leaves nothing")
  func refused() async throws {
    let (fleet, owner) = try await fleet()
    let ann = try await fleet.token(person: "ann")
    #expect(await send(fleet, 0, owner, Self.recording(), person: "eve").status == 404)
    #expect(await send(fleet, 0, ann, Self.recording(), person: "bob").status == 404)
    #expect(await send(fleet, 0, owner, "no recording\n").status == 422)
    #expect(await send(fleet, 1, ann, Self.recording()).status == 200)
    #expect(await sessions(fleet, 0, owner).count == 1)
    for number in [0, 1] { #expect(try isClean(fleet, number)) }
    // What a process that died has left goes when the instance starts again.
    let left = fleet.services[0].settings.dataFolder + "/importing/" + (CacheFolderMark.importPrefix + "1")
    await fleet.services[0].close()
    try FileSystem.createFolder(left)
    let back = try await fleet.restart(0)
    #expect(try isClean(fleet, back))
    await fleet.services[1].close()
    await fleet.services[back].close()
  }

  @Test("A turn that is lost adds nothing, and the next one has it")
  func lost() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let store = try server.store(database, "instance")
    try store.open()
    let address = try PostgresAddress(server.url(database))
    let turn = PersonImport(address, name: "import", person: "ann")
    try turn.begin()
    let id = "20240101T070000Z-running-ffffffff"
    let files = [SessionFolderContent.File(SessionFolder.summary, Array("{\"sessionID\": \"\(id)\"}".utf8))]
    let content = SessionFolderContent(sessionID: id, files: files)
    let start = WallClockTime(nanoseconds: 1)
    #expect(try turn.add(content, start: start).name == id)
    let next = "20240101T070000Z-running-00000000"
    #expect(try turn.add(content, start: start).name == next)
    #expect(try store.log(of: next)?.summary == Array("{\"sessionID\": \"\(next)\"}".utf8))
    let connection = try server.connection(database)
    _ = try connection.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'import' AND datname = $1",
      [.text(database)])
    for _ in 0..<2 {
      let error = #expect(throws: PostgresError.self) { try turn.add(content, start: start) }
      #expect(error?.isTemporary == true)
    }
    #expect(try connection.run("SELECT FROM coach.session").rows.count == 2)
    let other = PersonImport(address, name: "import", person: "ann")
    try other.begin()
    #expect(try other.add(content, start: start).name == "20240101T070000Z-running-00000001")
    other.close()
    turn.close()
  }

  @Test(
    "A turn is that of a transaction, which a pooler may be in front of: nothing of it stays, and without it nothing is added"
  )
  func turnOfTransaction() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    try server.store(database, "instance").open()
    let address = try PostgresAddress(server.url(database))
    let connection = try server.connection(database)
    func count(_ condition: String) throws -> Int64? {
      try connection.run("SELECT count(*) FROM \(condition)").rows.first?.integer(0)
    }
    let locks =
      "pg_locks WHERE locktype = 'advisory' AND database ="
      + " (SELECT oid FROM pg_database WHERE datname = current_database())"
    let turn = PersonImport(address, name: "import", person: "ann")
    try turn.begin()
    #expect(try count(locks) == 1)
    let inTransaction = "pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
    #expect(try count(inTransaction) == 1)
    let id = "20240101T070000Z-running-00000001"
    let files = [SessionFolderContent.File(SessionFolder.summary, Array("{\"sessionID\": \"\(id)\"}".utf8))]
    let content = SessionFolderContent(sessionID: id, files: files)
    #expect(try turn.add(content, start: WallClockTime(nanoseconds: 1)).name == id)
    #expect(try count(locks) == 1)
    // The turn alone is lost: what adds has a connection still.
    _ = try connection.run(
      "SELECT pg_terminate_backend(pid) FROM \(locks)")
    try waitUntil("the turn is lost") { try count(locks) == 0 }
    let error = #expect(throws: PostgresError.self) { try turn.add(content, start: WallClockTime(nanoseconds: 1)) }
    #expect(error?.isTemporary == true)
    #expect(try count("coach.session") == 1)
    turn.close()
    try waitUntil("nothing of it is left") { try count(locks) == 0 }
  }
}
