import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// What somebody writes down about a session at one instance, at the others and in the database.
@Suite("Notes at several instances", .serialized)
struct FleetNotesTests {
  private static let windy = #"{"note":"windy\nalong the river","tags":["race"]}"#

  private func fleet() async throws -> FleetServiceHarness {
    try await FleetServiceHarness(PostgresServer.shared.get())
  }

  /// A session of thirty seconds that is over.
  private func session(_ fleet: FleetServiceHarness, _ number: Int, _ token: IssuedSecret) async throws -> String {
    let id = try await fleet.begin(number, token)
    let path = "/v1/sessions/\(id)"
    let taken = await fleet.send(
      number, "POST", path + "/samples", token, body: FleetServiceHarness.heartRates(0..<30),
      type: FleetServiceHarness.lines)
    try #require(taken.status == 200, "\(taken.text)")
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    try #require(await fleet.send(number, "POST", path + "/commands", token, body: stop).status == 200)
    return id
  }

  private func file(_ id: String, _ fleet: FleetServiceHarness, _ number: Int) throws -> [UInt8]? {
    let data = fleet.services[number].settings.dataFolder
    return try SessionFolderContent(sessionID: id, in: data)[SessionFolder.notes]
  }

  /// What the database gives to an export.
  private func exported(_ id: String, _ fleet: FleetServiceHarness) throws -> [UInt8]? {
    try fleet.server.store(fleet.database, "reader").log(of: id)?.content()[SessionFolder.notes]
  }

  @Test("What is written down at one instance is at the others at once, is changed there, is exported, and goes")
  func everywhere() async throws {
    let fleet = try await fleet()
    let (owner, ann, bob) = (
      try await fleet.token(), try await fleet.token(person: "ann"), try await fleet.token(person: "bob")
    )
    let id = try await session(fleet, 0, ann)
    let path = "/v1/sessions/\(id)/notes"
    for number in [0, 1] { #expect(await fleet.send(number, "GET", path, ann).json?["tags"]?.array?.count == 0) }
    let written = await fleet.send(1, "PUT", path, ann, body: Self.windy)
    #expect(written.status == 200, "\(written.text)")
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", path, ann).text == written.text)
      let listed = await fleet.send(number, "GET", "/v1/sessions?tag=race", owner)
      #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id], "\(listed.text)")
      #expect(await fleet.send(number, "PUT", path, bob, body: "{}").status == 404)
    }
    let text = try #require(try file(id, fleet, 0))
    #expect(try file(id, fleet, 1) == text)
    #expect(try exported(id, fleet) == text)
    #expect(await fleet.send(0, "PUT", path, ann, body: #"{"note":"calm"}"#).status == 200)
    #expect(await fleet.send(1, "GET", path, ann).json?["note"]?.string == "calm")
    #expect(await fleet.send(1, "GET", "/v1/sessions?tag=race", owner).json?["sessions"]?.array?.count == 0)
    // One that starts later has them as they are by then.
    let third = try await fleet.start()
    #expect(await fleet.send(third, "GET", path, ann).json?["note"]?.string == "calm")
    #expect(await fleet.send(third, "PUT", path, ann, body: "{}").status == 200)
    for number in [0, 1, third] {
      #expect(await fleet.send(number, "GET", path, ann).json?["note"]?.string == nil)
      #expect(try file(id, fleet, number) == nil)
    }
    #expect(try exported(id, fleet) == nil)
    await fleet.close()
  }

  @Test("An instance that was away when something was written down has it when it is back")
  func away() async throws {
    let fleet = try await fleet()
    let ann = try await fleet.token(person: "ann")
    let id = try await session(fleet, 0, ann)
    let path = "/v1/sessions/\(id)/notes"
    #expect(await fleet.send(0, "PUT", path, ann, body: Self.windy).status == 200)
    #expect(await fleet.send(1, "GET", path, ann).status == 200)
    await fleet.services[0].close()
    #expect(await fleet.send(1, "PUT", path, ann, body: #"{"note":"calm"}"#).status == 200)
    // The same folder, which has the notes of before.
    let back = try await fleet.restart(0)
    #expect(await fleet.send(back, "GET", path, ann).json?["note"]?.string == "calm")
    #expect(try file(id, fleet, back) == exported(id, fleet))
    await fleet.services[1].close()
    await fleet.services[back].close()
  }

