internal import FleetStore
package import TextFormats
internal import WorkoutHistory

extension ServiceStore {
  /// Keeps a secret's hash, and what it allows.
  ///
  /// - Parameter maker: whose secret it is made with; absent for one that is made at a terminal.
  /// - Throws: `DatabaseError` when it cannot be written, `ServiceProblem` when the maker's secret does not hold any more.
  package func add(_ grant: AccessGrant, by maker: Caller? = nil) throws {
    let database = try database()
    try database.transaction(.changing) {
      try Self.require(maker, in: database)
      try Self.add(grant, in: database)
    }
  }

  /// Makes sure that a secret holds still and for the same person, by what is kept and not by what is in memory.
  ///
  /// - Throws: `ServiceProblem` when it does not, `DatabaseError` or `PostgresError` when that cannot be read.
  func require(_ caller: Caller) throws { try Self.require(caller, in: database()) }

  /// Makes sure, as a part of a transaction, that a secret holds still and for the same person. Deletions of people come one after
  /// another with that: so what somebody makes who is being deleted goes too, or is refused, and is not there for whoever is called so later.
  ///
  /// - Throws: `ServiceProblem` when it does not, `DatabaseError` or `PostgresError` when that cannot be read.
  static func require(_ caller: Caller?, in database: ServiceTables) throws {
    guard let caller else { return }
    let holders = try database.query("SELECT person FROM grant_ WHERE id = ?", .text(caller.id)) {
      (row) throws(DatabaseError) in row.optionalText(0)
    }
    guard let holder = holders.first, isSame(holder, caller.person) else { throw ServiceProblem.revoked(caller) }
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.hasBytes(of: other)
  }

  private static func add(_ grant: AccessGrant, in database: ServiceTables) throws {
    let caller = grant.caller
    try database.run(
      "INSERT INTO grant_ VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(caller.id), .text(caller.kind.rawValue),
      .blob(grant.digest), .text(Scope.allCases.filter(caller.scopes.contains).map(\.rawValue).joined(separator: ",")),
      .optional(caller.person), .optional(caller.session), .optional(caller.group), .optional(grant.request),
      .integer(grant.createdAt.nanoseconds), .integer(grant.expiresAt.nanoseconds))
  }

  /// Reads the secrets that hold, unless nobody has changed anything since they were read.
  ///
  /// - Parameter version: that of the reading before; `nil` to read them always.
  /// - Throws: `DatabaseError` when they cannot be read.
  func readGrants(unless version: Int?) throws -> GrantReading? {
    let found = try dataVersion()
    guard found != version else { return nil }
    readings += 1
    return GrantReading(number: readings, version: found, grants: try grants())
  }

