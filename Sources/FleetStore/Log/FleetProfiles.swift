internal import SessionStore
internal import TextFormats

/// The profiles that instances share: small files of a data folder, each with its name there, which is `profiles/NAME.json`.
extension FleetStore {
  /// The profiles as they are at a moment.
  package struct Profiles: Hashable, Sendable {
    /// It is another one when a profile has changed.
    package let number: Int64
    /// The SHA-256 of each file, by its name: those of the profiles, and what people were called whose profiles are gone.
    package let digests: [String: [UInt8]]
  }

  /// All profiles, where one has changed since a number was read; `nil` where none has.
  ///
  /// - Throws: `PostgresError`.
  package func profiles(unless known: Int64?) throws(PostgresError) -> Profiles? {
    try readLink.use { connection throws(PostgresError) -> Profiles? in
      // The number first: what is listed is as new as that, or newer.
      let number = try connection.run("SELECT number FROM coach.profile_change").rows.first?.integer(0) ?? 0
      guard number != known else { return nil }
      let rows = try connection.run(
        "SELECT name, digest FROM coach.kept_file WHERE starts_with(name, '\(ProfileFileName.folder)/')"
          + " OR name = '\(DataFolderMark.formerPeople)'"
      ).rows
      return Profiles(number: number, digests: Dictionary(rows.map { ($0.text(0), $0.bytes(1)) }) { $1 })
    }
  }

  /// The text of a profile; `nil` where there is none of the name.
  ///
  /// - Throws: `PostgresError`.
  package func profile(at name: String) throws(PostgresError) -> [UInt8]? {
    try readLink.use { connection throws(PostgresError) -> [UInt8]? in try Self.text(of: name, in: connection) }
  }

  /// How many sessions of a person are over.
  ///
  /// - Throws: `PostgresError`.
  package func sessionCount(of person: String) throws(PostgresError) -> Int {
    try readLink.read(as: person) { connection throws(PostgresError) in
      try connection.run(
        "SELECT count(*) FROM coach.session WHERE person = $1 AND ended_ns IS NOT NULL AND summary IS NOT NULL",
        [.text(person)])
    }.rows.first.map { Int($0.integer(0)) } ?? 0
  }

  /// Keeps a new profile. It can be repeated.
  ///
  /// - Parameters:
  ///   - name: where it is kept.
  ///   - person: whose it is, so that it goes with the person.
  /// - Returns: whether it is kept; there is another one of the name where it is not.
  /// - Throws: `PostgresError`.
  package func createProfile(_ text: [UInt8], at name: String, of person: String) throws(PostgresError) -> Bool {
    try changing { connection throws(PostgresError) -> Bool in
      let made = try connection.run(
        "INSERT INTO coach.kept_file VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING true",
        [.text(name), .text(person), .integer(Int64(text.count)), .bytes(SHA256.digest(of: text.span))])
      // The same is there when the answer to its commit was lost.
      guard !made.rows.isEmpty else { return try Self.text(of: name, in: connection) == text }
      try Self.write(text, to: name, in: connection)
      return true
    }
  }

  /// Changes a profile; those who change the same one take turns. It can be repeated.
  ///
  /// - Returns: what `edit` made of it beside its text; `nil` where there is no profile of the name.
  /// - Throws: `PostgresError`, or what `edit` throws: nothing is changed then.
  package func changeProfile<Value>(
    at name: String, _ edit: ([UInt8]) throws -> (text: [UInt8], value: Value)
  ) throws -> Value? {
    var made: (text: [UInt8], value: Value)?
    let changed = try changing { connection throws(PostgresError) -> Result<Value?, any Error> in
      // Whoever adds something for the person meanwhile is in nobody's way: only who removes the profile waits.
      let found = try connection.run("SELECT FROM coach.kept_file WHERE name = $1 FOR NO KEY UPDATE", [.text(name)])
      guard !found.rows.isEmpty, let before = try Self.text(of: name, in: connection) else { return .success(nil) }
      // It was made, and only the answer to the commit was lost: a change that takes something away cannot be made twice.
      if let made, made.text == before { return .success(made.value) }
      let (text, value): ([UInt8], Value)
      do { (text, value) = try edit(before) } catch { return .failure(error) }
      made = (text, value)
      guard text != before else { return .success(value) }
      _ = try connection.run(
        "UPDATE coach.kept_file SET byte_count = $2, digest = $3 WHERE name = $1",
        [.text(name), .integer(Int64(text.count)), .bytes(SHA256.digest(of: text.span))])
      try Self.write(text, to: name, in: connection)
      return .success(value)
    }
    return try changed.get()
  }

