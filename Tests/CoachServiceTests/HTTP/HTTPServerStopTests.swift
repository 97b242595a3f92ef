@testable import CoachService
import Dispatch
import Glibc
import Synchronization
import Testing

@Suite("A server that stops")
struct HTTPServerStopTests {
  /// Answers everything after a moment, so that a connection waits meanwhile.
  private struct SlowHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: 0, tooLarge: { HTTPResponse(413) }) { _ in
        try? await Task.sleep(nanoseconds: 3_000_000)
        return HTTPResponse(type: "text/plain", Array("done\n".utf8))
      }
    }
  }

  /// Takes bodies, and counts how many have begun.
  private final class CountingHandler: HTTPHandler {
    let begun = Atomic(0)

    func admit(_ head: HTTPHead) -> HTTPAdmission {
      begun.add(1, ordering: .sequentiallyConsistent)
      return .taken(bodyLimit: 100, tooLarge: { HTTPResponse(413) }) { _ in HTTPResponse(200) }
    }
  }

  /// A connection to the port; `nil` when there is none.
  private static func open(_ port: UInt16) -> Int32? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isOpen = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isOpen { close(client) }
    return isOpen ? client : nil
  }

  /// Sends one request after another over a connection until that is closed; how many were answered.
  private static func ask(_ port: UInt16) -> Int {
    guard let client = open(port) else { return 0 }
    defer { close(client) }
    let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    var answer = [UInt8](repeating: 0, count: 4_096)
    var count = 0
    while unsafe send(client, request, request.count, Int32(MSG_NOSIGNAL)) == request.count {
      guard unsafe recv(client, &answer, answer.count, 0) > 0 else { break }
      count += 1
    }
    return count
  }

  @Test(
    "It ends while requests keep coming over connections that are open, and every one of them is answered or closed")
  func stopUnderLoad() async throws {
    for round in 0..<5 {
      let address = try #require(ListenAddress("127.0.0.1:0"))
      let (listener, bound) = try address.listen()
      let server = try HTTPServer(listener: listener, handler: SlowHandler())
      let answered = Mutex(0)
      let group = DispatchGroup()
      for _ in 0..<12 {
        DispatchQueue.global().async(group: group) {
          let count = Self.ask(bound.port)
          answered.withLock { $0 += count }
        }
      }
      while answered.withLock({ _ in server.connectionCount }) < 12 { try await Task.sleep(nanoseconds: 1_000_000) }
      try await Task.sleep(nanoseconds: UInt64(round) * 2_000_000)
      await server.stop()
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        group.notify(queue: .global()) { continuation.resume() }
      }
      #expect(answered.withLock { $0 } >= 12, "round \(round)")
    }
  }

  @Test("It does not wait for the rest of a request that has not come to its end", .timeLimit(.minutes(1)))
  func unfinishedRequest() async throws {
    let address = try #require(ListenAddress("127.0.0.1:0"))
    let (listener, bound) = try address.listen()
    let handler = CountingHandler()
    let server = try HTTPServer(listener: listener, handler: handler)
    let client = try #require(Self.open(bound.port))
    defer { close(client) }
    let half = Array("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf".utf8)
    let sent = unsafe send(client, half, half.count, Int32(MSG_NOSIGNAL))
    #expect(sent == half.count)
    while handler.begun.load(ordering: .sequentiallyConsistent) == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    await server.stop(withinNanoseconds: 600_000_000_000)
    #expect(server.connectionCount == 0)
  }
}
