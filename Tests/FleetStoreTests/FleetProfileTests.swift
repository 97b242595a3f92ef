@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

/// Profiles that are made, changed and deleted at one instance, at the others.
@Suite("Profiles at several instances", .serialized)
struct FleetProfileTests {
  private static let ann = #"{"name":"ann","birthDate":"1990-05-17","maxHeartRate":190}"#

  private func fleet() async throws -> FleetServiceHarness {
    try await FleetServiceHarness(PostgresServer.shared.get())
  }

  private func folder(_ fleet: FleetServiceHarness, _ number: Int) -> ProfileStore {
    ProfileStore(dataFolder: fleet.services[number].settings.dataFolder)
  }

  /// What the database has of the profile of a name.
  private func kept(_ name: String, _ fleet: FleetServiceHarness) throws -> [UInt8]? {
    try fleet.server.store(fleet.database, "reader").profile(at: ProfileFileName.path(of: name))
  }

  @Test("A person who is made at one instance is known at the others at once, is changed there, and goes")
  func everywhere() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let created = await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann)
    #expect(created.status == 201, "\(created.text)")
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/people/ann", ann).text == created.text)
      let again = await fleet.send(number, "POST", "/v1/people", owner, body: Self.ann)
      #expect(again.status == 409, "\(again.text)")
    }
    #expect(await fleet.send(1, "PATCH", "/v1/people/bob", owner, body: #"{"weightKg":60}"#).status == 404)
    let changed = await fleet.send(1, "PATCH", "/v1/people/ann", ann, body: #"{"maxHeartRate":185}"#)
    #expect(changed.status == 200, "\(changed.text)")
    #expect(changed.text != created.text)
    #expect(await fleet.send(0, "GET", "/v1/people/ann", owner).text == changed.text)
    let people = await fleet.send(0, "GET", "/v1/people", owner)
    #expect(people.json?["people"]?.array?.map { $0["name"]?.string } == ["ann"])
    let zones = await fleet.send(0, "GET", "/v1/zones?profile=ann", ann)
    #expect(zones.status == 200, "\(zones.text)")
    #expect(await fleet.send(1, "GET", "/v1/zones?profile=ann", ann).text == zones.text)
    #expect(await fleet.send(0, "GET", "/v1/zones?profile=ann&max-heart-rate=190", ann).text != zones.text)
    for number in [0, 1] { #expect(try folder(fleet, number).text(named: "ann") == kept("ann", fleet)) }
    let refused = await fleet.send(0, "PATCH", "/v1/people/ann", ann, body: #"{"minimumAge":30}"#)
    #expect(refused.status == 422, "\(refused.text)")
    #expect(await fleet.send(1, "GET", "/v1/people/ann", owner).text == changed.text)
    #expect(await fleet.send(0, "DELETE", "/v1/people/ann", owner).status == 204)
    for number in [1, 0] {
      #expect(await fleet.send(number, "GET", "/v1/people/ann", owner).status == 404)
      #expect(try folder(fleet, number).names() == [])
      #expect(await fleet.send(number, "DELETE", "/v1/people/ann", owner).status == 404)
    }
    #expect(try kept("ann", fleet) == nil)
    await fleet.close()
  }

  @Test("What is changed of a person who was deleted meanwhile is not changed of whoever has the name next")
  func changedLate() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    #expect(await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann).status == 201)
    #expect(await fleet.send(1, "GET", "/v1/people/ann", owner).status == 200)
    let known = try folder(fleet, 1).profile(named: "ann")
    let edit: @Sendable (inout StoredProfile) throws -> Void = { $0.sex = .female }
    #expect(try await fleet.services[1].profiles.change(known, edit).sex == .female)
    #expect(await fleet.send(0, "DELETE", "/v1/people/ann", owner).status == 204)
    for isMade in [false, true] {
      if isMade { #expect(await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann).status == 201) }
      await #expect(throws: ProfileStoreError.missing("ann")) {
        try await fleet.services[1].profiles.change(known, edit)
      }
    }
    #expect(await fleet.send(1, "GET", "/v1/people/ann", owner).status == 200)
    #expect(try folder(fleet, 1).profile(named: "ann").sex == nil)
    await fleet.close()
  }

  @Test("A session at one instance is judged by the profile that was written at the other, and is that person's")
  func session() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let created = await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann)
    let person = try #require(created.json?["id"]?.string)
    let order = #"{"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let begun = await fleet.send(1, "POST", "/v1/sessions", ann, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    let path = "/v1/sessions/\(id)"
    let taken = await fleet.send(
      1, "POST", path + "/samples", ann, body: FleetServiceHarness.heartRates(0..<30), type: FleetServiceHarness.lines)
    #expect(taken.status == 200)
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await fleet.send(1, "POST", path + "/commands", ann, body: stop).status == 200)
    #expect(await fleet.send(0, "GET", path, ann).status == 200)
    let folder = SessionFolder.path(of: id, in: fleet.services[0].settings.dataFolder)
    let manifest = try SessionFolderRecording(path: folder).manifest
    #expect(manifest.who?.profileID?.description == person)
    #expect(manifest.who?.name == "ann")
    let listed = await fleet.send(0, "GET", "/v1/sessions?person=ann", owner)
    #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id])
    #expect(await fleet.send(0, "GET", "/v1/people/ann", owner).json?["sessions"]?.number?.int64 == 1)
    await fleet.close()
  }

  @Test("Of changes that come at the same time at several instances none is lost")
  func together() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    #expect(await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann).status == 201)
    await withTaskGroup(of: Int.self) { group in
      for day in 10..<26 {
        let body = #"{"weightKg":\#(40 + day),"date":"2026-01-\#(day)"}"#
        let call = fleet.call(day % 2, "PATCH", "/v1/people/ann", owner, body: body)
        group.addTask { await call().status }
      }
      for await status in group { #expect(status == 200) }
    }
    let text = try #require(try kept("ann", fleet))
    let profile = try StoredProfile(json: text.span, name: "ann")
    #expect(profile.values[.weight]?.values.count == 16)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/people/ann", owner).status == 200)
      #expect(try folder(fleet, number).text(named: "ann") == kept("ann", fleet))
    }
    await fleet.close()
  }

  @Test("What was learned of a runner in a folder store is there after a copy, and stays when a profile is changed")
  func learned() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    let store = try CopiedStore()
    #expect(try store.coach(["profile", "create", "ann", "--birth-date", "1990-05-17"]).status == 0)
    let prior = try RunnerPrior(slowPercent: 30, losesPercent: 10, steersPercent: 40, followsPercent: 80, cueBPM: 12)
    let learned = LearnedRunner(sessions: 3, date: try #require(CivilDate(iso8601: "2026-11-20")), prior: prior)
    _ = try ProfileStore(dataFolder: store.data).change("ann", id: ProfileID.drawn()) { $0.learned = learned }
    let copied = try store.copy(into: "database", database: fleet.server.url(fleet.database))
    #expect(copied.status == 0, "\(copied.text)")
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/people/ann", owner).status == 200)
      #expect(try folder(fleet, number).profile(named: "ann").learned == learned)
    }
    #expect(await fleet.send(1, "PATCH", "/v1/people/ann", owner, body: #"{"weightKg":60}"#).status == 200)
    #expect(await fleet.send(0, "GET", "/v1/people/ann", owner).status == 200)
    let profile = try folder(fleet, 0).profile(named: "ann")
    #expect(profile.learned == learned)
    #expect(profile.values[.weight]?.values.count == 1)
    // And back into a folder.
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let returned = try store.copy(into: "folder", data: back, database: fleet.server.url(fleet.database))
    #expect(returned.status == 0, "\(returned.text)")
    #expect(try ProfileStore(dataFolder: back).text(named: "ann") == kept("ann", fleet))
    await fleet.close()
  }

  @Test("The data of a person goes with the profile, from the database and from every instance; that of others stays")
  func deletion() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    for body in [Self.ann, #"{"name":"bob","birthDate":"1991-05-17"}"#] {
      #expect(await fleet.send(0, "POST", "/v1/people", owner, body: body).status == 201)
    }
    #expect(await fleet.send(1, "GET", "/v1/people", owner).json?["people"]?.array?.count == 2)
    #expect(await fleet.send(1, "DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for number in [0, 1] {
      let people = await fleet.send(number, "GET", "/v1/people", owner)
      #expect(people.json?["people"]?.array?.map { $0["name"]?.string } == ["bob"])
      #expect(try folder(fleet, number).names() == ["bob"])
    }
    let connection = try fleet.server.connection(fleet.database)
    for table in ["kept_file", "kept_piece"] {
      #expect(try connection.run("SELECT FROM coach.\(table)").rows.count == 1, "\(table)")
    }
    await fleet.close()
  }

  @Test("The sessions of a deleted profile are under nobody's name, and those of an older release go with no namesake")
  func namesake() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    let path = "/v1/people/ann"
    var sessions: [String] = []
    for turn in 0..<2 {
      #expect(await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann).status == 201)
      let ann = try await fleet.token(person: "ann")
      let id = try await fleet.begin(0, ann)
      sessions.append(id)
      let samples = FleetServiceHarness.heartRates(0..<30)
      #expect(
        await fleet.send(
          0, "POST", "/v1/sessions/\(id)/samples", ann, body: samples, type: FleetServiceHarness.lines
        ).status == 200)
      let stop = #"{"type":"command","id":"stop","command":"stop"}"#
      #expect(await fleet.send(0, "POST", "/v1/sessions/\(id)/commands", ann, body: stop).status == 200)
      if turn == 0 { #expect(await fleet.send(0, "DELETE", path, owner).status == 204) }
    }
    let connection = try fleet.server.connection(fleet.database)
    let named = "SELECT id FROM coach.session WHERE person = 'ann'"
    #expect(try connection.run(named).rows.map { $0.text(0) } == [sessions[1]])
    // As a release has left it that took the name off nothing but live sessions.
    _ = try connection.run("UPDATE coach.session SET person = 'ann' WHERE id = '\(sessions[0])'")
    #expect(await fleet.send(1, "DELETE", path + "?all-data=true", owner).status == 204)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/sessions/\(sessions[0])", owner).status == 200)
      #expect(await fleet.send(number, "GET", "/v1/sessions/\(sessions[1])", owner).status == 404)
    }
    #expect(try connection.run("SELECT id FROM coach.session").rows.map { $0.text(0) } == [sessions[0]])
    #expect(try connection.run(named).rows.isEmpty)
    // Nobody has the name any more: what is called so goes by it.
    #expect(await fleet.send(1, "DELETE", path + "?all-data=true", owner).status == 204)
    #expect(try connection.run("SELECT id FROM coach.session").rows.isEmpty)
    await fleet.close()
  }

  @Test("What somebody was called last whose profile is gone instances know from a folder, and it goes with all data")
  func former() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    let store = try CopiedStore()
    let workout = try store.folder.write(
      "time_s,heart_rate\n" + (0...300).map { "\($0),\(100 + $0 / 10)\n" }.joined(), "workout.csv")
    for words in [
      ["profile", "create", "kim", "--birth-date", "1990-01-01"],
      ["import", workout, "--profile", "kim", "--start", "2026-11-18T07:00:00Z"],
      ["profile", "rename", "kim", "lee"], ["profile", "delete", "lee", "--yes"],
      ["profile", "create", "kim", "--birth-date", "1980-02-02"],
    ] { #expect(try store.coach(words).status == 0, "\(words)") }
    #expect(try store.copy(into: "database", database: fleet.server.url(fleet.database)).status == 0)
    for number in [0, 1] {
      let all = await fleet.send(number, "GET", "/v1/sessions", owner)
      #expect(all.json?["sessions"]?.array?.compactMap { $0["person"]?.string } == ["lee"], "\(all.text)")
      let kims = await fleet.send(number, "GET", "/v1/sessions?person=kim", owner)
      #expect(kims.json?["sessions"]?.array?.count == 0, "\(kims.text)")
    }
    #expect(await fleet.send(0, "DELETE", "/v1/people/lee?all-data=true", owner).status == 204)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/sessions", owner).json?["sessions"]?.array?.count == 0)
      #expect(await fleet.send(number, "GET", "/v1/people/kim", owner).status == 200)
      let folder = fleet.services[number].settings.dataFolder
      #expect(!FileSystem.exists(folder + "/" + DataFolderMark.formerPeople), "\(number)")
    }
    let connection = try fleet.server.connection(fleet.database)
    #expect(try connection.run("SELECT name FROM coach.kept_file").rows.map { $0.text(0) } == ["profiles/kim.json"])
    await fleet.close()
  }

  @Test("An instance that was away has the profiles as they are when it is back")
  func away() async throws {
    let fleet = try await fleet()
    let owner = try await fleet.token()
    for body in [Self.ann, #"{"name":"bob","birthDate":"1991-05-17"}"#] {
      #expect(await fleet.send(0, "POST", "/v1/people", owner, body: body).status == 201)
    }
    await fleet.services[0].close()
    #expect(await fleet.send(1, "PATCH", "/v1/people/ann", owner, body: #"{"weightKg":60}"#).status == 200)
    #expect(await fleet.send(1, "DELETE", "/v1/people/bob", owner).status == 204)
    let back = try await fleet.restart(0)
    #expect(await fleet.send(back, "GET", "/v1/people", owner).json?["people"]?.array?.count == 1)
    #expect(try folder(fleet, back).text(named: "ann") == kept("ann", fleet))
    #expect(try folder(fleet, back).names() == ["ann"])
    await fleet.services[1].close()
    await fleet.services[back].close()
  }

  @Test("During the upgrade the older instance goes on, and what an older program keeps or deletes is seen")
  func upgrade() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old", migrations: Array(FleetSchema.migrations.prefix(7)))
    try old.open()
    try old.keepLeases()
    let copies = FleetCopies(try PostgresAddress(server.url(database)), name: "copies")
    #expect(try copies.keep([1], as: "profiles/ann.json", of: "ann", replacing: nil) == .added)
    let new = try server.store(database, "new")
    #expect(try new.open().first == "profiles")
    let hold = try old.begin(.test(heldBy: old))
    #expect(try old.append(.rows(hold, ["a"])) == [])
    let first = try #require(try new.profiles(unless: nil))
    let text: [UInt8] = [1]
    let digest = SHA256.digest(of: text.span)
    #expect(first.digests == ["profiles/ann.json": digest])
    #expect(try new.profiles(unless: first.number) == nil)
    // What is no profile changes nothing.
    #expect(try copies.keep([2], as: "motion/ann/walking-20261118T070000Z.csv", of: "ann", replacing: nil) == .added)
    #expect(try new.profiles(unless: first.number) == nil)
    #expect(try copies.keep([3], as: "profiles/bob.json", of: "bob", replacing: nil) == .added)
    let second = try #require(try new.profiles(unless: first.number))
    #expect(second.digests.count == 2)
    let connection = try server.connection(database)
    _ = try connection.run("DELETE FROM coach.kept_file WHERE person = 'ann'")
    #expect(try new.profiles(unless: second.number)?.digests.keys.sorted() == ["profiles/bob.json"])
  }

  @Test("A new profile that is kept twice because its answer was lost is kept once, and another one of the name is not")
  func again() throws {
    let server = try PostgresServer.shared.get()
    let store = try server.store(server.database(), "instance")
    try store.open()
    let path = ProfileFileName.path(of: "ann")
    #expect(try store.createProfile([1, 2], at: path, of: "ann"))
    #expect(try store.createProfile([1, 2], at: path, of: "ann"))
    #expect(try !store.createProfile([3], at: path, of: "ann"))
    #expect(try store.profile(at: path) == [1, 2])
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try store.changeProfile(at: path) { (_: [UInt8]) throws -> (text: [UInt8], value: Int) in throw Refused() }
    }
    #expect(try store.changeProfile(at: path) { (text: $0 + [9], value: $0.count) } == 2)
    #expect(try store.profile(at: path) == [1, 2, 9])
    try store.removeProfile(at: path)
    try store.removeProfile(at: path)
    #expect(try store.changeProfile(at: path) { (text: $0, value: 1) } == nil)
  }

  @Test("A change that takes something away is made once, and is answered so, when the answer to its commit is lost")
  func lostAnswer() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let relay = try SocketRelay(to: server.folder)
    let host = relay.folder.replacingOccurrences(of: "/", with: "%2F")
    let store = try FleetStore(
      PostgresAddress("postgresql://coach@\(host)/\(database)"), name: "relayed", url: "http://relayed.test",
      leaseSeconds: 30)
    try store.open()
    let path = ProfileFileName.path(of: "ann")
    #expect(try store.createProfile([1, 2], at: path, of: "ann"))
    struct NothingToRemove: Error {}
    for (loss, left) in [(SocketRelay.Loss.answerToCommit, [1] as [UInt8]), (.nothing, [])] {
      relay.lose(loss)
      let removed = try store.changeProfile(at: path) { text in
        guard let last = text.last else { throw NothingToRemove() }
        return (text: Array(text.dropLast()), value: last)
      }
      #expect(removed == UInt8(left.count + 1))
      #expect(try store.profile(at: path) == left)
    }
    #expect(relay.lossCount == 1)
    #expect(throws: NothingToRemove.self) {
      try store.changeProfile(at: path) { text in
        guard let last = text.last else { throw NothingToRemove() }
        return (text: Array(text.dropLast()), value: last)
      }
    }
  }

  @Test("The verbs make, change, show and list profiles in the database, and instances have them at once")
  func verbs() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let store = try CopiedStore()
    let url = fleet.server.url(fleet.database)
    let database = ["--database", url, "--format", "jsonl"]
    let created = try store.coach(["profile", "create", "ann", "--birth-date", "1990-05-17"] + database)
    #expect(created.status == 0, "\(created.text)")
    let record = try JSONValue.parse(created.lines.first ?? "")
    #expect(record["sessions"]?.number?.int64 == 0)
    for number in [0, 1] {
      let shown = await fleet.send(number, "GET", "/v1/people/ann", ann)
      #expect(shown.json?["id"]?.string == record["id"]?.string, "\(shown.text)")
    }
    #expect(try store.coach(["profile", "create", "ann", "--birth-date", "1990-05-17"] + database).status == 73)
    let set = try store.coach(["profile", "set", "ann", "--max-heart-rate", "185"] + database)
    #expect(set.status == 0, "\(set.text)")
    let shown = await fleet.send(1, "GET", "/v1/people/ann", ann)
    #expect(shown.text.contains("185"), "\(shown.text)")
    let order = #"{"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let begun = await fleet.send(0, "POST", "/v1/sessions", ann, body: order)
    let path = "/v1/sessions/" + (try #require(begun.json?["sessionID"]?.string, "\(begun.text)"))
    let lines = FleetServiceHarness.heartRates(0..<30)
    #expect(
      await fleet.send(0, "POST", path + "/samples", ann, body: lines, type: FleetServiceHarness.lines).status == 200)
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await fleet.send(0, "POST", path + "/commands", ann, body: stop).status == 200)
    let bob = Self.ann.replacing("ann", with: "bob")
    #expect(await fleet.send(1, "POST", "/v1/people", owner, body: bob).status == 201)
    let listed = try store.coach(["profile", "list"] + database)
    let people = try listed.lines.map { try JSONValue.parse($0) }
    #expect(people.map { $0["name"]?.string } == ["ann", "bob"], "\(listed.text)")
    #expect(people.map { $0["sessions"]?.number?.int64 } == [1, 0])
    let one = try store.coach(["profile", "show", "ann"] + database)
    #expect(one.lines == [listed.lines[0]])
    let missing = try store.coach(["profile", "show", "anm"] + database)
    #expect(missing.status == 66, "\(missing.text)")
    #expect(missing.text.contains("did you mean ann?"))
    #expect(try store.coach(["profile", "set", "eve", "--max-heart-rate", "185"] + database).status == 66)
    let taken = try store.coach(
      ["profile", "set", "ann", "--max-heart-rate", "180"], data: fleet.services[0].settings.dataFolder)
    #expect(taken.status == 73, "the cache of an instance is no place to write them to")
    #expect(!FileSystem.exists(store.data + "/profiles"), "nothing is written beside the database")
    await fleet.close()
  }

  @Test("What a session at one instance learns of its runner the next one at another begins with, each session once")
  func lesson() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    #expect(await fleet.send(0, "POST", "/v1/people", owner, body: Self.ann).status == 201)
    let lines = (0...250).map { step in
      #"{"type":"heartRate","atSeconds":\#(step * 5),"beatsPerMinute":\#(165 + step % 3)}"# + "\n"
    }.joined()
    var strategies: [String] = []
    for number in [1, 0, 1] {
      let order = #"{"target":"z2","strategy":{"kind":"adaptive"},"clock":"samples"}"#
      let begun = await fleet.send(number, "POST", "/v1/sessions", ann, body: order)
      let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
      let path = "/v1/sessions/\(id)"
      let taken = await fleet.send(number, "POST", path + "/samples", ann, body: lines, type: FleetServiceHarness.lines)
      #expect(taken.status == 200)
      let stop = #"{"type":"command","id":"stop","command":"stop"}"#
      #expect(await fleet.send(number, "POST", path + "/commands", ann, body: stop).status == 200)
      // Every instance has the session, and none of them learns from it again.
      for other in [0, 1] { #expect(await fleet.send(other, "GET", path + "/summary", ann).status == 200) }
      let folder = SessionFolder.path(of: id, in: fleet.services[number].settings.dataFolder)
      strategies.append(try SessionFolderRecording(path: folder).manifest.request.strategy.specification)
    }
    #expect(strategies[0] == "adaptive:every=5")
    #expect(strategies[1].contains("cue="), "\(strategies)")
    #expect(strategies[2].contains("cue="), "\(strategies)")
    for number in [0, 1] {
      let shown = await fleet.send(number, "GET", "/v1/people/ann", ann)
      #expect(shown.json?["learned"]?["sessions"]?.number?.int64 == 3, "\(shown.text)")
      #expect(try folder(fleet, number).text(named: "ann") == kept("ann", fleet))
    }
    await fleet.close()
  }
}
