@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("What is deleted, beside a server that runs")
struct DeletedEverywhereTests {
  private static let order = #"{"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#
  private static let aged =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#

  /// Runs a session from its beginning to its stop; its identity.
  private static func run(_ harness: ServiceHarness, _ token: IssuedSecret, _ order: String) async throws -> String {
    let id = try await harness.begin(token, order)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson"
    )
    let stop = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    try #require(stop.json?["accepted"]?.bool == true, "\(stop.text)")
    return id
  }

  @Test("A session that another program deletes is unknown at once, and so are the secrets for it alone")
  func session() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    let id = try await Self.run(harness, owner, Self.aged)
    let other = try await Self.run(harness, owner, Self.aged)
    let watcher = try await harness.token([.watch], session: id)
    let another = try await harness.token([.watch], session: other)
    let terminal = History(dataFolder: harness.service.settings.dataFolder)
    try await terminal.delete(id)
    await terminal.close()
    await harness.service.tick()
    #expect(try await harness.service.store.session(id) == nil)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/events", owner).status == 404)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", watcher).status == 401)
    #expect(await harness.send("GET", "/v1/sessions/\(other)", another).status == 200)
    #expect(try await harness.service.store.session(other) != nil)
    await harness.service.close()
  }

  @Test("What another program deletes is forgotten by a later turn where the store cannot be read in the first")
  func laterTurn() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    let id = try await Self.run(harness, owner, Self.aged)
    let data = harness.service.settings.dataFolder
    let terminal = History(dataFolder: data)
    try await terminal.delete(id)
    await terminal.close()
    let database = try Database(path: data + "/service.sqlite")
    try database.run("ALTER TABLE session RENAME TO session_away")
    await harness.service.tick()
    // Nobody changes anything after that: the change that came before is what is left to be looked at.
    #expect(harness.service.access.takeChange())
    harness.service.access.keepChange()
    try database.run("ALTER TABLE session_away RENAME TO session")
    await harness.service.tick()
    #expect(await harness.send("GET", "/v1/sessions/\(id)/events", owner).status == 404)
    #expect(!harness.service.access.takeChange())
    await harness.service.close()
  }

  @Test(
    "While a session of somebody is live nothing that was given to them is taken away; others keep theirs anyway")
  func secretsOfLive() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    for name in ["ann", "ben"] {
      let body = #"{"name":"\#(name)","birthDate":"1990-05-17"}"#
      #expect(await harness.send("POST", "/v1/people", owner, body: body).status == 201)
    }
    let ann = try await harness.token([.send, .watch], person: "ann")
    let ben = try await harness.token([.send, .watch], person: "ben")
    // It waits for its first sample, and has nothing yet that says whose it is.
    let id = try await harness.begin(ann, Self.order)
    _ = try await harness.begin(ben, Self.order)
    let (store, data) = (harness.service.store, harness.service.settings.dataFolder)
    let isHeld = { @Sendable (id: String) in try SessionMark.isHeld(id, in: data) }
    #expect(try await store.forgetSecrets(of: "ann", unlessAny: isHeld) == id)
    try await harness.service.access.refresh(always: true)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", ann).json?["person"]?.string == "ann")
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson")
    #expect(try await store.forgetSecrets(of: "ann", unlessAny: isHeld) == id)
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: #"{"id":"x","command":"stop"}"#)
    #expect(try await store.forgetSecrets(of: "ann", unlessAny: isHeld) == nil)
    try await harness.service.access.refresh(always: true)
    #expect(await harness.send("GET", "/v1/sessions", ann).status == 401)
    #expect(await harness.send("GET", "/v1/sessions", ben).status == 200)
    await harness.service.close()
  }

  @Test("A person whom another program erases is in no file any more, and the open streams of their tokens end")
  func person() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let data = harness.service.settings.dataFolder
    let owner = try await harness.token([.manage, .send, .watch])
    let name = "zacharias"
    let created = await harness.send(
      "POST", "/v1/people", owner, body: #"{"name":"\#(name)","birthDate":"1990-05-17"}"#)
    #expect(created.status == 201, "\(created.text)")
    let theirs = try await harness.token([.send, .watch], person: name)
    let key = IssuedSecret.key(name, request: nil, days: 1, now: harness.service.clock.now())
    try await harness.service.store.add(key.grant)
    let database = try Database(path: data + "/service.sqlite")
    try database.run("INSERT INTO group_ VALUES ('mine', 'team', 'm', '\(name)', 0), ('other', 'team', 'm', 'ben', 0)")
    try database.run(
      "INSERT INTO member VALUES ('mine', 'ben', '', 0), ('other', '\(name)', '', 0), ('other', 'ben', '', 0)")
    _ = try await Self.run(harness, theirs, Self.order)
    let live = try await harness.begin(owner, Self.aged)
    let hosted = try #require(harness.service.sessions.session(live, for: owner.grant.caller))
    let streams = [theirs, owner].map {
      EventStream(hosted, for: StreamClient($0.grant.caller) { false }, .usual(of: hosted))
    }
    for stream in streams { harness.service.sessions.streams.add(stream) }

    let terminal = History(dataFolder: data)
    _ = try await terminal.erase(personNamed: name) { _ in }
    await terminal.close()
    await harness.service.tick()
    #expect(await harness.send("GET", "/v1/sessions", theirs).status == 401)
    #expect(try await harness.service.store.grants().map(\.caller.id) == [owner.grant.caller.id])
    #expect(streams.map { Self.hasEnded($0) } == [true, false])
    let members = try database.query("SELECT group_, person FROM member") { row in row.text(0) + " " + row.text(1) }
    #expect(members == ["other ben"])
    database.close()
    #expect(try !isAnywhere(name, in: data.path))
    await harness.service.close()
  }

  private static func hasEnded(_ stream: EventStream) -> Bool {
    while true {
      switch stream.buffer.take(1 << 16) {
      case .bytes: continue
      case .end: return true
      case .nothing: return false
      }
    }
  }

  @Test("Nothing of a session that is deleted over HTTP stays in the journal, and nothing of a person's")
  func journal() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let journal = (harness.service.settings.dataFolder + "/journal").path
    let owner = try await harness.token([.manage, .send, .watch])
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let ann = try await harness.token([.send, .watch], person: "ann")
    let id = try await Self.run(harness, owner, Self.aged)
    let anns = try await Self.run(harness, ann, Self.order)
    for name in [id, anns] { #expect(try isAnywhere(name, in: journal)) }
    #expect(await harness.send("DELETE", "/v1/sessions/\(id)", owner).status == 204)
    #expect(try !isAnywhere(id, in: journal))
    #expect(await harness.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(try !isAnywhere(anns, in: journal))
    await harness.service.close()
  }
}
