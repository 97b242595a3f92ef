/// The parts of a URL that the service asks for.
enum URLParts {
  /// The host of a URL, without its port.
  static func host(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let rest = url[scheme.upperBound...].prefix { $0 != "/" }
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") { return String(rest[...end]) }
    return String(rest.prefix { $0 != ":" })
  }
}
