internal import SessionStore
internal import TextFormats

/// The tables of the index and how they came to be: migrations are only ever added at the end.
enum HistorySchema {
  /// A change of the tables, carried out once and in one transaction with the version that it leads to.
  struct Migration: Sendable {
    let name: String
    let script: String
  }

  /// "coch": distinguishes our databases from those of other programs.
  static let applicationID: Int64 = 0x636F_6368

  static let migrations = [
    Migration(
      name: "sessions",
      script: """
        CREATE TABLE session (
          id TEXT NOT NULL PRIMARY KEY,
          person TEXT,
          start_ns INTEGER NOT NULL,
          utc_offset_s INTEGER NOT NULL,
          activity TEXT NOT NULL,
          state TEXT NOT NULL,
          strategy TEXT NOT NULL,
          target TEXT,
          source TEXT,
          zone_model TEXT NOT NULL,
          elapsed_ns INTEGER NOT NULL,
          active_ns INTEGER NOT NULL,
          no_data_ns INTEGER NOT NULL,
          in_target_ns INTEGER NOT NULL,
          covered_with_target_ns INTEGER NOT NULL,
          active_with_target_ns INTEGER NOT NULL,
          mean_bpm REAL,
          time_weighted_bpm REAL,
          minimum_bpm REAL,
          maximum_bpm REAL,
          distance_m REAL,
          steps INTEGER,
          energy_kcal REAL,
          decoupling REAL,
          recovery_bpm REAL
        ) STRICT;
        CREATE INDEX session_by_start ON session (start_ns, elapsed_ns);
        CREATE INDEX session_by_person ON session (person, start_ns);
        CREATE TABLE detail (
          session TEXT NOT NULL PRIMARY KEY REFERENCES session ON DELETE CASCADE,
          summary TEXT NOT NULL,
          curve BLOB NOT NULL,
          reading_count INTEGER NOT NULL,
          reading_sum REAL NOT NULL,
          pace_s_per_km REAL,
          cadence_spm REAL,
          edwards REAL,
          banister REAL,
          lucia REAL,
          accepted_heart_rates INTEGER NOT NULL,
          rejected_heart_rates INTEGER NOT NULL,
          accepted_locations INTEGER NOT NULL,
          rejected_locations INTEGER NOT NULL,
          late INTEGER NOT NULL,
          duplicates INTEGER NOT NULL,
          standby INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE target (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          from_ns INTEGER NOT NULL,
          zone INTEGER,
          lower_bpm INTEGER,
          upper_bpm INTEGER,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE band (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          name TEXT NOT NULL,
          duration_ns INTEGER NOT NULL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE moment (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          at_ns INTEGER NOT NULL,
          action TEXT,
          withheld TEXT,
          band TEXT,
          heart_rate_bpm INTEGER,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hour (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          from_s INTEGER NOT NULL,
          steps INTEGER,
          heart_rate_sum REAL NOT NULL,
          heart_rate_count INTEGER NOT NULL,
          PRIMARY KEY (session, from_s)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX hour_by_time ON hour (from_s);
        CREATE TABLE split (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          meters REAL NOT NULL,
          active_ns INTEGER NOT NULL,
          mean_bpm REAL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        """),
    Migration(
      name: "the identity of the profile of a session",
      script: """
        ALTER TABLE session ADD COLUMN profile TEXT;
        DROP INDEX session_by_person;
        CREATE INDEX session_by_person ON session (ifnull(profile, '@' || person), start_ns);
        """),
    Migration(
      name: "the order of the list",
      script: """
        DROP INDEX session_by_start;
        CREATE INDEX session_by_start ON session (start_ns, id);
        """),
    Migration(
      name: "whether the index is whole",
      script: """
        CREATE TABLE upkeep (generation INTEGER NOT NULL PRIMARY KEY, is_whole INTEGER NOT NULL) STRICT;
        INSERT INTO upkeep VALUES (random(), 1);
        """),
    Migration(
      name: "where samples came from",
      script: """
        ALTER TABLE session ADD COLUMN origin TEXT;
        UPDATE session SET origin = 'imported' WHERE source IS NOT NULL;
        """),
    Migration(
      name: "sessions by how long they are, to find those of an instant",
      script: """
        CREATE INDEX session_by_length ON session (length(printf('%x', elapsed_ns)), start_ns);
        """),
    Migration(
      name: "what was done in an hour",
      script: """
        ALTER TABLE hour ADD COLUMN sitting_ns INTEGER;
        ALTER TABLE hour ADD COLUMN standing_ns INTEGER;
        ALTER TABLE hour ADD COLUMN walking_ns INTEGER;
        ALTER TABLE hour ADD COLUMN running_ns INTEGER;
        """),
    Migration(
      name: "targets that are no heart rate",
      script: """
        ALTER TABLE target ADD COLUMN other TEXT;
        """),
    Migration(
      name: "best efforts, steps of plans, places, labels and notes, which the folders are asked for once",
      script: """
        CREATE TABLE effort (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          kind TEXT NOT NULL,
          size REAL NOT NULL,
          rank REAL NOT NULL,
          at_s REAL NOT NULL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX effort_by_rank ON effort (kind, size, rank);
        CREATE TABLE step (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          number INTEGER NOT NULL,
          name TEXT,
          from_ns INTEGER NOT NULL,
          active_s INTEGER NOT NULL,
          covered_s INTEGER NOT NULL,
          in_target_s INTEGER NOT NULL,
          to_target_s INTEGER,
          late_s INTEGER,
          result TEXT NOT NULL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE place (
          session TEXT NOT NULL PRIMARY KEY REFERENCES session ON DELETE CASCADE,
          latitude REAL NOT NULL,
          longitude REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE label (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE note (
          session TEXT NOT NULL PRIMARY KEY REFERENCES session ON DELETE CASCADE,
          words TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tag (
          session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          position INTEGER NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        UPDATE upkeep SET is_whole = 0 WHERE EXISTS (SELECT 1 FROM session);
        """),
    Migration(
      name: "steps of plans that ask for no heart rate, and miles, which the folders are asked for once",
      script: """
        ALTER TABLE step ADD COLUMN quantity TEXT;
        ALTER TABLE split ADD COLUMN every_m REAL NOT NULL DEFAULT 1000;
        UPDATE upkeep SET is_whole = 0 WHERE EXISTS (SELECT 1 FROM session);
        """),
    Migration(
      name: "whether labels say what was done in an hour, which the folders of labelled sessions are asked for once",
      script: """
        ALTER TABLE hour ADD COLUMN labelled INTEGER;
        UPDATE upkeep SET is_whole = 0 WHERE EXISTS (SELECT 1 FROM label);
        """),
    Migration(
      name: "the decoupling of halves of equal time, and times of splits, which the folders are asked for once",
      script: "UPDATE upkeep SET is_whole = 0 WHERE EXISTS (SELECT 1 FROM session);"),
    Migration(
      name: "no loads and energies without heart rates, and counts from 0 m on, which the folders are asked for once",
      script: "UPDATE upkeep SET is_whole = 0 WHERE EXISTS (SELECT 1 FROM session);"),
  ]

