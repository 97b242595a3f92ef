private import Glibc
internal import TextFormats

/// Who is at the other end of a socket, as the system says.
enum SocketPeer {
  /// Whether it is a process of the user who runs the coach, or of root, on this machine.
  ///
  /// - Parameter isOurs: whether the coach has made the connection, so that somebody listens at the other end who may not have taken it yet.
  static func isOwner(_ descriptor: Int32, isOurs: Bool) -> Bool {
    guard let user = user(of: descriptor, isOurs: isOurs) else { return false }
    return user == 0 || user == geteuid()
  }

  /// Whether it was a process of this machine that has closed its end already, so that the system does not say whose it was.
  static func isGone(_ descriptor: Int32) -> Bool {
    isLoopback(descriptor, .other) && user(of: descriptor, isOurs: false) == nil
  }

  /// Whether an end of a socket is an address of this machine that no other machine reaches.
  static func isLoopback(_ descriptor: Int32, _ end: End) -> Bool {
    guard let address = address(of: descriptor, end) else { return false }
    return address.isLocal || address.isLoopback
  }

  /// The two ends of a socket.
  enum End { case own, other }

  private struct Address {
    /// Whether it is a path.
    let isLocal: Bool
    /// 4 or 16 bytes; none of a path.
    let host: [UInt8]
    let port: UInt16

    var isLoopback: Bool { host.count == 4 ? host[0] == 127 : host == Array(repeating: 0, count: 15) + [1] }
  }

  private static func address(of descriptor: Int32, _ end: End) -> Address? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        switch end {
        case .own: unsafe getsockname(descriptor, address, &length)
        case .other: unsafe getpeername(descriptor, address, &length)
        }
      }
    }
    guard code == 0 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0) }
    let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    switch Int32(storage.ss_family) {
    case AF_UNIX: return Address(isLocal: true, host: [], port: 0)
    case AF_INET: return Address(isLocal: false, host: Array(bytes[4..<8]), port: port)
    case AF_INET6:
      let host = Array(bytes[8..<24])
      // An address of version 4 in the clothes of version 6.
      let isMapped = host.prefix(10).allSatisfy { $0 == 0 } && host[10] == 0xFF && host[11] == 0xFF
      return Address(isLocal: false, host: isMapped ? Array(host[12...]) : host, port: port)
    default: return nil
    }
  }

  /// The user whose process it is; `nil` for one on another machine, or when the system does not say.
  private static func user(of descriptor: Int32, isOurs: Bool) -> uid_t? {
    guard let other = address(of: descriptor, .other), let own = address(of: descriptor, .own) else { return nil }
    if other.isLocal {
      // The process, its user and its group.
      var credentials: [UInt32] = [0, 0, 0]
      var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
      guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
      return credentials[1]
    }
    guard other.isLoopback else { return nil }
    // A socket of version 6 that nobody forced to be of it may carry an address of version 4.
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      if let user = owner(of: other, connectedTo: own.port, isOurs: isOurs, table: table) { return user }
    }
    return nil
  }

  /// The user of the socket at an address of this machine, from the table of the kernel: words of 32 bits in the order of
  /// the machine, as hexadecimal digits. A socket that no process holds any more says nothing; one that none holds yet is that of
  /// who listens there.
  private static func owner(of address: Address, connectedTo port: UInt16, isOurs: Bool, table: String) -> uid_t? {
    guard let text = try? POSIXFile(reading: table).readAll(maximumBytes: 16 << 20) else { return nil }
    let isWide = table.hasSuffix("6")
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    let host = isWide && address.host.count == 4 ? mapped + address.host : address.host
    var wanted = ""
    for word in stride(from: 0, to: host.count, by: 4) {
      let value = host[word..<(word + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      wanted += hexadecimal(UInt32(littleEndian: value), digits: 8)
    }
    let place = ":" + hexadecimal(UInt32(address.port), digits: 4)
    let anywhere = String(repeating: "0", count: wanted.count) + place
    wanted += place
    let remote = ":" + hexadecimal(UInt32(port), digits: 4)
    var listening: uid_t?
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count > 9, fields[9] != "0" else { continue }
      if fields[1] == wanted, fields[2].hasSuffix(remote) { return uid_t(fields[7]) }
      if isOurs, fields[3] == listens, fields[1] == wanted || fields[1] == anywhere { listening = uid_t(fields[7]) }
    }
    return listening
  }

  /// The state of a socket that waits for connections.
  private static let listens = "0A"

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
