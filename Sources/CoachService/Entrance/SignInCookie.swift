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

  /// The cookies of a browser that has gone to a provider: it comes back with them.
  var attempts: AttemptCookies { AttemptCookies(isSecure: isSecure) }

  /// The cookie of a browser that was to show a page, and was led to where people sign in.
  var openedPage: OpenedPageCookie { OpenedPageCookie(isSecure: isSecure) }

  private func field(_ value: String, seconds: Int64) -> HTTPField {
    .cookie(name, value, seconds: seconds, isSecure: isSecure)
  }
}

/// Which page a browser was to show before somebody signs in there.
struct OpenedPageCookie: Hashable, Sendable {
  /// How long it is known, in seconds.
  private static let lifetimeSeconds: Int64 = 600

  /// Whether the browser reaches the service over TLS.
  let isSecure: Bool

  /// Its name.
  var name: String { isSecure ? "__Host-coach-opened" : "coach-opened" }

  /// The header that gives a browser the cookie.
  func header(_ page: String) -> HTTPField {
    .cookie(name, AccessSecret.base64URL(Array(page.utf8)), seconds: Self.lifetimeSeconds, isSecure: isSecure)
  }

  /// The header that takes it away.
  var removal: HTTPField { .cookie(name, "", seconds: 0, isSecure: isSecure) }

  /// The page, as a browser says; `nil` where it keeps none.
  func page(of head: HTTPHead) -> String? { head.cookie(name).flatMap(Base64URL.text) }
}

extension HTTPField {
  /// A cookie of this host alone that no script reads.
  static func cookie(_ name: String, _ value: String, seconds: Int64, isSecure: Bool) -> HTTPField {
    HTTPField(
      "Set-Cookie",
      "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : ""))
  }
}
