/// Where a service is reached from outside.
package struct PublicURL: Hashable, Sendable {
  /// The URL as browsers write where they are: the host in lower case, a number of IPv6 in its shortest spelling, without the usual port
  /// of its scheme and a slash at its end.
  package let text: String

  /// Takes `https://HOST` or `http://HOST`, with a port or without; `nil` for anything else.
  package init?(_ text: String) {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let authority = text.dropFirst(scheme.count)
    guard let typed = RequestTarget.hostName(ofAuthority: String(authority)), let host = HostNumber.canonical(typed)
    else { return nil }
    let digits = authority.dropFirst(typed.count + 1)
    let port = UInt16(digits)
    guard digits.isEmpty || port.map({ $0 > 0 }) == true else { return nil }
    let usual: UInt16 = scheme == "https://" ? 443 : 80
    self.text = scheme + host + (port.map { $0 == usual ? "" : ":\($0)" } ?? "")
  }

  /// Whether nobody on the way can read what is sent.
  package var isEncrypted: Bool { text.hasPrefix("https://") }

  /// Whether it is on this machine.
  package var isLoopback: Bool {
    guard let host = URLParts.host(of: text) else { return false }
    return host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
