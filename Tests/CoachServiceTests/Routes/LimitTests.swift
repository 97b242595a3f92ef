@testable import CoachService
import Glibc
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

  @Test("Of sixteen streams and requests that wait, asked for at once, eight are let in")
  func streamsAtOnce() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch, .manage])
    let caller = token.grant.caller
    let events = "/v1/sessions/\(try await harness.begin(token))/events"
    let group = await harness.send("POST", "/v1/groups", token, body: #"{"name":"tuesday"}"#)
    let board = "/v1/groups/\(try #require(group.json?["groupID"]?.string))/events"
    let answers = await withTaskGroup(of: HTTPResponse.self) { tasks in
      for number in 0..<16 { tasks.addTask { await harness.send("GET", number % 2 == 0 ? events : board, token) } }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count { $0.status == 200 } == 8)
    #expect(answers.count { $0.status == 429 } == 8)
    #expect(harness.service.sessions.streamPlaces.count(of: caller) == 8)
    for case .stream(let stream) in answers.map(\.content) { stream.cancel() }
    #expect(harness.service.sessions.streamPlaces.count(of: caller) == 0)
    #expect(harness.service.metrics.streams == 0)
    await harness.service.close()
  }

  @Test("A stream that does not open gives its place back")
  func placesOfNoStream() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    for _ in 0..<9 { #expect(await harness.send("GET", "/v1/groups/none/events", token).status == 404) }
    #expect(harness.service.sessions.streamPlaces.count(of: token.grant.caller) == 0)
    await harness.service.close()
  }

  @Test("A place is taken once and given back once, whoever gives it back")
  func places() async throws {
    let places = StreamPlaces()
    let caller = try await ServiceHarness(ScratchFolder()).token([.watch]).grant.caller
    let first = try #require(places.take(for: caller, atMost: 2))
    let second = try #require(places.take(for: caller, atMost: 2))
    #expect(places.take(for: caller, atMost: 2) == nil)
    first.release()
    first.release()
    #expect(places.count(of: caller) == 1)
    #expect(second.handOver())
    second.release()
    #expect(places.count(of: caller) == 1)
    places.leave(caller)
    #expect(places.count(of: caller) == 0)
  }

  /// Opens eight connections that ask a service for the events of a session, and waits until all of them count, beside those that are open.
  private static func connections(
    _ harness: ServiceHarness, to port: UInt16, _ target: String, _ token: IssuedSecret, accepting type: String
  ) async throws -> [Int32] {
    let head =
      "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: \(type)\r\n"
      + "Authorization: Bearer \(token.secret)\r\n\r\n"
    let all = harness.service.metrics.streams + 8
    let clients = (0..<8).map { _ in HTTPServerStopTests.connect(sending: head, to: port) }
    for _ in 0..<10_000 where harness.service.metrics.streams < all { try await Task.sleep(for: .milliseconds(1)) }
    #expect(harness.service.metrics.streams == all)
    return clients
  }

  /// Has the service look for readers that have left, until so many streams count.
  private static func tick(_ harness: ServiceHarness, untilStreams count: Int) async throws {
    await harness.service.tick()
    for _ in 0..<10_000 where harness.service.metrics.streams != count {
      try await Task.sleep(for: .milliseconds(1))
      await harness.service.tick()
    }
    #expect(harness.service.metrics.streams == count)
  }

  @Test("Streams whose readers have left do not count, though nothing has come that could not be delivered")
  func leftStreams() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let events = "/v1/sessions/\(try await harness.begin(token))/events"
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: harness.service.handler)
    for client in try await Self.connections(
      harness, to: bound.port, events, token, accepting: "text/event-stream")
    {
      close(client)
    }
    // That a client has closed its side may take a moment to arrive.
    var status = 429
    for _ in 0..<10_000 where status == 429 {
      status = await harness.send("GET", events, token).status
      if status == 429 { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(status == 200)
    try await Self.tick(harness, untilStreams: 1)
    // Each second it is looked for them, whether somebody needs their places or not.
    let others = try await harness.token([.watch, .send])
    let more = "/v1/sessions/\(try await harness.begin(others))/events"
    let left = try await Self.connections(harness, to: bound.port, more, others, accepting: "text/event-stream")
    for client in left { close(client) }
    try await Self.tick(harness, untilStreams: 1)
    await server.stop()
    await harness.service.close()
  }

  @Test("Requests that wait for an event count among the streams, and wait no longer when their clients have left")
  func polls() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let events = "/v1/sessions/\(try await harness.begin(token))/events"
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: harness.service.handler)
    let clients = try await Self.connections(
      harness, to: bound.port, events + "?wait=60", token, accepting: "application/x-ndjson")
    let lines = [HTTPField("Accept", "application/x-ndjson")]
    #expect(await harness.send("GET", events, token).status == 429)
    #expect(await harness.send("GET", events + "?wait=1", token, headers: lines).status == 429)
    #expect(await harness.send("GET", events + "?wait=0", token, headers: lines).status == 200)
    for client in clients { close(client) }
    for _ in 0..<10_000 where harness.service.metrics.streams > 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(harness.service.metrics.streams == 0)
    await server.stop()
    await harness.service.close()
  }

  @Test("A request that waits is answered by the next record, and at once when the service stops")
  func answeredPolls() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let lines = [HTTPField("Accept", "application/x-ndjson")]
    let begin = MonotonicClock.now
    async let waiting = harness.send("GET", "/v1/sessions/\(id)/events?wait=60", token, headers: lines)
    for _ in 0..<10_000 where harness.service.metrics.streams < 1 { try await Task.sleep(for: .milliseconds(1)) }
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<2),
      type: "application/x-ndjson")
    let first = await waiting
    #expect(first.text.contains(#""type":"started""#), "\(first.text)")
    let last = first.text.split(separator: "\n").count
    async let stopped = harness.send("GET", "/v1/sessions/\(id)/events?after=\(last)&wait=60", token, headers: lines)
    for _ in 0..<10_000 where harness.service.metrics.streams < 1 { try await Task.sleep(for: .milliseconds(1)) }
    harness.service.beginToStop()
    let second = await stopped
    #expect(second.text.isEmpty, "\(second.text)")
    #expect(MonotonicClock.now - begin < 50_000_000_000)
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
      let stream = EventStream(hosted, for: StreamClient(token.grant.caller) { false }, .usual(of: hosted))
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
