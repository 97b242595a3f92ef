import Glibc
import Testing

@testable import LiveCoaching

/// Whose the other end of a connection is.
@Suite("Who is at the other end of a socket")
struct SocketPeerTests {
  /// Has an address of this machine, at a port that the system chooses or at a given one.
  private func loopback<Value>(
    _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Value
  ) -> (value: Value, port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let value = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &length) }
    }
    return (value, UInt16(bigEndian: address.sin_port))
  }

  @Test("Who listens has a connection that was made to it, before it takes that and after")
  func taken() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    let bound = unsafe loopback(0) { unsafe bind(listener, $0, $1) }.value
    try #require(bound == 0)
    try #require(listen(listener, 1) == 0)
    let port = unsafe loopback(0) { unsafe getsockname(listener, $0, &$1) }.port
    let ours = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(ours) }
    let connected = unsafe loopback(port) { unsafe connect(ours, $0, $1) }.value
    try #require(connected == 0)
    // In the table of the kernel nobody holds the other end yet.
    #expect(SocketPeer.isOwner(ours, isOurs: true))
    #expect(!SocketPeer.isOwner(ours, isOurs: false))
    let theirs = accept(listener, nil, nil)
    defer { close(theirs) }
    try #require(theirs >= 0)
    #expect(SocketPeer.isOwner(ours, isOurs: true))
    #expect(SocketPeer.isOwner(ours, isOurs: false))
    #expect(SocketPeer.isOwner(theirs, isOurs: false))
  }
}
