/// The cookie of the pages: its name says whether it may travel without TLS.
struct SignInCookie: Hashable, Sendable {
  /// Whether the browser reaches the service over TLS.
  let isSecure: Bool

  /// Its name. A browser takes a cookie with the prefix from this host alone, over TLS alone.
  var name: String { isSecure ? "__Host-coach" : "coach" }

  /// The header that gives a browser the cookie, or keeps it for as long as somebody stays signed in.
  func header(_ secret: String) -> HTTPField { field(secret, seconds: SignIns.idleSeconds) }

  /// The header that takes it away.
  var removal: HTTPField { field("", seconds: 0) }

  /// The cookie of a browser that has gone to a provider: it comes back with it.
  var attempt: AttemptCookie { AttemptCookie(isSecure: isSecure) }

  private func field(_ value: String, seconds: Int64) -> HTTPField {
    .cookie(name, value, seconds: seconds, isSecure: isSecure)
  }
}

/// What a browser keeps while somebody signs in with a provider, so that nobody else can end what it has begun. The provider
/// sends it back from another site, so that it is no cookie of the same site alone.
struct AttemptCookie: Hashable, Sendable {
  /// Whether the browser reaches the service over TLS.
  let isSecure: Bool

  /// Its name.
  var name: String { isSecure ? "__Host-coach-begun" : "coach-begun" }

  /// The header that gives a browser the cookie.
  func header(_ secret: String) -> HTTPField {
    .cookie(name, secret, seconds: OpenIDAttempt.lifetimeSeconds, isSecure: isSecure)
  }

  /// The header that takes it away.
  var removal: HTTPField { .cookie(name, "", seconds: 0, isSecure: isSecure) }
}

extension HTTPField {
  /// A cookie of this host alone that no script reads.
  fileprivate static func cookie(_ name: String, _ value: String, seconds: Int64, isSecure: Bool) -> HTTPField {
    HTTPField(
      "Set-Cookie",
      "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : ""))
  }
}
