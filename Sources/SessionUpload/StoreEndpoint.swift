/// The service that keeps objects: its address, and how buckets stand in it.
package struct StoreEndpoint: Hashable, Sendable {
  /// `https://HOST[:PORT]` or `http://…` without a slash at its end; absent for Amazon's own.
  package let url: String?

  /// Amazon's service of the region.
  package static let amazon = StoreEndpoint(url: nil)

  private init(url: String?) { self.url = url }

  /// Reads the address of a service; a slash at its end does not count.
  ///
  /// `nil` when it is anything else than `http://` or `https://`, a host, and a port where one is needed: no user, no
  /// path, no query.
  package init?(_ text: String) {
    let lowercase = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowercase.hasPrefix($0) }) else { return nil }
    var rest = text.dropFirst(scheme.count)
    if rest.hasSuffix("/") { rest.removeLast() }
    guard Self.isAuthority(rest) else { return nil }
    url = scheme + rest
  }

  /// The address of an object. A bucket is a part of the path where the service was named, and of the host's name at
  /// Amazon unless it has dots, which certificates do not cover.
  package func address(of key: String, in destination: UploadDestination, region: String) -> String {
    let path = "/" + ObjectKey.path(key)
    if let url { return "\(url)/\(destination.bucket)\(path)" }
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return destination.isHostPart
      ? "https://\(destination.bucket).s3.\(region).\(domain)\(path)"
      : "https://s3.\(region).\(domain)/\(destination.bucket)\(path)"
  }

  /// The service as messages name it.
  package var name: String { url ?? "Amazon S3" }

  /// Whether a text is a host with or without a port: a name, or an IP address (of version 6 in brackets).
  private static func isAuthority(_ text: Substring) -> Bool {
    var host = text
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || (rest.first == ":" && isPort(rest.dropFirst())) else { return false }
      let inside = text[text.index(after: text.startIndex)..<end]
      return !inside.isEmpty
        && inside.utf8.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
    if let colon = text.firstIndex(of: ":") {
      guard isPort(text[text.index(after: colon)...]) else { return false }
      host = text[..<colon]
    }
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        isHexadecimal(byte) || (UInt8(ascii: "g")...UInt8(ascii: "z")).contains(byte | 0x20)
          || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
      }
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Int(text).map { (1...65_535).contains($0) } ?? false
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
