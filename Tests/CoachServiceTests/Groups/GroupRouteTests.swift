@testable import CoachService
import LiveCoaching
import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Groups over the service")
struct GroupRouteTests {
  @Test("A group is made, shown, listed and ended by the person it belongs to, and by the owner of the service")
  func life() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let owner = try await group.service.token([.manage])
    for token in [group.tina, owner] {
      let shown = await group.service.send("GET", group.path, token)
      #expect(
        shown.text == #"{"version":1,"type":"group","groupID":"\#(group.id)","name":"tuesday","members":[]}"# + "\n")
      let list = await group.service.send("GET", "/v1/groups", token)
      #expect(list.json?["groups"]?.array?.count == 1)
    }
    #expect(await group.service.send("DELETE", group.path, group.tina).status == 204)
    #expect(await group.service.send("GET", group.path, owner).status == 404)
    #expect(await group.service.send("GET", "/v1/groups", owner).json?["groups"]?.array?.isEmpty == true)
    await group.service.service.close()
  }

  @Test(
    "Somebody joins by their own token or cookie alone: neither the owner nor the maker nor another person can do it")
  func consent() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let owner = try await group.service.token([.manage])
    #expect(await group.join("ann", #"["heartRate"]"#, by: owner).status == 403)
    #expect(await group.join("ann", #"["heartRate"]"#, by: group.tina).status == 404)
    #expect(await group.join("ann", #"["heartRate"]"#, by: group.ben).status == 404)
    let ownersPage = try await group.service.signIn()
    let body = #"{"shares":["heartRate"]}"#
    let ours = [HTTPField("Origin", "http://127.0.0.1:8080"), HTTPField("X-Coach", "1")]
    let put = "\(group.path)/members/"
    #expect(await group.service.send("PUT", put + "ann", body: body, headers: [ownersPage] + ours).status == 403)
    #expect(await group.service.send("GET", group.path, group.tina).json?["members"]?.array?.isEmpty == true)
    let joined = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    #expect(joined.status == 200, "\(joined.text)")
    let bensPage = try await group.service.signIn(person: "ben")
    #expect(await group.service.send("PUT", put + "ben", body: body, headers: [bensPage]).status == 403)
    #expect(await group.service.send("PUT", put + "ben", body: body, headers: [bensPage] + ours).status == 200)
    let members = await group.service.send("GET", group.path, group.tina).json?["members"]?.array
    #expect(members?.compactMap { $0["person"]?.string } == ["ann", "ben"])
    await group.service.service.close()
  }

  @Test("Groups of others and groups that are not there are answered alike, on every route and page")
  func foreign() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let page = try await group.service.signIn(person: "ben")
    for (method, rest) in [("GET", ""), ("DELETE", ""), ("DELETE", "/members/ben"), ("GET", "/events")] {
      let foreign = await group.service.send(method, group.path + rest, group.ben)
      let missing = await group.service.send(method, "/v1/groups/0123456789abcdef" + rest, group.ben)
      #expect(foreign.status == 404, "\(method) \(rest)")
      #expect(foreign.text == missing.text, "\(method) \(rest)")
    }
    let foreign = await group.service.send("GET", "/board/\(group.id)", headers: [page])
    let missing = await group.service.send("GET", "/board/0123456789abcdef", headers: [page])
    #expect(foreign.status == 404)
    #expect(foreign.text == missing.text)
    let nowhere = await group.service.send(
      "PUT", "/v1/groups/0123456789abcdef/members/ben", group.ben, body: #"{"shares":[]}"#)
    #expect(nowhere.status == 404)
    #expect(await group.service.send("GET", "/v1/groups", group.ben).json?["groups"]?.array?.isEmpty == true)
    await group.service.service.close()
  }

  @Test("Somebody who has joined sees themselves of the group, and can neither end it nor take others out")
  func members() async throws {
    let group = try await GroupHarness(ScratchFolder())
    #expect(await group.join("ann", "[]", by: group.ann).status == 200)
    #expect(await group.join("ben", #"["heartRate","position"]"#, by: group.ben).status == 200)
    for path in [group.path, group.path + "/events?wait=0"] {
      let shown = await group.service.send(
        "GET", path, group.ann, headers: [HTTPField("Accept", "application/x-ndjson, application/json")])
      #expect(shown.json?["members"]?.array?.compactMap { $0["person"]?.string } == ["ann"], "\(path)")
    }
    #expect(await group.service.send("DELETE", group.path, group.ann).status == 404)
    #expect(await group.leave("ben", by: group.ann).status == 404)
    #expect(await group.leave("ann", by: group.ann).status == 204)
    #expect(await group.leave("ann", by: group.ann).status == 404)
    #expect(await group.leave("ben", by: group.tina).status == 204)
    await group.service.service.close()
  }

  @Test(
    "What nobody knows and what cannot be is refused by its member",
    arguments: [
      (#"{"shares":["heartRate"],"surprise":1}"#, 400, "/surprise"), (#"{}"#, 422, ""),
      (#"{"shares":["weight"]}"#, 422, "/shares/0"), (#"{"shares":["position","position"]}"#, 422, "/shares"),
    ])
  func bodies(_ body: String, _ status: Int, _ pointer: String) async throws {
    let group = try await GroupHarness(ScratchFolder())
    let refused = await group.service.send("PUT", "\(group.path)/members/ann", group.ann, body: body)
    #expect(refused.status == status, "\(refused.text)")
    if !pointer.isEmpty { #expect(refused.json?["pointer"]?.string == pointer, "\(refused.text)") }
    for name in ["", " x", "a\\u202eb", String(repeating: "x", count: 61)] {
      let made = await group.service.send("POST", "/v1/groups", group.tina, body: #"{"name":"\#(name)"}"#)
      #expect(made.status == 422, "\(name)")
      #expect(made.json?["pointer"]?.string == "/name", "\(name)")
    }
    await group.service.service.close()
  }

  @Test("A group has 60 members at most, somebody makes 50, and a person is in 20")
  func limits() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let store = group.service.service.store
    let now = group.clock.now()
    for number in 1...RunnerGroup.largestMemberCount {
      _ = try await store.join(group.id, GroupMember(person: "p\(number)", shares: []), at: now)
    }
    #expect(await group.join("ann", "[]", by: group.ann).status == 409)
    for number in 1..<RunnerGroup.groupsPerMaker {
      group.clock.set(.morning(Double(number)))
      #expect(await group.service.send("POST", "/v1/groups", group.tina, body: #"{"name":"x"}"#).status == 201)
    }
    let over = await group.service.send("POST", "/v1/groups", group.tina, body: #"{"name":"x"}"#)
    #expect(over.status == 409, "\(over.text)")
    #expect(await group.service.send("POST", "/v1/groups", group.ben, body: #"{"name":"x"}"#).status == 201)
    for other in try await store.groups().dropFirst().prefix(RunnerGroup.groupsPerMember) {
      group.clock.set(WallClockTime(nanoseconds: group.clock.now().nanoseconds + 1_000_000_000))
      _ = try await store.join(other.id, GroupMember(person: "ann", shares: []), at: now)
    }
    #expect(await group.leave("p1", by: group.tina).status == 204)
    #expect(await group.join("ann", "[]", by: group.ann).status == 409)
    await group.service.service.close()
  }

  @Test("A token for a group watches that board and nothing else: no runs, no people, no change, no other group")
  func groupTokens() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let other = await group.service.send("POST", "/v1/groups", group.ben, body: #"{"name":"x"}"#).json?["groupID"]?
      .string
    let foreign = await group.service.send(
      "POST", "/v1/tokens", group.tina, body: #"{"scopes":["watch"],"group":"\#(try #require(other))"}"#)
    #expect(foreign.status == 404)
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let members = await group.service.send(
      "POST", "/v1/tokens", group.ann, body: #"{"scopes":["watch"],"group":"\#(group.id)"}"#)
    #expect(members.status == 404, "who has joined hands out no look at the others")
    let owner = try await group.service.token([.manage, .watch])
    for (person, status) in [("ann", 201), ("tina", 201), ("ben", 404)] {
      let made = await group.service.send(
        "POST", "/v1/tokens", owner,
        body: #"{"scopes":["watch"],"group":"\#(group.id)","person":"\#(person)"}"#)
      #expect(made.status == status, "\(person): whose is it, who has joined, and who has not: \(made.text)")
    }
    let run = try await group.run(group.ann)
    let tinas = try await group.service.run(person: "tina")
    let made = await group.service.send(
      "POST", "/v1/tokens", group.tina, body: #"{"scopes":["watch","manage"],"group":"\#(group.id)"}"#)
    let header = [HTTPField("Authorization", "Bearer \(try #require(made.json?["token"]?.string))")]
    let lines = header + [HTTPField("Accept", "application/x-ndjson")]
    #expect(await group.service.send("GET", "\(group.path)/events", headers: lines).tile("ann") != nil)
    let nothing = [
      "/v1/groups/\(try #require(other))/events", "/v1/sessions/\(run)", "/v1/sessions/\(run)/events",
      "/v1/sessions/\(tinas)", "/v1/people/ann", "/v1/people", group.path,
    ]
    for path in nothing {
      #expect(await group.service.send("GET", path, headers: header).status == 404, "\(path)")
    }
    #expect(await group.service.send("GET", "/v1/sessions", headers: header).json?["sessions"]?.array?.isEmpty == true)
    #expect(await group.service.send("GET", "/v1/groups", headers: header).json?["groups"]?.array?.isEmpty == true)
    #expect(await group.service.send("DELETE", group.path, headers: header).status == 404)
    #expect(await group.service.send("DELETE", "\(group.path)/members/ann", headers: header).status == 404)
    await group.service.service.close()
  }

  @Test("Deleting a person takes them from every group, with all data or without")
  func deletedPeople() async throws {
    let group = try await GroupHarness(ScratchFolder())
    for (person, token, query) in [("ann", group.ann, ""), ("ben", group.ben, "?all-data=true")] {
      let made = await group.service.send(
        "POST", "/v1/people", token, body: #"{"name":"\#(person)","birthDate":"1990-05-17"}"#)
      #expect(made.status == 201, "\(made.text)")
      #expect(await group.join(person, #"["heartRate"]"#, by: token).status == 200)
      let stream = try await group.stream(group.tina)
      #expect(everything(of: stream).contains(person))
      #expect(await group.service.send("DELETE", "/v1/people/\(person)\(query)", token).status == 204)
      let board = everything(of: stream)
      #expect(board.contains("event: board"))
      #expect(!board.contains(person))
      #expect(await group.board(group.tina).tile(person) == nil)
    }
    #expect(try await group.service.service.store.groups().flatMap(\.members).isEmpty)
    await group.service.service.close()
  }

  @Test("Somebody with another name stays in their groups, and whoever has the old name later is in none")
  func renamedPeople() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let store = group.service.service.store
    try await store.rename("ann", to: "anna")
    try await store.rename("tina", to: "tanja")
    #expect(try await store.group(group.id)?.members.map(\.person) == ["anna"])
    try await group.service.service.access.refresh(always: true)
    // The token goes with the person, and is not for whoever has the old name now.
    #expect(await group.service.send("GET", group.path, group.ann).status == 200)
    let tanja = try await group.service.token([.manage], person: "tanja")
    #expect(await group.service.send("GET", group.path, tanja).status == 200)
    let newcomer = try await group.service.token([.manage], person: "ann")
    #expect(await group.service.send("GET", group.path, newcomer).status == 404)
    await group.service.service.close()
  }

  @Test("Making, joining, changing, leaving and ending stand in the audit, without names and without what was measured")
  func audit() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    _ = await group.join("ann", #"["position"]"#, by: group.ann)
    _ = await group.leave("ann", by: group.ann)
    _ = await group.service.send("DELETE", group.path, group.tina)
    let path = group.service.service.settings.dataFolder + "/" + AuditLog.fileName
    let text = String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 16), as: UTF8.self)
    let actions = text.split(separator: "\n").compactMap { try? JSONValue.parse(String($0))["action"]?.string }
    #expect(actions == ["groupCreated", "memberJoined", "memberChanged", "memberLeft", "groupDeleted"])
    for word in ["ann", "tina", "tuesday", "heartRate", "position"] { #expect(!text.contains(word), "\(word)") }
    await group.service.service.close()
  }
}