  @Test("Of what several write at once one stands, the same at all instances and in the database")
  func together() async throws {
    let fleet = try await fleet()
    let ann = try await fleet.token(person: "ann")
    let id = try await session(fleet, 0, ann)
    let path = "/v1/sessions/\(id)/notes"
    let instances = fleet.services
    await withTaskGroup(of: Int.self) { group in
      for turn in 0..<12 {
        let call = fleet.call(turn % instances.count, "PUT", path, ann, body: #"{"note":"\#(turn)"}"#)
        group.addTask { await call().status }
      }
      for await status in group { #expect(status == 200) }
    }
    let stands = try #require(try exported(id, fleet))
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", path, ann).status == 200)
      #expect(try file(id, fleet, number) == stands)
    }
    await fleet.close()
  }

  @Test("What is written down goes with the person, from the database and from every instance")
  func person() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let id = try await session(fleet, 0, ann)
    #expect(await fleet.send(1, "PUT", "/v1/sessions/\(id)/notes", ann, body: Self.windy).status == 200)
    #expect(await fleet.send(0, "DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/sessions/\(id)/notes", owner).status == 404)
      let folder = SessionFolder.path(of: id, in: fleet.services[number].settings.dataFolder)
      #expect(!FileSystem.exists(folder), "\(number)")
    }
    let connection = try fleet.server.connection(fleet.database)
    #expect(try connection.run("SELECT FROM coach.session_file").rows.isEmpty)
    await fleet.close()
  }

  @Test("The verbs write notes and tags into the database, and instances have them at once")
  func verbs() async throws {
    let fleet = try await fleet()
    let ann = try await fleet.token(person: "ann")
    let id = try await session(fleet, 0, ann)
    let store = try CopiedStore()
    let url = fleet.server.url(fleet.database)
    let noted = try store.coach(["history", "note", id, "windy", "--database", url])
    #expect(noted.status == 0, "\(noted.text)")
    #expect(noted.lines == ["\(id): windy"])
    let tagged = try store.coach(["history", "tag", id, "+long", "--database", url])
    #expect(tagged.lines == ["\(id): windy", "  +long"], "\(tagged.text)")
    for number in [0, 1] {
      let shown = await fleet.send(number, "GET", "/v1/sessions/\(id)/notes", ann)
      #expect(shown.json?["note"]?.string == "windy")
      #expect(shown.json?["tags"]?.array?.map(\.string) == ["long"])
    }
    let open = try await fleet.begin(1, ann)
    for name in [open, "latest", "20261120T070000Z-running-4f3a0b1c"] {
      let refused = try store.coach(["history", "note", name, "x", "--database", url])
      #expect(refused.status == 66, "\(refused.text)")
      #expect(refused.lines.count == 1)
    }
    #expect(try store.coach(["history", "note", id, "--clear", "--database", url]).status == 0)
    #expect(await fleet.send(0, "GET", "/v1/sessions/\(id)/notes", ann).json?["note"]?.string == nil)
    // The cache of an instance is no place to write them to.
    let cache = fleet.services[0].settings.dataFolder
    #expect(try store.coach(["history", "note", id, "x"], data: cache).status == 73)
    await fleet.close()
  }

  @Test("A verb deletes sessions that are over from the database, with a line in the audit, and from all instances")
  func deletion() async throws {
    let fleet = try await fleet()
    let (ann, owner) = (try await fleet.token(person: "ann"), try await fleet.token())
    let ids = [try await session(fleet, 0, ann), try await session(fleet, 1, ann)]
    let kept = try await session(fleet, 0, ann)
    let open = try await fleet.begin(1, ann)
    #expect(await fleet.send(1, "GET", "/v1/sessions", ann).json?["sessions"]?.array?.count == 4)
    let store = try CopiedStore()
    let database = ["--database", fleet.server.url(fleet.database)]
    for name in [open, "latest", "20261120T070000Z-running-4f3a0b1c"] {
      let refused = try store.coach(["history", "delete", ids[0], name, "--yes"] + database)
      #expect(refused.status == 66, "\(refused.text)")
      #expect(refused.lines.count == 1, "\(refused.text)")
    }
    // Nothing goes where one of the names is wrong.
    #expect(await fleet.send(0, "GET", "/v1/sessions/\(ids[0])", ann).status == 200)
    let deleted = try store.coach(["history", "delete", ids[0], ids[1], ids[0], "--yes"] + database)
    #expect(deleted.status == 0, "\(deleted.text)")
    #expect(deleted.lines == ids.map { "\($0): deleted" })
    for number in [0, 1] {
      let listed = await fleet.send(number, "GET", "/v1/sessions?state=complete", owner)
      #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [kept], "\(listed.text)")
      for id in ids {
        #expect(await fleet.send(number, "GET", "/v1/sessions/\(id)", owner).status == 404)
        #expect(!FileSystem.exists(SessionFolder.path(of: id, in: fleet.services[number].settings.dataFolder)))
      }
    }
    let audit = try store.coach(["store", "audit"] + database)
    let lines = try audit.lines.map { try JSONValue.parse($0) }.filter { $0["action"]?.string == "deleted" }
    #expect(lines.map { $0["subject"]?.string } == ids)
    await fleet.close()
  }

  @Test("During the upgrade the older instance goes on beside one that keeps notes, and copied notes are found")
  func upgrade() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old", migrations: Array(FleetSchema.migrations.prefix(6)))
    try old.open()
    try old.keepLeases()
    let copies = FleetCopies(try PostgresAddress(server.url(database)), name: "copies")
    let copied = BegunSession(
      id: "20240101T070000Z-running-00000001", person: "ann", maker: "", request: "",
      createdAt: WallClockTime(nanoseconds: 1))
    var notes = SessionNotes()
    notes.write(note: "windy")
    let text = try #require(notes.file)
    let files = [
      SessionFolderContent.File(SessionFolder.summary, Array("{}".utf8)),
      SessionFolderContent.File(SessionFolder.notes, text),
    ]
    let content = SessionFolderContent(sessionID: copied.id, files: files)
    #expect(try copies.add(copied, endedAt: copied.createdAt, content) == .added)
    let new = try server.store(database, "new")
    #expect(try new.open().first == "notes")
    #expect(try new.history(since: 0).noted == [SharedHistory.Noted(id: copied.id, notes: text)])
    // The older one begins, appends and reads as before.
    let hold = try old.begin(.test(heldBy: old))
    #expect(try old.append(.rows(hold, ["a"])) == [])
    #expect(try new.editNotes(of: hold.sessionID) { $0.write(note: "x") } == nil, "it is not over")
    #expect(try new.editNotes(of: copied.id) { $0.write(note: "calm") }?.note == "calm")
    let log = try #require(try old.log(of: copied.id))
    #expect(log.others == [SessionFolderContent.File(SessionFolder.notes, try #require(log.others.first?.bytes))])
    #expect(try SessionNotes(file: log.others[0].bytes).note == "calm")
    // What is committed may be said again for as long as anything older is at work on the server, in another database too.
    let calm = [SharedHistory.Noted(id: copied.id, notes: log.others[0].bytes)]
    var (horizon, noted) = (Int64(0), calm)
    for _ in 0..<10_000 where !noted.isEmpty {
      let news = try new.history(since: horizon)
      (horizon, noted) = (news.horizon, news.noted)
      #expect(noted.isEmpty || noted == calm)
      if !noted.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(noted == [])
    #expect(try new.editNotes(of: copied.id) { $0.write(note: nil) }?.isEmpty == true)
    #expect(try new.history(since: horizon).noted == [SharedHistory.Noted(id: copied.id, notes: nil)])
  }
}
