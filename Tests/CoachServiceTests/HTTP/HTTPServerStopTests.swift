@testable import CoachService
import Dispatch
import Glibc
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

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

  /// Answers nothing, and says goodbye without an answer, as to what takes any answer for a delivery.
  private final class SilentHandler: HTTPHandler {
    let wanted = Mutex<(@Sendable () -> Bool)?>(nil)

    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: 4 << 20, tooLarge: { HTTPResponse(413) }) { request in
        self.wanted.withLock { $0 = request.isWanted }
        while request.isWanted() { try? await Task.sleep(nanoseconds: 1_000_000) }
        return HTTPResponse(200)
      }
    }

    func farewell(_ head: HTTPHead) -> HTTPResponse { .close }

    /// Lets go of the request, which keeps the server, which keeps this.
    func letGo() { wanted.withLock { $0 = nil } }
  }

  /// Connects to a port and sends bytes; the socket.
  static func connect(sending text: String, to port: UInt16) -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let bytes = Array(text.utf8)
    if code == 0 { _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    return client
  }

  /// Waits until something holds, for a minute at most.
  ///
  /// - Throws: `ExpectationFailedError` when it does not hold by then.
  private static func wait(for holds: () -> Bool, at location: SourceLocation = #_sourceLocation) async throws {
    let deadline = MonotonicClock.now + 60_000_000_000
    while !holds(), MonotonicClock.now < deadline { try await Task.sleep(nanoseconds: 1_000_000) }
    try #require(holds(), sourceLocation: location)
  }

  /// What comes until the connection is closed.
  static func received(_ client: Int32) -> String {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(client, &piece, piece.count, 0)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += piece[..<count]
    }
  }

  @Test(
    "A request that cannot be answered any more is left without an answer where its sender would take any for a delivery"
  )
  func farewell() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let handler = SilentHandler()
    defer { handler.letGo() }
    let server = try HTTPServer(listener: listener, handler: handler)
    let client = Self.connect(sending: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: bound.port)
    defer { close(client) }
    try await Self.wait { handler.wanted.withLock { $0 != nil } }
    await server.stop(withinNanoseconds: 1_000_000)
    #expect(Self.received(client).isEmpty)
  }

  @Test("The key of an app is left without an answer when the service stops or has no room; others get 503")
  func farewells() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let head = { (path: String) in
      HTTPHead(method: "POST", path: path, query: [], headers: [], address: "127.0.0.1", byteCount: 50)
    }
    for answer in [harness.service.handler.farewell, harness.service.handler.full] {
      guard case .close = answer(head("/v1/in/key_x")).content else {
        Issue.record("an app is answered")
        continue
      }
      let other = answer(head("/v1/sessions"))
      #expect(other.status == 503)
      #expect(other.header("Retry-After") != nil)
    }
    await harness.service.close()
  }

  @Test("Who has left is known while an answer is made")
  func leaving() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let handler = SilentHandler()
    defer { handler.letGo() }
    let server = try HTTPServer(listener: listener, handler: handler)
    let client = Self.connect(sending: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: bound.port)
    try await Self.wait { handler.wanted.withLock { $0 != nil } }
    let isWanted = try #require(handler.wanted.withLock { $0 })
    #expect(isWanted())
    close(client)
    try await Self.wait { server.connectionCount == 0 }
    #expect(!isWanted())
    await server.stop()
  }

  @Test("Bodies of files that do not fit are refused before they are sent, and samples have room still")
  func budget() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    var settings = HTTPServerSettings()
    settings.bodies = HTTPBodyBudget(fileBytes: 1_000, otherBytes: 1_000)
    let server = try HTTPServer(listener: listener, settings: settings, handler: SilentHandler())
    let first = Self.connect(sending: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n", to: bound.port)
    try await Self.wait { settings.bodies.heldBytes >= 900 }
    let head = "POST / HTTP/1.1\r\nHost: a\r\n"
    let piece = String(repeating: "a", count: 200)
    for more in ["Content-Length: 200\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nC8\r\n\(piece)\r\n0\r\n\r\n"] {
      let second = Self.connect(sending: head + more, to: bound.port)
      #expect(Self.received(second).hasPrefix("HTTP/1.1 503 "), "\(more.prefix(20))")
      close(second)
    }
    let small = try #require(HTTPBody(length: 900, limit: 1_000, settings.bodies))
    #expect(settings.bodies.heldBytes == 1_800)
    small.drop()
    close(first)
    try await Self.wait { settings.bodies.heldBytes == 0 }
    await server.stop()
  }

  /// A connection to the port; `nil` when there is none.
  private static func open(_ port: UInt16) -> Int32? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isOpen = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
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
      try await Self.wait { server.connectionCount >= 12 }
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
    try await Self.wait { handler.begun.load(ordering: .sequentiallyConsistent) > 0 }
    await server.stop(withinNanoseconds: 600_000_000_000)
    #expect(server.connectionCount == 0)
  }
}
