internal import Glibc
package import TextFormats

/// Where a service listens.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address, as a number: `127.0.0.1`, `::1`.
  package let address: String
  /// The port; 0 for any free one.
  package let port: UInt16

  /// The usual one.
  package static let usual = ListenAddress(address: "127.0.0.1", port: 8_080)

  init(address: String, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads `ADDRESS:PORT`; an address with colons stands in brackets, in any spelling, `localhost` is the loopback. `nil` for anything else.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var address = String(text[..<colon])
    if address.hasPrefix("["), address.hasSuffix("]") {
      let number = String(address.dropFirst().dropLast())
      address = HostNumber.shortest(number) ?? number
    } else if address.contains(":") {
      return nil
    }
    if address == "localhost" { address = "127.0.0.1" }
    self.init(address: address, port: port)
    guard family != nil else { return nil }
  }

  /// As it is typed.
  package var description: String { (address.contains(":") ? "[\(address)]" : address) + ":\(port)" }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

  /// Whether it is every address of this machine, and so none that others could ask.
  package var isEverywhere: Bool {
    var six = in6_addr()
    guard address.contains(":"), unsafe inet_pton(AF_INET6, address, &six) == 1 else { return address == "0.0.0.0" }
    return unsafe withUnsafeBytes(of: &six) { unsafe $0.allSatisfy { $0 == 0 } }
  }

  private var family: Int32? {
    var four = in_addr()
    if unsafe inet_pton(AF_INET, address, &four) == 1 { return AF_INET }
    var six = in6_addr()
    return unsafe inet_pton(AF_INET6, address, &six) == 1 ? AF_INET6 : nil
  }

  /// Listens there.
  ///
  /// - Returns: the socket, and the address with the port that it has.
  /// - Throws: `FileError` with the reason of the system.
  package func listen() throws(FileError) -> (socket: Int32, address: ListenAddress) {
    let socket = Glibc.socket(family ?? AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw FileError(.listen, "\(self)", code: errno) }
    var yes: Int32 = 1
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(socket) == 0, Glibc.listen(socket, 1_024) == 0 else {
      let code = errno
      Glibc.close(socket)
      throw FileError(.listen, "\(self)", code: code)
    }
    return (socket, ListenAddress(address: address, port: boundPort(socket)))
  }

  private func bind(_ socket: Int32) -> Int32 {
    if family == AF_INET6 {
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      _ = unsafe inet_pton(AF_INET6, address, &place.sin6_addr)
      return unsafe withUnsafePointer(to: &place) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    _ = unsafe inet_pton(AF_INET, address, &place.sin_addr)
    return unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private func boundPort(_ socket: Int32) -> UInt16 {
    var place = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &size) }
    }
    // The port stands at the same place for both families.
    return code == 0 ? UInt16(bigEndian: place.sin6_port) : port
  }
}
