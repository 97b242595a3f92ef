internal import SessionStore
package import TextFormats

/// What is known of a data folder without its index.
package protocol HistoryFolder: Sendable {
  /// The data folder.
  var dataFolder: StoredPath { get }
}

extension HistoryFolder {
  /// Whether there is an index at all; asking makes none.
  ///
  /// A file of 0 bytes is none: somebody began one and could not go on, as on a full disk, where a reader could not either.
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package var hasIndex: Bool {
    get throws(FileError) {
      let place = History.path(in: dataFolder)
      guard let status = try FileSystem.status(place) else { return false }
      guard status.isRegular, status.size == 0 else { return true }
      return try FileSystem.status(place + "-wal").map { $0.size > 0 } ?? false
    }
  }

  /// The folder that a session has now; `nil` when it has none, or a name in the index that no folder can have.
  func stamp(of sessionID: String) throws(FileError) -> FolderStamp? {
    guard SessionFolder.isFolderName(sessionID) else { return nil }
    return try FolderStamp.of(SessionFolder.path(of: sessionID, in: dataFolder))
  }

  /// Whether there are folders of sessions that are closed.
  ///
  /// - Throws: `FileError` when the folders cannot be listed.
  package func hasClosedFolders() throws(FileError) -> Bool {
    let names = try folders()
    // Asked last: a session has its mark before its folder, and until it is in the index.
    let unfinished = Set(try SessionMark.all(in: dataFolder))
    return names.contains { !unfinished.contains($0) }
  }

  /// Whether there is anything of a session: a folder, a mark, or a journal that is not in a folder so far.
  ///
  /// - Throws: `FileError` when the folders cannot be listed.
  package func hasAnySession() throws(FileError) -> Bool {
    if try folders().contains(where: SessionFolder.isName) { return true }
    if try SessionMark.hasAny(in: dataFolder) { return true }
    return LiveJournal.hasAny(in: dataFolder)
  }

  /// The sessions that have a folder, sorted by their names.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package func folders() throws(FileError) -> [String] {
    try FileSystem.listIfPresent(dataFolder + "/" + SessionFolder.sessions)
  }

  /// Whether there are deletions that were cut off, or are under way.
  package var hasUnfinishedDeletions: Bool {
    FileSystem.isLeftOver(deletedFolder) { SessionFolder.isName($0) }
  }

  /// Whether the deletion of a session is decided and not finished.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  func isBeingDeleted(_ sessionID: String) throws(FileError) -> Bool {
    // An index that was changed by hand may have names that no folder can have.
    guard SessionFolder.isName(sessionID) else { return false }
    // What is no folder was put there by somebody else, and decides nothing.
    return try FileSystem.hasFolder(deletedPath(of: sessionID))
  }

  /// Where sessions are whose deletion is decided.
  var deletedFolder: StoredPath { dataFolder + "/deleted" }

  /// Where a session is whose deletion is decided.
  func deletedPath(of sessionID: String) -> StoredPath { deletedFolder + "/" + sessionID }

  /// Where the decision to erase the data of a person stands until it is carried out.
  var erasingFolder: StoredPath { dataFolder + "/erasing" }
  /// The decision in it.
  static var erasure: String { "erasure" }

  /// Whether there are erasures that were cut off.
  package var hasUnfinishedErasures: Bool {
    FileSystem.isLeftOver(erasingFolder) { (TemporaryName.final(of: $0) ?? $0) == Self.erasure }
  }
}
