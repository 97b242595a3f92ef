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
}
