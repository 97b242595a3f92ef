@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Limits of the service")
struct LimitTests {
  @Test("Eight event streams of a token are open at most; one that ends makes room")
  func streams() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let events = "/v1/sessions/\(id)/events"
    var streams: [any HTTPStream] = []
    for _ in 0..<8 {
      guard case .stream(let stream) = await harness.send("GET", events, token).content else { continue }
      streams.append(stream)
    }
    #expect(streams.count == 8)
    let refused = await harness.send("GET", events, token)
    #expect(refused.status == 429)
    #expect(refused.header("Retry-After") != nil)
    streams.removeLast().cancel()
    #expect(await harness.send("GET", events, token).status == 200)
    await harness.service.close()
  }

  @Test("A service that is closed lets go of a stream that nobody reads")
  func closedStreams() async throws {
    weak var left: EventStream?
    do {
      let harness = try await ServiceHarness(ScratchFolder())
      let token = try await harness.token([.send, .watch])
      let id = try await harness.begin(token)
      let hosted = try #require(harness.service.sessions.session(id, for: token.grant.caller))
      let stream = EventStream(hosted, for: token.grant.caller, .usual(of: hosted))
      try await stream.begin(after: 0, in: harness.service.sessions)
      left = stream
      await harness.service.close()
    }
    // What it reads with ends on other threads.
    for _ in 0..<2_000 where left != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(left == nil)
  }

  @Test("More samples than a token may send are refused with the time to wait, and none of them is taken")
  func samples() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    var statuses: [Int] = []
    for batch in 0..<7 {
      let lines = ServiceHarness.heartRates(batch * 2_000..<(batch + 1) * 2_000)
      let answer = await harness.send(
        "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: lines, type: "application/x-ndjson")
      statuses.append(answer.status)
      if answer.status == 429 { #expect(answer.header("Retry-After") == "1") }
    }
    #expect(statuses == [200, 200, 200, 200, 200, 429, 429])
    #expect(harness.service.metrics.samples == 10_000)
    clock.set(.morning(1))
    let again = await harness.send(
      "POST", "/v1/sessions/\(id)/samples?batch=5", token, body: ServiceHarness.heartRates(10_000..<12_000),
      type: "application/x-ndjson")
    #expect(again.status == 200)
    await harness.service.close()
  }

  @Test("A request line and headers of more than 8 KiB are refused")
  func headers() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let head = { (bytes: Int) in
      HTTPHead(
        method: "GET", path: "/healthz", query: [], headers: [HTTPField("Host", "localhost")], address: "127.0.0.1",
        byteCount: bytes)
    }
    guard case .taken = harness.service.handler.admit(head(8_192)) else {
      Issue.record("8 KiB are refused")
      return
    }
    guard case .refused(let response) = harness.service.handler.admit(head(8_193)) else {
      Issue.record("more than 8 KiB are taken")
      return
    }
    #expect(response.status == 431)
    await harness.service.close()
  }

  @Test("No more sessions are begun than the service holds at once")
  func sessions() async throws {
    let harness = try await ServiceHarness(ScratchFolder()) { $0.sessionLimit = 2 }
    for _ in 0..<2 { _ = try await harness.begin(try await harness.token([.send])) }
    let refused = await harness.send(
      "POST", "/v1/sessions", try await harness.token([.send]), body: ServiceHarness.order)
    #expect(refused.status == 503)
    #expect(refused.header("Retry-After") != nil)
    await harness.service.close()
  }

  @Test("A session that is paused ends after six hours without a sample, and not before")
  func pause() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    let lines = ServiceHarness.heartRates(0..<10) + #"{"type":"command","id":"p","command":"pause"}"# + "\n"
    let taken = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    #expect(taken.status == 200)
    var live: [Int] = []
    for second in [1_810.0, 21_590, 21_620] {
      clock.set(.morning(second))
      await harness.service.tick()
      live.append(harness.service.sessions.liveCount)
    }
    #expect(live == [1, 1, 0])
    await harness.service.close()
  }
}
