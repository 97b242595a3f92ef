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

  private func field(_ value: String, seconds: Int64) -> HTTPField {
    HTTPField(
      "Set-Cookie",
      "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : ""))
  }
}
