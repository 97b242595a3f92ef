@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Keys, and what comes with them", .serialized)
struct SenderRouteTests {
  private static let request =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#

  /// A key of a person, made over the service.
  private static func key(
    _ harness: ServiceHarness, person: String = "ann", request: String = request
  ) async throws -> String {
    let owner = try await harness.token([.manage])
    let made = await harness.send(
      "POST", "/v1/keys", owner, body: #"{"person":"\#(person)","request":\#(request)}"#)
    #expect(made.status == 201, "\(made.text)")
    return try #require(made.json?["key"]?.string)
  }

  private static func heartRate(_ second: Int, _ beats: Int = 120) -> String {
    #"{"event":"heartRate","heartRate":\#(beats),"connected":true,"device":"H10","timestamp":"\#(WallClockTime.morning(Double(second)))"}"#
  }

  private static func position(_ second: Int) -> String {
    let time = WallClockTime.morning(Double(second)).nanoseconds / 1_000_000_000
    return #"{"_type":"location","lat":49.01,"lon":8.4,"tst":\#(time),"acc":5}"#
  }

  @Test("A key is shown once, with the URL to type in, and belongs to one person", arguments: StoreKind.allCases)
  func create(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token([.manage], person: "ann")
    let ben = try await harness.token([.manage], person: "ben")
    let made = await harness.send(
      "POST", "/v1/keys", ann, body: #"{"person":"ann","request":{"target":"z2"},"days":7}"#)
    #expect(made.status == 201)
    let key = try #require(made.json?["key"]?.string)
    let id = try #require(made.json?["keyID"]?.string)
    #expect(made.json?["url"]?.string == "http://127.0.0.1:8080/v1/in/\(key)")
    #expect(made.json?["person"]?.string == "ann")
    #expect(made.json?["expiresAt"]?.string != nil)
    let shown = await harness.send("GET", "/v1/keys/\(id)", ann)
    #expect(shown.status == 200)
    #expect(!shown.text.contains(key))
    #expect(await harness.send("GET", "/v1/keys", ann).json?["keys"]?.array?.count == 1)
    #expect(await harness.send("GET", "/v1/keys", ben).json?["keys"]?.array?.count == 0)
    #expect(await harness.send("GET", "/v1/keys/\(id)", ben).status == 404)
    #expect(await harness.send("DELETE", "/v1/keys/\(id)", ben).status == 404)
    #expect(await harness.send("POST", "/v1/keys", ben, body: #"{"person":"ann"}"#).status == 404)
    #expect(await harness.send("DELETE", "/v1/keys/\(id)", ann).status == 204)
    #expect(await harness.send("POST", "/v1/in/\(key)", body: Self.heartRate(0)).status == 404)
    await harness.service.close()
    let audit = try harness.audit()
    #expect(audit.contains("\"keyCreated\""))
    #expect(audit.contains("\"keyRevoked\""))
    #expect(!audit.contains("ann"))
    #expect(!audit.contains(key))
  }

  @Test("Entries that cannot be used count among the samples of a key, and the answer says how many there are")
  func manyRejections() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let key = try await Self.key(harness)
    let body = #"{"payload":["# + Array(repeating: "1", count: 6_000).joined(separator: ",") + "]}"
    let first = await harness.send("POST", "/v1/in/\(key)", body: body)
    #expect(first.status == 200, "\(first.text)")
    #expect(first.json?["accepted"]?.number?.int64 == 0)
    #expect(first.json?["rejected"]?.array?.compactMap { $0["entry"]?.number?.int64 } == Array(1...100))
    #expect(first.json?["moreRejected"]?.number?.int64 == 5_900)
    #expect(await harness.send("POST", "/v1/in/\(key)", body: body).status == 200)
    let third = await harness.send("POST", "/v1/in/\(key)", body: body)
    #expect(third.status == 429)
    #expect(third.header("Retry-After") != nil)
    await harness.service.close()
  }

  @Test("A key is refused with the member that is wrong", arguments: StoreKind.allCases)
  func refusals(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let owner = try await harness.token([.manage])
    func send(_ body: String) async -> (Int, String?) {
      let response = await harness.send("POST", "/v1/keys", owner, body: body)
      return (response.status, response.json?["pointer"]?.string)
    }
    #expect(await send("{}") == (422, "/person"))
    #expect(await send(#"{"person":"ann","days":0}"#) == (422, "/days"))
    #expect(await send(#"{"person":"ann","request":{"surprise":1}}"#) == (400, "/request/surprise"))
    #expect(await send(#"{"person":"ann","request":{"person":"ben"}}"#) == (422, "/request/person"))
    // No session could ever be begun with it.
    #expect(await send(#"{"person":"ann","request":{"profile":{"restingHeartRate":60}}}"#) == (422, "/request/profile"))
    #expect(await send(#"{"person":"ann","request":{"profile":{"ageYears":30}}}"#) == (201, nil))
    await harness.service.close()
  }

  @Test("The first sample begins a session with the key's request; ten minutes of silence end it")
  func session() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness))
    let nothing = await harness.send(
      "POST", path, body: #"{"event":"connection","connected":true,"timestamp":"2026-11-20T07:00:00Z"}"#)
    #expect(nothing.status == 200)
    #expect(harness.service.sessions.liveCount == 0)
    for second in 0..<130 {
      clock.set(.morning(Double(second)))
      let response = await harness.send("POST", path, body: Self.heartRate(second))
      #expect(response.text == #"{"version":1,"type":"taken","accepted":1,"rejected":[]}"# + "\n")
    }
    #expect(harness.service.sessions.liveCount == 1)
    let watcher = try await harness.token([.watch], person: "ann")
    let live = try #require(harness.service.sessions.live(for: watcher.grant.caller).first)
    let records = await harness.send(
      "GET", "/v1/sessions/\(live.id)/events", watcher, headers: [HTTPField("Accept", "application/x-ndjson")])
    #expect(records.text.split(separator: "\n").count > 1)
    clock.set(.morning(129 + 601))
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 0)
    #expect(try await harness.service.history.session(exactly: live.id)?.person == "ann")
    _ = await harness.send("POST", path, body: Self.heartRate(731))
    #expect(harness.service.sessions.liveCount == 1)
    await harness.service.close()
  }

  @Test("Samples of several apps at once come into one session, and after a restart go on in it")
  func oneSession() async throws {
    let folder = try ScratchFolder()
    let clock = ManualClock(.morning(0))
    var harness = try await ServiceHarness(folder, clock: clock)
    let key = try await Self.key(harness)
    let path = "/v1/in/" + key
    let service = harness.service
    let grant = try #require(service.access.key(key))
    let unanswering = UnansweringInstance(nil) { false }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for second in 0..<4 {
        for body in [Self.heartRate(second), "lat=49.0\(second)&lon=8.4"] {
          group.addTask {
            let message = try SenderMessage(body: Array(body.utf8), query: [])
            return try await service.senders.take(
              message, with: grant, in: service.sessions, unanswering: unanswering, now: .morning(0)
            ).accepted
          }
        }
      }
      for try await accepted in group { #expect(accepted == 1) }
    }
    #expect(harness.service.sessions.liveCount == 1)
    await harness.service.close()
    harness = try await ServiceHarness(folder, clock: clock)
    #expect(await harness.send("POST", path, body: Self.heartRate(5)).status == 200)
    #expect(harness.service.sessions.liveCount == 1)
    clock.set(.morning(700))
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 0)
    await harness.service.close()
  }

  private static func steps(_ total: Int, _ second: Int, of recording: String = "run") -> String {
    let time = WallClockTime.morning(Double(second)).nanoseconds
    return
      #"{"messageId":\#(second),"sessionId":"\#(recording)","deviceId":"d","payload":[{"name":"pedometer","time":\#(time),"values":{"steps":\#(total)}},{"name":"heart rate","time":\#(time),"values":{"bpm":120}}]}"#
  }

  @Test("A running total of steps goes on after a restart: no step is lost, and none counts twice")
  func stepsAfterRestart() async throws {
    let folder = try ScratchFolder()
    let clock = ManualClock(.morning(0))
    var harness = try await ServiceHarness(folder, clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness))
    func send(_ bodies: String...) async {
      for body in bodies { #expect(await harness.send("POST", path, body: body).status == 200) }
    }
    await send(Self.steps(1_000, 0), Self.steps(1_010, 2), Self.steps(50, 3, of: "watch"))
    await harness.service.close()
    harness = try await ServiceHarness(folder, clock: clock)
    // The first is sent again, because its answer did not arrive; the last begins anew, as after a restart of the phone.
    await send(Self.steps(1_010, 2), Self.steps(1_025, 4), Self.steps(57, 5, of: "watch"), Self.steps(3, 6))
    await harness.service.close()
    harness = try await ServiceHarness(folder, clock: clock)
    await send(Self.steps(3, 6), Self.steps(8, 8), Self.steps(1_030, 1))
    let session = try #require(
      harness.service.sessions.live(for: Caller(.token, id: "t", scopes: [.watch], person: "ann")).first)
    clock.set(.morning(700))
    await harness.service.tick()
    let log = SessionFolder.path(of: session.id, in: harness.service.settings.dataFolder) + "/"
    let rows = try text(of: (log + SessionFolder.log(of: .steps)).path).split(separator: "\n").dropFirst()
    let counts = rows.compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
    #expect(counts == [0, 10, 0, 15, 7, 0, 5])
    await harness.service.close()
  }

  @Test("What looks like a total in lines of others is taken for one where there may be such, and else passed over")
  func notedTotals() {
    var totals = StepTotals()
    let line = { (total: String, counter: String) in
      #"{"type":"steps","time":"2026-11-20T07:00:00Z","count":1,"total":\#(total),"counter":\#(counter)}"# + "\n"
    }
    for (total, counter) in [
      ("-9223372036854775808", "\"a\""), ("9223372036854775807", "\"a\""), ("1e30", "\"a\""), ("\"1\"", "\"a\""),
      ("1", "1"), ("1", "null"), ("1", "\"" + String(repeating: "x", count: 33) + "\""), ("1", "{"),
    ] {
      totals.take(lines: Array(line(total, counter).utf8), before: nil)
    }
    #expect(totals == StepTotals())
    let lines = Array((line("5", "\"a\"") + line("7", "\"b\"")).utf8)
    totals.take(lines: lines, before: 2)
    let time = WallClockTime.morning(0)
    #expect(totals.take(9, of: "a", at: time) == 4)
    #expect(totals.take(9, of: "b", at: time) == 0)
  }

  @Test("OwnTracks is answered by an empty array; when nothing can be taken now, by nothing at all; junk by 400")
  func ownTracks() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness))
    let taken = await harness.send("POST", path, body: Self.position(0))
    #expect(taken.status == 200)
    #expect(taken.text == "[]")
    #expect(await harness.send("POST", path, body: #"{"_type":"location","lat":1}"#).status == 400)
    // More than may come in a second: it may come again later, and has to be kept until then.
    var last = taken
    for second in 1..<60 { last = await harness.send("POST", path, body: Self.position(second)) }
    #expect(last.isClose)
    let other = await harness.send("POST", path, body: Self.heartRate(60))
    #expect(other.status == 429)
    clock.set(.morning(10))
    #expect(await harness.send("POST", path, body: Self.position(60)).text == "[]")
    harness.service.beginToStop()
    #expect(await harness.send("POST", path, body: Self.position(61)).isClose)
    #expect(await harness.send("POST", path, body: Self.heartRate(61)).status == 503)
    await harness.service.close()
  }

  @Test("The same message again counts once")
  func repeated() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let path = "/v1/in/" + (try await Self.key(harness))
    let first = await harness.send("POST", path, body: Self.heartRate(0))
    let again = await harness.send("POST", path, body: Self.heartRate(0))
    #expect(again.text == first.text)
    let session = try #require(
      harness.service.sessions.live(for: Caller(.token, id: "t", scopes: [.watch], person: "ann")).first)
    #expect(await session.running.session?.pipeline.engine.summary.acceptedHeartRates == 1)
    await harness.service.close()
  }

  /// A request whose sessions last 3 s.
  private static let short = request.replacing(#""clock""#, with: #""durationLimitSeconds":3,"clock""#)

  /// How many heart rates the only live session of Ann has.
  private static func heartRates(_ harness: ServiceHarness) async throws -> Int {
    let watcher = Caller(.token, id: "t", scopes: [.watch], person: "ann")
    let live = harness.service.sessions.live(for: watcher)
    try #require(live.count == 1)
    return try #require(await live[0].running.session).pipeline.engine.summary.acceptedHeartRates
  }

  @Test(
    "A message that comes again after its session has ended has its answer and begins none, also while another one goes on",
    arguments: StoreKind.allCases)
  func repeatedAfterEnd(_ kind: StoreKind) async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(StorePlace(kind), clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness, request: Self.short))
    var answers: [(body: String, text: String)] = []
    for second in [0, 2, 4] {
      clock.set(.morning(Double(second)))
      let body = Self.steps(100 + second, second)
      let answer = await harness.send("POST", path, body: body)
      #expect(answer.status == 200, "\(answer.text)")
      answers.append((body, answer.text))
    }
    #expect(harness.service.sessions.liveCount == 0)
    for answer in answers.reversed() {
      #expect(await harness.send("POST", path, body: answer.body).text == answer.text)
    }
    #expect(harness.service.sessions.liveCount == 0)
    // One of which a part is new is another one.
    clock.set(.morning(5))
    let new = #"{"name":"heart rate","time":\#(WallClockTime.morning(5).nanoseconds),"values":{"bpm":121}}"#
    let more = Self.steps(104, 4).replacing(#""payload":["#, with: #""payload":["# + new + ",")
    for _ in 0..<2 {
      #expect(await harness.send("POST", path, body: more).json?["accepted"]?.number?.int64 == 3)
      #expect(try await Self.heartRates(harness) == 2)
    }
    for answer in answers { #expect(await harness.send("POST", path, body: answer.body).text == answer.text) }
    #expect(try await Self.heartRates(harness) == 2)
    await harness.service.close()
  }

  @Test("So it has after a stop; one without a time is never the same, and begins a session")
  func repeatedAfterStop() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness))
    let first = await harness.send("POST", path, body: Self.heartRate(0))
    #expect(await harness.send("GET", path + "?heartRate=120").status == 200)
    let token = try await harness.token([.send], person: "ann")
    let id = try #require(harness.service.sessions.live(for: token.grant.caller).first).id
    let stopped = await harness.send(
      "POST", "/v1/sessions/\(id)/commands", token, body: #"{"type":"command","id":"q","command":"stop"}"#)
    #expect(stopped.status == 200, "\(stopped.text)")
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("POST", path, body: Self.heartRate(0)).text == first.text)
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("GET", path + "?heartRate=120").status == 200)
    #expect(harness.service.sessions.liveCount == 1)
    #expect(await harness.send("POST", path, body: Self.heartRate(0)).text == first.text)
    #expect(try await Self.heartRates(harness) == 1)
    await harness.service.close()
  }

  @Test("So it has from a service that was started after the end, which knows it by what was taken of the session")
  func repeatedAfterStart() async throws {
    let folder = try ScratchFolder()
    let clock = ManualClock(.morning(0))
    var harness = try await ServiceHarness(folder, clock: clock)
    let path = "/v1/in/" + (try await Self.key(harness, request: Self.short))
    var answers: [(body: String, text: String)] = []
    for second in [0, 2, 4] {
      clock.set(.morning(Double(second)))
      let body = Self.steps(100 + second, second)
      answers.append((body, await harness.send("POST", path, body: body).text))
    }
    #expect(harness.service.sessions.liveCount == 0)
    await harness.service.close()
    harness = try await ServiceHarness(folder, clock: clock)
    for answer in answers.reversed() {
      #expect(await harness.send("POST", path, body: answer.body).text == answer.text)
    }
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("POST", path, body: Self.steps(110, 5)).status == 200)
    #expect(try await Self.heartRates(harness) == 1)
    await harness.service.close()
    // Later nobody knows it any more.
    clock.set(.morning(700))
    harness = try await ServiceHarness(folder, clock: clock)
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("POST", path, body: answers[2].body).status == 200)
    #expect(harness.service.sessions.liveCount == 1)
    await harness.service.close()
  }

  @Test("A number of Sensor Logger that comes again with other content is another message, which counts once as well")
  func repeatedNumber() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let path = "/v1/in/" + (try await Self.key(harness))
    func message(_ second: Int) -> String {
      let time = WallClockTime.morning(Double(second)).nanoseconds
      return
        #"{"messageId":4,"sessionId":"x","deviceId":"y","payload":[{"name":"pedometer","time":\#(time),"values":{"steps":\#(100 + 10 * second)}},{"name":"heart rate","time":\#(time),"values":{"bpm":\#(120 + second)}}]}"#
    }
    for second in [0, 1, 1, 2, 0, 2] {
      let taken = await harness.send("POST", path, body: message(second))
      #expect(taken.json?["accepted"]?.number?.int64 == 2, "\(second): \(taken.text)")
    }
    let session = try #require(
      harness.service.sessions.live(for: Caller(.token, id: "t", scopes: [.watch], person: "ann")).first)
    #expect(await session.running.session?.pipeline.engine.summary.acceptedHeartRates == 3)
    var steps = session.steps
    #expect(steps.take(121, of: StepTotals.mark(of: "x/y"), at: .morning(3)) == 1)
    await harness.service.close()
  }

  @Test(
    "What Health Auto Export sends is refused with the reason, and a key that nobody has is not there",
    arguments: StoreKind.allCases)
  func others(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let path = "/v1/in/" + (try await Self.key(harness))
    let export = await harness.send("POST", path, body: #"{"data":{"metrics":[]}}"#)
    #expect(export.status == 422)
    #expect(export.json?["detail"]?.string?.contains("recording") == true)
    #expect(await harness.send("POST", "/v1/in/key_nobody", body: Self.heartRate(0)).status == 404)
    #expect(await harness.send("GET", path).status == 200)
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("HEAD", path + "?lat=1&lon=2").status == 200)
    #expect(harness.service.sessions.liveCount == 0)
    await harness.service.close()
  }

  @Test("Whatever comes with a key counts among its requests", arguments: ["HEAD", "POST"])
  func rate(_ method: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let path = "/v1/in/" + (try await Self.key(harness))
    let body = method == "POST" ? #"{"data":{"metrics":[]}}"# : nil
    var last = 0
    for _ in 0..<50 { last = await harness.send(method, path, body: body).status }
    #expect(last == 429)
    await harness.service.close()
  }

  @Test(
    "A position of OwnTracks is kept by the app while no session can be begun with the key",
    arguments: StoreKind.allCases)
  func ownTracksWithoutProfile(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind), clock: ManualClock(.morning(0)))
    let owner = try await harness.token([.manage])
    let made = await harness.send("POST", "/v1/keys", owner, body: #"{"person":"zed"}"#)
    #expect(made.json?["warning"]?.string != nil)
    let path = "/v1/in/" + (try #require(made.json?["key"]?.string))
    #expect(await harness.send("POST", path, body: Self.position(0)).isClose)
    #expect(await harness.send("POST", path, body: Self.heartRate(0)).status == 422)
    await harness.service.close()
  }
}

extension HTTPResponse {
  /// Whether the connection is closed without an answer.
  fileprivate var isClose: Bool { if case .close = content { true } else { false } }
}
