import Foundation
import Synchronization
import TextFormats

/// What a store does instead of what it should.
enum StoreFault: Sendable {
  /// An answer with a status and a code, and everything secret that it knows in its words.
  case answer(Int, String, headers: [String: String] = [:])
  /// The connection is gone after some bytes of the body.
  case drop(afterBytes: Int)
  /// Nothing ever comes.
  case silence
  /// An ETag that is no hash of the content, though it looks like one.
  case ownETag
  /// An ETag that looks like no hash, as of an object of several parts, and something else of the content is kept.
  case partsETag(@Sendable ([UInt8]) -> [UInt8]?)
  /// The answer that all is well, and something else of the content is kept, or nothing. What is kept has its hash as its
  /// ETag; the answer has that of what came.
  case keep(@Sendable ([UInt8]) -> [UInt8]?)
  /// An answer of which a byte comes now and then, without end.
  case drip(everyMicroseconds: UInt32)
  /// A head without end, as fast as it goes.
  case flood
  /// A piece of the body every few milliseconds.
  case slow
  /// Something happens elsewhere before the body is asked for.
  case meanwhile(@Sendable () -> Void)
}

/// A store of objects on this machine that takes only what is right to the letter: signed as specified, with the hash of
/// what comes, keys encoded once. And that fails when it is asked to.
final class StrictStore: Sendable {
  static let accessKeyID = "AKIDTESTSECRETID"
  static let secret = "S3cr3t/Key+With=Signs"
  static let token = "T0k3nThatMustNotShow"

  struct State {
    /// The contents, by `/BUCKET/KEY`.
    var objects: [String: [UInt8]] = [:]
    /// The hashes that they were stored with.
    var hashes: [String: String] = [:]
    /// The ETags that it makes of its own.
    var etags: [String: String] = [:]
    /// The requests: method and decoded path, with the status of the answer (0 for none).
    var requests: [(method: String, path: String, status: Int)] = []
    var connections = 0
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())
  private let signature: StoreSignature
  private let token: String?
  private let dateOffset: Double
  /// What happens to a request, by its method and its number among those of the method, from 1.
  private let fault: @Sendable (String, Int) -> StoreFault?

  init(
    token: String? = nil, region: String = "us-east-1", dateOffset: Double = 0,
    fault: @escaping @Sendable (String, Int) -> StoreFault? = { _, _ in nil }
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    self.token = token
    self.dateOffset = dateOffset
    self.fault = fault
    signature = StoreSignature(accessKeyID: Self.accessKeyID, secret: Self.secret, region: region)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var objects: [String: [UInt8]] { state.withLock { $0.objects } }
  var requests: [(method: String, path: String, status: Int)] { state.withLock { $0.requests } }
  var connections: Int { state.withLock { $0.connections } }
  func forget(_ path: String) { state.withLock { _ = $0.objects.removeValue(forKey: path) } }
  /// The paths of requests of a method that were answered well.
  func done(_ method: String) -> [String] { requests.filter { $0.method == method && $0.status == 200 }.map(\.path) }
  func count(_ method: String) -> Int { requests.filter { $0.method == method }.count }

  private func accept() {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      state.withLock { $0.connections += 1 }
      Thread.detachNewThread { [self] in
        let connection = StoreConnection(descriptor)
        while serve(connection) {}
        connection.close()
      }
    }
    close(listener)
  }

  /// Answers a request; whether the connection stays.
  private func serve(_ connection: StoreConnection) -> Bool {
    guard let head = connection.readHead() else { return false }
    guard let request = StoreRequest(head: head) else { return answer(connection, nil, 400, "BadRequest") }
    let number = count(request.method) + 1
    let index = state.withLock { state in
      state.requests.append((request.method, request.decodedPath ?? request.path, 0))
      return state.requests.count - 1
    }
    var (ownETag, isSlow): (String?, Bool) = (nil, false)
    var keep: @Sendable ([UInt8]) -> [UInt8]? = { $0 }
    switch fault(request.method, number) {
    case .answer(let status, let code, let headers):
      return answer(connection, request, status, code, headers, index, isLast: true)
    case .drop(let count):
      _ = connection.readBody(request, atMost: count, isSlow: false)
      return false
    case .silence:
      while !state.withLock({ $0.isStopped }) { usleep(10_000) }
      return false
    case .ownETag: ownETag = "\"ffffffffffffffffffffffffffffffff\""
    case .partsETag(let change): (ownETag, keep) = ("\"abc-1\"", change)
    case .keep(let change): keep = change
    case .drip(let microseconds):
      if request.method == "PUT" { _ = connection.readBody(request, atMost: .max, isSlow: false) }
      guard connection.write("HTTP/1.1 200 X\r\nx-drip: ") else { return false }
      while !state.withLock({ $0.isStopped }), connection.write("x") { usleep(microseconds) }
      return false
    case .flood:
      let line = "x-flood: " + String(repeating: "x", count: 1_000) + "\r\n"
      guard connection.write("HTTP/1.1 200 X\r\n") else { return false }
      while !state.withLock({ $0.isStopped }), connection.write(line) {}
      return false
    case .slow: isSlow = true
    case .meanwhile(let work): work()
    case nil: break
    }
    return take(request, connection, index, keep, ownETag, isSlow)
  }

