internal import SessionStore
internal import TextFormats
internal import WorkoutHistory

extension ServiceStore {
  /// Why somebody or something cannot come into a group.
  enum GroupRefusal: Error, Hashable {
    /// There is no such group.
    case missing
    /// The limit, and what it counts.
    case full(Int, String)
  }

  /// All groups, the oldest first.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  package func groups() throws -> [RunnerGroup] { try groups("", []) }

  /// The group of an identity; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when it cannot be read.
  package func group(_ id: String) throws -> RunnerGroup? { try groups("WHERE id = ?", [.text(id)]).first }

  private func groups(_ condition: String, _ values: [DatabaseValue]) throws -> [RunnerGroup] {
    let database = try database()
    return try database.transaction(.reading) {
      let rows = { (row: ServiceRow) throws(DatabaseError) -> RunnerGroup in
        RunnerGroup(
          id: row.text(0), name: row.text(1), maker: row.text(2), person: row.optionalText(3),
          createdAt: WallClockTime(nanoseconds: row.int64(4)))
      }
      let sql = "SELECT id, name, maker, person, created_ns FROM group_ \(condition) ORDER BY created_ns, id"
      let groups =
        try values.first.map { try database.query(sql, $0, row: rows) } ?? database.query(sql, row: rows)
      return try groups.map { group in
        var group = group
        // By their bytes, in whatever order a database has texts.
        group.members = try database.query(
          "SELECT person, shares FROM member WHERE group_ = ?", .text(group.id)
        ) { (row) throws(DatabaseError) in
          let shares = row.text(1).split(separator: ",").compactMap { GroupShare(rawValue: String($0)) }
          return GroupMember(person: row.text(0), shares: Set(shares))
        }.sorted { $0.person.utf8.lexicographicallyPrecedes($1.person.utf8) }
        return group
      }
    }
  }

  /// Keeps a new group.
  ///
  /// - Parameter caller: who makes it; absent where that is known to hold.
  /// - Throws: ``GroupRefusal`` when its maker has too many, `ServiceProblem` when the maker's secret does not hold any more,
  ///   `DatabaseError` when it cannot be written.
  func add(_ group: RunnerGroup, by caller: Caller? = nil) throws {
    let database = try database()
    try database.transaction(.changing) {
      try Self.require(caller, in: database)
      let count = try database.query(
        "SELECT count(*) FROM group_ WHERE person IS NOT DISTINCT FROM ?", .optional(group.person)
      ) { (row) throws(DatabaseError) in row.int(0) }
      guard count.first ?? 0 < RunnerGroup.groupsPerMaker else {
        throw GroupRefusal.full(RunnerGroup.groupsPerMaker, "groups were made by the same")
      }
      try database.run(
        "INSERT INTO group_ VALUES (?, ?, ?, ?, ?)", .text(group.id), .text(group.name), .text(group.maker),
        .optional(group.person), .integer(group.createdAt.nanoseconds))
    }
  }

  /// Forgets a group, with who has joined.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  func remove(group id: String) throws { try database().run("DELETE FROM group_ WHERE id = ?", .text(id)) }

  /// Lets somebody join, or changes what they share.
  ///
  /// - Parameter caller: by whose secret; absent where that is known to hold.
  /// - Returns: whether they were no member before.
  /// - Throws: ``GroupRefusal`` when that cannot be, `ServiceProblem` when the secret does not hold any more, `DatabaseError` when it cannot
  ///   be written.
  func join(_ id: String, _ member: GroupMember, by caller: Caller? = nil, at now: WallClockTime) throws -> Bool {
    let database = try database()
    let count = { (sql: String, value: String) throws -> Int in
      try database.query(sql, .text(value)) { (row) throws(DatabaseError) in row.int(0) }.first ?? 0
    }
    let shares = GroupShare.allCases.filter(member.shares.contains).map(\.rawValue).joined(separator: ",")
    return try database.transaction(.changing) {
      try Self.require(caller, in: database)
      guard try count("SELECT count(*) FROM group_ WHERE id = ?", id) == 1 else { throw GroupRefusal.missing }
      let isMember = try !database.query(
        "UPDATE member SET shares = ? WHERE group_ = ? AND person = ? RETURNING 1", .text(shares), .text(id),
        .text(member.person)
      ) { (row) throws(DatabaseError) in row.int(0) }.isEmpty
      if isMember { return false }
      guard try count("SELECT count(*) FROM member WHERE group_ = ?", id) < RunnerGroup.largestMemberCount else {
        throw GroupRefusal.full(RunnerGroup.largestMemberCount, "people are in the group")
      }
      guard
        try count("SELECT count(*) FROM member WHERE person = ?", member.person) < RunnerGroup.groupsPerMember
      else { throw GroupRefusal.full(RunnerGroup.groupsPerMember, "groups have the same member") }
      try database.run(
        "INSERT INTO member VALUES (?, ?, ?, ?)", .text(id), .text(member.person), .text(shares),
        .integer(now.nanoseconds))
      return true
    }
  }