  /// Removes a profile; nothing where there is none of the name. The sessions stay, and are nobody's here: what is read and deleted of
  /// whoever is called the same later is found by the name. Whose they were their manifests say.
  ///
  /// - Throws: `PostgresError`.
  package func removeProfile(at name: String) throws(PostgresError) {
    try changing { connection throws(PostgresError) in
      // Who adds a session for the person just now is waited for, so that it loses the name too.
      _ = try connection.run(
        "SELECT FROM coach.kept_file WHERE name = $1 FOR UPDATE", [.text(name)], seconds: 60)
      _ = try connection.run(
        "UPDATE coach.session SET person = NULL WHERE person = (SELECT person FROM coach.kept_file WHERE name = $1)",
        [.text(name)], seconds: 60)
      _ = try connection.run("DELETE FROM coach.kept_file WHERE name = $1", [.text(name)])
    }
  }

  /// Changes what people were called whose profiles are gone; nothing where folders have brought nothing of it. It can be repeated.
  ///
  /// - Parameter edit: gives the new text; `nil` when nobody is left.
  /// - Throws: `PostgresError`.
  package func changeFormerPeople(_ edit: ([UInt8]) -> [UInt8]?) throws(PostgresError) {
    let name = DataFolderMark.formerPeople
    try changing { connection throws(PostgresError) in
      let found = try connection.run("SELECT FROM coach.kept_file WHERE name = $1 FOR UPDATE", [.text(name)])
      guard !found.rows.isEmpty, let before = try Self.text(of: name, in: connection) else { return }
      let after = edit(before)
      guard after != before else { return }
      if let after {
        _ = try connection.run(
          "UPDATE coach.kept_file SET byte_count = $2, digest = $3 WHERE name = $1",
          [.text(name), .integer(Int64(after.count)), .bytes(SHA256.digest(of: after.span))])
        try Self.write(after, to: name, in: connection)
      } else {
        _ = try connection.run("DELETE FROM coach.kept_file WHERE name = $1", [.text(name)])
      }
      _ = try connection.run("UPDATE coach.profile_change SET number = number + 1")
      // Whom it said, and says no longer: their identities, so that what comes back from a backup says it no longer either.
      _ = try connection.run(
        """
        SELECT coach.forget_again('profile', found.id[1]) FROM (
          SELECT regexp_matches(encode($1, 'escape'), '"([0-9a-f]{32})"', 'g') AS id
          EXCEPT SELECT regexp_matches(encode($2, 'escape'), '"([0-9a-f]{32})"', 'g')) AS found
        """, [.bytes(before), .bytes(after ?? [])])
    }
  }

  /// The text of a profile, which nobody removes before the transaction ends; `nil` where there is none of the name.
  ///
  /// - Throws: `PostgresError`.
  package static func heldProfile(
    at name: String, in connection: PostgresConnection
  ) throws(PostgresError) -> [UInt8]? {
    let found = try connection.run("SELECT FROM coach.kept_file WHERE name = $1 FOR KEY SHARE", [.text(name)])
    return found.rows.isEmpty ? nil : try text(of: name, in: connection)
  }

  private static func text(of name: String, in connection: PostgresConnection) throws(PostgresError) -> [UInt8]? {
    let rows = try connection.run(
      "SELECT content FROM coach.kept_piece WHERE file = $1 ORDER BY index", [.text(name)]
    ).rows
    return rows.isEmpty ? nil : rows.flatMap { $0.bytes(0) }
  }

  private static func write(
    _ text: [UInt8], to name: String, in connection: PostgresConnection
  ) throws(PostgresError) {
    _ = try connection.run("DELETE FROM coach.kept_piece WHERE file = $1", [.text(name)])
    _ = try connection.run("INSERT INTO coach.kept_piece VALUES ($1, 1, $2)", [.text(name), .bytes(text)])
  }
}
