private import Glibc
internal import TextFormats

/// Where a socket is: a port of a host, or a path on this machine.
package enum SocketPlace: Hashable, Sendable, CustomStringConvertible {
  /// A host by name or number, and a port.
  case tcp(host: String, port: UInt16)
  /// A path in the file system.
  case unix(path: String)

  /// As it is typed: `tcp:HOST:PORT`, `unix:PATH`.
  package var description: String {
    switch self {
    case .tcp(let host, let port): "tcp:" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    case .unix(let path): "unix:" + path
    }
  }

  /// Reads `HOST:PORT`, with the host in brackets where it has colons itself; `nil` for anything else.
  package init?(tcp text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      return nil
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self = .tcp(host: host, port: port)
  }

  /// A path that fits into an address, which has 107 bytes for it; `nil` for another one.
  package init?(unix path: String) {
    guard (1...107).contains(path.systemPath.count - 1) else { return nil }
    self = .unix(path: path)
  }
}

/// The calls of the system about sockets, with their errors.
enum SocketCalls {
  /// Connects to somebody who listens there; waits at most some seconds for a host on the network.
  ///
  /// - Throws: `FileError` with the reason of the system.
  package static func connect(to place: SocketPlace) throws(FileError) -> Int32 {
    try unsafe withAddresses(of: place, passive: false) { address, length, family in
      attempt(family, place) { descriptor in
        if unsafe Glibc.connect(descriptor, address, length) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&entry, 1, 5_000) > 0 else { return ETIMEDOUT }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code
      }
    }
  }

  /// Waits there for others to connect. A path is for its owner alone.
  ///
  /// - Parameters:
  ///   - place: Where to wait.
  ///   - bound: What is done once the place is taken and before anybody can connect.
  /// - Throws: `FileError` with the reason of the system.
  static func listen(at place: SocketPlace, bound: () -> Void) throws(FileError) -> Int32 {
    try unsafe withAddresses(of: place, passive: true) { address, length, family in
      attempt(family, place) { descriptor in
        var yes: Int32 = 1
        if case .tcp = place {
          _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        // A path gets the permissions that the socket has when it is bound, so that nobody else ever reaches it.
        if case .unix = place, fchmod(descriptor, 0o600) != 0 { return errno }
        guard unsafe bind(descriptor, address, length) == 0 else { return errno }
        bound()
        guard Glibc.listen(descriptor, 16) == 0 else { return errno }
        return 0
      }
    }
  }

  /// Takes a connection that waits; `nil` when none does.
  static func accept(_ listener: Int32) -> Int32? {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    prepare(descriptor)
    return descriptor
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  private typealias Attempt = (UnsafePointer<sockaddr>, socklen_t, Int32) -> Result<Int32, FileError>

  /// A new socket on which something succeeds.
  private static func attempt(
    _ family: Int32, _ place: SocketPlace, _ body: (Int32) -> Int32
  ) -> Result<Int32, FileError> {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return .failure(FileError(.openForReading, "\(place)", code: errno)) }
    prepare(descriptor)
    let code = body(descriptor)
    guard code != 0 else { return .success(descriptor) }
    Glibc.close(descriptor)
    return .failure(FileError(.openForReading, "\(place)", code: code))
  }

  /// Tries the addresses of a place one after another; the first success, else the last error.
  private static func withAddresses(
    of place: SocketPlace, passive: Bool, _ body: Attempt
  ) throws(FileError) -> Int32 {
    switch place {
    case .unix(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        unsafe bytes.copyBytes(from: path.systemPath.prefix(bytes.count - 1).lazy.map { UInt8(bitPattern: $0) })
      }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length, AF_UNIX) }
      }
      return try result.get()
    case .tcp(let host, let port):
      var hints = unsafe addrinfo()
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      unsafe hints.ai_flags = passive ? AI_PASSIVE : 0
      var list: UnsafeMutablePointer<addrinfo>?
      let code = unsafe getaddrinfo(host, "\(port)", &hints, &list)
      guard code == 0 else { throw FileError(.openForReading, "\(place)", code: EHOSTUNREACH) }
      defer { unsafe freeaddrinfo(list) }
      var error = FileError(.openForReading, "\(place)", code: EHOSTUNREACH)
      var next = unsafe list
      while let entry = unsafe next {
        if let address = unsafe entry.pointee.ai_addr {
          switch unsafe body(address, entry.pointee.ai_addrlen, entry.pointee.ai_family) {
          case .success(let descriptor): return descriptor
          case .failure(let failure): error = failure
          }
        }
        unsafe next = entry.pointee.ai_next
      }
      throw error
    }
  }
}
