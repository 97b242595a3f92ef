@testable import CoachService
import FleetStore
import Foundation
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// Two instances of the service in front of one database.
@Suite("A service of several instances", .serialized)
struct FleetServiceTests {
  private static let lines = FleetServiceHarness.lines

  private func fleet() async throws -> FleetServiceHarness {
    try await FleetServiceHarness(PostgresServer.shared.get())
  }

  @Test("A session of another instance is answered with its URL there, to nobody but those whose it is")
  func misdirected() async throws {
    let fleet = try await fleet()
    let (owner, ann, bob) = (
      try await fleet.token(), try await fleet.token(person: "ann"), try await fleet.token(person: "bob")
    )
    let id = try await fleet.begin(0, ann)
    let path = "/v1/sessions/\(id)/samples?batch=a%20b"
    for token in [owner, ann] {
      let answer = await fleet.send(1, "POST", path, token, body: "{}\n", type: Self.lines)
      #expect(answer.status == 421)
      #expect(answer.header("Location") == "http://127.0.0.1:9000" + path)
      #expect(answer.json?["code"]?.string == "misdirected")
    }
    for path in ["", "/events", "/summary"] {
      let answer = await fleet.send(1, "GET", "/v1/sessions/\(id)\(path)", ann)
      #expect(answer.status == 421)
      #expect(answer.header("Location") == "http://127.0.0.1:9000/v1/sessions/\(id)\(path)")
    }
    for number in [0, 1] {
      let foreign = await fleet.send(number, "GET", "/v1/sessions/\(id)", bob)
      #expect(foreign.status == 404)
      #expect(foreign.header("Location") == nil)
      let missing = await fleet.send(number, "GET", "/v1/sessions/20261120T070000Z-running-4f3a0b1c", owner)
      #expect(missing.status == 404)
    }
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)").status == 401)
    let listed = await fleet.send(1, "GET", "/v1/sessions?state=live", ann)
    #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id])
    #expect(await fleet.send(1, "GET", "/v1/sessions", bob).json?["sessions"]?.array?.count == 0)
    await fleet.close()
  }

  @Test(
    "An instance leaves: the other goes on, answers lines that are sent again the same, and decides as one machine alone"
  )
  func takeover() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token(person: "ann")
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples"
    let first = await fleet.send(
      0, "POST", path + "?batch=a", token, body: FleetServiceHarness.heartRates(0..<45), type: Self.lines)
    #expect(first.status == 200)
    await fleet.services[0].close()
    let again = try await fleet.sendAnywhere(
      1, "POST", path + "?batch=a", token, body: FleetServiceHarness.heartRates(0..<45), type: Self.lines)
    #expect(again.response.text == first.text)
    let second = await fleet.send(
      1, "POST", path + "?batch=b", token, body: FleetServiceHarness.heartRates(45..<100), type: Self.lines)
    #expect(second.status == 200)
    #expect(second.json?["accepted"]?.number?.int64 == 55)
    let records = await fleet.send(
      1, "GET", "/v1/sessions/\(id)/events?after=2", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    let numbers = records.text.split(separator: "\n").compactMap { line in
      (try? JSONValue.parse(String(line)))?["atSeconds"]?.number?.int64
    }
    #expect(numbers == [40, 60, 80])
    #expect(await stop(fleet, 1, id, token) == 200)
    // What one machine alone makes of the same lines.
    let alone = try await Alone(fleet.folder.path + "/alone")
    let expected = try await alone.decisions(
      [FleetServiceHarness.heartRates(0..<45), FleetServiceHarness.heartRates(45..<100)])
    let folder = SessionFolder.path(of: id, in: fleet.services[1].settings.dataFolder)
    let found = try String(contentsOfFile: (folder + "/" + SessionFolder.decisions).path, encoding: .utf8)
    #expect(found == expected)
    #expect(found.split(separator: "\n").count == 7, "started, four cues, the answer to stop, ended")
    await fleet.services[1].close()
  }

  @Test("The last lines of a session that are sent again have the same answer, whichever instance is asked")
  func lastLinesAgain() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token(person: "ann")
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples?batch=z"
    let body = FleetServiceHarness.heartRates(0..<45) + #"{"type":"command","id":"1","command":"stop"}"# + "\n"
    let first = await fleet.send(0, "POST", path, token, body: body, type: Self.lines)
    #expect(first.status == 200, "\(first.text)")
    for number in [0, 1, 0, 1] {
      let again = try await fleet.sendAnywhere(number, "POST", path, token, body: body, type: Self.lines)
      #expect(again.response.status == 200, "\(again.response.text)")
      #expect(again.response.text == first.text)
      #expect(again.number == 0)
    }
    // What has no name is not known by anybody, and who may not see it learns nothing of it.
    let other = await fleet.send(
      1, "POST", "/v1/sessions/\(id)/samples", token, body: body, type: Self.lines)
    #expect(other.status == 409, "\(other.text)")
    let bob = try await fleet.token(person: "bob")
    #expect(await fleet.send(1, "POST", path, bob, body: body, type: Self.lines).status == 404)
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)/summary", token).status == 200)
    // Without that instance the other one finds in the log what was answered.
    await fleet.services[0].close()
    for _ in 0..<2 {
      let late = try await fleet.sendAnywhere(1, "POST", path, token, body: body, type: Self.lines)
      #expect(late.response.status == 200, "\(late.response.text)")
      #expect(late.response.text == first.text)
    }
    await fleet.services[1].close()
  }

  @Test(
    "After a takeover lines of a session that is over have the answer that they had", arguments: ["samples", "wall"])
  func linesAfterTakeover(_ clock: String) async throws {
    let fleet = try await fleet()
    let (token, bob) = (try await fleet.token(person: "ann"), try await fleet.token(person: "bob"))
    let order =
      #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20},"clock":"\#(clock)"}"#
    let begun = await fleet.send(0, "POST", "/v1/sessions", token, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    let path = "/v1/sessions/\(id)/samples?batch="
    let begin = SystemWallClock.now().nanoseconds
    func heartRates(_ seconds: Range<Int>) -> String {
      if clock == "samples" { return FleetServiceHarness.heartRates(seconds) }
      return seconds.map { second in
        let time = WallClockTime(nanoseconds: begin + Int64(second) * 1_000_000_000)
        return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(100 + second % 60)}"# + "\n"
      }.joined()
    }
    let bodies = [
      heartRates(0..<45), "not a line\n" + heartRates(45..<70),
      heartRates(70..<75) + #"{"type":"command","id":"1","command":"stop"}"# + "\n",
    ]
    var answers: [String] = []
    for (number, body) in bodies.enumerated() {
      let answer = await fleet.send(0, "POST", path + "\(number)", token, body: body, type: Self.lines)
      #expect(answer.status == 200, "\(answer.text)")
      answers.append(answer.text)
    }
    await fleet.services[0].close()
    for number in [2, 0, 1, 2] {
      let again = try await fleet.sendAnywhere(
        1, "POST", path + "\(number)", token, body: bodies[number], type: Self.lines)
      #expect(again.response.status == 200)
      #expect(again.response.text == answers[number])
    }
    let other = await fleet.send(1, "POST", path + "2", token, body: bodies[0], type: Self.lines)
    #expect(other.json?["code"]?.string == "differentBody", "\(other.text)")
    let unknown = await fleet.send(1, "POST", path + "3", token, body: bodies[2], type: Self.lines)
    #expect(unknown.json?["code"]?.string == "sessionEnded", "\(unknown.text)")
    #expect(await fleet.send(1, "POST", path + "2", bob, body: bodies[2], type: Self.lines).status == 404)
    // Of what was asked for nothing stays but that.
    let connection = try fleet.server.connection(fleet.database)
    let kept = try connection.run("SELECT request FROM coach.session").rows.map { $0.text(0) }
    #expect(kept == [#"{"clock":"\#(clock)"}"#])
    #expect(await fleet.send(1, "DELETE", "/v1/sessions/\(id)", token).status == 204)
    #expect(await fleet.send(1, "POST", path + "2", token, body: bodies[2], type: Self.lines).status == 404)
    await fleet.services[1].close()
  }

  @Test(
    "Whoever gets the name of a deleted profile has nothing of a live session of another instance, at once, and its streams end"
  )
  func namesake() async throws {
    let fleet = try await fleet()
    let (owner, watching) = (try await fleet.token(), try await fleet.token([.watch]))
    let ann = #"{"name":"ann","birthDate":"1990-05-17"}"#
    #expect(await fleet.send(0, "POST", "/v1/people", owner, body: ann).status == 201)
    let order = #"{"person":"ann","target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let begun = await fleet.send(1, "POST", "/v1/sessions", owner, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    let path = "/v1/sessions/\(id)"
    let lines = FleetServiceHarness.heartRates(0..<30)
    #expect(await fleet.send(1, "POST", path + "/samples", owner, body: lines, type: Self.lines).status == 200)
    // A token without a person sees what is somebody's, and nothing that is nobody's.
    let opened = await fleet.send(1, "GET", path + "/events", watching)
    #expect(opened.status == 200)
    #expect(await fleet.send(0, "DELETE", "/v1/people/ann", owner).status == 204)
    #expect(await fleet.send(0, "POST", "/v1/people", owner, body: ann).status == 201)
    let made = await fleet.send(
      0, "POST", "/v1/tokens", owner, body: #"{"scopes":["send","watch","manage"],"person":"ann"}"#)
    let secret = try #require(made.json?["token"]?.string, "\(made.text)")
    let headers = [HTTPField("Authorization", "Bearer \(secret)")]
    for (method, path, body) in [
      ("GET", path, nil), ("GET", path + "/events", nil), ("POST", path + "/samples", lines),
    ] {
      let answer = await fleet.send(1, method, path, body: body, type: Self.lines, headers: headers)
      #expect(answer.status == 404, "\(method) \(path): \(answer.text)")
    }
    #expect(await fleet.send(1, "GET", path, owner).status == 200)
    await fleet.services[1].take(.access)
    #expect(try await opened.sent(until: "come back").contains(": come back with the last id"))
    await fleet.close()
  }

  @Test("Attempts to sign in that fail are counted for an address over all instances")
  func failures() async throws {
    let fleet = try await fleet()
    let link = SignInLink(person: nil, now: SystemWallClock.now())
    try await link.keep(in: fleet.services[0].store)
    func attempt(_ number: Int, _ secret: String) async -> HTTPResponse {
      let origin = HTTPField("Origin", FleetServiceHarness.url(number))
      return await fleet.send(number, "POST", "/auth/link/\(secret)", headers: [origin])
    }
    for place in 0..<10 { #expect(await attempt(place % 2, "nothing").status == 401) }
    for number in [0, 1] {
      let refused = await attempt(number, link.secret)
      #expect(refused.status == 429, "\(refused.text)")
      let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
      #expect((1...60).contains(seconds))
    }
    let connection = try fleet.server.connection(fleet.database)
    #expect(try connection.run("SELECT FROM coach.sign_in_failure").rows.count == 10)
    try connection.execute("UPDATE coach.sign_in_failure SET failed = failed - interval '1 minute'")
    #expect(await attempt(1, "nothing").status == 401)
    #expect(try connection.run("SELECT FROM coach.sign_in_failure").rows.count == 1, "older ones go")
    #expect(await attempt(0, link.secret).status == 303)
    // Where nobody fails any more an instance does so, once an hour and when it starts.
    try connection.execute("UPDATE coach.sign_in_failure SET failed = failed - interval '1 minute'")
    _ = try await fleet.start()
    let deadline = ContinuousClock.now + .seconds(60)
    while try !connection.run("SELECT FROM coach.sign_in_failure").rows.isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    #expect(try connection.run("SELECT FROM coach.sign_in_failure").rows.isEmpty)
    await fleet.close()
  }

  @Test("A live session that is deleted by hand is let go, and nothing that is sent to it is answered as kept")
  func deletedByHand() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token()
    let connection = try fleet.server.connection(fleet.database)
    for isListed in [true, false] {
      let id = try await fleet.begin(0, token)
      let path = "/v1/sessions/\(id)/samples"
      let first = FleetServiceHarness.heartRates(0..<30)
      #expect(await fleet.send(0, "POST", path, token, body: first, type: Self.lines).status == 200)
      _ = try connection.run("DELETE FROM coach.session WHERE id = $1", [.text(id)])
      if isListed {
        #expect(await fleet.send(0, "GET", "/v1/sessions", token).status == 200)
        #expect(fleet.services[0].sessions.known(id) == nil)
      } else {
        let late = await fleet.send(
          0, "POST", path, token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
        #expect(late.status == 503, "\(late.text)")
      }
      #expect(await fleet.send(0, "POST", path, token, body: first, type: Self.lines).status == 404)
      #expect(try connection.run("SELECT FROM coach.log_row WHERE session = $1", [.text(id)]).rows.isEmpty)
    }
    await fleet.close()
  }

  @Test("What a late holder is sent is not taken, its streams end, and the other has all that was answered")
  func late() async throws {
    let fleet = try await fleet()
    let (token, id, path) = try await beginHalfMinute(fleet)
    let opened = await fleet.send(0, "GET", "/v1/sessions/\(id)/events", token)
    try takeShard(of: id, fleet)
    let refused = await fleet.send(
      0, "POST", path + "b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(refused.status == 421 || refused.status == 503, "\(refused.status)")
    let sent = try await opened.sent(until: "come back")
    #expect(sent.contains(": come back with the last id"))
    #expect(!sent.contains("the session is over"))
    #expect(!sent.contains("id: 3"), "nothing of what was refused")
    let again = try await fleet.sendAnywhere(
      1, "POST", path + "b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(again.number == 1)
    #expect(again.response.json?["accepted"]?.number?.int64 == 30)
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    #expect(log.decisions.count == 3)
    await fleet.close()
  }

  /// How an instance finds that another one has its shard.
  enum Finder: CaseIterable {
    /// Its own turn, before anybody asks.
    case queue
    /// Who asks, after a pause.
    case reader
    /// Nobody, before what ended is brought.
    case nobody
  }

  @Test(
    "A session that ended elsewhere comes into the history of its late holder, which has it in memory still",
    arguments: Finder.allCases)
  func lateHolder(_ finder: Finder) async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), leaseSeconds: 60)
    let (token, id, path) = try await beginHalfMinute(fleet)
    let (late, other) = (fleet.services[0], fleet.services[1])
    let (lateFleet, otherFleet) = (try #require(late.settings.fleet), try #require(other.settings.fleet))
    let folders = fleet.services.map { SessionFolder.path(of: id, in: $0.settings.dataFolder) }
    #expect(FileSystem.exists(folders[0]))
    try takeShard(of: id, fleet)
    await otherFleet.takeExpired()
    let second = FleetServiceHarness.heartRates(30..<60)
    #expect(await fleet.send(1, "POST", path + "b", token, body: second, type: Self.lines).status == 200)
    #expect(await stop(fleet, 1, id, token) == 200)
    #expect(late.sessions.known(id) != nil)
    #expect(lateFleet.store.hold(of: id) != nil, "it has not asked since")
    switch finder {
    case .queue:
      await lateFleet.takeExpired()
      #expect(lateFleet.store.hold(of: id) == nil)
      #expect(late.sessions.known(id) != nil)
      await late.sessions.renewLeases()
      #expect(late.sessions.known(id) == nil)
    case .reader:
      fleet.clock.advance(seconds: 60)
      await late.sessions.renewLeases()
      #expect(late.sessions.known(id) == nil)
    case .nobody:
      // The horizon passes its end while the late holder has it in memory, and thinks that it holds it.
      try await late.sessions.bringHistory()
      #expect(late.sessions.fleetHistory.late == [id])
      #expect(try await late.history.session(exactly: id) == nil)
      await lateFleet.takeExpired()
    }
    try await late.sessions.bringHistory()
    #expect(late.sessions.known(id) == nil)
    #expect(late.sessions.fleetHistory.late == [])
    #expect(try await late.history.session(exactly: id) != nil)
    let listed = await fleet.send(0, "GET", "/v1/sessions", token)
    #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id], "\(listed.text)")
    let names = try FileSystem.list(folders[0])
    #expect(try names == FileSystem.list(folders[1]))
    for name in names {
      #expect(
        FileManager.default.contentsEqual(
          atPath: (folders[0] + "/" + name).path, andPath: (folders[1] + "/" + name).path), "\(name)")
    }
    #expect(try SessionMark.all(in: late.settings.dataFolder) == [])
    await fleet.close()
  }

  @Test("A session that is let go while it is closed here is ended by who has it, and is in the history whole")
  func letGoWhileClosing() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), leaseSeconds: 60)
    let (token, id, path) = try await beginHalfMinute(fleet)
    let late = fleet.services[0]
    let session = try #require(late.sessions.known(id))
    late.sessions.letGo(session)
    // What ends by time is closed whatever became of it, and the hold is what it was.
    await late.sessions.close(session)
    #expect(late.settings.fleet?.store.hold(of: id) != nil)
    let connection = try fleet.server.connection(fleet.database)
    let open = try connection.run("SELECT FROM coach.session WHERE id = $1 AND ended_ns IS NULL", [.text(id)])
    #expect(open.rows.count == 1)
    let second = try await fleet.sendAnywhere(
      0, "POST", path + "b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(second.response.status == 200, "\(second.response.text)")
    #expect(await stop(fleet, second.number, id, token) == 200)
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    #expect(log.summary != nil)
    #expect(log.decisions.count == 5, "begun, two cues, the answer to stop, the end")
    for number in 0..<2 {
      let listed = await fleet.send(number, "GET", "/v1/sessions", token)
      #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id], "\(listed.text)")
    }
    await fleet.close()
  }

  @Test("A session whose end is kept is not let go of: it comes into the history where it ended")
  func wholeIsKept() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), leaseSeconds: 60)
    let token = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let service = fleet.services[0]
    let session = try #require(service.sessions.known(id))
    #expect(service.sessions.noteWhole(session))
    service.sessions.letGo(session)
    #expect(service.sessions.known(id) === session)
    try takeShard(of: id, fleet)
    await service.settings.fleet?.takeExpired()
    await service.sessions.renewLeases()
    #expect(service.sessions.known(id) === session)
    await fleet.close()
  }

  @Test("Of a session that another instance goes on with its late holder keeps no folder, so that a deletion is whole")
  func lateFolder() async throws {
    let fleet = try await fleet()
    let (token, id, path) = try await beginHalfMinute(fleet)
    try takeShard(of: id, fleet)
    let second = try await fleet.sendAnywhere(
      0, "POST", path + "b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(second.response.status == 200, "\(second.response.text)")
    #expect(second.number == 1)
    let late = fleet.services[0]
    #expect(late.sessions.known(id) == nil)
    await late.sessions.departures.wait(for: id)
    #expect(!FileSystem.exists(SessionFolder.path(of: id, in: late.settings.dataFolder)))
    #expect(try SessionMark.all(in: late.settings.dataFolder) == [])
    #expect(await stop(fleet, 1, id, token) == 200)
    #expect(await fleet.send(1, "DELETE", "/v1/sessions/\(id)", token).status == 204)
    for (number, service) in fleet.services.enumerated() {
      #expect(await fleet.send(number, "GET", "/v1/sessions", token).json?["sessions"]?.array?.count == 0)
      #expect(!FileSystem.exists(SessionFolder.path(of: id, in: service.settings.dataFolder)))
    }
    await fleet.close()
  }

  /// Begins a session at the first instance and sends its first half minute; the path of more lines, for the name of a batch.
  private func beginHalfMinute(
    _ fleet: FleetServiceHarness
  ) async throws -> (token: IssuedSecret, id: String, path: String) {
    let token = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples?batch="
    let lines = FleetServiceHarness.heartRates(0..<30)
    #expect(await fleet.send(0, "POST", path + "a", token, body: lines, type: Self.lines).status == 200)
    return (token, id, path)
  }

  /// Has the second instance take the shard of a session, as after a pause of the first, which has another one for it: so each has its share
  /// still, and gives none back.
  private func takeShard(of id: String, _ fleet: FleetServiceHarness) throws {
    let connection = try fleet.server.connection(fleet.database)
    let (first, second) = (FleetServiceHarness.url(0), FleetServiceHarness.url(1))
    let swapped = try connection.run(
      "SELECT max(shard) FROM coach.lease WHERE url = $1", [.text(second)]
    ).rows.first?.integer(0)
    for (shard, url) in [(Int64(FleetShard.of(id)), second), (try #require(swapped), first)] {
      _ = try connection.run(
        """
        UPDATE coach.lease SET fence = fence + 1, (holder, url, expires) = (SELECT holder, url, expires
          FROM coach.lease AS other WHERE other.url = $1 AND other.shard <> coach.lease.shard LIMIT 1) WHERE shard = $2
        """, [.text(url), .integer(shard)])
    }
  }

  @Test("A message of an app waits until somebody has its session whose instance does not answer, as a proxy says")
  func unansweredMessages() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), isBehindProxy: true)
    let owner = try await fleet.token()
    let order = #"{"profile":{"ageYears":23},"target":"z2","clock":"samples"}"#
    let made = await fleet.send(0, "POST", "/v1/keys", owner, body: #"{"person":"ann","request":\#(order)}"#)
    let key = try #require(made.json?["key"]?.string, "\(made.text)")
    func beat(_ beats: Int, _ number: Int, unanswered: String? = nil) -> @Sendable () async -> HTTPResponse {
      let body =
        #"{"event":"heartRate","heartRate":\#(beats),"connected":true,"timestamp":"\#(SystemWallClock.now())"}"#
      let headers = unanswered.map { [HTTPField("Coach-Unanswered", $0)] } ?? []
      return fleet.call(number, "POST", "/v1/in/\(key)", body: body, headers: headers)
    }
    #expect(await beat(100, 0)().status == 200)
    let listed = await fleet.send(0, "GET", "/v1/sessions?state=live", owner)
    let id = try #require(listed.json?["sessions"]?.array?.first?["sessionID"]?.string, "\(listed.text)")
    await fleet.services[0].close()
    let store = try #require(fleet.services[1].settings.fleet?.store)
    try waitUntil("the other instance has all shards") { store.leases.count == FleetShard.count }
    // Another one has it, and is gone without giving it back.
    let connection = try fleet.server.connection(fleet.database)
    _ = try connection.run(
      """
      UPDATE coach.lease SET fence = fence + 1, holder = 'gone', url = 'http://127.0.0.1:9',
        expires = clock_timestamp() + interval '1 hour' WHERE shard = \(FleetShard.of(id))
      """)
    try waitUntil("the shard is another one's") { store.hold(of: id) == nil }
    let location = "http://127.0.0.1:9/v1/in/\(key)"
    for (place, unanswered) in [nil, "http://127.0.0.1:99/v1/in/\(key)"].enumerated() {
      let answer = await beat(101 + place, 1, unanswered: unanswered)()
      #expect(answer.status == 421, "\(answer.text)")
      #expect(answer.header("Location") == location)
    }
    let seconds = SystemWallClock.now().nanoseconds / 1_000_000_000
    let position = #"{"_type":"location","lat":49.01,"lon":8.4,"tst":\#(seconds)}"#
    let owntracks = fleet.call(
      1, "POST", "/v1/in/\(key)", body: position, headers: [HTTPField("Coach-Unanswered", location)])
    async let closing = owntracks()
    async let refusing = beat(103, 1, unanswered: location)()
    let (closed, refused) = await (closing, refusing)
    #expect(refused.status == 503)
    #expect(refused.header("Retry-After") != nil)
    guard case .close = closed.content else {
      Issue.record("OwnTracks takes any status for a delivery: \(closed.status)")
      return
    }
    _ = try connection.run(
      "UPDATE coach.lease SET expires = clock_timestamp() + interval '1 second' WHERE shard = \(FleetShard.of(id))")
    let taken = await beat(104, 1, unanswered: location)()
    #expect(taken.status == 200, "\(taken.text)")
    // It is the same session, and has what was answered.
    let again = await fleet.send(1, "GET", "/v1/sessions?state=live", owner)
    #expect(again.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id])
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    let rates = String(decoding: try log.content()["heart_rate.csv"] ?? [], as: UTF8.self)
    for rate in [",100", ",104"] { #expect(rates.contains(rate), "\(rates)") }
    #expect(!rates.contains(",103"), "\(rates)")
    await fleet.services[1].close()
  }

  @Test("A session of which the database has something else goes on from there; others of the instance do not notice")
  func setAside() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), instances: 1)
    let (ann, bob) = (try await fleet.token(person: "ann"), try await fleet.token(person: "bob"))
    let (wrong, right) = (try await fleet.begin(0, ann), try await fleet.begin(0, bob))
    func send(_ id: String, _ seconds: Range<Int>, _ token: IssuedSecret) async throws -> Int {
      let path = "/v1/sessions/\(id)/samples?batch=\(seconds.lowerBound)"
      return try await fleet.sendAnywhere(
        0, "POST", path, token, body: FleetServiceHarness.heartRates(seconds), type: Self.lines
      ).response.status
    }
    for (id, token) in [(wrong, ann), (right, bob)] { #expect(try await send(id, 0..<30, token) == 200) }
    // A row that says again what the last one says stands where the next one is to be.
    let connection = try fleet.server.connection(fleet.database)
    _ = try connection.run(
      "INSERT INTO coach.log_row (session, index, content) SELECT session, index + 1, content FROM coach.log_row"
        + " WHERE session = $1 ORDER BY index DESC LIMIT 1", [.text(wrong)])
    let path = "/v1/sessions/\(wrong)/samples?batch=30"
    let lines = FleetServiceHarness.heartRates(30..<60)
    let refused = await fleet.send(0, "POST", path, ann, body: lines, type: Self.lines)
    #expect(refused.status == 503, "\(refused.text)")
    #expect(refused.header("Retry-After") == "1")
    #expect(try await send(right, 30..<60, bob) == 200)
    #expect(try await send(wrong, 30..<60, ann) == 200)
    #expect(try await send(wrong, 60..<100, ann) == 200)
    #expect(fleet.services[0].settings.fleet?.store.setAsideCount == 1)
    #expect(await stop(fleet, 0, wrong, ann) == 200)
    // It decided as it would have without that.
    let alone = try await Alone(fleet.folder.path + "/alone")
    let expected = try await alone.decisions(
      [0..<30, 30..<60, 60..<100].map { FleetServiceHarness.heartRates($0) })
    let folder = SessionFolder.path(of: wrong, in: fleet.services[0].settings.dataFolder)
    let found = try String(contentsOfFile: (folder + "/" + SessionFolder.decisions).path, encoding: .utf8)
    #expect(found == expected)
    await fleet.close()
  }

  @Test("A reader whose instance is gone goes on at the other one by its last id: no event is missing, none is twice")
  func readers() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token(person: "ann")
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples"
    func take(_ number: Int, _ seconds: Range<Int>) async -> Int {
      await fleet.send(
        number, "POST", path, token, body: FleetServiceHarness.heartRates(seconds), type: Self.lines
      ).status
    }
    let events = "/v1/sessions/\(id)/events"
    let opened = await fleet.send(0, "GET", events, token)
    #expect(await take(0, 0..<45) == 200)
    let first = Self.events(of: try await opened.sent(until: "id: 3\n"))
    #expect(first.map(\.id) == [1, 2, 3])
    // The next one is answered to who sends, and its reader has lost the connection.
    #expect(await take(0, 45..<70) == 200)
    await fleet.services[0].close()
    let back = try await fleet.sendAnywhere(
      1, "GET", events, token, headers: [HTTPField("Last-Event-ID", "3")], without: [0]
    ).response
    #expect(await take(1, 70..<100) == 200)
    #expect(await stop(fleet, 1, id, token) == 200)
    let second = Self.events(of: try await back.sent(until: "the session is over"))
    #expect((first + second).map(\.id) == Array(1...7))
    let folder = SessionFolder.path(of: id, in: fleet.services[1].settings.dataFolder)
    let kept = try String(contentsOfFile: (folder + "/" + SessionFolder.decisions).path, encoding: .utf8)
    #expect((first + second).map(\.data) == kept.split(separator: "\n").map(String.init))
    // Who has all of it and comes back to a session that is over gets nothing twice, and is asked to stay away.
    let last = await fleet.send(1, "GET", events, token, headers: [HTTPField("Last-Event-ID", "7")])
    #expect(last.status == 204)
    #expect(try await last.sent(until: "the session is over").isEmpty)
    await fleet.services[1].close()
  }

  /// The records of a stream, each with its number.
  private static func events(of sent: String) -> [(id: Int, data: String)] {
    sent.split(separator: "\n\n").compactMap { block in
      var (id, data): (Int?, String?)
      for line in block.split(separator: "\n") {
        if line.hasPrefix("id: ") { id = Int(line.dropFirst(4)) }
        if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
      }
      guard let id, let data else { return nil }
      return (id, data)
    }
  }

  @Test(
    "A late holder that was stopped for longer than its leases answers nobody from memory", arguments: [false, true])
  func lateReads(_ isStreaming: Bool) async throws {
    let fleet = try await fleet()
    let token = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let first = await fleet.send(
      0, "POST", "/v1/sessions/\(id)/samples", token, body: FleetServiceHarness.heartRates(0..<30), type: Self.lines)
    #expect(first.status == 200)
    #expect(await fleet.send(0, "GET", "/v1/sessions/\(id)/summary", token).status == 200)
    let opened = isStreaming ? await fleet.send(0, "GET", "/v1/sessions/\(id)/events", token) : nil
    let connection = try fleet.server.connection(fleet.database)
    _ = try connection.run(
      """
      UPDATE coach.lease SET fence = fence + 1, (holder, url) = (SELECT holder, url FROM coach.lease AS other
        WHERE other.url = 'http://127.0.0.1:9001' LIMIT 1), expires = clock_timestamp() + interval '1 second'
      WHERE shard = \(FleetShard.of(id))
      """)
    fleet.clock.advance(seconds: FleetServiceHarness.leaseSeconds)
    if let opened {
      // Neither does who reads already get to see how the session was.
      await fleet.services[0].take(.states)
      #expect(fleet.services[0].sessions.liveCount == 0)
      #expect(try await opened.sent(until: "come back").contains(": come back with the last id"))
      return await fleet.close()
    }
    let late = await fleet.send(0, "GET", "/v1/sessions/\(id)/summary", token)
    #expect(late.status == 421 || late.status == 503, "\(late.status)")
    #expect(fleet.services[0].sessions.liveCount == 0)
    await fleet.close()
  }

  @Test("The same request at another instance begins no second session, and another body is refused there too")
  func repeated() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token()
    let key = [HTTPField("Idempotency-Key", "run-1")]
    let id = try await fleet.begin(0, token, headers: key)
    #expect(try await fleet.begin(1, token, headers: key) == id)
    let other = await fleet.send(
      1, "POST", "/v1/sessions", token, body: #"{"profile":{"ageYears":24},"target":"z2"}"#, headers: key)
    #expect(other.status == 409)
    let connection = try fleet.server.connection(fleet.database)
    #expect(try connection.run("SELECT count(*) FROM coach.session").rows.first?.integer(0) == 1)
    await fleet.close()
  }

  @Test("A token that is revoked at one instance is dead at the other at once")
  func revoked() async throws {
    let fleet = try await fleet()
    let (owner, token) = (try await fleet.token(), try await fleet.token())
    let id = token.grant.caller.id
    for _ in 0..<3 { #expect(await fleet.send(1, "GET", "/v1/strategies", token).status == 200) }
    #expect(await fleet.send(0, "DELETE", "/v1/tokens/\(id)", owner).status == 204)
    #expect(await fleet.send(1, "GET", "/v1/strategies", token).status == 401)
    await fleet.close()
  }

  @Test("A person has three live sessions at most, at whatever instances they are begun")
  func limit() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token(person: "ann")
    for number in [0, 1, 0] { _ = try await fleet.begin(number, token) }
    let order = #"{"profile":{"ageYears":23},"target":"z2"}"#
    #expect(await fleet.send(1, "POST", "/v1/sessions", token, body: order).status == 429)
    await fleet.close()
  }

  @Test("An instance that has no part of the sessions yet begins one as soon as the leases are over of one that hangs")
  func firstPart() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get(), leaseSeconds: 60)
    let token = try await fleet.token()
    let connection = try fleet.server.connection(fleet.database)
    let (first, second) = (FleetServiceHarness.url(0), FleetServiceHarness.url(1))
    // As if the second had started a moment ago, and the first stopped then.
    _ = try connection.run(
      """
      UPDATE coach.lease SET fence = fence + 1, url = $1, expires = clock_timestamp() + interval '1 second',
        holder = (SELECT holder FROM coach.instance WHERE url = $1)
      """, [.text(first)])
    _ = try connection.run(
      "UPDATE coach.instance SET expires = clock_timestamp() - interval '1 second' WHERE url = $1", [.text(first)])
    let instance = try #require(fleet.services[1].settings.fleet)
    await instance.takeExpired()
    #expect(instance.store.leases.isEmpty)
    let id = try await fleet.begin(1, token)
    #expect(instance.store.hold(of: id) != nil)
    let held = try connection.run("SELECT FROM coach.lease WHERE url = $1", [.text(second)])
    #expect(held.rows.count == FleetShard.count)
    await fleet.close()
  }

  @Test("A session that nobody has sent to yet is its person's after a takeover")
  func person() async throws {
    let fleet = try await fleet()
    let token = try await fleet.token(person: "ann")
    let id = try await fleet.begin(0, token)
    await fleet.services[0].close()
    let path = "/v1/sessions/\(id)/samples"
    let taken = try await fleet.sendAnywhere(
      1, "POST", path, token, body: FleetServiceHarness.heartRates(0..<30), type: Self.lines)
    #expect(taken.response.status == 200)
    #expect(await stop(fleet, 1, id, token) == 200)
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)", token).json?["person"]?.string == "ann")
    await fleet.services[1].close()
  }

  @Test("A session that ended at one instance is in the history of the other, byte by byte, and is deleted at both")
  func history() async throws {
    let fleet = try await fleet()
    let (owner, token) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples"
    let body = FleetServiceHarness.heartRates(0..<90)
    #expect(await fleet.send(0, "POST", path, token, body: body, type: Self.lines).status == 200)
    #expect(await stop(fleet, 0, id, token) == 200)
    let listed = await fleet.send(1, "GET", "/v1/sessions?person=ann", owner)
    #expect(listed.json?["sessions"]?.array?.map { $0["sessionID"]?.string } == [id], "\(listed.text)")
    for name in ["", "/summary", "/series"] {
      let (here, there) = (
        await fleet.send(0, "GET", "/v1/sessions/\(id)\(name)", token),
        await fleet.send(1, "GET", "/v1/sessions/\(id)\(name)", token)
      )
      #expect(there.status == 200)
      #expect(here.text == there.text)
    }
    let folders = fleet.services.map { SessionFolder.path(of: id, in: $0.settings.dataFolder) }
    let names = try FileSystem.list(folders[0])
    #expect(try names == FileSystem.list(folders[1]))
    #expect(names.contains(SessionFolder.summary))
    for name in names {
      #expect(
        FileManager.default.contentsEqual(
          atPath: (folders[0] + "/" + name).path, andPath: (folders[1] + "/" + name).path), "\(name)")
    }
    let late = await fleet.send(1, "POST", path, token, body: body, type: Self.lines)
    #expect(late.status == 409)
    #expect(await fleet.send(1, "DELETE", "/v1/sessions/\(id)", owner).status == 204)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/sessions", owner).json?["sessions"]?.array?.count == 0)
      #expect(await fleet.send(number, "GET", "/v1/sessions/\(id)", owner).status == 404)
      #expect(!FileSystem.exists(folders[number]))
    }
    let connection = try fleet.server.connection(fleet.database)
    for table in ["session", "log_row", "decision", "repeat"] {
      #expect(try connection.run("SELECT count(*) FROM coach.\(table)").rows.first?.integer(0) == 0, "\(table)")
    }
    await fleet.close()
  }

  @Test("The data of a person goes at all instances, and not while a session of the person is live at one of them")
  func people() async throws {
    let fleet = try await fleet()
    let (owner, ann) = (try await fleet.token(), try await fleet.token(person: "ann"))
    let id = try await fleet.begin(0, ann)
    let path = "/v1/sessions/\(id)/samples"
    let body = FleetServiceHarness.heartRates(0..<30)
    #expect(await fleet.send(0, "POST", path, ann, body: body, type: Self.lines).status == 200)
    #expect(await fleet.send(1, "DELETE", "/v1/people/ann?all-data=true", owner).status == 409, "one is live elsewhere")
    #expect(await stop(fleet, 0, id, ann) == 200)
    #expect(await fleet.send(1, "GET", "/v1/sessions/\(id)", ann).status == 200)
    #expect(await fleet.send(1, "DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(await fleet.send(0, "GET", "/v1/sessions/\(id)", ann).status == 401)
    for number in [0, 1] {
      #expect(await fleet.send(number, "GET", "/v1/sessions", owner).json?["sessions"]?.array?.count == 0)
      let folder = SessionFolder.path(of: id, in: fleet.services[number].settings.dataFolder)
      #expect(!FileSystem.exists(folder), "\(number)")
    }
    await fleet.close()
  }

  @Test("Without the database who was known reads from memory for half a minute, and nothing is written")
  func awayReading() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer())
    let token = try await fleet.token()
    let revoked = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let sent = await fleet.send(
      0, "POST", "/v1/sessions/\(id)/samples", token, body: FleetServiceHarness.heartRates(0..<30), type: Self.lines)
    #expect(sent.status == 200)
    let revoking = await fleet.send(0, "DELETE", "/v1/tokens/\(revoked.grant.caller.id)", token)
    #expect(revoking.status == 204)
    let unknown = IssuedSecret.token(
      Set(Scope.allCases), person: nil, session: nil, group: nil, days: 1, now: SystemWallClock.now())
    try fleet.server.stop()
    let sample = #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#
    let replay = #"{"request":{"profile":{"ageYears":30},"target":"z2"},"samples":[\#(sample)]}"#
    let live = ["/v1/sessions/\(id)", "/v1/sessions/\(id)/summary", "/v1/sessions/\(id)/events?wait=0"]
    for path in ["/healthz", "/openapi.json", "/v1/strategies"] + live {
      #expect(await fleet.send(0, "GET", path, token).status == 200, "\(path)")
    }
    #expect(await fleet.send(0, "POST", "/v1/replay", token, body: replay).status == 200)
    for secret in [revoked, unknown] {
      #expect(await fleet.send(0, "GET", "/healthz", secret).status == 200)
      #expect(await fleet.send(0, "GET", "/v1/sessions/\(id)/summary", secret).status == 503)
    }
    let command = await fleet.send(
      0, "POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"1","command":"pause"}"#)
    #expect(command.status == 503)
    fleet.clock.advance(seconds: Double(GrantReader.secondsWithoutStore))
    #expect(await fleet.send(0, "GET", "/v1/sessions/\(id)/summary", token).status == 503)
    #expect(await fleet.send(0, "GET", "/healthz", token).status == 200)
    await fleet.close()
  }

  @Test("While the database takes connections and answers nothing, who reads from memory waits for it once")
  func silentDatabase() async throws {
    let server = try PostgresServer.shared.get()
    let relay = try SocketRelay(to: server.folder)
    let fleet = try await FleetServiceHarness(server, instances: 1, relay: relay)
    let token = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let samples = "/v1/sessions/\(id)/samples?batch="
    let first = await fleet.send(
      0, "POST", samples + "a", token, body: FleetServiceHarness.heartRates(0..<30), type: Self.lines)
    #expect(first.status == 200)
    let paths = [
      "/v1/strategies", "/v1/sessions/\(id)", "/v1/sessions/\(id)/summary", "/v1/sessions/\(id)/events?wait=0",
    ]
    for path in paths { #expect(await fleet.send(0, "GET", path, token).status == 200, "\(path)") }
    relay.isSilent = true
    // The first ones wait for the look, and for a turn of the leases.
    for path in paths { #expect(await fleet.send(0, "GET", path, token).status == 200, "\(path)") }
    let begin = ContinuousClock.now
    for path in paths + paths + paths {
      #expect(await fleet.send(0, "GET", path, token).status == 200, "\(path)")
    }
    // A question to the database is given up after ten seconds, and a connection after three: twelve that wait take two minutes.
    #expect(ContinuousClock.now - begin < .seconds(60))
    relay.isSilent = false
    let again = try await fleet.sendAnywhere(
      0, "POST", samples + "b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(again.response.json?["accepted"]?.number?.int64 == 30, "\(again.response.text)")
    await fleet.close()
  }

  @Test("Without the database nothing is taken, and it goes on when it is back")
  func away() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer(["fsync=on"]))
    let token = try await fleet.token()
    let id = try await fleet.begin(0, token)
    let path = "/v1/sessions/\(id)/samples"
    let first = await fleet.send(
      0, "POST", path + "?batch=a", token, body: FleetServiceHarness.heartRates(0..<30), type: Self.lines)
    #expect(first.status == 200)
    try fleet.server.stop()
    let refused = await fleet.send(
      0, "POST", path + "?batch=b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(refused.status == 503)
    #expect(refused.header("Retry-After") != nil)
    #expect(!refused.text.contains(fleet.server.folder))
    #expect(await fleet.send(0, "GET", "/healthz").status == 200)
    // It knows at the next turn of its leases.
    let deadline = ContinuousClock.now + .seconds(60)
    while await fleet.send(0, "GET", "/readyz").status != 503, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(await fleet.send(0, "GET", "/readyz").status == 503)
    try fleet.server.start()
    let again = try await fleet.sendAnywhere(
      0, "POST", path + "?batch=b", token, body: FleetServiceHarness.heartRates(30..<60), type: Self.lines)
    #expect(again.response.json?["accepted"]?.number?.int64 == 30)
    let log = try #require(try fleet.server.store(fleet.database, "reader").log(of: id))
    #expect(log.decisions.count == 3)
    await fleet.close()
  }

  @Test("A folder is the cache of one instance: never a store of its own, and what is unfinished in it goes")
  func cache() async throws {
    let folder = try ScratchFolder()
    let own = StoredPath(dataFolder: folder.path + "/own")
    let alone = ServiceStore(dataFolder: own)
    try await alone.noteURL("http://127.0.0.1:1")
    await alone.close()
    #expect(throws: CacheFolderMark.Refused.self) { try CacheFolderMark.take(own) }
    #expect(try !CacheFolderMark.exists(in: own))
    let cache = StoredPath(dataFolder: folder.path + "/cache")
    let mark = try CacheFolderMark.take(cache)
    #expect(throws: CacheFolderMark.Refused.self) { try CacheFolderMark.take(cache) }
    try FileSystem.createFolder(cache + "/" + SessionFolder.sessions)
    let (done, open) = ("20261120T070000Z-running-4f3a0b1c", "20261120T070000Z-running-4f3a0b1d")
    for name in [done, open] { try FileSystem.createFolder(SessionFolder.path(of: name, in: cache)) }
    _ = try SessionMark.make(open, in: cache)
    mark.release()
    let again = try CacheFolderMark.take(cache)
    #expect(FileSystem.exists(SessionFolder.path(of: done, in: cache)))
    #expect(!FileSystem.exists(SessionFolder.path(of: open, in: cache)))
    #expect(try SessionMark.all(in: cache) == [])
    again.release()
  }

  private func stop(_ fleet: FleetServiceHarness, _ number: Int, _ id: String, _ token: IssuedSecret) async -> Int {
    await fleet.send(
      number, "POST", "/v1/sessions/\(id)/commands", token,
      body: #"{"type":"command","id":"stop","command":"stop"}"#
    ).status
  }
}

/// A service alone, for what it makes of the same lines.
private struct Alone {
  let service: Service
  let token: IssuedSecret

  init(_ path: String) async throws {
    var settings = ServiceSettings(dataFolder: StoredPath(dataFolder: path))
    settings.program = "/nonexistent"
    service = Service(settings, url: "http://127.0.0.1:9000")
    try await service.open()
    await service.waitForSessions()
    token = IssuedSecret.token(
      Set(Scope.allCases), person: "ann", session: nil, group: nil, days: 1, now: SystemWallClock.now())
    try await service.store.add(token.grant)
    try await service.access.refresh(always: true)
  }

  private func send(_ path: String, _ body: String, _ type: String) async -> HTTPResponse {
    let head = HTTPHead(
      method: "POST", path: path, query: [],
      headers: [
        HTTPField("Host", "127.0.0.1:9000"), HTTPField("Authorization", "Bearer \(token.secret)"),
        HTTPField("Content-Type", type), HTTPField("Content-Length", "\(body.utf8.count)"),
      ], address: "127.0.0.1", byteCount: 200)
    guard case .taken(let taken) = service.handler.admit(head) else { return HTTPResponse(500) }
    return await taken.answer(HTTPRequest(head, body: Array(body.utf8)))
  }

  /// The decisions of a session of some requests, until it is stopped.
  func decisions(_ bodies: [String]) async throws -> String {
    let order =
      #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let created = await send("/v1/sessions", order, "application/json")
    let id = try #require(created.json?["sessionID"]?.string)
    for body in bodies { _ = await send("/v1/sessions/\(id)/samples", body, FleetServiceHarness.lines) }
    _ = await send(
      "/v1/sessions/\(id)/commands", #"{"type":"command","id":"stop","command":"stop"}"#, "application/json")
    await service.close()
    let folder = SessionFolder.path(of: id, in: service.settings.dataFolder)
    return try String(contentsOfFile: (folder + "/" + SessionFolder.decisions).path, encoding: .utf8)
  }
}
