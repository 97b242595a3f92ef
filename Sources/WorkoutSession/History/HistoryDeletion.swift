/// A session cannot be deleted or sent, because a process records it.
package struct SessionInUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session.
  package let sessionID: String

  /// Creates an error.
  package init(sessionID: String) { self.sessionID = sessionID }

  /// `SESSION: is being recorded: …`.
  package var description: String { "\(sessionID): is being recorded: expected a session that has ended" }
}

extension History {
  /// Deletes a session for good: its folder and everything that the index knows of it.
  ///
  /// The folder is first moved to `deleted/`, which decides it: from there on a process that dies is followed by
  /// ``finishDeletions()`` of the next start. Then the index forgets the session, its write-ahead log is emptied, and the
  /// files go. What is deleted is overwritten in the index; files are removed as the file system does it.
  /// - Throws: `SessionInUse` while a process records it, `FileError` before anything is done when the folder holds what
  ///   coach did not write, `FileError` or `DatabaseError` when it cannot be finished now.
  package func delete(_ sessionID: String) throws {
    precondition(SessionFolder.isName(sessionID), "a session has a name")
    let mark = try SessionMark.take(sessionID, in: dataFolder)
    guard try mark != nil || !SessionMark.all(in: dataFolder).contains(sessionID) else {
      throw SessionInUse(sessionID: sessionID)
    }
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    try requireNoStrangers(in: sessionID)
    if FileSystem.isFolder(folder) {
      try FileSystem.createFolder(deletedFolder)
      let moved = deletedFolder + "/" + sessionID
      try SessionFolder.remove(moved)
      try FileSystem.rename(folder, to: moved)
      for changed in [deletedFolder, folder.folder, dataFolder] { try FileSystem.syncFolder(changed) }
    }
    try mark?.remove()
    try finishDeletion(of: sessionID)
  }

  /// Makes sure that everything in the folder of a session is a file of it, before anything of that is deleted.
  func requireNoStrangers(in sessionID: String) throws(FileError) {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    guard let status = try FileSystem.status(folder) else { return }
    guard status.isFolder else { throw FileError(.remove, folder.path, code: FileError.notOurs) }
    guard let stranger = try SessionFolder.strangers(in: folder).first else { return }
    throw FileError(.remove, (folder + "/" + stranger).path, code: FileError.notOurs)
  }

  /// Finishes deletions that were cut off; the sessions.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be finished now; the next start tries again.
  package func finishDeletions() throws -> [String] {
    guard hasUnfinishedDeletions else { return [] }
    let names = try FileSystem.list(deletedFolder).filter { SessionFolder.isName($0) }
    for name in names { try finishDeletion(of: name) }
    try FileSystem.removeIfEmpty(deletedFolder)
    return names
  }

  /// Whether there are deletions that were cut off.
  package nonisolated var hasUnfinishedDeletions: Bool {
    FileSystem.isLeftOver(deletedFolder) { SessionFolder.isName($0) }
  }

  private nonisolated var deletedFolder: StoredPath { dataFolder + "/deleted" }

  private func finishDeletion(of sessionID: String) throws {
    if hasIndex { try remove(sessionID) }
    try PendingUploads.forget(sessionID, in: dataFolder)
    guard FileSystem.isFolder(deletedFolder) else { return }
    try SessionFolder.remove(deletedFolder + "/" + sessionID)
    try FileSystem.syncFolder(deletedFolder)
    try FileSystem.removeIfEmpty(deletedFolder)
  }
}
