package import FleetStore
package import TextFormats
internal import SessionStore
internal import WorkoutHistory
internal import WorkoutSession

/// What the service keeps beside the sessions: secrets by their hashes, sessions that were begun, groups.
///
/// It is a database of its own, `service.sqlite` in the data folder, because the index of sessions can be deleted and made
/// again, and this cannot. Every change is on the disk when it returns. The verbs of the terminal change it beside a running
/// server, which looks whether they did. Instances of a fleet have the same tables in the database that they share.
package actor ServiceStore {
  /// The name of the file in the data folder.
  package static let fileName = "service.sqlite"
  /// The version of the tables; a newer one is refused.
  static let version = 2

  /// Where the tables are.
  private enum Place {
    case folder(StoredPath)
    /// A folder in which nothing is made, and that need not let anything be written.
    case folderToRead(StoredPath)
    case database(PostgresAddress, name: String)
  }

  private let place: Place
  private let executor = QueueExecutor(label: "coach.service.store")
  private var opened: ServiceTables?
  /// How often the secrets were read.
  var readings = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// A store; nothing is opened until something is asked.
  package init(dataFolder: StoredPath) { place = .folder(dataFolder) }

  /// The store of a data folder for who only reads it, also where the folder cannot be written; it is empty where no service was ever set
  /// up, and none is then. Nothing is opened until something is asked.
  package init(reading dataFolder: StoredPath) { place = .folderToRead(dataFolder) }

  /// The store in the database of a fleet, whose schema is there; nothing is opened until something is asked.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String) { place = .database(address, name: name) }

  /// The store of a data folder; `nil` where no service was ever set up in it.
  ///
  /// - Throws: `FileError` when that cannot be found out.
  package init?(existingIn dataFolder: StoredPath) throws(FileError) {
    guard try FileSystem.has(dataFolder + "/" + Self.fileName) else { return nil }
    self.init(dataFolder: dataFolder)
  }

  /// Whether a person has a profile of an identity still, as a part of a transaction: a verb of the terminal that deletes it does so before it
  /// deletes here what has the name, and waits for a change that is under way here. Where it cannot be read nobody can say, and it is taken
  /// for the same.
  ///
  /// - Throws: `PostgresError`.
  func holdsProfile(_ id: ProfileID, of person: String, in database: ServiceTables) throws -> Bool {
    switch database {
    case .shared(let tables): try tables.holdsProfile(id, of: person)
    case .embedded: holdsProfile(id, of: person)
    }
  }

  private func holdsProfile(_ id: ProfileID, of person: String) -> Bool {
    let dataFolder: StoredPath
    switch place {
    case .folder(let folder), .folderToRead(let folder): dataFolder = folder
    case .database: return true
    }
    do {
      return try ProfileStore(dataFolder: dataFolder).profile(named: person).id == id
    } catch ProfileStoreError.missing {
      return false
    } catch {
      return true
    }
  }

  /// Closes the database.
  package func close() {
    opened?.close()
    opened = nil
  }

  /// The database, with its tables.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` with `keepData` where the folder cannot be written, `ServiceStoreError`
  ///   when it is of a newer version.
  func database() throws -> ServiceTables {
    if let opened { return opened }
    let tables: ServiceTables
    switch place {
    case .folder(let dataFolder):
      try DataFolderMark.make(dataFolder)
      tables = .embedded(try Self.open(in: dataFolder))
    case .folderToRead(let dataFolder):
      let (database, isLasting) = try Self.openToRead(in: dataFolder) { try Self.open(in: dataFolder) }
      guard isLasting else { return .embedded(database) }
      tables = .embedded(database)
    case .database(let address, let name): tables = .shared(SharedTables(address, name: name))
    }
    opened = tables
    return tables
  }

  /// Opens the database of a data folder, with its tables.
  private static func open(in dataFolder: StoredPath) throws -> Database {
    try Database.opened(in: dataFolder) {
      let database = try Database(path: dataFolder + "/" + fileName)
      try ServiceSchema.make(in: database)
      return database
    }
  }

  /// Opens the database of a data folder for who only reads it: as it is, where nothing can be written, and an empty one in memory where
  /// there is none.
  ///
  /// - Parameter opening: how it is opened where the folder can be written.
  /// - Returns: also whether it may stay open.
  /// - Throws: what `opening` throws; `DatabaseError` where nothing can be written and the tables would have to be brought to the newest
  ///   version, or have changes that cannot be read.
  static func openToRead(
    in dataFolder: StoredPath, opening: () throws -> Database
  ) throws -> (database: Database, isLasting: Bool) {
    let place = dataFolder + "/" + fileName
    guard try FileSystem.has(place) else {
      let database = try Database(inMemory: fileName)
      try ServiceSchema.make(in: database)
      return (database, true)
    }
    return try Database.openedToRead(at: place, in: dataFolder, opening: opening) {
      let database = try Database(reading: place)
      try ServiceSchema.require(in: database)
      return database
    }
  }

  /// The time by which what is kept here holds: that of the database where instances share it, else that of this machine. Nothing is made.
  ///
  /// - Throws: `PostgresError` when the database cannot be asked.
  package func now() throws -> WallClockTime {
    guard case .database = place, case .shared(let tables) = try database() else { return SystemWallClock.now() }
    return WallClockTime(nanoseconds: try tables.perform(FleetStore.timeStatement, []).rows.first?.integer(0) ?? 0)
  }

  /// A number that changes when another process has changed something.
  package func dataVersion() throws -> Int { try database().version() }
}

