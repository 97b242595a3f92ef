package import TextFormats

/// How people sign in with a provider of OpenID Connect.
package struct OpenIDSettings: Sendable {
  /// The provider.
  package let issuer: OpenIDIssuer
  /// What this service is called there.
  package let clientID: String
  /// What it shows there; absent for a client that keeps no secret.
  package let clientSecret: Secret?

  /// Creates the settings.
  package init(issuer: OpenIDIssuer, clientID: String, clientSecret: Secret?) {
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// A provider of OpenID Connect, by the URL that its tokens are of.
package struct OpenIDIssuer: Hashable, Sendable {
  /// The URL, as tokens have it.
  package let url: String

  /// Takes `https://HOST` with a path or without; on the loopback also `http://`. `nil` for anything else.
  package init?(_ text: String) {
    guard ProviderURL.isUsable(text, allowsPlain: true), !text.contains("?") else { return nil }
    url = text
  }

  /// The name that people know it by: its host.
  package var name: String { URLParts.host(of: url) ?? url }

  /// Whether its addresses may be plain HTTP, as those of a provider on this machine.
  var isPlain: Bool { url.hasPrefix("http://") }

  /// Where it says of itself what there is.
  var configurationURL: String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/.well-known/openid-configuration"
  }
}

/// The addresses of a provider.
enum ProviderURL {
  /// Whether an address can be asked: TLS, or the loopback where that is allowed; a host and no user; no fragment.
  static func isUsable(_ text: String, allowsPlain: Bool) -> Bool {
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !text.contains(where: { "#\\\"<>^`{|}".contains($0) })
    else { return false }
    let isPlain = text.hasPrefix("http://")
    guard isPlain || text.hasPrefix("https://"), let host = URLParts.host(of: text) else { return false }
    let authority = text.dropFirst(isPlain ? 7 : 8).prefix { $0 != "/" && $0 != "?" }
    guard PublicURL("https://" + authority) != nil else { return false }
    return !isPlain || allowsPlain && HostList.isLoopback(host)
  }
}
