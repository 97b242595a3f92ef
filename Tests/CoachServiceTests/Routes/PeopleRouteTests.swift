@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("People, tokens and what can be asked for, over the service", .serialized)
struct PeopleRouteTests {
  private static let ann = #"{"name":"ann","birthDate":"1990-05-17","weightKg":61.5}"#

  private static func named(_ name: String) -> String { #"{"name":"\#(name)","birthDate":"1990-05-17"}"# }

  /// Seventy seconds of somebody's session.
  private static func record(_ id: String, _ token: IssuedSecret, _ harness: ServiceHarness) async {
    let sent = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson"
    )
    #expect(sent.status == 200, "\(sent.text)")
  }

  @Test("A person is kept, changed, listed and deleted as by the profile verbs")
  func people() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    let created = await harness.send("POST", "/v1/people", owner, body: Self.ann)
    #expect(created.status == 201, "\(created.text)")
    #expect(created.header("Location") == "/v1/people/ann")
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 409)
    let changed = await harness.send(
      "PATCH", "/v1/people/ann", owner,
      body: #"{"restingHeartRate":55,"maxHeartRate":190,"zoneModel":"heart-rate-reserve","method":"test"}"#)
    #expect(changed.status == 200, "\(changed.text)")
    let kept = try ProfileStore(dataFolder: harness.service.settings.dataFolder).profile(named: "ann")
    #expect(kept.zoneModel == .heartRateReserve)
    #expect(kept.values[.maximumHeartRate]?.values.first?.value == 190)
    #expect(kept.values[.weight]?.values.first?.value == 61.5)
    let reading = await harness.send(
      "PATCH", "/v1/people/ann", owner, body: #"{"units":"imperial","language":"de","fields":["pace","lap-time"]}"#)
    #expect(reading.status == 200, "\(reading.text)")
    let store = ProfileStore(dataFolder: harness.service.settings.dataFolder)
    let preferences = try store.profile(named: "ann").preferences
    #expect(preferences.units == .imperial)
    #expect(preferences.language == .german)
    #expect(preferences.fields == [.pace, .lapTime])
    let list = await harness.send("GET", "/v1/people", owner)
    #expect(list.json?["people"]?.array?.first?["name"]?.string == "ann")
    #expect(await harness.send("GET", "/v1/people/ann", owner).text == reading.text)
    #expect(await harness.send("DELETE", "/v1/people/ann", owner).status == 204)
    #expect(await harness.send("GET", "/v1/people/ann", owner).status == 404)
    await harness.service.close()
  }

  @Test(
    "A member of a person that nobody knows, one that cannot be, and nothing at all are refused",
    arguments: [
      (#"{"surprise":1}"#, 400, "/surprise"), (#"{"weightKg":5}"#, 422, "/weightKg"),
      (#"{"zoneModel":"round"}"#, 422, "/zoneModel"), (#"{"minimumAge":18}"#, 422, "/minimumAge"),
      (#"{"remove":["weight"]}"#, 422, "/remove"), (#"{"units":"roman"}"#, 422, "/units"),
      (#"{"fields":["pace","pace"]}"#, 422, "/fields"),
    ])
  func wrongMembers(_ body: String, _ status: Int, _ pointer: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    _ = await harness.send("POST", "/v1/people", owner, body: Self.ann)
    let response = await harness.send("PATCH", "/v1/people/ann", owner, body: body)
    #expect(response.status == status, "\(response.text)")
    #expect(response.json?["pointer"]?.string == pointer)
    await harness.service.close()
  }

  @Test("A token of a person sees and changes that person alone", arguments: StoreKind.allCases)
  func others(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage])
    let ben = try await harness.token([.manage, .watch], person: "ben")
    _ = await harness.send("POST", "/v1/people", owner, body: Self.ann)
    let list = await harness.send("GET", "/v1/people", ben)
    #expect(list.json?["people"]?.array?.count == 0)
    for (method, body) in [("GET", nil), ("PATCH", #"{"weightKg":50}"#), ("DELETE", nil)] {
      let foreign = await harness.send(method, "/v1/people/ann", ben, body: body)
      #expect(foreign.status == 404, "\(method)")
      #expect(await foreign.text == harness.send(method, "/v1/people/nobody", ben, body: body).text)
    }
    #expect(await harness.send("POST", "/v1/people", ben, body: Self.ann).status == 404)
    #expect(await harness.send("GET", "/v1/zones?profile=ann", ben).status == 404)
    let ofAnn = await harness.send("GET", "/v1/zones?profile=ann", owner)
    #expect(ofAnn.status == 200)
    // Whose token it is need not be said.
    let ann = try await harness.token([.send], person: "ann")
    #expect(await harness.send("GET", "/v1/zones", ann).text == ofAnn.text)
    for token in [owner, ben] { #expect(await harness.send("GET", "/v1/zones", token).status == 404) }
    await harness.service.close()
  }

  @Test("Two names that are equal as texts are those of two people, and nobody can be called so beside somebody else")
  func equalNames() async throws {
    let (composed, decomposed) = ("\u{E9}va", "e\u{301}va")
    #expect(composed == decomposed)
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.named(composed)).status == 201)
    let taken = await harness.send("POST", "/v1/people", owner, body: Self.named(decomposed))
    #expect(taken.status == 409, "\(taken.text)")
    let own = try await harness.token([.manage, .send, .watch], person: composed)
    let other = try await harness.token([.manage, .send, .watch], person: decomposed)
    let id = try await harness.begin(own, #"{"target":"z2","clock":"samples","profile":{"ageYears":30}}"#)
    for path in ["/v1/people/%C3%A9va", "/v1/sessions/\(id)", "/v1/zones?profile=%C3%A9va", "/v1/people/e%CC%81va"] {
      #expect(await harness.send("GET", path, other).status == 404, "\(path)")
    }
    #expect(await harness.send("GET", "/v1/people", other).json?["people"]?.array?.count == 0)
    #expect(await harness.send("GET", "/v1/people", own).json?["people"]?.array?.count == 1)
    await Self.record(id, own, harness)
    let stop = #"{"id":"x","command":"stop"}"#
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", other, body: stop).status == 404)
    let token = #"{"scopes":["watch"],"person":"\#(composed)"}"#
    #expect(await harness.send("POST", "/v1/tokens", other, body: token).status == 403)
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", own, body: stop).status == 200)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", other).status == 404)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", own).status == 200)
    #expect(await harness.send("GET", "/v1/sessions", other).json?["sessions"]?.array?.count == 0)
    #expect(await harness.send("GET", "/v1/sessions", own).json?["sessions"]?.array?.count == 1)
    await harness.service.close()
  }

  @Test(
    "What was given to a person goes with the profile, and nothing is that of whoever is called the same later",
    arguments: StoreKind.allCases)
  func sameName(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage, .send, .watch])
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let before = try await harness.token([.manage, .send, .watch], person: "ann")
    let id = try await harness.begin(before, #"{"target":"z2","clock":"samples"}"#)
    await Self.record(id, before, harness)
    let stop = #"{"id":"x","command":"stop"}"#
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", before, body: stop).status == 200)
    let key = await harness.send("POST", "/v1/keys", before, body: #"{"person":"ann"}"#)
    #expect(key.status == 201, "\(key.text)")
    #expect(await harness.send("POST", "/v1/groups", before, body: #"{"name":"Tuesday"}"#).status == 201)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", before).status == 200)
    #expect(await harness.send("DELETE", "/v1/people/ann", owner).status == 204)
    #expect(await harness.send("GET", "/v1/sessions", before).status == 401)
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let after = try await harness.token([.manage, .send, .watch], person: "ann")
    #expect(await harness.send("GET", "/v1/sessions", before).status == 401)
    #expect(await harness.send("GET", "/v1/groups", after).json?["groups"]?.array?.count == 0)
    #expect(await harness.send("GET", "/v1/keys", owner).json?["keys"]?.array?.count == 0)
    #expect(await harness.send("GET", "/v1/sessions", after).json?["sessions"]?.array?.count == 0)
    let narrow = #"{"scopes":["watch"],"session":"\#(id)"}"#
    let narrowed = await harness.send("POST", "/v1/tokens", after, body: narrow)
    #expect(narrowed.status == 404, "\(narrowed.text)")
    for (method, path) in [
      ("GET", ""), ("GET", "/export?as=csv"), ("GET", "/series"), ("GET", "/notes"), ("GET", "/events?after=0&wait=0"),
      ("DELETE", ""),
    ] {
      let foreign = await harness.send(method, "/v1/sessions/\(id)" + path, after)
      #expect(foreign.status == 404, "\(method) \(path)")
      let missing = await harness.send(method, "/v1/sessions/20260101T000000Z-other-00000000" + path, after)
      #expect(foreign.text == missing.text, "\(method) \(path)")
    }
    #expect(await harness.send("GET", "/v1/sessions/\(id)", owner).status == 200)
    await harness.service.close()
  }

  @Test(
    "A live session of somebody who is deleted is nobody's, also after a new start, whoever is called the same by then",
    arguments: StoreKind.allCases, [true, false])
  func sameNameLive(_ kind: StoreKind, hasBegun: Bool) async throws {
    let folder = try StorePlace(kind)
    var harness = try await ServiceHarness(folder)
    let owner = try await harness.token([.manage, .send, .watch])
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let before = try await harness.token([.manage, .send, .watch], person: "ann")
    let id = try await harness.begin(before, #"{"target":"z2","clock":"samples"}"#)
    if hasBegun { await Self.record(id, before, harness) }
    #expect(await harness.send("DELETE", "/v1/people/ann", owner).status == 204)
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let after = try await harness.token([.manage, .send, .watch], person: "ann")
    let path = "/v1/sessions/\(id)"
    for start in ["the first start", "the second start"] {
      #expect(await harness.send("GET", path, after).status == 404, "\(start)")
      let lines = await harness.send(
        "POST", path + "/samples", after, body: ServiceHarness.heartRates(70..<72), type: "application/x-ndjson")
      #expect(lines.status == 404, "\(start)")
      #expect(await harness.send("GET", "/v1/sessions", after).json?["sessions"]?.array?.count == 0, "\(start)")
      #expect(await harness.send("GET", path, owner).status == 200, "\(start)")
      #expect(harness.service.sessions.known(id)?.person == nil, "\(start)")
      await harness.service.close()
      harness = try await ServiceHarness(folder)
    }
    let rest = await harness.send(
      "POST", path + "/samples", owner, body: ServiceHarness.heartRates(72..<150), type: "application/x-ndjson")
    #expect(rest.status == 200, "\(rest.text)")
    let stop = #"{"id":"x","command":"stop"}"#
    #expect(await harness.send("POST", path + "/commands", owner, body: stop).status == 200)
    #expect(await harness.send("GET", path, after).status == 404)
    #expect(await harness.send("GET", path, owner).status == 200)
    await harness.service.close()
  }

  @Test("After a new start a live session is not that of another profile of the name, however that came to be there")
  func anotherProfile() async throws {
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder)
    let owner = try await harness.token([.manage, .send, .watch])
    let (ann, ben) = (
      try await harness.token([.send, .watch], person: "ann"), try await harness.token([.send, .watch], person: "ben")
    )
    var sessions: [String] = []
    for (name, token) in [("ann", ann), ("ben", ben)] {
      #expect(await harness.send("POST", "/v1/people", owner, body: Self.named(name)).status == 201)
      let id = try await harness.begin(token, #"{"target":"z2","clock":"samples"}"#)
      await Self.record(id, token, harness)
      sessions.append(id)
    }
    await harness.service.close()
    // As by somebody who deletes a file, and makes another one.
    let profiles = ProfileStore(dataFolder: harness.service.settings.dataFolder)
    let profile = try profiles.profile(named: "ann")
    let identity = try #require(profile.id).description
    let other = String(decoding: try profile.json(), as: UTF8.self).replacing(identity, with: "\(ProfileID.drawn())")
    try profiles.remove("ann", keepsName: true)
    try profiles.create(StoredProfile(json: Array(other.utf8).span, name: "ann"))
    harness = try await ServiceHarness(folder)
    #expect(harness.service.sessions.known(sessions[0])?.person == nil)
    #expect(try await harness.service.store.session(sessions[0])?.person == nil)
    #expect(await harness.send("GET", "/v1/sessions/\(sessions[0])", ann).status == 404)
    #expect(harness.service.sessions.known(sessions[1])?.person == "ben")
    #expect(await harness.send("GET", "/v1/sessions/\(sessions[1])", ben).status == 200)
    await harness.service.close()
  }

  @Test("Whose a live session is follows what is done to a profile at a terminal")
  func atTerminal() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    var sessions: [String: String] = [:]
    for name in ["ann", "ben", "eve"] {
      #expect(await harness.send("POST", "/v1/people", owner, body: Self.named(name)).status == 201)
      let token = try await harness.token([.send, .watch], person: name)
      sessions[name] = try await harness.begin(token, #"{"target":"z2","clock":"samples"}"#)
    }
    let terminal = ServiceStore(dataFolder: harness.service.settings.dataFolder)
    try await terminal.forgetAuthority(of: "ann")
    try await terminal.rename("ben", to: "benny")
    await terminal.close()
    await harness.service.tick()
    let people = sessions.mapValues { harness.service.sessions.known($0)?.person }
    #expect(people == ["ann": nil, "ben": "benny", "eve": "eve"] as [String: String?])
    await harness.service.close()
  }

  @Test(
    "All data of a person go with sessions, tokens and what is known of them, but not while one is live",
    arguments: StoreKind.allCases)
  func erasure(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage, .send, .watch])
    let ann = try await harness.token([.send, .watch], person: "ann")
    _ = await harness.send("POST", "/v1/people", owner, body: Self.ann)
    let order = #"{"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#
    let id = try await harness.begin(ann, order)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson")
    #expect(await harness.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 409)
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: #"{"id":"x","command":"stop"}"#)
    #expect(await harness.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", owner).status == 404)
    #expect(await harness.send("GET", "/v1/sessions", ann).status == 401)
    #expect(try await harness.service.store.session(id) == nil)
    await harness.service.close()
  }

  @Test("A token is made with its secret once, listed without it, and revoked", arguments: StoreKind.allCases)
  func tokens(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage, .watch])
    let made = await harness.send("POST", "/v1/tokens", owner, body: #"{"scopes":["watch"],"person":"ann","days":1}"#)
    #expect(made.status == 201, "\(made.text)")
    let secret = try #require(made.json?["token"]?.string)
    let id = try #require(made.json?["tokenID"]?.string)
    let authorization = [HTTPField("Authorization", "Bearer \(secret)")]
    #expect(await harness.send("GET", "/v1/strategies", headers: authorization).status == 200)
    let list = await harness.send("GET", "/v1/tokens", owner)
    #expect(list.json?["tokens"]?.array?.contains { $0["tokenID"]?.string == id } == true)
    #expect(!list.text.contains(secret))
    let location = try #require(made.header("Location"))
    let shown = await harness.send("GET", location, owner)
    #expect(shown.status == 200, "\(location)")
    #expect(shown.json == list.json?["tokens"]?.array?.first { $0["tokenID"]?.string == id })
    #expect(await harness.send("DELETE", location, owner).status == 204)
    #expect(await harness.send("GET", location, owner).status == 404)
    #expect(await harness.send("GET", "/v1/strategies", headers: authorization).status == 401)
    #expect(await harness.send("DELETE", "/v1/tokens/\(id)", owner).status == 404)
    await harness.service.close()
  }

  @Test(
    "No token gives more than it has itself",
    arguments: StoreKind.allCases,
    [
      #"{"scopes":["send"]}"#, #"{"scopes":["watch","send"],"person":"ann"}"#, #"{"scopes":["watch"],"person":"ben"}"#,
    ])
  func escalation(_ kind: StoreKind, _ body: String) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token([.manage, .watch], person: "ann")
    let refused = await harness.send("POST", "/v1/tokens", ann, body: body)
    #expect(refused.status == 403, "\(refused.text)")
    let nowhere = await harness.send(
      "POST", "/v1/tokens", ann, body: #"{"scopes":["watch"],"session":"20261120T070000Z-other-00000000"}"#)
    #expect(nowhere.status == 404)
    #expect(nowhere.json?["pointer"]?.string == "/session")
    let made = await harness.send("POST", "/v1/tokens", ann, body: #"{"scopes":["watch"]}"#)
    #expect(made.json?["person"]?.string == "ann")
    let ben = try await harness.token([.manage], person: "ben")
    let id = try #require(made.json?["tokenID"]?.string)
    #expect(await harness.send("DELETE", "/v1/tokens/\(id)", ben).status == 404)
    #expect(await harness.send("GET", "/v1/tokens", ben).text.contains(id) == false)
    #expect(await harness.send("GET", "/v1/tokens/\(id)", ben).status == 404)
    #expect(await harness.send("GET", "/v1/tokens/\(id)", ann).status == 200)
    // What allows more than who asks is not there for them, and neither is a key.
    let owner = try await harness.token([.manage, .watch])
    #expect(await harness.send("GET", "/v1/tokens/\(owner.grant.caller.id)", ann).status == 404)
    let key = await harness.send("POST", "/v1/keys", owner, body: #"{"person":"ann"}"#)
    let keyID = try #require(key.json?["keyID"]?.string)
    #expect(await harness.send("GET", "/v1/tokens/\(keyID)", owner).status == 404)
    await harness.service.close()
  }

  @Test(
    "The owner makes a token of a session for nobody but whose it is, live and over; foreign and missing are alike",
    arguments: StoreKind.allCases)
  func tokenOfSession(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage, .send, .watch])
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let ann = try await harness.token([.send, .watch], person: "ann")
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    await Self.record(id, ann, harness)
    func make(_ session: String, _ person: String?) async -> HTTPResponse {
      let whose = person.map { #","person":"\#($0)""# } ?? ""
      return await harness.send(
        "POST", "/v1/tokens", owner, body: #"{"scopes":["watch"],"session":"\#(session)"\#(whose)}"#)
    }
    for isOver in [false, true] {
      if isOver {
        let stop = await harness.send(
          "POST", "/v1/sessions/\(id)/commands", ann, body: #"{"id":"x","command":"stop"}"#)
        #expect(stop.status == 200)
      }
      let missing = await make("20261120T070000Z-other-00000000", "bob")
      #expect(missing.status == 404)
      #expect(missing.json?["pointer"]?.string == "/session")
      let foreign = await make(id, "bob")
      #expect(foreign.status == 404, "\(foreign.text)")
      #expect(foreign.json?["pointer"]?.string == "/session")
      #expect(foreign.json?["detail"]?.string == missing.json?["detail"]?.string)
      for person in ["ann", nil] {
        let made = await make(id, person)
        let secret = try #require(made.json?["token"]?.string, "\(made.text)")
        let seen = await harness.send(
          "GET", "/v1/sessions/\(id)", headers: [HTTPField("Authorization", "Bearer \(secret)")])
        #expect(seen.status == 200, "\(person ?? "everybody"), over \(isOver)")
      }
    }
    await harness.service.close()
  }

  @Test("Zones are those of the values in the query, and there are none of nobody")
  func zones() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    let zones = await harness.send("GET", "/v1/zones?max-heart-rate=200", token)
    #expect(zones.status == 200, "\(zones.text)")
    #expect(zones.json?["zones"]?.array?.isEmpty == false)
    #expect(await harness.send("GET", "/v1/zones", token).status == 404)
    let wrong = await harness.send("GET", "/v1/zones?age=500", token)
    #expect(wrong.status == 422)
    #expect(wrong.json?["parameter"]?.string == "age")
    let ahead = await harness.send("GET", "/v1/zones?birth-date=2090-01-01", token)
    #expect(ahead.status == 422)
    #expect(await harness.send("GET", "/v1/plans", token).json?["plans"]?.array?.isEmpty == false)
    await harness.service.close()
  }
}
