package import FleetStore
package import SessionStore
package import TextFormats
internal import WorkoutHistory

/// The sessions of a store that are over, with their files: of a data folder, or of a database that instances share.
package enum FinishedSessions: Sendable {
  /// Those of a data folder.
  case folder(StoredPath, [String])
  /// Those of a database.
  case database(FleetStore, [String])

  /// The sessions of a data folder that are over.
  ///
  /// - Throws: `FileError` when it cannot be listed.
  package init(in dataFolder: StoredPath) throws(FileError) {
    self = .folder(dataFolder, try StoreContents(of: dataFolder).sessions)
  }

  /// Their identities, sorted by their bytes.
  package var names: [String] {
    switch self {
    case .folder(_, let names), .database(_, let names): names
    }
  }

  /// The files of a session.
  ///
  /// - Throws: `FileError`, `PostgresError`, or `RecordingError` for a log that is damaged or gone.
  package func content(of sessionID: String) throws -> SessionFolderContent {
    switch self {
    case .folder(let dataFolder, _): return try SessionFolderContent(sessionID: sessionID, in: dataFolder)
    case .database(let store, _):
      guard let log = try store.log(of: sessionID) else {
        throw RecordingError(path: sessionID, problem: "has just been deleted")
      }
      return try log.content()
    }
  }

  /// Writes the folders of all of them to `sessions/` of a new folder, which has its name only when it is whole.
  ///
  /// - Parameter report: gets how far it is after each session, and within one with each piece, so that it can end even that.
  /// - Returns: how many were written, those that cannot be read, and what in the folders of the others is in no copy.
  /// - Throws: `FileError` when the folder is there already or cannot be written, `PostgresError` when the database cannot be
  ///   asked, or what `report` throws; then nothing is left of it.
  package func export(
    to path: String, _ report: (WorkProgress) throws -> Void
  ) throws -> (written: Int, refusals: [StoreCopyRefusal], leftOut: [LeftOutPart]) {
    let folder = try PendingFolder(path)
    try folder.add(folder: SessionFolder.sessions)
    var written = 0
    var refusals: [StoreCopyRefusal] = []
    var leftOut: [LeftOutPart] = []
    for (done, name) in names.enumerated() {
      let progress = { try report(WorkProgress(done: done, total: names.count)) }
      do {
        let content = try content(of: name)
        let carried = try carriedFolder(of: name)
        let path = SessionFolder.sessions + "/" + name
        try folder.add(folder: path)
        for file in content.files { try folder.add(file.bytes, as: path + "/" + file.name, progress) }
        if let carried { leftOut += try Self.add(carried.files, at: carried.place, as: path, to: folder, progress) }
        written += 1
      } catch {
        guard let reason = StoreCopy.reasonOfOne(error) else { throw error }
        refusals.append(StoreCopyRefusal(name: name.visible, reason: reason.visible))
      }
      try report(WorkProgress(done: done + 1, total: names.count))
    }
    try folder.commit()
    return (written, refusals, leftOut)
  }

  /// The folder of a session and what goes along of it; `nil` of one in a database, which has its files alone.
  private func carriedFolder(of sessionID: String) throws(FileError) -> (place: StoredPath, files: CarriedFiles)? {
    guard case .folder(let dataFolder, _) = self else { return nil }
    let place = SessionFolder.path(of: sessionID, in: dataFolder)
    return (place, try CarriedFiles(in: place))
  }

  /// Writes what goes along of the folder of a session, which is at `place`, and is no file of the session.
  ///
  /// - Returns: what does not, or cannot be read.
  private static func add(
    _ carried: CarriedFiles, at place: StoredPath, as path: String, to folder: PendingFolder,
    _ progress: () throws -> Void
  ) throws -> [LeftOutPart] {
    var leftOut = carried.leftOut
    for part in carried.parts where !SessionFolder.isFile(part.name) {
      let name = path + "/" + part.name
      guard part.size != nil else {
        try folder.add(folder: name)
        continue
      }
      do {
        try folder.add(fileAt: place + "/" + part.name, as: name, progress)
      } catch let error as FileError where error.operation == .openForReading {
        // Nothing of it has been written then.
        if !error.isMissing { leftOut.append(LeftOutPart(part.name, error.reason)) }
      }
    }
    return leftOut.map { $0.below(path) }
  }
}

/// The sessions of a database, as a copy takes them.
package struct SharedSessions: Sendable {
  /// Those that are over and have files.
  package private(set) var finished: [String] = []
  /// Those that are over and ended before they began: nothing is there of them but who asked for them.
  package private(set) var empty: [String] = []
  /// Those that are not over.
  package private(set) var unfinished: [String] = []
  /// Those that cannot be: a name that no session has, or a log without an end.
  package private(set) var refusals: [StoreCopyRefusal] = []

  /// Asks a database.
  ///
  /// - Throws: `PostgresError`.
  package init(_ copies: FleetCopies) throws(PostgresError) {
    for known in try copies.sessions() {
      if !SessionFolder.isName(known.id) {
        refuse(known.id, "is no name of a session")
      } else if !known.isOver {
        unfinished.append(known.id)
      } else if known.hasSummary {
        finished.append(known.id)
      } else if known.hasLogAlone {
        refuse(known.id, "is over, has a log and no summary")
      } else {
        empty.append(known.id)
      }
    }
  }

  private mutating func refuse(_ name: String, _ reason: String) {
    refusals.append(StoreCopyRefusal(name: name.visible, reason: reason))
  }
}