  /// All that were not revoked, those that are over too, the oldest first.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  package func grants() throws -> [AccessGrant] {
    try database().query(
      "SELECT id, kind, digest, scopes, person, session, group_, request, created_ns, expires_ns FROM grant_"
        + " ORDER BY created_ns, id"
    ) { (row) throws(DatabaseError) in
      let scopes = row.text(3).split(separator: ",").compactMap { Scope(rawValue: String($0)) }
      let caller = Caller(
        Caller.Kind(rawValue: row.text(1)) ?? .key, id: row.text(0), scopes: Set(scopes), person: row.optionalText(4),
        session: row.optionalText(5), group: row.optionalText(6))
      return AccessGrant(
        caller, digest: row.blob(2), createdAt: WallClockTime(nanoseconds: row.int64(8)),
        expiresAt: WallClockTime(nanoseconds: row.int64(9)), request: row.optionalText(7))
    }
  }

  /// Lets nobody in any more with a secret.
  ///
  /// - Throws: `ServiceStoreError.missing` when there is none of the identity, `DatabaseError` when it cannot be written.
  package func revoke(_ id: String, _ kind: Caller.Kind) throws {
    let known = try database().query("SELECT 1 FROM grant_ WHERE id = ? AND kind = ?", .text(id), .text(kind.rawValue))
    {
      (row) throws(DatabaseError) in row.int(0)
    }
    guard !known.isEmpty else { throw ServiceStoreError.missing(id) }
    try database().run("DELETE FROM grant_ WHERE id = ?", .text(id))
  }

  /// Moves the end of a secret, as that of a sign-in which is used.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func extend(_ id: String, until time: WallClockTime) throws {
    try database().run("UPDATE grant_ SET expires_ns = ? WHERE id = ?", .integer(time.nanoseconds), .text(id))
  }

  /// Forgets secrets that were over at a time.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func removeExpired(before time: WallClockTime) throws {
    try database().run("DELETE FROM grant_ WHERE expires_ns < ?", .integer(time.nanoseconds))
    try database().run("DELETE FROM link WHERE expires_ns < ?", .integer(time.nanoseconds))
    try database().run("DELETE FROM identity_sign_in WHERE grant_ NOT IN (SELECT id FROM grant_)")
  }

  // MARK: - Address

  /// Keeps where the service is reached, so that the verbs of the terminal know it.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func noteURL(_ url: String) throws {
    let database = try database()
    try database.transaction(.changing) {
      try database.run("DELETE FROM address")
      try database.run("INSERT INTO address VALUES (?)", .text(url))
    }
  }

  /// Where the service was reached that ran last; `nil` when none has run.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  package func url() throws -> String? {
    try database().query("SELECT url FROM address") { (row) throws(DatabaseError) in row.text(0) }.first
  }

  // MARK: - Failures

  /// Notes that an attempt to sign in has failed, for all instances. Nothing is done where a service runs alone, which counts by itself.
  ///
  /// - Parameter address: the hash of where it came from.
  /// - Throws: `PostgresError` when it cannot be written.
  func noteFailure(of address: [UInt8]) throws {
    guard case .shared(let tables) = try database() else { return }
    _ = try tables.perform("INSERT INTO coach.sign_in_failure (address) VALUES ($1)", [.bytes(address)])
    _ = try tables.perform(
      "DELETE FROM coach.sign_in_failure WHERE failed < clock_timestamp() - interval '1 minute'", [])
  }

  /// After how many seconds an address may try again, whichever instances it has asked; `nil` when it may now.
  ///
  /// - Parameters:
  ///   - address: its hash.
  ///   - limit: how many attempts may fail within a minute.
  /// - Throws: `PostgresError` when it cannot be read.
  func secondsToWait(_ address: [UInt8], after limit: Int) throws -> Int? {
    guard case .shared(let tables) = try database() else { return nil }
    let rows = try tables.perform(
      """
      SELECT ceil(extract(epoch FROM min(failed) + interval '1 minute' - clock_timestamp()))::bigint
      FROM coach.sign_in_failure WHERE address = $1 AND failed > clock_timestamp() - interval '1 minute'
      HAVING count(*) >= $2
      """, [.bytes(address), .integer(Int64(limit))])
    return rows.rows.first.map { max(1, Int($0.integer(0))) }
  }

  // MARK: - Links

  /// Keeps the hash of a link that signs somebody in once.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func addLink(digest: [UInt8], person: String?, until time: WallClockTime) throws {
    try database().run(
      "INSERT INTO link VALUES (?, ?, ?)", .blob(digest), .optional(person), .integer(time.nanoseconds))
  }

  /// Signs somebody in by a link, which is used up.
  ///
  /// - Parameter make: makes the secret for whom the link was; `nil` for the owner.
  /// - Returns: the secret; `nil` where the link does not hold.
  /// - Throws: `DatabaseError` when it cannot be written.
  package func signIn(
    link digest: [UInt8], now: WallClockTime, _ make: @Sendable (_ person: String?) -> IssuedSecret
  ) throws -> IssuedSecret? {
    let database = try database()
    // In one transaction: between, the person may be deleted.
    return try database.transaction(.changing) {
      let (person, isKnown) = try takeLink(digest: digest, now: now)
      guard isKnown else { return nil }
      let made = make(person)
      try Self.add(made.grant, in: database)
      return made
    }
  }

  /// Signs somebody in by what a provider says.
  ///
  /// - Parameter identity: whom the provider names.
  /// - Returns: whether the identity is that of the same person still; else nothing is kept.
  /// - Throws: `DatabaseError` when it cannot be written.
  package func signIn(_ grant: AccessGrant, as identity: MappedIdentity) throws -> Bool {
    let database = try database()
    return try database.transaction(.changing) {
      let people = try database.query("SELECT person FROM identity WHERE id = ?", .text(identity.id)) {
        (row) throws(DatabaseError) in row.optionalText(0)
      }
      guard let person = people.first, Self.isSame(person, identity.person) else { return false }
      try note(signIn: grant.caller.id, by: identity.id)
      try Self.add(grant, in: database)
      return true
    }
  }

  /// Uses a link up.
  ///
  /// - Returns: for whom it was, where it was there and not over; the person is `nil` for the owner.
  /// - Throws: `DatabaseError` when it cannot be written.
  package func takeLink(digest: [UInt8], now: WallClockTime) throws -> (person: String?, Bool) {
    let found = try database().query(
      "DELETE FROM link WHERE digest = ? AND expires_ns > ? RETURNING person", .blob(digest), .integer(now.nanoseconds)
    ) { (row) throws(DatabaseError) in row.optionalText(0) }
    return (found.first ?? nil, !found.isEmpty)
  }
}

/// The secrets as they were read once.
struct GrantReading: Sendable {
  /// Counts readings, so that an older one never takes the place of a newer one, whichever comes first.
  let number: Int
  /// A number that changes when another process has changed something.
  let version: Int
  let grants: [AccessGrant]
}
