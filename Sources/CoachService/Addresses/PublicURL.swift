/// Where a service is reached from outside.
package struct PublicURL: Hashable, Sendable {
  /// The URL as browsers write where they are: the host in lower case, without the usual port of its scheme and a slash at its end.
  package let text: String

  /// Takes `https://HOST` or `http://HOST`, with a port or without; `nil` for anything else.
  package init?(_ text: String) {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let authority = text.dropFirst(scheme.count)
    guard let host = RequestTarget.hostName(ofAuthority: String(authority)) else { return nil }
    let port = String(authority.dropFirst(host.count + 1))
    let shown = Int(port).map { "\($0)" } ?? port
    let isUsual = shown.isEmpty || shown == (scheme == "https://" ? "443" : "80")
    self.text = scheme + host.lowercased() + (isUsual ? "" : ":" + shown)
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
