import Foundation
import Glibc
import Synchronization

/// Stands between a program and a server at a socket, and loses what a test asks it to lose.
final class SocketRelay: @unchecked Sendable {
  /// What is lost, once.
  enum Loss {
    case nothing
    /// The connection, when the program has sent something: the server never gets it.
    case request
    /// The connection, when the server has answered: the program never learns of it.
    case answer
    /// The same, when the server has committed a transaction.
    case answerToCommit
  }

  struct CannotListen: Error {}

  /// The relay as long as somebody has it. One for all connections: a reference of a thread of its own was still there when the
  /// process ended.
  private final class Reference: @unchecked Sendable {
    private(set) weak var value: SocketRelay?

    init(_ value: SocketRelay) { self.value = value }
  }

  let folder: String
  private let listener: Int32
  private let server: String
  private let loss = Mutex(Loss.nothing)
  private let losses = Atomic(0)
  private let silence = Atomic(false)

  /// How often something was lost.
  var lossCount: Int { losses.load(ordering: .relaxed) }

  /// A relay to the server whose socket is in a folder.
  init(to folder: String) throws {
    var template = Array("/tmp/coach-relay.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw CannotListen() }
    self.folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    server = folder + "/.s.PGSQL.5432"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.address(self.folder + "/.s.PGSQL.5432")
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, size) }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw CannotListen() }
    // A thread that stands in `accept` holds nothing of the relay: else neither would ever end.
    let relay = Reference(self)
    Thread { [listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        Thread { relay.value?.relay(client) }.start()
      }
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Whether connections are taken and nothing goes through them, as when the machine of the server hangs.
  var isSilent: Bool {
    get { silence.load(ordering: .relaxed) }
    set { silence.store(newValue, ordering: .relaxed) }
  }

  /// Has something be lost with the next request.
  func lose(_ next: Loss) { loss.withLock { $0 = next } }

  private static func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    return address
  }

  private func relay(_ client: Int32) {
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.address(server)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let connected = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(upstream, $0, size) }
    }
    defer {
      Glibc.close(client)
      Glibc.close(upstream)
    }
    guard connected == 0 else { return }
    var isRequested = false
    var isCommit = false
    while true {
      var ready = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&ready, 2, 60_000) > 0 else { return }
      if isSilent {
        // Who gives up is let go; what was sent waits.
        if ready.contains(where: { $0.revents & Int16(POLLHUP | POLLERR) != 0 }) { return }
        usleep(10_000)
        continue
      }
      for (place, end) in ready.enumerated() where end.revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(end.fd, &bytes, bytes.count)
        guard count > 0 else { return }
        if place == 0 { isCommit = bytes[..<count].contains(Array("COMMIT".utf8)) }
        let isLost = loss.withLock { loss -> Bool in
          switch loss {
          case .request where place == 0, .answer where place == 1 && isRequested,
            .answerToCommit where place == 1 && isCommit:
            loss = .nothing
            return true
          case .nothing, .request, .answer, .answerToCommit: return false
          }
        }
        if isLost {
          losses.add(1, ordering: .relaxed)
          return
        }
        if place == 0 { isRequested = true }
        var sent = 0
        while sent < count {
          let written = unsafe bytes.withUnsafeBytes {
            unsafe write(ready[1 - place].fd, $0.baseAddress.map { unsafe $0 + sent }, count - sent)
          }
          guard written > 0 else { return }
          sent += written
        }
      }
    }
  }
}
