/// What the first line of a request asks for.
///
/// Mostly it is a path; a client that takes the service for a proxy sends the whole URL, which every server accepts. Source: RFC 9112,
/// 3.2.1 and 3.2.2.
struct RequestTarget: Hashable, Sendable {
  /// The path; as it was sent where it is neither a path nor a URL of HTTP.
  let path: String
  /// The host of the URL, with its port, as it was sent; absent where there is a path alone.
  let authority: String?

  /// Reads a target without its query.
  init(_ text: String) {
    guard text.utf8.first != UInt8(ascii: "/"), let url = Self.parts(ofURL: text) else {
      (path, authority) = (text, nil)
      return
    }
    (path, authority) = (url.path, url.authority)
  }

  /// The host of a URL with its port, and its path; `nil` where it is none of HTTP, or says who asks, which nobody may.
  private static func parts(ofURL text: String) -> (authority: String, path: String)? {
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let name = String(text[..<scheme.lowerBound])
    guard name.isEqual(withoutCase: "http") || name.isEqual(withoutCase: "https") else { return nil }
    let rest = text[scheme.upperBound...]
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    let authority = String(rest[..<end])
    guard hostName(ofAuthority: authority) != nil else { return nil }
    return (authority, end == rest.endIndex ? "/" : String(rest[end...]))
  }

  /// The host of a text that is a host, and nothing behind it but a port; `nil` for any other text, as one with a user.
  ///
  /// Whoever needs the host of a header or a URL has it from here, so that no two of them find another one in the same text.
  static func hostName(ofAuthority text: String) -> String? {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > 1, rest[1..<end].allSatisfy(\.isOfIPv6) else {
        return nil
      }
      rest = rest[(end + 1)...]
    } else {
      let name = rest.prefix { $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, name.allSatisfy(\.isOfName) else { return nil }
      rest = rest[name.endIndex...]
    }
    let host = String(decoding: bytes[..<rest.startIndex], as: UTF8.self)
    guard let colon = rest.popFirst() else { return host }
    return colon == UInt8(ascii: ":") && rest.allSatisfy { (48...57).contains($0) } ? host : nil
  }
}

extension UInt8 {
  /// Whether it is a digit of an address of IPv6, or what divides those.
  fileprivate var isOfIPv6: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66, 0x3A, 0x2E: true
    default: false
    }
  }

  /// Whether it is a letter, a digit, a hyphen, a dot or an underscore.
  fileprivate var isOfName: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
