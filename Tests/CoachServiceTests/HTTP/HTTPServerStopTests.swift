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

  /// Sends one request after another over a connection until that is closed; how many were answered.
  private static func ask(_ port: UInt16) -> Int {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isOpen = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isOpen else { return 0 }
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
}
