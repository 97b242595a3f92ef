/// Who may use a route.
package enum RouteAccess: Hashable, Sendable {
  /// Everybody.
  case everybody
  /// Who has any token, or a cookie.
  case anybodyKnown
  /// Who has one of these scopes.
  case scopes([Scope])
  /// Who has the key that stands in the path.
  case key
  /// Pages: who has a cookie; others are shown where to sign in.
  case page
  /// Pages of signing in, and the parts of pages: anybody may see them.
  case signIn

  /// Whether a secret decides who may use it: else one that is sent along says nothing.
  var isOfSecret: Bool {
    switch self {
    case .everybody, .signIn: false
    case .anybodyKnown, .scopes, .key, .page: true
    }
  }

  /// Whether a request of a method changes nothing here: apps write with the key in the path, also by GET, and who may only watch changes
  /// nothing by whatever method, as with `POST /v1/replay`.
  func onlyReads(_ method: String) -> Bool {
    switch self {
    case .key: false
    case .scopes([.watch]): true
    case .everybody, .signIn, .anybodyKnown, .scopes, .page: ["GET", "HEAD"].contains(method)
    }
  }
}
