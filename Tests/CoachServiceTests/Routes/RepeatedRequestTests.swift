@testable import CoachService
@testable import LiveCoaching
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The next request of a connection")
struct RepeatedRequestTests {
  private let harness: ServiceHarness
  private let clock = ManualClock(WallClockTime(nanoseconds: 1_790_000_000_000_000_000))

  init() async throws { harness = try await ServiceHarness(ScratchFolder(), clock: clock) }

  private static func head(
    _ path: String, _ token: String, method: String = "POST", query: [HTTPField] = [HTTPField("batch", "7")],
    type: String = "application/x-ndjson", length: String = "80", more: [HTTPField] = [], byteCount: Int = 300
  ) -> HTTPHead {
    HTTPHead(
      method: method, path: path, query: query,
      headers: [
        HTTPField("Host", "127.0.0.1:8080"), HTTPField("Authorization", "Bearer \(token)"),
        HTTPField("Content-Type", type), HTTPField("Content-Length", length),
      ] + more, address: "127.0.0.1", byteCount: byteCount)
  }

  private func pass(_ nanoseconds: Int64) {
    clock.set(WallClockTime(nanoseconds: clock.now().nanoseconds + nanoseconds))
  }

  private func status(_ admission: HTTPAdmission) -> Int? {
    switch admission {
    case .refused(let response): response.status
    case .taken: nil
    case .undecided: 0
    }
  }

  @Test("It is refused as one that comes alone would be, whatever the one before was allowed")
  func refusals() async throws {
    let token = try await harness.token([.send], person: "ann")
    let watching = try await harness.token([.watch], person: "ann")
    let path = "/v1/sessions/\(try await harness.begin(harness.token([.manage])))/samples"
    let handler = harness.service.handler
    let good = Self.head(path, token.secret)
    let others: [(String, HTTPHead, Int?)] = [
      ("other lines", Self.head(path, token.secret, query: [HTTPField("batch", "8")], length: "9999"), nil),
      ("no batch", Self.head(path, token.secret, query: []), nil),
      ("a body that is too large", Self.head(path, token.secret, length: "262145"), 413),
      ("a sign before the length", Self.head(path, token.secret, length: "+80"), 400),
      ("no length", Self.head(path, token.secret, length: ""), 400),
      ("another type", Self.head(path, token.secret, type: "text/plain"), 415),
      ("a parameter that is not known", Self.head(path, token.secret, query: [HTTPField("batches", "7")]), 400),
      (
        "a parameter twice", Self.head(path, token.secret, query: [HTTPField("batch", "7"), HTTPField("batch", "8")]),
        400
      ),
      ("a token that sees only", Self.head(path, watching.secret), 403),
      ("a token that nobody has", Self.head(path, token.secret + "x"), 0),
      ("another method", Self.head(path, token.secret, method: "PUT"), 405),
      ("another path", Self.head("/v1/nothing", token.secret), 404),
      ("two hosts", Self.head(path, token.secret, more: [HTTPField("Host", "127.0.0.1:8080")]), 400),
      ("a length and pieces", Self.head(path, token.secret, more: [HTTPField("Transfer-Encoding", "chunked")]), 400),
      ("a control character", Self.head(path, token.secret, more: [HTTPField("X-A", "a\u{1}")]), 400),
      ("a head that is too large", Self.head(path, token.secret, byteCount: 8_193), 431),
    ]
    for (what, head, expected) in others {
      let memory = HTTPMemory()
      #expect(status(handler.admit(good, memory)) == nil)
      #expect(memory.value != nil)
      #expect(status(handler.admit(head, memory)) == expected, "\(what), after a good one")
      #expect(status(handler.admit(head, HTTPMemory())) == expected, "\(what), alone")
      // More than twenty a second are too many of anybody.
      pass(1_000_000_000)
    }
    await harness.service.close()
  }

