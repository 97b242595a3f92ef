package import TextFormats

/// A session that was begun over a service, beside its course.
package struct BegunSession: Hashable, Sendable {
  /// Its identity.
  package let id: String
  /// Whose it is; absent for nobody's.
  package let person: String?
  /// The token or key that began it.
  package let maker: String
  /// What was asked for, as JSON.
  package let request: String
  /// When it was asked for.
  package let createdAt: WallClockTime

  /// Creates a session.
  package init(id: String, person: String?, maker: String, request: String, createdAt: WallClockTime) {
    self.id = id
    self.person = person
    self.maker = maker
    self.request = request
    self.createdAt = createdAt
  }
}
