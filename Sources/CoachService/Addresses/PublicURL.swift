/// Where a service is reached from outside.
package struct PublicURL: Hashable, Sendable {
  /// The URL without a slash at its end.
  package let text: String

  /// Takes `https://HOST` or `http://HOST`, with a port or without; `nil` for anything else.
  package init?(_ text: String) {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    guard RequestTarget.hostName(ofAuthority: String(text.dropFirst(scheme.count))) != nil else { return nil }
    self.text = text
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
