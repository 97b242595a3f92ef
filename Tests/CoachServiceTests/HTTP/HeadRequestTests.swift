@testable import CoachService
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
@testable import WorkoutTestSupport

@Suite("Requests for the head of an answer alone")
struct HeadRequestTests {
  /// A stream whose end nobody knows before.
  private final class Lines: HTTPStream {
    private let isOver = Atomic(false)

    func take(_ limit: Int) -> HTTPStreamPart {
      isOver.exchange(true, ordering: .relaxed) ? .end : .bytes(Array("line\n".utf8))
    }
    func onReady(_ wake: @escaping @Sendable () -> Void) {}
    func cancel() {}
  }

  /// Answers by a stream, or by bytes.
  private struct Handler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: 0, tooLarge: { HTTPResponse(413) }) { request in
        request.head.path == "/stream"
          ? HTTPResponse(200, [HTTPField("Content-Type", "text/plain")], .stream(Lines()))
          : HTTPResponse(type: "text/plain", Array("line\n".utf8))
      }
    }
  }

  /// All that comes on a connection for one request.
  private static func answer(to method: String, _ path: String, _ port: UInt16) -> String {
    let client = HTTPServerStopTests.connect(
      sending: "\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", to: port)
    defer { close(client) }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while case let count = unsafe recv(client, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test("No byte follows the head, whether the answer is there or comes in pieces", arguments: ["/stream", "/bytes"])
  func head(_ path: String) async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: Handler())
    let answers = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: ["HEAD", "GET"].map { Self.answer(to: $0, path, bound.port) })
      }
    }
    #expect(answers[0].hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answers[0].contains("Content-Type: text/plain\r\n"))
    #expect(answers[0].range(of: "\r\n\r\n")?.upperBound == answers[0].endIndex, "\(answers[0])")
    // What would have come has the length that is stated, where one is.
    #expect(!answers[0].contains("Content-Length: 0"))
    #expect(answers[1].contains("line\n"))
    await server.stop()
  }
}
