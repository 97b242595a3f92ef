internal import SessionStore
package import TextFormats
package import WorkoutHistory

/// What was to be sent and is not known to be in a store yet: `uploads.sqlite` in the data folder.
///
/// It stands beside the index of sessions and not in it, because it does not follow from the folders: the index may be
/// deleted, and this is kept. A row is a session, a file of it, and where it goes; no person and no key of a store.
/// Rows are on the disk before the first request, and go one by one when the store has confirmed. Several processes may
/// use it: what one adds another may remove, since an object in the store is there whoever sent it.
package final class PendingUploads {
  /// Where something goes: the store and the bucket with its prefix.
  package struct Place: Hashable, Sendable {
    /// The store.
    package let endpoint: StoreEndpoint
    /// The bucket.
    package let destination: UploadDestination

    /// Creates a place.
    package init(_ endpoint: StoreEndpoint, _ destination: UploadDestination) {
      self.endpoint = endpoint
      self.destination = destination
    }
  }

  private static let version = 1
  private static let applicationID: Int64 = 0x636F_6375
  private let database: Database

  /// Opens the list of a data folder; it is made where there is none.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when the data folder cannot be made.
  package init(dataFolder: StoredPath) throws {
    try DataFolderMark.make(dataFolder)
    database = try Database(path: Self.path(in: dataFolder))
    let found = try database.query("PRAGMA user_version") { $0.int(0) }.first ?? 0
    guard found <= Self.version else {
      throw DatabaseError(
        database.path, "cannot use", code: DatabaseError.foreignDatabase,
        reason: "version \(found) is newer than \(Self.version): expected a newer coach")
    }
    guard found < Self.version else { return }
    try database.transaction(.changing) {
      try database.execute(
        """
        CREATE TABLE IF NOT EXISTS pending (
          endpoint TEXT NOT NULL,
          destination TEXT NOT NULL,
          session TEXT NOT NULL,
          role TEXT NOT NULL,
          PRIMARY KEY (endpoint, destination, session, role)
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = \(Self.applicationID);
        PRAGMA user_version = \(Self.version);
        """)
    }
  }

  /// The file of the list in a data folder.
  package static func path(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/uploads.sqlite" }

  /// Opens the list of a data folder; `nil` where there is none, and none is made.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when it cannot be found out whether there is one.
  package static func existing(in dataFolder: StoredPath) throws -> PendingUploads? {
    try FileSystem.has(path(in: dataFolder)) ? try PendingUploads(dataFolder: dataFolder) : nil
  }

  /// Strikes out everything of a session that is deleted; a list that is damaged goes as a whole.
  ///
  /// - Throws: `DatabaseError` or `FileError` when that cannot be kept.
  package static func forget(_ sessionID: String, in dataFolder: StoredPath) throws {
    do {
      guard let list = try existing(in: dataFolder) else { return }
      defer { list.close() }
      try list.remove(sessionID)
    } catch let error as DatabaseError where error.isDamage {
      for suffix in ["", "-wal", "-shm"] { try FileSystem.removeIfPresent(path(in: dataFolder) + suffix) }
    }
  }

  /// Closes the list.
  package func close() { database.close() }

  /// Notes objects that are to be sent, all of them or, when something fails, none.
  ///
  /// - Throws: `DatabaseError` when they cannot be kept.
  package func add(_ objects: [UploadObject], to place: Place) throws {
    try database.transaction(.changing) {
      for object in objects {
        try database.run(
          "INSERT OR IGNORE INTO pending VALUES (?, ?, ?, ?)", .text(place.endpoint.url ?? ""),
          .text(place.destination.description), .text(object.sessionID), .text(object.role.text))
      }
    }
  }

  /// Strikes an object out: the store has it.
  ///
  /// - Throws: `DatabaseError` when that cannot be kept.
  func remove(_ object: UploadObject, from place: Place) throws(DatabaseError) {
    try database.run(
      "DELETE FROM pending WHERE endpoint = ? AND destination = ? AND session = ? AND role = ?",
      .text(place.endpoint.url ?? ""), .text(place.destination.description), .text(object.sessionID),
      .text(object.role.text))
  }

  /// Strikes out everything of a session: it is deleted.
  ///
  /// - Throws: `DatabaseError` when that cannot be kept.
  package func remove(_ sessionID: String) throws(DatabaseError) {
    try database.run("DELETE FROM pending WHERE session = ?", .text(sessionID))
    try database.checkpoint()
  }

  /// Where something is to be sent, sorted.
  ///
  /// - Throws: `DatabaseError` when the list cannot be read.
  package func places() throws(DatabaseError) -> [Place] {
    try database.query("SELECT DISTINCT endpoint, destination FROM pending ORDER BY endpoint, destination") { row in
      let address = row.text(0)
      let endpoint = address.isEmpty ? .amazon : StoreEndpoint(address)
      return endpoint.flatMap { endpoint in UploadDestination(row.text(1)).map { Place(endpoint, $0) } }
    }.compactMap(\.self)
  }

  /// The sessions of which something is to be sent to a place, sorted.
  ///
  /// - Throws: `DatabaseError` when the list cannot be read.
  package func sessions(to place: Place) throws(DatabaseError) -> [String] {
    try database.query(
      "SELECT DISTINCT session FROM pending WHERE endpoint = ? AND destination = ? ORDER BY session",
      .text(place.endpoint.url ?? ""), .text(place.destination.description)
    ) { $0.text(0) }
  }

  /// Those of a session's objects that are to be sent to a place, in their order. Rows of files that the session does
  /// not have any more are struck out.
  ///
  /// - Throws: `DatabaseError` when the list cannot be read.
  package func pending(
    among objects: [UploadObject], of sessionID: String, to place: Place
  ) throws(DatabaseError) -> [UploadObject] {
    let rows = Set(
      try database.query(
        "SELECT role FROM pending WHERE endpoint = ? AND destination = ? AND session = ?",
        .text(place.endpoint.url ?? ""), .text(place.destination.description), .text(sessionID)
      ) { $0.text(0) })
    for gone in rows.subtracting(objects.map(\.role.text)).sorted() {
      try database.run(
        "DELETE FROM pending WHERE endpoint = ? AND destination = ? AND session = ? AND role = ?",
        .text(place.endpoint.url ?? ""), .text(place.destination.description), .text(sessionID), .text(gone))
    }
    return objects.filter { rows.contains($0.role.text) }
  }

  /// How many objects are to be sent to a place.
  ///
  /// - Throws: `DatabaseError` when the list cannot be read.
  package func count(to place: Place) throws(DatabaseError) -> Int {
    try database.query(
      "SELECT count(*) FROM pending WHERE endpoint = ? AND destination = ?", .text(place.endpoint.url ?? ""),
      .text(place.destination.description)
    ) { $0.int(0) }.first ?? 0
  }
}
