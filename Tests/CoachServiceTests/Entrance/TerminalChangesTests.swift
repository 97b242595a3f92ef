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