/// The tables of `service.sqlite`.
enum ServiceSchema {
  /// Makes the tables, or brings them to the newest version.
  ///
  /// - Throws: `DatabaseError` when they cannot be made, `ServiceStoreError` when they are of a newer version.
  static func make(in database: Database) throws {
    let found = try version(of: database)
    guard found <= ServiceStore.version else { throw ServiceStoreError.newer(found) }
    guard found < ServiceStore.version else { return }
    try database.transaction(.changing) {
      // Another process may have made them meanwhile.
      try database.execute(tables)
      try database.execute("PRAGMA user_version = \(ServiceStore.version)")
    }
  }

  /// Makes sure that the tables are of this version, where they cannot be brought to it.
  ///
  /// - Throws: `DatabaseError` when they are not, `ServiceStoreError` when they are of a newer one.
  static func require(in database: Database) throws {
    let found = try version(of: database)
    guard found <= ServiceStore.version else { throw ServiceStoreError.newer(found) }
    guard found < ServiceStore.version else { return }
    throw DatabaseError(
      database.path, "cannot open", code: DatabaseError.unwritableDatabase,
      reason: (found == 0 ? "not made to its end" : "version \(found), made by an older coach")
        + ", in a folder that cannot be written: expected one that can be")
  }

  private static func version(of database: Database) throws -> Int {
    try database.query("PRAGMA user_version") { (row) throws(DatabaseError) in row.int(0) }.first ?? 0
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS grant_ (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, digest BLOB NOT NULL UNIQUE, scopes TEXT NOT NULL, person TEXT,
      session TEXT, group_ TEXT, request TEXT, created_ns INTEGER NOT NULL, expires_ns INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS link (
      digest BLOB PRIMARY KEY, person TEXT, expires_ns INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS session (
      id TEXT PRIMARY KEY, person TEXT, maker TEXT NOT NULL, request TEXT NOT NULL, created_ns INTEGER NOT NULL,
      ended_ns INTEGER) STRICT;
    CREATE INDEX IF NOT EXISTS session_open ON session (id) WHERE ended_ns IS NULL;
    CREATE TABLE IF NOT EXISTS repeat (
      maker TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, session TEXT NOT NULL, created_ns INTEGER NOT NULL,
      PRIMARY KEY (maker, key)) STRICT;
    CREATE TABLE IF NOT EXISTS group_ (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, maker TEXT NOT NULL, person TEXT, created_ns INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS member (
      group_ TEXT NOT NULL REFERENCES group_ (id) ON DELETE CASCADE, person TEXT NOT NULL, shares TEXT NOT NULL,
      joined_ns INTEGER NOT NULL, PRIMARY KEY (group_, person)) STRICT;
    CREATE TABLE IF NOT EXISTS address (url TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS issuer (url TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS identity (
      id TEXT PRIMARY KEY, issuer TEXT NOT NULL, claim TEXT NOT NULL, value TEXT NOT NULL, person TEXT,
      created_ns INTEGER NOT NULL, UNIQUE (issuer, claim, value)) STRICT;
    CREATE TABLE IF NOT EXISTS identity_sign_in (grant_ TEXT PRIMARY KEY, identity TEXT NOT NULL) STRICT;
    """
}

/// Why what the service keeps cannot be used.
package enum ServiceStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It was made by a newer program; the version.
  case newer(Int)
  /// There is no secret of the identity.
  case missing(String)

  /// One line that says what is wrong and what was expected.
  package var description: String {
    switch self {
    case .newer(let version):
      "\(ServiceStore.fileName): is of version \(version): this program reads version \(ServiceStore.version)"
    case .missing(let id): "\(id): there is none of that identity: expected one of the list"
    }
  }
}