  /// How many hexadecimal digits the length of a session has, as `session_by_length` is ordered.
  static let lengthDigits = "length(printf('%x', elapsed_ns))"

  /// Opens the index of a data folder, brought to the newest version; it is made where there is none.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when the data folder cannot be made, and one with `keepData` when
  ///   it cannot be written.
  static func open(in folder: some HistoryFolder, busyMilliseconds: Int32) throws -> Database {
    if try !folder.hasIndex { try DataFolderMark.make(folder.dataFolder) }
    return try Database.opened(in: folder.dataFolder) {
      let database = try Database(path: History.path(in: folder.dataFolder), busyMilliseconds: busyMilliseconds)
      try migrate(database) { try folder.hasClosedFolders() }
      return database
    }
  }

  /// Opens the index of a data folder for who only reads it: as it is, where the folder cannot be written or the disk is full.
  ///
  /// - Parameter opening: how it is opened where the folder can be written.
  /// - Returns: also whether it may stay open: not where the disk is full, since somebody may make room and change the file.
  /// - Throws: as ``open(in:busyMilliseconds:)``; `DatabaseError` where nothing can be written and the index would have to be
  ///   brought to the newest version, or has changes that cannot be read.
  static func openToRead(
    in folder: some HistoryFolder, busyMilliseconds: Int32, opening: () throws -> Database
  ) throws -> (database: Database, isLasting: Bool) {
    try Database.openedToRead(
      at: History.path(in: folder.dataFolder), in: folder.dataFolder, opening: opening,
      asItIs: { try openAsItIs(in: folder, busyMilliseconds: busyMilliseconds) })
  }

