internal import Glibc

/// Under what somebody is counted who comes from an address: the number without a port, and of IPv6 the first 64 bits, of which a
/// household or a machine has all that follow.
enum CountedAddress {
  /// What is counted; of what is no number of a machine the text itself.
  static func text(_ address: String) -> String { number(address) ?? address }

  /// What is counted; `nil` for what is no number of a machine.
  static func number(_ address: String) -> String? {
    let bare = withoutPort(address)
    var four = in_addr()
    if unsafe inet_pton(AF_INET, bare, &four) == 1 { return bare }
    var six = in6_addr()
    let unscoped = String(bare.prefix { $0 != "%" })
    guard unsafe inet_pton(AF_INET6, unscoped, &six) == 1 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
    // Of IPv4, as a socket for both has it.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return bytes[12...].map { "\($0)" }.joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }

  /// The address of `1.2.3.4:80`, `[::1]:80` and `[::1]`; everything else as it is.
  private static func withoutPort(_ text: String) -> String {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }
}