  private func take(
    _ request: StoreRequest, _ connection: StoreConnection, _ index: Int, _ keep: ([UInt8]) -> [UInt8]?,
    _ etag: String?, _ isSlow: Bool
  ) -> Bool {
    let date = request.headers["x-amz-date"].flatMap { Self.formatter("yyyyMMdd'T'HHmmss'Z'").date(from: $0) }
    let isOnTime = date.map { abs($0.timeIntervalSinceNow - dateOffset) < 900 } ?? false
    guard let path = request.decodedPath else {
      return answer(connection, request, 400, "InvalidURI", [:], index, isLast: true)
    }
    if let (status, code) = signature.refusal(request, isOnTime: isOnTime) {
      return answer(connection, request, status, code, [:], index, isLast: true)
    }
    guard request.headers["x-amz-security-token"] == token else {
      return answer(connection, request, 403, "InvalidToken", [:], index, isLast: true)
    }
    guard path.hasPrefix("/bucket/") else {
      return answer(connection, request, 404, "NoSuchBucket", [:], index, isLast: true)
    }
    if request.method == "HEAD" || request.method == "GET" {
      let (object, hash, etag) = state.withLock { ($0.objects[path], $0.hashes[path], $0.etags[path]) }
      guard let object, let hash else { return answer(connection, request, 404, "NoSuchKey", [:], index) }
      let headers = [
        "x-amz-meta-sha256": hash, "content-length": "\(object.count)",
        "etag": etag ?? "\"\(MD5.hex(of: object.span))\"",
      ]
      return answer(connection, request, 200, nil, headers, index, body: request.method == "GET" ? object : [])
    }
    guard request.method == "PUT", request.headers["content-length"] != nil else {
      return answer(connection, request, 405, "MethodNotAllowed", [:], index, isLast: true)
    }
    guard let body = connection.readBody(request, atMost: .max, isSlow: isSlow) else { return false }
    guard SHA256.hex(of: body.span) == request.headers["x-amz-content-sha256"] else {
      return answer(connection, request, 400, "XAmzContentSHA256Mismatch", [:], index, isLast: true)
    }
    let kept = keep(body)
    state.withLock { state in
      state.objects[path] = kept
      state.hashes[path] = request.headers["x-amz-meta-sha256"]
      state.etags[path] = etag
    }
    return answer(connection, request, 200, nil, ["etag": etag ?? "\"\(MD5.hex(of: body.span))\""], index)
  }

  private func answer(
    _ connection: StoreConnection, _ request: StoreRequest?, _ status: Int, _ code: String?,
    _ headers: [String: String] = [:], _ index: Int? = nil, isLast: Bool = false, body object: [UInt8] = []
  ) -> Bool {
    if let index { state.withLock { $0.requests[index].status = status } }
    var body = ""
    if let code, request?.method != "HEAD" {
      body =
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>\(Self.secret) \(Self.token)</Message>"
        + "<AWSAccessKeyId>\(Self.accessKeyID)</AWSAccessKeyId><SignatureProvided>"
        + "\(request?.headers["authorization"] ?? "")</SignatureProvided></Error>"
    }
    var lines = ["HTTP/1.1 \(status) X", "date: \(Self.stamp("EEE, dd MMM yyyy HH:mm:ss 'GMT'", offset: dateOffset))"]
    if headers["content-length"] == nil { lines.append("content-length: \(body.utf8.count)") }
    lines += headers.map { "\($0.key): \($0.value)" }
    if isLast { lines.append("connection: close") }
    return connection.write((lines + ["", body]).joined(separator: "\r\n"), object) && !isLast
  }

  private static func stamp(_ format: String, offset: Double) -> String {
    formatter(format).string(from: Date(timeIntervalSinceNow: offset))
  }

  private static func formatter(_ format: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter
  }
}

/// One connection of a client.
final class StoreConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Ends the connection, also when a child that another test has just started holds it too.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    _ = Glibc.close(descriptor)
  }

  /// Sends a text and bytes behind it; whether somebody is there.
  @discardableResult
  func write(_ text: String, _ bytes: [UInt8] = []) -> Bool {
    do {
      try POSIXFile(borrowing: descriptor, named: "connection").write((Array(text.utf8) + bytes).span)
      return true
    } catch {
      return false
    }
  }

  /// The head of the next request; `nil` at the end.
  func readHead() -> String? {
    while true {
      if let end = buffer.indices.first(where: { buffer[$0...].starts(with: Array("\r\n\r\n".utf8)) }) {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(..<(end + 4))
        return head
      }
      guard fill() else { return nil }
    }
  }

  /// The body of a request, or its beginning; `nil` when the client is gone before.
  func readBody(_ request: StoreRequest, atMost limit: Int, isSlow: Bool) -> [UInt8]? {
    if request.headers["expect"] == "100-continue" { write("HTTP/1.1 100 Continue\r\n\r\n") }
    let count = min(limit, Int(request.headers["content-length"] ?? "") ?? 0)
    while buffer.count < count {
      if isSlow { usleep(20_000) }
      guard fill() else { return nil }
    }
    let body = Array(buffer[..<count])
    buffer.removeSubrange(..<count)
    return body
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let file = POSIXFile(borrowing: descriptor, named: "connection")
    guard let count = try? file.read(into: &piece), count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }
}
