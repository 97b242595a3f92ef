@testable import CoachService
import Testing
@testable import WorkoutTestSupport

@Suite("What is taken of the body of a request")
struct HTTPExchangeTests {
  /// Refuses all at once.
  private struct RefusingHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission { .refused(HTTPResponse(403)) }
  }

  /// Takes all, with a body of so many bytes at most.
  private struct TakingHandler: HTTPHandler {
    let bodyLimit: Int

    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: bodyLimit, tooLarge: { HTTPResponse(413) }) { _ in HTTPResponse(200) }
    }
  }

  /// Hands bytes over as the library does that has read them; whether each of the pieces is taken.
  ///
  /// - Parameter hasBegun: whether the head was looked at. The library is asked for nothing before there is an answer.
  private static func taken(
    _ counts: [Int], by handler: any HTTPHandler, _ headers: [HTTPField], hasBegun: Bool
  ) async throws -> [Bool] {
    let (listener, _) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: handler)
    let nowhere = try unsafe HTTPConnection(#require(OpaquePointer(bitPattern: 16)))
    let head = HTTPHead(method: "POST", path: "/", query: [], headers: headers, address: "", byteCount: 50)
    let exchange = HTTPExchange(server, nowhere, ConnectedClient(socket: -1), head)
    if hasBegun {
      let goesOn = exchange.begin()
      #expect(goesOn)
    }
    var taken: [Bool] = []
    for count in counts {
      let bytes = [UInt8](repeating: 0x61, count: count)
      taken.append(unsafe bytes.withUnsafeBytes { unsafe exchange.take($0) })
    }
    exchange.complete()
    await server.stop()
    return taken
  }

  @Test("Of a request that says that it has no body no byte is")
  func none() async throws {
    for headers in [[], [HTTPField("Content-Length", "0")]] {
      for handler in [RefusingHandler(), TakingHandler(bodyLimit: 100)] as [any HTTPHandler] {
        #expect(try await Self.taken([1], by: handler, headers, hasBegun: true) == [false])
      }
    }
  }

  @Test("Of a refused request no more than it has said is, and where it has said nothing, what a client may see it by")
  func refused() async throws {
    let said = [HTTPField("Content-Length", "10")]
    #expect(try await Self.taken([9, 1, 1], by: RefusingHandler(), said, hasBegun: true) == [true, true, false])
    let pieces = [HTTPField("Transfer-Encoding", "chunked")]
    #expect(try await Self.taken([1 << 20, 1], by: RefusingHandler(), pieces, hasBegun: false) == [true, false])
  }

  @Test("Of one that is taken the body is, and behind it what the client may see the refusal by")
  func tooLarge() async throws {
    let pieces = [HTTPField("Transfer-Encoding", "chunked")]
    let handler = TakingHandler(bodyLimit: 100)
    #expect(try await Self.taken([100, 1 << 20, 1], by: handler, pieces, hasBegun: true) == [true, true, false])
  }

  @Test(
    "A length that is beyond every number is refused at once, and the connection ends", .timeLimit(.minutes(1)),
    arguments: [
      "9223372036854775807", "9223372036854775808", "9999999999999999999", "18446744073709551614",
      "18446744073709551615", "18446744073709551616",
    ])
  func beyond(_ length: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: harness.service.handler)
    let token = try await harness.token([.manage])
    let known = "Authorization: Bearer \(token.secret)\r\nContent-Type: application/json\r\n"
    for (line, more) in [("GET /healthz", ""), ("POST /v1/people", known), ("DELETE /v1/people/ann", known)] {
      let answer = await HTTPUndecidedTests.answer(
        to: "\(line) HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\(more)Content-Length: \(length)\r\n\r\n",
        from: bound.port)
      #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(line): \(answer)")
    }
    await server.stop()
    await harness.service.close()
  }
}
