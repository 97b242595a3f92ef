@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// The folders of all sessions, from either store.
@Suite("The export of all sessions", .serialized)
struct ExportOfAllTests {
  @Test("A folder store and the database that it was copied into are exported byte by byte the same")
  func both() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let (one, other) = (store.folder.path + "/one", store.folder.path + "/other")
    let first = try store.coach(["history", "export", "--all", "--output", one])
    #expect(first.status == 0, "\(first.text)")
    #expect(first.lines == ["\(one): 3 sessions"])
    let second = try store.coach(["history", "export", "--all", "--output", other, "--database", store.url])
    #expect(second.status == 0, "\(second.text)")
    let files = try CopiedStore.files(StoredPath(folder: one))
    #expect(try CopiedStore.files(StoredPath(folder: other)) == files)
    let own = try CopiedStore.files(store.data).filter { $0.key.hasPrefix("sessions/") }
    #expect(files == own)
    let again = try store.coach(["history", "export", "--all", "--output", one])
    #expect(again.status == 73)
    #expect(try CopiedStore.files(StoredPath(folder: one)) == files)
    // What was exported is a store again.
    let rebuilt = try store.coach(["history", "rebuild"], data: StoredPath(dataFolder: one))
    #expect(rebuilt.status == 0, "\(rebuilt.text)")
    let list = try store.coach(["history", "list", "--format", "jsonl"], data: StoredPath(dataFolder: one))
    #expect(list.lines.count == 3)
  }

  @Test("Sessions that instances held are exported as their folders are at an instance, and copied into a folder so")
  func fleet() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get())
    let token = try await fleet.token(person: "ann")
    var ids: [String] = []
    for number in [0, 1, 0] {
      let id = try await fleet.begin(number, token)
      let body = FleetServiceHarness.heartRates(0..<(70 + 10 * number))
      let taken = await fleet.send(
        number, "POST", "/v1/sessions/\(id)/samples", token, body: body, type: FleetServiceHarness.lines)
      #expect(taken.status == 200)
      ids.append(id)
    }
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    for (number, id) in zip([0, 1], ids) {
      #expect(await fleet.send(number, "POST", "/v1/sessions/\(id)/commands", token, body: stop).status == 200)
    }
    // Brings what ended at the other into the history of each.
    #expect(await fleet.send(0, "GET", "/v1/sessions", token).status == 200)
    let store = try CopiedStore()
    let url = fleet.server.url(fleet.database)
    let out = store.folder.path + "/out"
    let outcome = try store.coach(["history", "export", "--all", "--output", out, "--database", url])
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.lines == ["coach: \(ids[2]): is not over: not exported", "\(out): 2 sessions"], "\(outcome.text)")
    let expected = try CopiedStore.files(fleet.services[0].settings.dataFolder).filter { file in
      file.key.hasPrefix("sessions/" + ids[0]) || file.key.hasPrefix("sessions/" + ids[1])
    }
    #expect(expected.keys.contains("sessions/\(ids[1])/summary.json"))
    #expect(try CopiedStore.files(StoredPath(folder: out)) == expected)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let copied = try store.copy(into: "folder", ["--without", "unfinished"], data: back, database: url)
    #expect(copied.status == 0, "\(copied.text)")
    #expect(try CopiedStore.files(back).filter { $0.key.hasPrefix("sessions/") } == expected)
    #expect(try CopiedStore.rows(back).contains { $0.hasPrefix("grant_ ") })
    // From there into another database, whose export is the same again.
    let moved = try store.copy(into: "database", data: back)
    #expect(moved.status == 0, "\(moved.text)")
    let last = store.folder.path + "/last"
    let exported = try store.coach(["history", "export", "--all", "--output", last, "--database", store.url])
    #expect(exported.status == 0, "\(exported.text)")
    #expect(try CopiedStore.files(StoredPath(folder: last)) == expected)
    await fleet.close()
  }

  @Test("What a folder store has is in the history of instances after it was copied, with its notes")
  func instances() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let fleet = try await FleetServiceHarness(store.server, instances: 1)
    let owner = try await fleet.token()
    let outcome = try store.copy(into: "database", database: fleet.server.url(fleet.database))
    #expect(outcome.status == 0, "\(outcome.text)")
    let names = try CopiedStore.sessions(store.data)
    let listed = await fleet.send(0, "GET", "/v1/sessions", owner)
    let found = listed.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string } ?? []
    #expect(found.sorted() == names, "\(listed.text)")
    let cache = try CopiedStore.files(fleet.services[0].settings.dataFolder).filter { $0.key.hasPrefix("sessions/") }
    #expect(try CopiedStore.files(store.data).filter { $0.key.hasPrefix("sessions/") } == cache)
    await fleet.close()
  }

  @Test("Options that contradict each other are refused")
  func wrong() throws {
    let store = try CopiedStore()
    let out = store.folder.path + "/out"
    let cases: [[String]] = [
      ["--all"], ["--all", "latest", "--output", out], [], ["--all", "--output", out, "--as", "gpx"],
      ["--all", "--output", out, "--force"], ["latest", "--as", "gpx", "--database", store.url],
    ]
    for arguments in cases {
      let outcome = try store.coach(["history", "export"] + arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.text)")
      #expect(outcome.lines.count == 1, "\(arguments): \(outcome.text)")
    }
    let away = try store.coach(
      ["history", "export", "--all", "--output", out, "--database", "postgresql://coach@127.0.0.1:1/x"])
    #expect(away.status == 69, "\(away.text)")
    #expect(!FileSystem.exists(out))
  }
}
