@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Secrets that the service does not know yet")
struct UnknownSecretTests {
  /// The store of the same folder as another process has it.
  private static func other(_ harness: ServiceHarness) -> ServiceStore {
    ServiceStore(dataFolder: harness.service.settings.dataFolder)
  }

  private static func token(_ harness: ServiceHarness) -> IssuedSecret {
    .token([.watch], person: nil, session: nil, group: nil, days: 1, now: harness.service.clock.now())
  }

  @Test("A token that another process has just made is taken by the first request, and a key too")
  func taken() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let other = Self.other(harness)
    let token = Self.token(harness)
    try await other.add(token.grant)
    #expect(await harness.send("GET", "/v1/strategies", token).status == 200)
    let key = IssuedSecret.key("ann", request: nil, days: 1, now: harness.service.clock.now())
    try await other.add(key.grant)
    #expect(await harness.send("POST", "/v1/in/\(key.secret)", body: "junk").status == 400)
    await other.close()
    await harness.service.close()
  }

  @Test("A token that was revoked is not let in by looking, nor by a reading that was begun before")
  func revoked() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    let old = try #require(try await harness.service.store.readGrants(unless: nil))
    try await harness.service.store.revoke(token.grant.caller.id, .token)
    try await harness.service.access.refresh(always: true)
    #expect(await harness.send("GET", "/v1/strategies", token).status == 401)
    harness.service.access.take(old)
    #expect(await harness.send("GET", "/v1/strategies", token).status == 401)
    await harness.service.close()
  }

  @Test("What another process has changed is seen by the next turn, whoever has looked meanwhile")
  func changes() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let other = Self.other(harness)
    let token = Self.token(harness)
    try await other.add(token.grant)
    #expect(await harness.send("GET", "/v1/strategies", token).status == 200)
    #expect(harness.service.access.takeChange())
    #expect(!harness.service.access.takeChange())
    await other.close()
    await harness.service.close()
  }

  @Test("Who comes before a look begins shares it, and who comes later has another one")
  func sharing() async throws {
    let looks = SharedLook()
    let count = ManualCount()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { await looks.take { await count.add() } } }
    }
    let first = await count.value
    #expect(first < 50)
    await looks.take { await count.add() }
    #expect(await count.value == first + 1)
  }

  private actor ManualCount {
    private(set) var value = 0
    func add() { value += 1 }
  }

  @Test("After a hundred secrets of an address that do not hold within a minute the answers to more of them wait")
  func slowed() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let access = harness.service.access
    for _ in 0..<100 { #expect(access.noteDead(from: "192.0.2.1") == 0) }
    #expect(access.noteDead(from: "192.0.2.1") == ServiceAccess.deadDelay)
    #expect(access.noteDead(from: "192.0.2.2") == 0)
    clock.set(.morning(61))
    #expect(access.noteDead(from: "192.0.2.1") == 0)
    await harness.service.close()
  }

  @Test(
    "What cannot be a secret is not looked up",
    arguments: ["", "coach", "coach_dead", "coach_" + String(repeating: "%", count: 43)])
  func malformed(_ text: String) {
    #expect(!AccessSecret.isWellFormed(text))
    #expect(AccessSecret.isWellFormed(AccessSecret.make("coach")))
  }
}
