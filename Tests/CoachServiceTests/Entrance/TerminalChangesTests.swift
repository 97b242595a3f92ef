@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What a verb of the terminal has changed beside a running service")
struct TerminalChangesTests {
  private static let scopes: Set<Scope> = [.send, .watch, .manage]
  private static let person = #"{"name":"ann","birthDate":"1990-05-17"}"#

  /// The store of the same folder as another process has it.
  private static func terminal(_ harness: ServiceHarness) -> ServiceStore {
    ServiceStore(dataFolder: harness.service.settings.dataFolder)
  }

  private static func profiles(_ harness: ServiceHarness) -> ProfileStore {
    ProfileStore(dataFolder: harness.service.settings.dataFolder)
  }

  private static func samples(
    _ id: String, _ second: Int, _ token: IssuedSecret, _ harness: ServiceHarness
  ) async -> Int {
    await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(second..<second + 1),
      type: "application/x-ndjson"
    ).status
  }

  /// A service with a person, and tokens of its owner and of the person.
  private static func start() async throws -> (harness: ServiceHarness, owner: IssuedSecret, ann: IssuedSecret) {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token(scopes)
    _ = await harness.send("POST", "/v1/people", owner, body: person)
    return (harness, owner, try await harness.token(scopes, person: "ann"))
  }

  @Test("Whoever is called as somebody who was deleted has nothing of theirs, from the first request on")
  func newcomer() async throws {
    let (harness, owner, ann) = try await Self.start()
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    #expect(await Self.samples(id, 0, ann, harness) == 200)
    let terminal = Self.terminal(harness)
    try await terminal.forgetAuthority(of: "ann")
    try Self.profiles(harness).remove("ann", keepsName: true)
    var other = StoredProfile(id: ProfileID.drawn(), name: "ann")
    other.birthDate = CivilDate(year: 1990, month: 5, day: 17)
    try Self.profiles(harness).create(other)
    let newcomer = IssuedSecret.token(
      Self.scopes, person: "ann", session: nil, group: nil, days: 1, now: harness.service.clock.now())
    try await terminal.add(newcomer.grant)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", newcomer).status == 404)
    #expect(await Self.samples(id, 1, newcomer, harness) == 404)
    let command = #"{"id":"x","command":"stop"}"#
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", newcomer, body: command).status == 404)
    #expect(harness.service.sessions.known(id)?.person == nil)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", owner).status == 200)
    await terminal.close()
    await harness.service.close()
  }

  /// What somebody may do to the person whose token they have.
  private static let ofPerson: [(method: String, query: String, body: String?)] = [
    ("GET", "", nil), ("PATCH", "", #"{"weightKg":99}"#), ("DELETE", "", nil), ("DELETE", "?all-data=true", nil),
  ]

  @Test(
    "Whoever was renamed or deleted has nothing of whoever has the name next, from the first request on",
    arguments: [true, false])
  func predecessor(isRenamed: Bool) async throws {
    let (harness, owner, _) = try await Self.start()
    let terminal = Self.terminal(harness)
    let profiles = Self.profiles(harness)
    // Each with somebody of its own, because the first request takes over what was changed.
    for (number, request) in Self.ofPerson.enumerated() {
      let name = "ben\(number)"
      _ = await harness.send("POST", "/v1/people", owner, body: Self.person.replacing("ann", with: name))
      let ben = try await harness.token(Self.scopes, person: name)
      #expect(await harness.send("GET", "/v1/people/\(name)", ben).status == 200)
      if isRenamed {
        try profiles.renameEverywhere(name, to: name + "ny", id: ProfileID.drawn())
      } else {
        try await terminal.forgetAuthority(of: name)
        try profiles.remove(name, keepsName: true)
      }
      var next = StoredProfile(id: ProfileID.drawn(), name: name)
      next.birthDate = CivilDate(year: 1971, month: 2, day: 3)
      try profiles.create(next)
      let newcomer = IssuedSecret.token(
        Self.scopes, person: name, session: nil, group: nil, days: 1, now: harness.service.clock.now())
      try await terminal.add(newcomer.grant)
      let path = "/v1/people/\(name)\(request.query)"
      let answer = await harness.send(request.method, path, ben, body: request.body)
      #expect(answer.status == (isRenamed ? 404 : 401), "\(request.method): \(answer.text)")
      #expect(try profiles.profile(named: name) == next, "\(request.method)")
      #expect(await harness.send("GET", "/v1/people/\(name)", newcomer).status == 200, "\(request.method)")
      // What is theirs is where their name is now.
      if isRenamed { #expect(await harness.send("GET", "/v1/people/\(name)ny", ben).status == 200) }
    }
    await terminal.close()
    await harness.service.close()
  }

  @Test("Whatever the route, a secret that a verb of the terminal has just revoked does nothing more")
  func everyRoute() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let terminal = Self.terminal(harness)
    var asked = 0
    for route in harness.service.routes.routes where route.access.isOfSecret && route.access != .key {
      asked += 1
      let secret = try await harness.secret(for: route)
      try await terminal.revoke(secret.id, secret.kind)
      let answer = await harness.send(
        route.method.rawValue, ServiceHarness.path(of: route, secret), body: route.body == nil ? nil : "{}",
        type: route.body?.mediaTypes.first ?? "application/json", headers: secret.headers)
      #expect(answer.status == 401, "\(route.method.rawValue) \(route.pattern)")
    }
    #expect(asked > 30)
    await terminal.close()
    await harness.service.close()
  }

  @Test("What comes each second of a live run waits for no look at what others have changed; all else is behind one")
  func liveRun() async throws {
    let (harness, owner, ann) = try await Self.start()
    let often = harness.service.routes.routes.filter(\.isAskedOften).map(\.pattern).sorted()
    #expect(often == ["/v1/sessions/{id}/events", "/v1/sessions/{id}/samples"])
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    let terminal = Self.terminal(harness)
    let other = IssuedSecret.token(
      Self.scopes, person: "ann", session: nil, group: nil, days: 1, now: harness.service.clock.now())
    try await terminal.add(other.grant)
    #expect(await Self.samples(id, 0, ann, harness) == 200)
    let lines = [HTTPField("Accept", "application/x-ndjson")]
    #expect(await harness.send("GET", "/v1/sessions/\(id)/events", ann, headers: lines).status == 200)
    #expect(!harness.service.access.holds(other.grant.caller))
    #expect(await harness.send("GET", "/v1/people/ann", owner).status == 200)
    #expect(harness.service.access.holds(other.grant.caller))
    // They are read again only when something was changed.
    let readings = await harness.service.store.readings
    #expect(await harness.send("GET", "/v1/people/ann", owner).status == 200)
    #expect(await harness.service.store.readings == readings)
    await terminal.close()
    await harness.service.close()
  }

  @Test("What a request deletes is that of whoever was meant when it came, and not of whoever has the name by then")
  func deletions() async throws {
    let (harness, owner, ann) = try await Self.start()
    let (store, profiles) = (harness.service.store, Self.profiles(harness))
    let meant = ProfileIdentity(try profiles.profile(named: "ann"))
    try profiles.renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    var next = StoredProfile(id: ProfileID.drawn(), name: "ann")
    next.birthDate = CivilDate(year: 1971, month: 2, day: 3)
    try profiles.create(next)
    let newcomer = try await harness.token(Self.scopes, person: "ann")
    await #expect(throws: ServiceProblem.self) {
      try await store.forgetAuthority(of: "ann", meant: meant, by: ann.grant.caller)
    }
    await #expect(throws: ProfileStoreError.missing("ann")) {
      try await store.forgetAuthority(of: "ann", meant: meant, by: owner.grant.caller)
    }
    #expect(throws: ProfileStoreError.missing("ann")) { try profiles.remove("ann", of: meant, keepsName: true) }
    await #expect(throws: ProfileStoreError.missing("ann")) {
      try await harness.service.history.erase(personNamed: "ann", as: meant) { _ in }
    }
    #expect(try profiles.profile(named: "ann") == next)
    #expect(try await store.grants().map(\.caller.id).contains(newcomer.grant.caller.id))
    #expect(harness.service.access.holds(newcomer.grant.caller))
    await harness.service.close()
  }

  @Test("A run that is under way is its person's all the time while the name changes")
  func renamed() async throws {
    let (harness, owner, ann) = try await Self.start()
    let cookie = try await harness.signIn(person: "ann")
    let key = await harness.send("POST", "/v1/keys", owner, body: #"{"person":"ann","request":{"target":"z2"}}"#)
    let path = "/v1/in/" + (key.json?["key"]?.string ?? "")
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    for second in 0..<6 {
      let (old, new) = second % 2 == 0 ? ("ann", "anna") : ("anna", "ann")
      let before = Caller(.token, id: ann.grant.caller.id, scopes: Self.scopes, person: old)
      try Self.profiles(harness).renameEverywhere(old, to: new, id: ProfileID.drawn())
      try await harness.service.access.refresh()
      #expect(await Self.samples(id, second, ann, harness) == 200)
      #expect(await harness.send("GET", "/v1/sessions/\(id)", headers: [cookie]).status == 200)
      #expect(await harness.send("GET", path + "?heartRate=120").status == 200)
      // Who was let in under the name of before finds it too.
      #expect(harness.service.sessions.session(id, for: before) != nil)
      let stranger = Caller(.token, id: "x", scopes: Self.scopes, person: old)
      #expect(harness.service.sessions.session(id, for: stranger) == nil)
    }
    await harness.service.close()
  }
}
