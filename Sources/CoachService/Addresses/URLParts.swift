/// The parts of a URL that the service asks for.
enum URLParts {
  /// The host of a URL, without its port; `nil` where there is none, and where something else stands beside it, as a user.
  static func host(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    return RequestTarget.hostName(
      ofAuthority: String(url[scheme.upperBound...].prefix { !["/", "?", "#"].contains($0) }))
  }
}
