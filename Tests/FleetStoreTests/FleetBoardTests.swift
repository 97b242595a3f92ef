@testable import CoachService
import FleetStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

/// Boards of people whose runs are at different instances.
@Suite("Boards at several instances", .serialized)
struct FleetBoardTests {
  /// Two instances, a group that tina made at the first one, and a run of ann at the second.
  private final class Club {
    let fleet: FleetServiceHarness
    let tina: IssuedSecret
    let ann: IssuedSecret
    let group: String
    let run: String
    private var second = 0

    init(sharing shares: String) async throws {
      fleet = try await FleetServiceHarness(PostgresServer.shared.get())
      tina = try await fleet.token([.watch, .manage], person: "tina")
      ann = try await fleet.token(person: "ann")
      let made = await fleet.send(0, "POST", "/v1/groups", tina, body: #"{"name":"tuesday"}"#)
      group = "/v1/groups/" + (try #require(made.json?["groupID"]?.string, "\(made.text)"))
      run = try await fleet.begin(1, ann)
      try await join(shares)
    }

    func join(_ shares: String) async throws {
      let joined = await fleet.send(1, "PUT", group + "/members/ann", ann, body: #"{"shares":\#(shares)}"#)
      try #require(joined.status == 200 || joined.status == 201, "\(joined.text)")
    }

    /// Ann runs on for ten seconds, and both instances have a turn.
    func go() async throws {
      var lines = ""
      for _ in 0..<10 {
        lines += #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":150}"# + "\n"
        lines += #"{"type":"location","atSeconds":\#(second),"latitude":52.5,"longitude":13.4,"accuracyMeters":5}"#
        lines += "\n"
        second += 1
      }
      let taken = await fleet.send(
        1, "POST", "/v1/sessions/\(run)/samples", ann, body: lines, type: FleetServiceHarness.lines)
      try #require(taken.status == 200, "\(taken.text)")
      for service in [fleet.services[1], fleet.services[0]] { await service.tick() }
    }

    func board(_ number: Int, _ token: IssuedSecret) async -> HTTPResponse {
      await fleet.send(
        number, "GET", group + "/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    }

    func tile(_ number: Int, _ token: IssuedSecret) async -> JSONValue? {
      await board(number, token).json?["members"]?.array?.first { $0["person"]?.string == "ann" }
    }

    /// Ann runs until a board shows what it has to.
    func runs(
      until what: String, at location: SourceLocation = #_sourceLocation, _ isSo: (Club) async throws -> Bool
    ) async throws {
      let deadline = ContinuousClock.now + .seconds(300)
      while try await !isSo(self) {
        let text = await board(0, tina).text
        try #require(ContinuousClock.now < deadline, "not yet: \(what): \(text)", sourceLocation: location)
        try await go()
      }
    }
  }

  /// A tile without the ages, which go on.
  private static func withoutAges(_ value: JSONValue?) -> JSONValue? {
    guard let members = value?.members else { return value }
    return JSONValue(
      .object(
        members.filter { !$0.key.hasSuffix("geSeconds") }.map { JSONMember($0.key, withoutAges($0.value) ?? $0.value) })
    )
  }

  @Test("A board at one instance shows a run at another one as the board there does, and lists have it")
  func everywhere() async throws {
    let club = try await Club(sharing: #"["heartRate","position"]"#)
    // Until there is a cue and a place, at both the same.
    try await club.runs(until: "both boards show the same run, with a cue") { club in
      let (here, there) = (await club.tile(0, club.tina), await club.tile(1, club.tina))
      return here?["cue"] != nil && Self.withoutAges(here) == Self.withoutAges(there)
    }
    let tile = try #require(await club.tile(0, club.tina))
    #expect(tile["state"]?.string == "live")
    #expect(tile["heartRateBPM"]?.number?.int64 == 150)
    #expect(tile["position"]?["latitude"]?.number?.double == 52.5)
    #expect(tile["targetLowerBPM"] != nil)
    #expect(tile["activeSeconds"] != nil)
    // Ann sees herself as others do, as long as she runs.
    try await club.runs(until: "Ann sees herself") { club in
      await club.tile(0, club.ann)?["heartRateBPM"]?.number?.int64 == 150
    }
    let caller = Caller(.cookie, id: "browser", scopes: Set(Scope.allCases), person: nil)
    let cookie = IssuedSecret("coach", caller, seconds: 3_600, now: SystemWallClock.now(), request: nil)
    try await club.fleet.services[0].store.add(cookie.grant)
    for path in ["/", "/history"] {
      let page = await club.fleet.send(0, "GET", path, headers: [HTTPField("Cookie", "coach=\(cookie.secret)")])
      #expect(page.status == 200)
      #expect(page.text.contains("/live/\(club.run)"), "\(path)")
    }
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(
      await club.fleet.send(1, "POST", "/v1/sessions/\(club.run)/commands", club.ann, body: stop).status == 200)
    await club.fleet.services[0].tick()
    #expect(await club.tile(0, club.tina)?["state"]?.string == "noRun")
    await club.fleet.close()
  }

  @Test("What is not shared is on no board, whoever leaves is on none at once, and only who is watched is shown")
  func shares() async throws {
    let club = try await Club(sharing: #"["position"]"#)
    let ben = try await club.fleet.token(person: "ben")
    _ = try await club.fleet.begin(1, ben)
    try await club.runs(until: "the place is shown") { club in
      await club.tile(0, club.tina)?["position"] != nil
    }
    let text = await club.board(0, club.tina).text
    for word in ["heartRate\"", "BPM", "cue", "need", "compliance", "150"] {
      #expect(!text.replacing(#"["heartRate"]"#, with: "").contains(word), "\(word): \(text)")
    }
    let connection = try club.fleet.server.connection(club.fleet.database)
    #expect(try connection.run("SELECT person FROM coach.watched").rows.map { $0.text(0) } == ["ann"])
    #expect(try connection.run("SELECT session FROM coach.glance").rows.map { $0.text(0) } == [club.run])
    try await club.join(#"["heartRate"]"#)
    #expect(await club.tile(0, club.tina)?["position"] == nil)
    let left = await club.fleet.send(1, "DELETE", club.group + "/members/ann", club.ann)
    #expect(left.status == 204, "\(left.text)")
    #expect(await club.tile(0, club.tina) == nil)
    await club.fleet.close()
  }

  @Test("Of an instance that is gone nothing old is shown: the heart rate goes, and then the run")
  func gone() async throws {
    let club = try await Club(sharing: #"["heartRate"]"#)
    try await club.runs(until: "the heart rate is shown") { club in
      await club.tile(0, club.tina)?["heartRateBPM"] != nil
    }
    let connection = try club.fleet.server.connection(club.fleet.database)
    var found: JSONValue?
    // On a busy machine so much time may pass in between that the run is gone at once: then once more.
    for _ in 0..<20 where found == nil {
      try await club.go()
      _ = try connection.run("UPDATE coach.glance SET seen = clock_timestamp() - interval '5.1 s'")
      await club.fleet.services[0].tick()
      found = await club.tile(0, club.tina).flatMap { $0["state"]?.string == "noRun" ? nil : $0 }
    }
    let tile = try #require(found)
    #expect(tile["signal"]?.string == "lost")
    #expect(tile["need"]?.string == "noHeartRate")
    #expect(tile["heartRateBPM"] == nil)
    _ = try connection.run("UPDATE coach.glance SET seen = seen - interval '10 s'")
    await club.fleet.services[0].tick()
    #expect(await club.tile(0, club.tina)?["state"]?.string == "noRun")
    await club.fleet.close()
  }

  @Test("A glance is read as it was written, and one of another version is left out")
  func version() async throws {
    let club = try await Club(sharing: #"["heartRate"]"#)
    try await club.runs(until: "the heart rate is shown") { club in
      await club.tile(0, club.tina)?["heartRateBPM"] != nil
    }
    let connection = try club.fleet.server.connection(club.fleet.database)
    let bytes = try #require(try connection.run("SELECT content FROM coach.glance").rows.first?.bytes(0))
    let glance = try #require(RunGlance(bytes))
    #expect(RunGlance(glance.bytes) == glance)
    #expect(glance.bytes == bytes)
    #expect(glance.sessionID == club.run)
    let older = glance.aged(by: 1_000_000_000)
    #expect(older.heart?.age == glance.heart.map { $0.age + 1_000_000_000 })
    #expect(glance.aged(by: -1) == glance)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(RunGlance(Array(text.replacing(#""version":1"#, with: #""version":2"#).utf8)) == nil)
    #expect(RunGlance(Array("{}".utf8)) == nil)
    #expect(RunGlance([]) == nil)
    await club.fleet.close()
  }
}
