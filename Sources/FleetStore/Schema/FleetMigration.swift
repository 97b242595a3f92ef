internal import TextFormats

/// A step of the schema, forward only. What is released never changes: a later step changes it.
package struct FleetMigration: Hashable, Sendable {
  /// Its place, from 1 and without a gap.
  package let number: Int
  /// What it is called in the database.
  package let name: String
  /// Whether programs that do not know it must not go on. It takes their leases away in its own transaction.
  package let isBreaking: Bool
  /// Its statements.
  package let script: String

  /// Creates a step.
  package init(number: Int, name: String, isBreaking: Bool, script: String) {
    self.number = number
    self.name = name
    self.isBreaking = isBreaking
    self.script = script
  }
}

/// The schema of a database that instances share.
package enum FleetSchema {
  /// The schema in which everything of coach is.
  static let name = "coach"
  /// One migration at a time, whoever makes it: the number of a lock of the database.
  private static let lock = "6071223001"

  /// How long a step may take, in seconds: one that goes through all logs takes as long as they are.
  private static let longestStep = 3_600

  /// All steps that this program knows.
  package static let migrations = [
    leases, logs, service, keptFiles, walls, months, notes, profiles, audit, glances, broughtAudit, failures, forgotten,
  ]

  private static let roleIsMissing = PostgresError(
    .refused(missingRole),
    "the role OWNER_person is missing, which this user may not make: expected an administrator to have run"
      + " CREATE ROLE OWNER_person; GRANT OWNER_person TO OWNER; where OWNER is the user that owns the schema")

  /// Brings a database to the newest schema that this program knows.
  ///
  /// - Parameter migrations: the steps; tests give others.
  /// - Returns: the names of those that were made now.
  /// - Throws: `PostgresError`, `.newerSchema` for a database that has a step which is not among them.
  package static func make(
    in connection: PostgresConnection, _ migrations: [FleetMigration] = migrations
  ) throws(PostgresError) -> [String] {
    // The table of the steps is made under the lock too: two that make it at once would be in each other's way.
    try connection.transaction { () throws(PostgresError) -> [String] in
      _ = try connection.run("SELECT pg_advisory_xact_lock(\(lock))", seconds: 60)
      try connection.execute(
        """
        CREATE SCHEMA IF NOT EXISTS coach;
        REVOKE ALL ON SCHEMA coach FROM PUBLIC;
        CREATE TABLE IF NOT EXISTS coach.migration (
          number integer PRIMARY KEY, name text NOT NULL, is_breaking boolean NOT NULL,
          applied timestamptz NOT NULL DEFAULT clock_timestamp())
        """)
      let known = try knownSteps(in: connection, migrations)
      var made: [String] = []
      for migration in migrations.dropFirst(known) {
        do throws(PostgresError) { try connection.execute(migration.script, seconds: longestStep) } catch {
          throw error.kind == .refused(missingRole) ? roleIsMissing : error
        }
        if migration.isBreaking, migration.number > 1 {
          // An append that runs is waited for; a later one of the same fence touches nothing.
          try connection.execute(
            "UPDATE coach.lease SET fence = fence + 1, holder = NULL, url = NULL, expires = clock_timestamp();"
              + "DELETE FROM coach.instance")
        }
        _ = try connection.run(
          "INSERT INTO coach.migration (number, name, is_breaking) VALUES ($1, $2, $3 = 1)",
          [
            .integer(Int64(migration.number)), .text(migration.name), .integer(migration.isBreaking ? 1 : 0),
          ])
        made.append(migration.name)
      }
      return made
    }
  }

  /// Makes sure that a database has the newest schema that this program knows, for who only reads: nothing is made.
  ///
  /// - Parameter migrations: the steps; tests give others.
  /// - Throws: `PostgresError`, `.olderSchema` for a database that lacks a step, `.newerSchema` for one that has another.
  package static func require(
    in connection: PostgresConnection, _ migrations: [FleetMigration] = migrations
  ) throws(PostgresError) {
    let isThere = try connection.run("SELECT to_regclass('coach.migration') IS NOT NULL").rows.first?.isTrue(0) ?? false
    guard isThere else {
      throw PostgresError(
        .olderSchema, "it has nothing of coach yet: expected `coach serve --database` to have been started with it")
    }
    let known = try knownSteps(in: connection, migrations)
    guard known == migrations.count else {
      throw PostgresError(
        .olderSchema,
        "its schema has \(known) of \(migrations.count) steps, and what only reads makes none: expected"
          + " `coach serve --database` of this program to have been started with it")
    }
  }

  /// How many steps a database has, all of which this program knows.
  private static func knownSteps(
    in connection: PostgresConnection, _ migrations: [FleetMigration]
  ) throws(PostgresError) -> Int {
    let known = try connection.run("SELECT number, name FROM coach.migration ORDER BY number").rows
    for (place, row) in known.enumerated() {
      guard place < migrations.count, Int(row.integer(0)) == migrations[place].number,
        row.text(1) == migrations[place].name
      else {
        throw PostgresError(
          .newerSchema,
          "its schema has the step \(row.integer(0)) (\(row.text(1).visible)), which this program does not know:"
            + " expected a newer program")
      }
    }
    return known.count
  }
}
