@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("Sessions that are kept, over the service", .serialized)
struct HistoryRouteTests {
  /// Runs a session from its beginning to its stop; its identity.
  private static func run(_ harness: ServiceHarness, _ token: IssuedSecret, stops: Bool = true) async throws -> String {
    let id = try await harness.begin(token)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<130),
      type: "application/x-ndjson")
    guard stops else { return id }
    let stop = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    try #require(stop.json?["accepted"]?.bool == true, "\(stop.text)")
    return id
  }

  private static func ids(_ response: HTTPResponse) -> [String] {
    response.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string } ?? []
  }

  @Test("The list has live sessions and those that are over, and each state alone", arguments: StoreKind.allCases)
  func list(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let over = try await Self.run(harness, token)
    let live = try await Self.run(harness, token, stops: false)
    let all = await harness.send("GET", "/v1/sessions", token)
    #expect(all.status == 200, "\(all.text)")
    #expect(Set(Self.ids(all)) == [over, live])
    #expect(all.json?["next"] == nil)
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?state=live", token)) == [live])
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?state=complete", token)) == [over])
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?state=recovered", token)) == [])
    let tomorrow = "2999-01-01"
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?from=\(tomorrow)", token)) == [])
    await harness.service.close()
  }

  @Test(
    "A live session says where its samples come from, wherever it is shown", arguments: StoreKind.allCases,
    ["simulated", "imported"])
  func origin(_ kind: StoreKind, of word: String) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(
      token,
      #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"origin":"\#(word)"}"#)
    let list = await harness.send("GET", "/v1/sessions", token)
    #expect(list.json?["sessions"]?.array?.first?["origin"]?.string == word, "\(list.text)")
    for path in ["/v1/sessions/\(id)", "/v1/sessions/\(id)/summary"] {
      let shown = await harness.send("GET", path, token)
      #expect(shown.json?["origin"]?.string == word, "\(path): \(shown.text)")
    }
    let lived = try await harness.begin(token)
    let summary = await harness.send("GET", "/v1/sessions/\(lived)/summary", token)
    #expect(summary.json?["origin"]?.string == "live", "\(summary.text)")
    await harness.service.close()
  }

  @Test("A list in pages has every session once, however small a page is", arguments: StoreKind.allCases)
  func pages(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    var expected: Set<String> = []
    for number in 0..<5 { expected.insert(try await Self.run(harness, token, stops: number < 4)) }
    for limit in [1, 2, 5] {
      var found: [String] = []
      var cursor = ""
      for _ in 0..<6 {
        let page = await harness.send("GET", "/v1/sessions?limit=\(limit)" + cursor, token)
        found += Self.ids(page)
        guard let next = page.json?["next"]?.string else { break }
        cursor = "&cursor=" + next
      }
      #expect(found.count == 5, "limit \(limit)")
      #expect(Set(found) == expected, "limit \(limit)")
    }
    let wrong = await harness.send("GET", "/v1/sessions?cursor=nonsense", token)
    #expect(wrong.status == 422)
    #expect(wrong.json?["parameter"]?.string == "cursor")
    await harness.service.close()
  }

  @Test(
    "A session that is over is shown as by the history, and a live one with its summary so far",
    arguments: StoreKind.allCases)
  func show(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let over = try await Self.run(harness, token)
    let live = try await Self.run(harness, token, stops: false)
    let shown = await harness.send("GET", "/v1/sessions/\(over)", token)
    let entry = try #require(try await harness.service.history.session(exactly: over))
    var writer = JSONWriter()
    try #require(try await harness.service.history.detail(of: entry)).write(to: &writer)
    #expect(shown.text == writer.text)
    let soFar = await harness.send("GET", "/v1/sessions/\(live)/summary", token)
    #expect(soFar.json?["state"]?.string == "live")
    #expect(soFar.json?["activeSeconds"]?.number?.int64 == 129)
    #expect(await harness.send("GET", "/v1/sessions/\(live)", token).json?["zones"] != nil)
    #expect(await harness.send("GET", "/v1/sessions/\(over)/summary", token).json?["state"]?.string == "complete")
    await harness.service.close()
  }

  @Test("The course of a session is a table with a row for each of the times, without heart rates that are too old")
  func series() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let lines =
      ServiceHarness.heartRates(0..<31) + #"{"type":"steps","atSeconds":90,"count":200}"# + "\n"
    _ = await harness.send("POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    let early = await harness.send("GET", "/v1/sessions/\(id)/series", token)
    #expect(early.status == 409)
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    let table = await harness.send(
      "GET", "/v1/sessions/\(id)/series?columns=heartRateBPM,targetLowerBPM&every=30", token)
    let rows = try #require(table.json?["rows"]?.array, "\(table.text)")
    #expect(rows.count == 4)
    #expect(rows[1].array?[0].number?.int64 == 30)
    #expect(rows[1].array?[1].number?.int64 == 130)
    #expect(rows[2].array?[1].number == nil)
    #expect(rows[2].array?[2].number?.int64 != nil)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/series?columns=nonsense", token).status == 422)
    await harness.service.close()
  }

  @Test("A session that is over is exported and reported as by the terminal")
  func files() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await Self.run(harness, token)
    let csv = await harness.send("GET", "/v1/sessions/\(id)/export?as=csv", token)
    #expect(csv.status == 200, "\(csv.text)")
    #expect(csv.header("Content-Disposition") == "attachment; filename*=UTF-8''\(id).csv")
    guard case .stream(let stream) = csv.content else { throw Failure.noStream }
    var bytes: [UInt8] = []
    while case .bytes(let piece) = stream.take(1_000) { bytes += piece }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 131)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/export?as=doc", token).status == 422)
    let page = await harness.send("GET", "/v1/sessions/\(id)/report.html", token)
    #expect(page.text.hasPrefix("<!DOCTYPE html>"), "\(page.text.prefix(100))")
    #expect(page.header("Content-Security-Policy")?.contains("sandbox") == true)
    let audit = try POSIXFile(reading: harness.service.settings.dataFolder + "/audit.jsonl").readAll(
      maximumBytes: 1 << 20)
    let noted = String(decoding: audit, as: UTF8.self)
    #expect(noted.contains(#""action":"exported""#))
    await harness.service.close()
  }

  private enum Failure: Error { case noStream }

  @Test("An export says what is not in it, as the terminal does, and that nothing is missing where that is so")
  func losses() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(
      token, #"{"profile":{"ageYears":23},"activity":"running","target":"z2","clock":"samples"}"#)
    let lines = ServiceHarness.heartRates(0..<60) + #"{"type":"command","id":"x","command":"stop"}"#
    _ = await harness.send("POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    for (query, loss) in [
      ("csv", "csv has no place for the sport"), ("json", "none"),
      ("json&privacy-radius=150", "0 positions within 150 m of a beginning or an end are left out"),
    ] {
      let answer = await harness.send("GET", "/v1/sessions/\(id)/export?as=\(query)", token)
      #expect(answer.status == 200, "\(query): \(answer.text)")
      #expect(answer.header("Coach-Export-Losses")?.contains(loss) == true, "\(query)")
    }
    await harness.service.close()
  }

  @Test("A run that has ended stays in every list until the history has it, and takes nothing more")
  func closing() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await Self.run(harness, token, stops: false)
    let owner = try await harness.token([.watch, .manage])
    let page = try await harness.signIn()
    let session = try #require(harness.service.sessions.session(id, for: owner.grant.caller))
    #expect(session.beginClosing())
    #expect(await Self.ids(harness.send("GET", "/v1/sessions", owner)) == [id])
    for path in ["/", "/history"] {
      #expect(await harness.send("GET", path, headers: [page]).text.contains(id), "\(path)")
    }
    let late = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(130..<140),
      type: "application/x-ndjson")
    #expect(late.status == 409)
    await harness.service.close()
  }

  @Test("A session that is over is deleted for good, and a live one is not", arguments: StoreKind.allCases)
  func delete(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch, .manage])
    let over = try await Self.run(harness, token)
    let live = try await Self.run(harness, token, stops: false)
    #expect(await harness.send("DELETE", "/v1/sessions/\(live)", token).status == 409)
    #expect(await harness.send("DELETE", "/v1/sessions/\(over)", token).status == 204)
    #expect(await harness.send("DELETE", "/v1/sessions/\(over)", token).status == 404)
    #expect(await harness.send("GET", "/v1/sessions/\(over)/events", token).status == 404)
    let folder = SessionFolder.path(of: over, in: harness.service.settings.dataFolder)
    #expect(!FileSystem.exists(folder))
    #expect(try await harness.service.store.session(over) == nil)
    await harness.service.close()
  }

  @Test(
    "Sessions of others are neither listed, nor shown, nor deleted, whoever began them",
    arguments: StoreKind.allCases)
  func others(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token([.send, .watch, .manage], person: "ann")
    let ben = try await harness.token([.watch, .manage], person: "ben")
    let nobody = try await harness.token([.send, .watch])
    let other = try await harness.token([.watch])
    let group = IssuedSecret.token(
      [.watch], person: nil, session: nil, group: "g", days: 1, now: harness.service.clock.now())
    try await harness.service.store.add(group.grant)
    try await harness.service.access.refresh(always: true)
    let anns = try await Self.run(harness, ann)
    let nobodys = try await Self.run(harness, nobody)
    let owner = try await harness.token([.watch, .manage])
    let only = try await harness.token([.watch], session: nobodys)
    for (id, foreign) in [(anns, ben), (nobodys, ann), (nobodys, other), (anns, group), (nobodys, group), (anns, only)]
    {
      for suffix in ["", "/summary", "/series", "/report.html", "/export?as=csv", "/events"] {
        let response = await harness.send("GET", "/v1/sessions/\(id)" + suffix, foreign)
        #expect(response.status == 404, "\(suffix)")
      }
      #expect(await !Self.ids(harness.send("GET", "/v1/sessions", foreign)).contains(id))
    }
    #expect(await harness.send("DELETE", "/v1/sessions/\(anns)", ben).status == 404)
    #expect(await harness.send("GET", "/v1/sessions?person=ann", ben).status == 404)
    #expect(await Self.ids(harness.send("GET", "/v1/sessions", only)) == [nobodys])
    #expect(await Set(Self.ids(harness.send("GET", "/v1/sessions", owner))) == [anns, nobodys])
    #expect(await Self.ids(harness.send("GET", "/v1/sessions", nobody)).contains(nobodys))
    await harness.service.close()
  }

  @Test("Every route that reads the history says so, and whether it does where the session is live")
  func readsHistory() {
    func marked(_ history: HistoryReading) -> Set<String> {
      Set(Service.allRoutes.filter { $0.history == history }.map { "\($0.method.rawValue) \($0.pattern)" })
    }
    #expect(
      marked(.always) == [
        "GET /v1/sessions", "GET /v1/records", "GET /v1/fitness", "GET /v1/people", "GET /v1/people/{name}",
        "PATCH /v1/people/{name}", "DELETE /v1/people/{name}", "GET /", "GET /history", "GET /sessions/{id}",
      ])
    #expect(
      marked(.ofClosedSession) == [
        "GET /v1/sessions/{id}", "GET /v1/sessions/{id}/summary", "GET /v1/sessions/{id}/series",
        "GET /v1/sessions/{id}/report.html", "GET /v1/sessions/{id}/export", "DELETE /v1/sessions/{id}",
        "GET /v1/sessions/{id}/notes", "PUT /v1/sessions/{id}/notes",
      ])
  }
}
