@testable import CoachService
import Dispatch
import Foundation
import Glibc
import Testing
@testable import WorkoutTestSupport

@Suite("Requests of one connection")
struct SharedHeadTests {
  /// Answers what it was sent: method, path, query and headers, in their order.
  private struct EchoHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: 1 << 20, tooLarge: { HTTPResponse(413) }) { request in
        let head = request.head
        let lines =
          ["\(head.method) \(head.path)"] + head.query.map { "?\($0.name)=\($0.value)" }
          + head.headers.map { "\($0.name): \($0.value)" }
          + ["\(head.byteCount) \(head.contentLength ?? -1) \(head.value(of: .contentType) ?? "-")"]
        return HTTPResponse(type: "text/plain", Array((lines.joined(separator: "\n") + "\n.").utf8))
      }
    }
  }

  private static let requests: [(line: String, headers: [String], body: String)] = [
    ("POST /a?batch=1", ["Host: a", "Authorization: Bearer one", "Content-Length: 2"], "xx"),
    ("POST /a?batch=2", ["Host: a", "Authorization: Bearer one", "Content-Length: 2"], "yy"),
    ("POST /a?batch=2", ["Host: a", "Authorization: Bearer one", "Content-Length: 3"], "zzz"),
    ("POST /ab", ["Host: a", "Authorization: Bearer two", "Content-Length: 3"], "zzz"),
    ("POST /ab", ["Host: a", "Content-Type: text/plain", "Authorization: Bearer two", "Content-Length: 1"], "z"),
    ("POST /ab", ["Host: a", "content-type: text/plain", "Authorization: Bearer two", "Content-Length: 1"], "z"),
    ("GET /", ["Host: a"], ""),
    ("GET /", ["Host: a", "X-One: 1", "X-Two: 2"], ""),
    ("GET /", ["Host: a", "X-Two: 2", "X-One: 1"], ""),
    ("GET /", ["Host: a", "X-One: 1"], ""),
    ("PUT /", ["Host: a", "X-One: 1", "X-One: 1", "Content-Length: 0"], ""),
  ]

  private static func expected(_ place: Int) -> String {
    let (line, headers, _) = requests[place]
    let words = line.split(separator: " ")
    let parts = words[1].split(separator: "?").map(String.init)
    let type = headers.first { $0.lowercased().hasPrefix("content-type: ") }.map { String($0.dropFirst(14)) }
    let length = headers.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
    let query = parts.count < 2 ? 0 : parts[1].utf8.count - 1 + 4
    let count =
      words[0].utf8.count + parts[0].utf8.count + 12 + query + headers.reduce(0) { $0 + $1.utf8.count - 2 + 4 }
    return
      (["\(words[0]) \(parts[0])"] + parts.dropFirst().map { "?\($0)" } + headers
      + ["\(count) \(length ?? -1) \(type ?? "-")"]).joined(separator: "\n")
  }

  @Test("Whatever the request before on a connection was, a request is what was sent")
  func sharing() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: EchoHandler())
    // Each after each other one.
    for first in Self.requests.indices {
      for second in Self.requests.indices {
        let places = [first, second, first]
        let answers = await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            let client = HTTPServerStopTests.connect(sending: "", to: bound.port)
            defer { close(client) }
            continuation.resume(returning: places.map { Self.ask(client, Self.requests[$0]) })
          }
        }
        for (place, answer) in zip(places, answers) { #expect(answer == Self.expected(place)) }
      }
    }
    await server.stop()
  }

  /// The body of the answer, without its end.
  private static func ask(_ client: Int32, _ request: (line: String, headers: [String], body: String)) -> String {
    let text =
      ([request.line + " HTTP/1.1"] + request.headers).joined(separator: "\r\n") + "\r\n\r\n" + request.body
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while answer.suffix(2) != Array("\n.".utf8)[...] {
      let count = unsafe recv(client, &piece, piece.count, 0)
      guard count > 0 else { return "closed after: " + String(decoding: answer, as: UTF8.self) }
      answer += piece[..<count]
    }
    let whole = String(decoding: answer.dropLast(2), as: UTF8.self)
    return whole.range(of: "\r\n\r\n").map { String(whole[$0.upperBound...]) } ?? whole
  }
}
