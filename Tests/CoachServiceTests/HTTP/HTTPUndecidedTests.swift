@testable import CoachService
import Dispatch
import Glibc
import Testing
@testable import WorkoutTestSupport

@Suite("Requests of which something is looked up first")
struct HTTPUndecidedTests {
  /// Takes what has the header `Take`, after a moment, and answers with the length of the body.
  private struct LateHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .undecided {
        await Task.yield()
        guard head.value(of: "Take") != nil else { return .refused(HTTPResponse(401)) }
        return .taken(bodyLimit: 1 << 20, tooLarge: { HTTPResponse(413) }) { request in
          HTTPResponse(type: "text/plain", Array("\(request.body.count) bytes".utf8))
        }
      }
    }
  }

  /// Decides nothing until it stops.
  private struct StuckHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .undecided {
        try? await Task.sleep(nanoseconds: 60_000_000_000)
        return .refused(HTTPResponse(401))
      }
    }
  }

  /// A request, and what its answer has.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let head: String
    let body: String
    let expected: String

    private init(_ name: String, _ head: String, body: String = "", _ expected: String) {
      (testDescription, self.head, self.body, self.expected) = (name, head, body, expected)
    }

    static let all = [
      Case("without a body", "GET / HTTP/1.1\r\nTake: 1\r\n", "0 bytes"),
      Case("a small body", "POST / HTTP/1.1\r\nTake: 1\r\nContent-Length: 9\r\n", body: "some body", "9 bytes"),
      Case(
        "a body in pieces", "POST / HTTP/1.1\r\nTake: 1\r\nTransfer-Encoding: chunked\r\n",
        body: "4\r\nsome\r\n5\r\n body\r\n0\r\n\r\n", "9 bytes"),
      Case(
        "a large body", "POST / HTTP/1.1\r\nTake: 1\r\nContent-Length: 500000\r\n",
        body: String(repeating: "a", count: 500_000), "500000 bytes"),
      Case(
        "a body that is too large", "POST / HTTP/1.1\r\nTake: 1\r\nTransfer-Encoding: chunked\r\n",
        body: String(repeating: "8000\r\n" + String(repeating: "a", count: 32_768) + "\r\n", count: 33) + "0\r\n\r\n",
        " 413 "),
      Case("refused without a body", "GET / HTTP/1.1\r\n", " 401 "),
      Case("refused with a body", "POST / HTTP/1.1\r\nContent-Length: 9\r\n", body: "some body", " 401 "),
    ]
  }

  /// What is answered. Waiting for it takes no thread that answers need.
  static func answer(to text: String, from port: UInt16) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let client = HTTPServerStopTests.connect(sending: text, to: port)
        defer { close(client) }
        continuation.resume(returning: HTTPServerStopTests.received(client))
      }
    }
  }

  @Test("A request is taken or refused with whatever body it has", arguments: Case.all)
  func decided(_ request: Case) async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: LateHandler())
    let text = request.head + "Host: a\r\nConnection: close\r\n\r\n" + request.body
    #expect(await Self.answer(to: text, from: bound.port).contains(request.expected))
    await server.stop()
  }

  /// Refuses all at once.
  private struct RefusingHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission { .refused(HTTPResponse(403)) }
  }

  @Test("A refused request is answered once its body is there, in whatever pieces it comes, and the next one follows")
  func refusedBody() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: RefusingHandler())
    let body = String(repeating: "a", count: 3 << 20)
    let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    // All of it is written before anything is read, as by a proxy: a connection that was closed meanwhile would break.
    let answers = await Self.answer(to: text + text + last, from: bound.port)
    #expect(answers.ranges(of: "HTTP/1.1 403 ").count == 3, "\(answers)")
    await server.stop()
  }

  @Test("A body that is announced as larger than any, and one whose client asks first, is refused before it comes")
  func refusedBefore() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: RefusingHandler())
    for header in ["Content-Length: 67108865", "Content-Length: 1000\r\nExpect: 100-continue"] {
      let answer = await Self.answer(to: "POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n", from: bound.port)
      #expect(answer.contains("HTTP/1.1 403 "), "\(answer)")
      #expect(!answer.contains("HTTP/1.1 100 "), "\(answer)")
    }
    await server.stop()
  }

  @Test("Refused bodies are read up to a number at once and a rate of bytes")
  func refusedFlood() {
    let bodies = RefusedBodies(burst: 1_000, bytesPerSecond: 0)
    #expect(bodies.place(of: nil) == nil)
    #expect(bodies.place(of: 1_001) == nil)
    #expect(bodies.place(of: 999) != nil)
    #expect(bodies.place(of: 2) == nil)
    let many = RefusedBodies()
    var places = (0..<40).compactMap { _ in many.place(of: 1) }
    #expect(places.count == 32)
    places.removeLast()
    #expect(many.place(of: 1) != nil)
    #expect(many.place(of: RefusedBodies.largest + 1) == nil)
  }

  @Test("Requests without a body follow each other over one connection", arguments: [true, false])
  func keptAlive(isTaken: Bool) async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: LateHandler())
    let head = "GET / HTTP/1.1\r\nHost: a\r\n" + (isTaken ? "Take: 1\r\n" : "")
    let text = head + "\r\n" + head + "\r\n" + head + "Connection: close\r\n\r\n"
    let answers = await Self.answer(to: text, from: bound.port)
    #expect(answers.ranges(of: isTaken ? "HTTP/1.1 200 " : "HTTP/1.1 401 ").count == 3, "\(answers)")
    await server.stop()
  }

  @Test("The server stops while something is looked up", .timeLimit(.minutes(1)))
  func stopping() async throws {
    for _ in 0..<3 {
      let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
      let server = try HTTPServer(listener: listener, handler: StuckHandler())
      let client = HTTPServerStopTests.connect(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", to: bound.port)
      while server.connectionCount == 0 { await Task.yield() }
      await server.stop(withinNanoseconds: 1_000_000)
      #expect(server.connectionCount == 0)
      close(client)
    }
  }
}
