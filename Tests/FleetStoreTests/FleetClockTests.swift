@testable import CoachService
@testable import FleetStore
import Foundation
import LiveCoaching
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// What instances do whose machines have the wrong time, and what time does to the sessions that they share.
@Suite("Clocks of several instances", .serialized)
struct FleetClockTests {
  /// An hour ahead, an hour behind, and one that is started later with a clock ahead.
  private func wrong() async throws -> FleetServiceHarness {
    try await FleetServiceHarness(
      PostgresServer.shared.get(), clocks: [3_600, -3_600, 3_600].map { WrongClock(seconds: $0) })
  }

  /// The time some minutes after now.
  private func time(minutes: Int64) -> WallClockTime {
    WallClockTime(nanoseconds: SystemWallClock.now().nanoseconds + minutes * 60_000_000_000)
  }

  private func signIn(_ fleet: FleetServiceHarness, _ number: Int, _ secret: String) async -> Int {
    let origin = HTTPField("Origin", FleetServiceHarness.url(number))
    return await fleet.send(number, "POST", "/auth/link/\(secret)", headers: [origin]).status
  }

  @Test("A link that an instance with a clock wrong by an hour makes signs in at the other, and no longer than it says")
  func links() async throws {
    let fleet = try await wrong()
    for (maker, other) in [(0, 1), (1, 0)] {
      let service = fleet.services[maker]
      let link = SignInLink(person: nil, now: service.clock.now())
      #expect((time(minutes: 9)...time(minutes: 11)).contains(link.expiresAt))
      try await link.keep(in: service.store)
      #expect(await signIn(fleet, other, link.secret) == 303)
      let late = SignInLink(person: nil, now: time(minutes: -11))
      try await late.keep(in: service.store)
      #expect(await signIn(fleet, other, late.secret) == 401)
    }
    await fleet.close()
  }

  @Test("A secret is over at the same time at all instances, whatever their clocks say")
  func secrets() async throws {
    let fleet = try await wrong()
    func token(minutesLeft: Int64) async throws -> IssuedSecret {
      let made = IssuedSecret.token(
        [.watch], person: nil, session: nil, group: nil, days: 1, now: time(minutes: minutesLeft - 24 * 60))
      try await fleet.services[0].store.add(made.grant)
      return made
    }
    let (alive, dead) = (try await token(minutesLeft: 30), try await token(minutesLeft: -30))
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/strategies", alive).status == 200)
      #expect(await fleet.send(number, "GET", "/v1/strategies", dead).status == 401)
    }
    // One that starts removes what is over, and nothing else.
    let late = try await fleet.start()
    #expect(try await fleet.services[late].store.grants().map(\.caller.id) == [alive.grant.caller.id])
    await fleet.close()
  }

  @Test(
    "Ten minutes of silence end the session of a key, and the next sample begins another",
    arguments: StoreKind.allCases)
  func silence(_ kind: StoreKind) async throws {
    let clock = WrongClock()
    let store = try await ServiceOnStore(kind, clock: clock)
    let owner = try await store.token()
    let path = "/v1/in/" + (try await Self.key { try await store.send("POST", "/v1/keys", owner, body: $0) })
    func sample() async throws -> HTTPResponse {
      try await store.send("POST", path, body: Self.heartRate(at: store.service.clock.now()))
    }
    #expect(try await sample().status == 200)
    let live = try await store.listed("?state=live", owner)
    try #require(live.count == 1)
    clock.advance(seconds: 540)
    await store.service.tick()
    #expect(try await store.listed("?state=live", owner) == live, "nine minutes are none yet")
    clock.advance(seconds: 62)
    await store.service.tick()
    #expect(try await store.listed("?state=live", owner).isEmpty)
    #expect(try await store.listed("", owner) == live)
    #expect(try await sample().status == 200)
    let next = try await store.listed("?state=live", owner)
    #expect(next.count == 1)
    #expect(next != live)
    await store.close()
  }

  @Test("The session of a key whose instance is gone is ended by silence at the other, where nobody asks for it")
  func silenceAfterTakeover() async throws {
    let clocks = [WrongClock(), WrongClock()]
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), clocks: clocks)
    let owner = try await fleet.token()
    let key = try await Self.key { await fleet.send(0, "POST", "/v1/keys", owner, body: $0) }
    let sent = await fleet.send(0, "POST", "/v1/in/\(key)", body: Self.heartRate(at: clocks[0].now()))
    #expect(sent.status == 200, "\(sent.text)")
    await fleet.services[0].close()
    func openCount() async throws -> Int { try await fleet.services[1].store.openSessions().count }
    #expect(try await openCount() == 1)
    let deadline = ContinuousClock.now + .seconds(60)
    while fleet.services[1].sessions.liveCount == 0, ContinuousClock.now < deadline {
      await fleet.services[1].tick()
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    #expect(fleet.services[1].sessions.liveCount == 1)
    clocks[1].advance(seconds: 602)
    await fleet.services[1].tick()
    #expect(fleet.services[1].sessions.liveCount == 0)
    #expect(try await openCount() == 0)
    let listed = await fleet.send(1, "GET", "/v1/sessions", owner)
    #expect(listed.json?["sessions"]?.array?.count == 1, "\(listed.text)")
    await fleet.services[1].close()
  }

  private static func key(_ make: (String) async throws -> HTTPResponse) async throws -> String {
    let request = #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20}}"#
    let made = try await make(#"{"person":"ann","request":\#(request)}"#)
    try #require(made.status == 201, "\(made.text)")
    return try #require(made.json?["key"]?.string)
  }

  private static func heartRate(at time: WallClockTime) -> String {
    #"{"event":"heartRate","heartRate":120,"connected":true,"device":"H10","timestamp":"\#(time)"}"#
  }

  @Test("The time of the database goes on between looks, a slow answer makes it no worse, and it is followed")
  func looks() throws {
    let elapsed = Atomic<Int64>(1_000)
    let clock = DatabaseClock { elapsed.load(ordering: .relaxed) }
    func look(_ time: Int64, taking duration: Int64) {
      clock.look { () throws(Never) -> Int64 in
        elapsed.add(duration, ordering: .relaxed)
        return time
      }
    }
    #expect(clock.now() == nil)
    look(500_000, taking: 10)
    #expect(clock.now()?.nanoseconds == 500_000)
    elapsed.add(1_000, ordering: .relaxed)
    #expect(clock.now()?.nanoseconds == 501_000)
    // It was asked for 300, and looked at its clock at some time of these.
    look(501_100, taking: 300)
    #expect(clock.now()?.nanoseconds == 501_300)
    // Its clock was set forward, and back.
    look(900_000, taking: 10)
    #expect(clock.now()?.nanoseconds == 900_000)
    look(100_000, taking: 10)
    #expect(clock.now()?.nanoseconds == 100_010)
    struct Away: Error {}
    #expect(throws: Away.self) { try clock.look { () throws(Away) -> Int64 in throw Away() } }
    #expect(clock.now()?.nanoseconds == 100_010)
  }
}