  @Test("A token that is revoked, or over, takes nothing more on a connection that it had used")
  func revoked() async throws {
    let path = "/v1/sessions/\(try await harness.begin(harness.token([.manage])))/samples"
    let handler = harness.service.handler
    let token = try await harness.token([.send], person: "ann")
    let memory = HTTPMemory()
    #expect(status(handler.admit(Self.head(path, token.secret), memory)) == nil)
    #expect(status(handler.admit(Self.head(path, token.secret), memory)) == nil)
    try await harness.service.store.revoke(token.grant.caller.id, .token)
    try await harness.service.access.refresh(always: true)
    #expect(status(handler.admit(Self.head(path, token.secret), memory)) == 0)

    let second = try await harness.token([.send], person: "ann")
    #expect(status(handler.admit(Self.head(path, second.secret), memory)) == nil)
    pass(86_400_000_000_000)
    #expect(status(handler.admit(Self.head(path, second.secret), memory)) == 0)
    await harness.service.close()
  }

  @Test("More than forty at once are refused on one connection too")
  func rate() async throws {
    let path = "/v1/sessions/\(try await harness.begin(harness.token([.manage])))/samples"
    let token = try await harness.token([.send], person: "ann")
    let memory = HTTPMemory()
    var taken = 0
    while status(harness.service.handler.admit(Self.head(path, token.secret), memory)) == nil, taken < 100 {
      taken += 1
    }
    #expect(taken == 40)
    #expect(status(harness.service.handler.admit(Self.head(path, token.secret), memory)) == 429)
    await harness.service.close()
  }

  @Test("Nothing is remembered of a cookie, which holds for longer by being used, and of who has no token")
  func notRemembered() async throws {
    let memory = HTTPMemory()
    let head = HTTPHead(
      method: "GET", path: "/healthz", query: [], headers: [HTTPField("Host", "localhost")], address: "", byteCount: 50)
    #expect(status(harness.service.handler.admit(head, memory)) == nil)
    #expect(memory.value == nil)
    await harness.service.close()
  }

  @Test(
    "Lines of which nothing came are answered by the same bytes as ever, which are made once and not kept without end")
  func prepared() async throws {
    let answers = TakenAnswers()
    var made = 0
    func answer(_ accepted: Int, _ last: Int, isStrict: Bool = false) throws -> PreparedAnswer {
      var report = LiveReport()
      report.lineCount = accepted
      report.lastRecord = last
      let lines = try #require(TakenLines(report))
      return answers.answer(lines, isStrict: isStrict) {
        made += 1
        return HTTPResponse(200, [HTTPField("X-Strict", "\(isStrict)")], .bytes(TakenRecord.bytes(lines)))
      }
    }
    let first = try answer(4, 17)
    #expect(
      first.response.text
        == #"{"version":1,"type":"taken","accepted":4,"rejected":[],"events":[],"lastEvent":17}"# + "\n")
    #expect(try answer(4, 17) === first)
    #expect(try answer(4, 18) !== first)
    #expect(try answer(4, 17, isStrict: true).response.header("X-Strict") == "true")
    #expect(made == 3)
    for number in 0..<5_000 { _ = try answer(1, number) }
    #expect(answers.count <= TakenAnswers.most)
    await harness.service.close()
  }

  @Test("A session that was let go is not what the next request of a connection finds, whatever the one before found")
  func droppedSession() async throws {
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    let caller = Caller(.token, id: "t", scopes: [.send, .manage], person: nil)
    guard case .route(let route, let values) = harness.service.routes.match("POST", "/v1/sessions/\(id)/samples") else {
      Issue.record("there is no route for samples")
      return
    }
    let place = AdmittedPlace(route, values, caller)
    let sessions = harness.service.sessions
    let session = try #require(place.session(in: sessions))
    #expect(session === sessions.known(id))
    #expect(place.session(in: sessions) === session)
    let isDropped = sessions.drop(session)
    #expect(isDropped)
    #expect(place.session(in: sessions) == nil)
    // Somebody else's is not found either way.
    let other = AdmittedPlace(route, values, Caller(.token, id: "o", scopes: [.send], person: "bob"))
    sessions.hosted.withLock { $0[id] = session }
    #expect(other.session(in: sessions) == nil)
    await harness.service.close()
  }
}
