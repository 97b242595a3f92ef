internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What the folder of a session says, and which folder that was.
struct SessionReading: Sendable {
  /// The name of the folder.
  let name: String
  /// The folder; `nil` when there was none.
  let folder: FolderStamp?
  /// Whether there was nothing at all, as when it was deleted after it was listed.
  let isAbsent: Bool
  /// What the index would keep of it.
  let digest: Result<SessionDigest, any Error>

  /// What is known of a session that has just been recorded, as of the folder that is there now.
  ///
  /// - Throws: `FileError` when it cannot be found out whether there is one.
  init(_ digest: SessionDigest, in dataFolder: StoredPath) throws(FileError) {
    name = digest.manifest.sessionID
    folder = try FolderStamp.of(SessionFolder.path(of: name, in: dataFolder))
    isAbsent = folder == nil
    let path = SessionFolder.path(of: name, in: dataFolder)
    // What was noted stands in a log that nobody has read yet.
    let hasLabels = try FileSystem.has(path + "/" + SessionFolder.labels)
    self.digest = hasLabels ? Result { try SessionDigest(folder: path) } : .success(digest)
  }

  /// Reads a folder.
  ///
  /// - Parameter replaysSummary: as for ``SessionDigest/init(folder:replaysSummary:)``.
  /// - Throws: `FileError` when it cannot be found out whether there is one, or the machine has no means to read it.
  init(_ name: String, in dataFolder: StoredPath, replaysSummary: Bool = false) throws(FileError) {
    let path = SessionFolder.path(of: name, in: dataFolder)
    self.name = name
    // Looked at first: what takes its place while it is read is another folder.
    var folder = try FolderStamp.of(path)
    var status: FileStatus?
    while folder == nil {
      status = try FileSystem.status(path)
      // It may just have come.
      guard status?.isFolder == true else { break }
      folder = try FolderStamp.of(path)
    }
    self.folder = folder
    isAbsent = folder == nil && status == nil
    do {
      digest = .success(try SessionDigest(folder: path, replaysSummary: replaysSummary))
    } catch let error as FileError where error.isOfMachine {
      // That says nothing of the session.
      throw error
    } catch {
      digest = .failure(error)
    }
  }
}

/// How the index comes to say what the folders say, whoever changes them.
///
/// A folder is changed first: a session is closed in it, it gets its place, or it is moved away. Then whoever did so brings
/// the index to agree, in a transaction in which the folder is looked at again. Transactions that write come one after
/// another, in all processes; so the last one about a session sees the last folder that there was, and nobody writes what
/// was read of a folder that is gone or was replaced. Nothing holds a lock while it reads logs. A process that dies between
/// the two leaves a mark of the session in `unfinished/` or `annotating/`, or its folder in `deleted/`, and the next start does the rest.
extension HistoryWorker {
  /// Takes the folder of a closed session into the index, instead of what was known of it.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError`, `RecordingError` or `ZoneError` when the
  ///   folder cannot.
  func add(_ sessionID: String) throws {
    var isChanged = true
    while isChanged {
      let reading = try SessionReading(sessionID, in: dataFolder)
      _ = try reading.digest.get()
      isChanged = try writer.wait { try $0.agreeNow(with: [reading]) } != []
    }
  }

  // MARK: - Whether the index is whole

  /// Whether the index has all sessions that are closed: not while it is made from nothing, nor when that was cut off. Asking
  /// makes none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func isWhole() throws -> Bool { try read("SELECT is_whole FROM upkeep", []) { $0.int(0) } == [1] }
}

extension IndexWriter {
  /// Drops a session from the index whose folder is not there; nothing when the index does not know it, or there is a
  /// folder again.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the folder cannot be looked at.
  func forget(_ sessionID: String) throws {
    let database = try database()
    try drop([sessionID], from: database)
    try database.checkpoint()
  }

  /// Drops all sessions whose folders are not there.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when a folder cannot be looked at.
  func forgetMissing() throws {
    let database = try database()
    let names = try names().sorted()
    var isAnyGone = false
    for start in stride(from: 0, to: names.count, by: Self.mostInTransaction) {
      let part = names[start..<min(start + Self.mostInTransaction, names.count)]
      isAnyGone = try drop(part, from: database) || isAnyGone
    }
    if isAnyGone { try database.checkpoint() }
  }

  /// Drops those of several sessions whose folders are not there; whether there was any.
  @discardableResult
  private func drop(_ names: some Sequence<String>, from database: Database) throws -> Bool {
    try database.transaction(.changing) {
      var isAnyGone = false
      for name in names where try stamp(of: name) == nil {
        try SessionRows.delete(name, from: database)
        isAnyGone = true
      }
      return isAnyGone
    }
  }

  /// A number that is another one after the index was made from nothing.
  func generation() throws -> Int64 {
    guard let generation = try database().query("SELECT generation FROM upkeep", row: { $0.int64(0) }).first else {
      throw DatabaseError.busy(History.path(in: dataFolder).path, "another coach makes the index anew")
    }
    return generation
  }

  /// Notes that all sessions are in the index, unless it was made from nothing since a generation; whether it was noted.
  func noteWhole(_ generation: Int64) throws -> Bool {
    let database = try database()
    return try database.transaction(.changing) {
      guard try self.generation() == generation else { return false }
      try database.run("UPDATE upkeep SET is_whole = 1")
      return true
    }
  }

  /// The identities of all sessions in the index.
  func names() throws -> Set<String> { Set(try database().query("SELECT id FROM session") { $0.text(0) }) }
}
