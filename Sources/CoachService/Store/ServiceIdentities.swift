package import TextFormats
internal import WorkoutHistory

/// Whom somebody is that a provider signs in, as the owner has said.
package struct MappedIdentity: Hashable, Sendable {
  /// Its name here.
  package let id: String
  /// The provider.
  package let issuer: String
  /// The claim of the provider's token.
  package let claim: String
  /// What stands there.
  package let value: String
  /// Who it is; absent for the owner.
  package let person: String?

  /// Creates an identity.
  package init(id: String = AccessSecret.makeID(), issuer: String, claim: String, value: String, person: String?) {
    self.id = id
    self.issuer = issuer
    self.claim = claim
    self.value = value
    self.person = person
  }

  /// Writes the record of it.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", 1)
      writer.member("type", "identity")
      writer.member("identityID", id)
      writer.member("issuer", issuer)
      writer.member("claim", claim)
      writer.member("value", value)
      writer.member("person", person)
    }
  }
}

extension ServiceStore {
  /// Keeps whom somebody is; what was said of the same claim before holds no longer, and signs nobody in any more.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func add(_ identity: MappedIdentity, at now: WallClockTime) throws {
    let database = try database()
    try database.transaction(.changing) {
      let before = try database.query(
        "SELECT id FROM identity WHERE issuer = ? AND claim = ? AND value = ?", .text(identity.issuer),
        .text(identity.claim), .text(identity.value)
      ) { (row) throws(DatabaseError) in row.text(0) }
      for id in before { try Self.remove(identity: id, from: database) }
      try database.run(
        "INSERT INTO identity VALUES (?, ?, ?, ?, ?, ?)", .text(identity.id), .text(identity.issuer),
        .text(identity.claim), .text(identity.value), .optional(identity.person), .integer(now.nanoseconds))
    }
  }

  /// Whom everybody is, in the order of their names.
  ///
  /// - Parameter issuer: of whom alone; absent for all.
  /// - Throws: `DatabaseError` when it cannot be read.
  package func identities(of issuer: String? = nil) throws -> [MappedIdentity] {
    let all = try database().query(
      "SELECT id, issuer, claim, value, person FROM identity ORDER BY created_ns, id"
    ) { (row) throws(DatabaseError) in
      MappedIdentity(
        id: row.text(0), issuer: row.text(1), claim: row.text(2), value: row.text(3), person: row.optionalText(4))
    }
    return issuer.map { issuer in all.filter { $0.issuer == issuer } } ?? all
  }

  /// Forgets whom somebody is; who was signed in by it is signed out.
  ///
  /// - Throws: `ServiceStoreError.missing` when there is none of the identity, `DatabaseError` when it cannot be written.
  package func removeIdentity(_ id: String) throws {
    let database = try database()
    let known = try database.query("SELECT 1 FROM identity WHERE id = ?", .text(id)) { (row) throws(DatabaseError) in
      row.int(0)
    }
    guard !known.isEmpty else { throw ServiceStoreError.missing(id) }
    try database.transaction(.changing) { try Self.remove(identity: id, from: database) }
  }

  /// Keeps by which identity somebody is signed in.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  func note(signIn grant: String, by identity: String) throws {
    try database().run("INSERT INTO identity_sign_in VALUES (?, ?)", .text(grant), .text(identity))
  }

  private static func remove(identity id: String, from database: ServiceTables) throws {
    try database.run(
      "DELETE FROM grant_ WHERE id IN (SELECT grant_ FROM identity_sign_in WHERE identity = ?)", .text(id))
    try database.run("DELETE FROM identity_sign_in WHERE identity = ?", .text(id))
    try database.run("DELETE FROM identity WHERE id = ?", .text(id))
  }

  // MARK: - Provider

  /// Keeps which provider the service signs people in with, so that the verbs of the terminal know it.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func note(issuer: String) throws {
    let database = try database()
    try database.transaction(.changing) {
      try database.run("DELETE FROM issuer")
      try database.run("INSERT INTO issuer VALUES (?)", .text(issuer))
    }
  }

  /// The provider that the service signed people in with that ran last; `nil` when there was none.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  package func issuer() throws -> String? {
    try database().query("SELECT url FROM issuer") { (row) throws(DatabaseError) in row.text(0) }.first
  }
}

extension [MappedIdentity] {
  /// Which of them a token is of.
  ///
  /// - Throws: `OpenIDProblem.refused` with `unmapped` for none, `ambiguous` for those of several people.
  func identity(of token: IDToken) throws(OpenIDProblem) -> MappedIdentity {
    let matching = filter { token.text(of: $0.claim) == $0.value }
    guard let first = matching.first else { throw .refused(.unmapped) }
    guard matching.allSatisfy({ $0.person == first.person }) else { throw .refused(.ambiguous) }
    return first
  }
}