  /// Takes somebody out of a group; `false` when they were no member.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  func leave(_ id: String, _ person: String) throws -> Bool {
    try !database().query(
      "DELETE FROM member WHERE group_ = ? AND person = ? RETURNING 1", .text(id), .text(person)
    ) { (row) throws(DatabaseError) in row.int(0) }.isEmpty
  }

  /// Forgets what was given to somebody whose profile goes: secrets, sign-ins, groups and places in groups. Whoever is called the same
  /// later would have them. The sessions stay; those that are live are nobody's, also after the next start.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func forgetAuthority(of person: String) throws {
    let database = try database()
    try database.transaction(.changing) { try Self.forgetAuthority(of: person, in: database) }
  }

  /// The same for somebody who was meant by the name when a request came: whoever has it by now loses nothing.
  ///
  /// - Throws: `ProfileStoreError.missing` where the name is somebody else's, `ServiceProblem` where the secret of who asks does not hold any
  ///   more, `DatabaseError` or `PostgresError` when it cannot be written.
  func forgetAuthority(of person: String, meant identity: ProfileIdentity, by caller: Caller) throws {
    let database = try database()
    try database.transaction(.changing) {
      try Self.require(caller, in: database)
      if case .numbered(let id) = identity, try !holdsProfile(id, of: person, in: database) {
        throw ProfileStoreError.missing(person)
      }
      try Self.forgetAuthority(of: person, in: database)
    }
  }

  /// Forgets what was given to somebody all of whose data are about to go, so that nobody begins a session with it meanwhile. Where one is
  /// live nothing is changed: what would come of it would stay. What is known of the sessions goes with them.
  ///
  /// - Parameter isLive: whether a process has the session of an identity.
  /// - Returns: the session that is live; `nil` where none is.
  /// - Throws: `DatabaseError` when it cannot be written, or what `isLive` throws.
  package func forgetSecrets(of person: String, unlessAny isLive: @Sendable (String) throws -> Bool) throws -> String? {
    let database = try database()
    return try database.transaction(.changing) {
      if let live = try openSessions(of: person).first(where: { try isLive($0.id) }) { return live.id }
      try Self.forgetSecrets(of: person, in: database)
      return nil
    }
  }

  /// The same as a part of a transaction.
  static func forgetAuthority(of person: String, in database: ServiceTables) throws {
    try forgetSecrets(of: person, in: database)
    // Of those that are over the history says whose they are, by their profiles.
    try database.run("UPDATE session SET person = NULL WHERE person = ? AND ended_ns IS NULL", .text(person))
  }

  private static func forgetSecrets(of person: String, in database: ServiceTables) throws {
    try database.run("DELETE FROM member WHERE group_ IN (SELECT id FROM group_ WHERE person = ?)", .text(person))
    // Who was signed in: also by secrets that were revoked before.
    try database.run(
      "DELETE FROM identity_sign_in WHERE grant_ IN (SELECT id FROM grant_ WHERE person = ?)"
        + " OR identity IN (SELECT id FROM identity WHERE person = ?)", .text(person), .text(person))
    for table in ["grant_", "link", "member", "group_", "identity"] {
      try database.run("DELETE FROM \(table) WHERE person = ?", .text(person))
    }
  }

  /// Goes on with the groups, secrets and sessions of somebody under another name: whoever is called by the old one later has not
  /// joined the groups, and the secrets are not for what is theirs.
  ///
  /// - Throws: `DatabaseError` when it cannot be written.
  package func rename(_ old: String, to new: String) throws {
    let database = try database()
    try database.transaction(.changing) { try Self.rename(old, to: new, in: database) }
  }

  /// The same as a part of a transaction. Done a second time it changes nothing.
  static func rename(_ old: String, to new: String, in database: ServiceTables) throws {
    try database.run(
      "DELETE FROM member WHERE person = ? AND group_ IN (SELECT group_ FROM member WHERE person = ?)", .text(new),
      .text(old))
    for table in ["member", "group_", "grant_", "link", "session", "identity"] {
      try database.run("UPDATE \(table) SET person = ? WHERE person = ?", .text(new), .text(old))
    }
  }
}
