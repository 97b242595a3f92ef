@testable import CoachService
import Glibc
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What is counted of connections and readers")
struct ConnectionTallyTests {
  /// The text of the metrics.
  private static func metrics(_ service: Service) async throws -> String {
    let head = HTTPHead(
      method: "GET", path: "/metrics", query: [], headers: [HTTPField("Host", "localhost")], address: "", byteCount: 50)
    guard case .taken(let taken) = MetricsHandler(service).admit(head) else {
      Issue.record("the metrics are refused")
      return ""
    }
    return await taken.answer(HTTPRequest(head)).text
  }

  @Test(
    "A connection without a head, the rest of a body or a further request is closed, and counted by what did not come")
  func slowConnections() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let tally = harness.service.metrics.connections
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    var settings = HTTPServerSettings()
    settings.headerNanoseconds = 2_000_000_000
    settings.bodyNanoseconds = 2_000_000_000
    settings.idleNanoseconds = 2_000_000_000
    settings.tally = tally
    let server = try HTTPServer(listener: listener, settings: settings, handler: harness.service.handler)
    let host = "Host: 127.0.0.1:8080\r\n"
    let token = try await harness.token([.send])
    let body =
      "POST /v1/sessions HTTP/1.1\r\n\(host)Authorization: Bearer \(token.secret)\r\n"
      + "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    let clients = ["GET /healthz HT", body, "GET /healthz HTTP/1.1\r\n\(host)\r\n"].map {
      HTTPServerStopTests.connect(sending: $0, to: bound.port)
    }
    defer { for client in clients { close(client) } }
    for _ in 0..<60_000 where tally.openCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try await Self.metrics(harness.service).contains("\ncoach_connections_open 3\n"))
    for _ in 0..<60_000 where tally.openCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    let text = try await Self.metrics(harness.service)
    for line in [
      "coach_connections_open 0", #"coach_connections_closed_total{reason="slow_head"} 1"#,
      #"coach_connections_closed_total{reason="slow_body"} 1"#, #"coach_connections_closed_total{reason="idle"} 1"#,
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    await server.stop()
    await harness.service.close()
  }

  @Test("A stream whose reader is too slow is ended and counted; one whose reader has left is not")
  func slowReader() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let token = try await harness.token([.send, .watch])
    let order = ServiceHarness.order.replacing(#""every":60"#, with: #""every":5"#)
    let id = try await harness.begin(token, order)
    var streams: [any HTTPStream] = []
    for _ in 0..<2 { streams.append(try await harness.stream("/v1/sessions/\(id)", token)) }
    streams.removeLast().cancel()
    for batch in 0..<5 {
      let lines = ServiceHarness.heartRates(batch * 2_000..<(batch + 1) * 2_000)
      let answer = await harness.send(
        "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: lines, type: "application/x-ndjson")
      #expect(answer.status == 200, "\(answer.text.prefix(200))")
    }
    let metrics = harness.service.metrics
    for _ in 0..<60_000 where metrics.droppedStreams == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(metrics.droppedStreams == 1)
    #expect(try await Self.metrics(harness.service).contains("\ncoach_streams_dropped_total 1\n"))
    // What had come before is read still, and then it ends.
    var count = 0
    while case .bytes(let bytes) = streams[0].take(1 << 20) { count += bytes.count }
    #expect(count > 32 << 10)
    #expect(count <= EventStream.largestBacklog)
    await harness.service.close()
  }
}
