@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What a person has over the service, once somebody else has their name")
struct RenamedPersonTests {
  private static let request =
    #"{"person":"ann","target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#

  private static func named(_ name: String) -> String { #"{"name":"\#(name)","birthDate":"1990-05-17"}"# }

  private static func heartRate(_ second: Int) -> String {
    #"{"event":"heartRate","heartRate":120,"connected":true,"device":"H10","timestamp":"\#(WallClockTime.morning(Double(second)))"}"#
  }

  /// A key with a request that names its person, as stores have it that were written before the name was left out.
  private static func oldKey(
    of person: String, id: String = AccessSecret.makeID(), _ harness: ServiceHarness
  ) async throws -> String {
    let secret = AccessSecret.make("key")
    let now = harness.service.clock.now()
    try await harness.service.store.add(
      AccessGrant(
        Caller(.key, id: id, scopes: [.send], person: person), digest: AccessSecret.digest(of: secret), createdAt: now,
        expiresAt: WallClockTime(nanoseconds: now.nanoseconds + 86_400_000_000_000), request: request))
    try await harness.service.access.refresh(always: true)
    return secret
  }

  /// The live sessions that somebody sees.
  private static func live(_ person: String, _ harness: ServiceHarness) -> [HostedSession] {
    harness.service.sessions.live(for: Caller(.token, id: "t", scopes: [.watch], person: person))
  }

  private static func profiles(_ harness: ServiceHarness) -> ProfileStore {
    ProfileStore(dataFolder: harness.service.settings.dataFolder)
  }

  @Test(
    "A key writes for its person under another name, and nothing for whoever has the old one", arguments: [true, false])
  func key(isOfOldStore: Bool) async throws {
    let folder = try ScratchFolder()
    let clock = ManualClock(.morning(0))
    var harness = try await ServiceHarness(folder, clock: clock)
    let owner = try await harness.token([.manage])
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.named("ann")).status == 201)
    let key: String
    if isOfOldStore {
      key = try await Self.oldKey(of: "ann", harness)
    } else {
      let body = #"{"person":"ann","request":\#(Self.request)}"#
      key = try #require(await harness.send("POST", "/v1/keys", owner, body: body).json?["key"]?.string)
      let kept = try await harness.service.store.grants().compactMap(\.request)
      #expect(kept.count == 1)
      #expect(!kept[0].contains("ann"))
    }
    try Self.profiles(harness).renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    await harness.service.tick()
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.named("ann")).status == 201)
    for second in 0..<2 {
      clock.set(.morning(Double(second)))
      let sent = await harness.send("POST", "/v1/in/\(key)", body: Self.heartRate(second))
      #expect(sent.status == 200, "\(sent.text)")
      #expect(Self.live("ann", harness).isEmpty)
      #expect(Self.live("anna", harness).count == 1)
      await harness.service.close()
      harness = try await ServiceHarness(folder, clock: clock)
    }
    await harness.service.close()
  }

  @Test("A run that is under way goes on when its person gets another name")
  func underWay() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let owner = try await harness.token([.manage])
    _ = await harness.send("POST", "/v1/people", owner, body: Self.named("ann"))
    let key = try await Self.oldKey(of: "ann", harness)
    #expect(await harness.send("POST", "/v1/in/\(key)", body: Self.heartRate(0)).status == 200)
    let id = try #require(Self.live("ann", harness).first?.id)
    try Self.profiles(harness).renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    // The secrets are read before anybody looks whose the sessions are.
    try await harness.service.access.refresh()
    clock.set(.morning(1))
    #expect(await harness.send("POST", "/v1/in/\(key)", body: Self.heartRate(1)).status == 200)
    #expect(Self.live("anna", harness).map(\.id) == [id])
    #expect(harness.service.sessions.liveCount == 1)
    await harness.service.close()
  }

  @Test("A session that a key began under a name which is somebody else's by now takes nothing more of it")
  func sessionOfOldName() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let owner = try await harness.token([.manage])
    for name in ["ann", "anna"] { _ = await harness.send("POST", "/v1/people", owner, body: Self.named(name)) }
    let sessions = harness.service.sessions
    let before = Caller(.key, id: AccessSecret.makeID(), scopes: [.send], person: "ann")
    let day = try #require(SystemWallClock.day(at: clock.now()))
    let order = try SessionOrder(ofKey: Self.request, person: "ann", day: day)
    let old = try await sessions.begin(order, by: before, isPersonRequired: false, key: nil, now: clock.now())
    let key = try await Self.oldKey(of: "anna", id: before.id, harness)
    #expect(await harness.send("POST", "/v1/in/\(key)", body: Self.heartRate(0)).status == 200)
    #expect(sessions.known(old)?.hasInput == false)
    #expect(Self.live("anna", harness).count == 1)
    #expect(Self.live("ann", harness).map(\.id) == [old])
    await harness.service.close()
  }

  @Test("Nobody begins a session of somebody else, whatever the order says")
  func foreignOrder() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let day = try #require(SystemWallClock.day(at: clock.now()))
    let order = try SessionOrder(
      ofKey: #"{"target":"z2","profile":{"ageYears":30}}"#, person: "ann", day: day)
    for kind in [Caller.Kind.key, .token, .cookie] {
      let other = Caller(kind, id: AccessSecret.makeID(), scopes: [.send], person: "anna")
      let problem = await #expect(throws: ServiceProblem.self) {
        try await harness.service.sessions.begin(
          order, by: other, isPersonRequired: false, key: nil, now: clock.now())
      }
      #expect(problem?.code == .notFound)
    }
    #expect(harness.service.sessions.liveCount == 0)
    #expect(try await harness.service.store.openSessions().isEmpty)
    await harness.service.close()
  }

  @Test(
    "A run that ended a moment ago stays with its person, and is not that of whoever has the name",
    arguments: [true, false])
  func ended(isRenamed: Bool) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    _ = await harness.send("POST", "/v1/people", owner, body: Self.named("ann"))
    let ann = try await harness.token([.send, .watch], person: "ann")
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson")
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: #"{"id":"x","command":"stop"}"#)
    #expect(harness.service.sessions.known(id)?.endedAt != nil)
    if isRenamed {
      try Self.profiles(harness).renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    } else {
      let terminal = ServiceStore(dataFolder: harness.service.settings.dataFolder)
      try await terminal.forgetAuthority(of: "ann")
      try Self.profiles(harness).remove("ann", keepsName: true)
      await terminal.close()
    }
    await harness.service.tick()
    #expect(await harness.send("POST", "/v1/people", owner, body: Self.named("ann")).status == 201)
    let newcomer = try await harness.token([.send, .watch], person: "ann")
    let lines = [HTTPField("Accept", "application/x-ndjson")]
    let path = "/v1/sessions/\(id)/events"
    #expect(await harness.send("GET", path, newcomer, headers: lines).status == 404)
    #expect(await harness.send("GET", path, owner, headers: lines).status == 200)
    if isRenamed { #expect(await harness.send("GET", path, ann, headers: lines).status == 200) }
    await harness.service.close()
  }

  @Test("A board that somebody watches under an old name ends, and comes back under the new one")
  func board() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let stream = try await group.stream(group.ann)
    #expect(everything(of: stream).contains("ann"))
    try await group.service.service.store.rename("ann", to: "anna")
    let newcomer = try await group.service.token(Set(Scope.allCases), person: "ann")
    await group.service.service.boards.tick(group.service.service.access)
    _ = await group.join("ann", #"["heartRate"]"#, by: newcomer)
    await group.service.service.boards.tick(group.service.service.access)
    let rest = everything(of: stream)
    #expect(rest.contains("come back"))
    #expect(!rest.contains("event: board"))
    #expect(await group.board(group.ann).tile("anna") != nil)
    #expect(await group.board(group.ann).tile("ann") == nil)
    await group.service.service.close()
  }

  @Test("A rename that was cut off is finished with what the service keeps, and nobody has the old name before")
  func cutOff() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    let profiles = ProfileStore(dataFolder: data)
    var renamed = StoredProfile(id: ProfileID.drawn(), name: "anna")
    renamed.birthDate = CivilDate(year: 1990, month: 5, day: 17)
    let store = ServiceStore(dataFolder: data)
    let made = IssuedSecret.token(
      [.watch], person: "ann", session: nil, group: nil, days: 1, now: WallClockTime(nanoseconds: 0))
    try await store.add(made.grant)
    try await store.addLink(digest: [1], person: "ann", until: WallClockTime(nanoseconds: 10))
    // As when a process dies after the profile had its new name, and before the service knew of it.
    try FileSystem.createFolder(data + "/renaming")
    let text = try renamed.json()
    try FileSystem.writeAtomically(text.span, to: data + "/renaming/ann.json")
    var newcomer = StoredProfile(id: ProfileID.drawn(), name: "ann")
    newcomer.birthDate = CivilDate(year: 1991, month: 5, day: 17)
    #expect(throws: ProfileStoreError.taken("ann")) { try profiles.create(newcomer) }
    try profiles.finishRenamesEverywhere()
    #expect(try profiles.names() == ["anna"])
    #expect(try await store.grants().map(\.caller.person) == ["anna"])
    #expect(try await store.takeLink(digest: [1], now: WallClockTime(nanoseconds: 1)) == ("anna", true))
    try profiles.create(newcomer)
    await store.close()
  }
}