  /// Opens the index of a data folder in which nothing can be written.
  private static func openAsItIs(in folder: some HistoryFolder, busyMilliseconds: Int32) throws -> Database {
    let database = try Database(
      reading: History.path(in: folder.dataFolder), busyMilliseconds: busyMilliseconds)
    let found = try database.transaction(.reading) { try version(of: database) }
    guard found >= migrations.count else {
      throw DatabaseError(
        database.path, "cannot open", code: DatabaseError.unwritableDatabase,
        reason: (found == 0 ? "not made to its end" : "version \(found), made by an older coach")
          + ", in a folder that cannot be written: expected one that can be")
    }
    // One that is newer is refused there.
    try migrate(database)
    return database
  }

  /// Brings a database to the newest version, from any older one or from nothing.
  ///
  /// - Parameter isIncomplete: asked of a new database: whether there is what it would have to hold.
  /// - Throws: `DatabaseError` for a database that is newer, of another program or damaged; it is then as it was. What
  ///   `isIncomplete` throws.
  static func migrate(_ database: Database, isIncomplete: () throws -> Bool = { false }) throws {
    try migrate(database, migrations, isIncomplete: isIncomplete)
  }

  static func migrate(
    _ database: Database, _ migrations: [Migration], isIncomplete: () throws -> Bool = { false }
  ) throws {
    let known = migrations.count
    // Looked at outside of a transaction first, so that a start that changes nothing waits for nobody.
    if try database.transaction(.reading, { try version(of: database) }) == known { return }
    try database.transaction(.changing) {
      let version = try version(of: database)
      guard version <= known else {
        throw DatabaseError(
          database.path, "cannot open", code: DatabaseError.foreignDatabase,
          reason: "version \(version), made by a newer coach: expected version \(known) or older")
      }
      do {
        for (number, migration) in migrations.enumerated().dropFirst(version) {
          try database.execute(migration.script)
          try database.execute("PRAGMA user_version=\(number + 1)")
        }
      } catch let error as DatabaseError where error.isOfTables {
        throw damage(of: database, "its tables are not those of version \(version): \(error.reason)")
      }
      try database.execute("PRAGMA application_id=\(applicationID)")
      if version == 0, try isIncomplete() { try database.execute("UPDATE upkeep SET is_whole = 0") }
    }
  }

  private static func version(of database: Database) throws(DatabaseError) -> Int {
    let version = try database.query("PRAGMA user_version") { $0.int(0) }.first ?? 0
    let application = try database.query("PRAGMA application_id") { $0.int64(0) }.first ?? 0
    let tables = try database.query("SELECT count(*) FROM sqlite_schema") { $0.int(0) }.first ?? 0
    guard application == applicationID || (application == 0 && version == 0 && tables == 0) else {
      throw DatabaseError(
        database.path, "cannot open", code: DatabaseError.foreignDatabase, reason: "a database of another program")
    }
    guard version >= 0 else { throw damage(of: database, "version \(version): expected 0 to \(migrations.count)") }
    return version
  }

  /// Whether the tables of a database are those that every coach of this version makes.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  static func isWhole(_ database: Database) throws -> Bool {
    let fresh = try Database(inMemory: "fresh")
    defer { fresh.close() }
    try migrate(fresh)
    return try database.schema() == fresh.schema()
  }

  private static func damage(of database: Database, _ reason: String) -> DatabaseError {
    DatabaseError(database.path, "cannot open", code: DatabaseError.damagedDatabase, reason: reason)
  }
}
