private import Glibc
internal import SessionStore
internal import TextFormats

/// A session cannot be deleted or sent, because a process records it.
package struct SessionInUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session.
  package let sessionID: String

  /// Creates an error.
  package init(sessionID: String) { self.sessionID = sessionID }

  /// `SESSION: is being recorded: …`.
  package var description: String { "\(sessionID): is being recorded: expected a session that has ended" }
}

/// A session that has just been deleted, or moved away by somebody else.
package struct SessionGone: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session.
  package let sessionID: String

  /// Creates an error.
  package init(sessionID: String) { self.sessionID = sessionID }

  /// `SESSION: is not there any more`.
  package var description: String { "\(sessionID): is not there any more" }
}

/// A session cannot be deleted: where its folder goes first is something that coach did not make, which stays.
package struct DeletionObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands in the way.
  package let path: String
  /// What it is, such as `a symbolic link`.
  package let kind: String

  /// Creates an error.
  package init(_ path: String, _ kind: String) {
    self.path = path
    self.kind = kind
  }

  /// `deleted/SESSION: is a symbolic link …`.
  package var description: String {
    "\(path): is \(kind), which coach did not make and which stands in the way of the deletion: expected nothing there"
  }
}

extension HistoryWorker {
  /// Deletes a session for good: its folder and everything that the index knows of it.
  ///
  /// The folder is first moved to `deleted/`, which decides it: from there on a process that dies is followed by
  /// ``finishDeletions()`` of the next start, which leaves alone what another process holds. Then the index forgets the
  /// session, its write-ahead log is emptied, and the files go. What is deleted is overwritten in the index; files are
  /// removed as the file system does it. A session that another process deletes at the same time is gone when this returns.
  /// - Throws: `SessionInUse` while a process records it, `FileError` before anything is done when the folder holds what
  ///   coach did not write or what is another user's, `DeletionObstacle` when something else is where it goes, `FileError` or `DatabaseError` when it
  ///   cannot be finished now.
  func delete(_ sessionID: String) throws {
    try requireOwnName(sessionID)
    let mark = try SessionMark.take(sessionID, in: dataFolder, waitingMilliseconds: Self.glanceMilliseconds)
    guard try mark != nil || !SessionMark.exists(sessionID, in: dataFolder) else {
      throw SessionInUse(sessionID: sessionID)
    }
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    switch try HeldFolder.take(folder, waitingMilliseconds: busyMilliseconds) {
    case .held(let held):
      // Held until it is gone, so that no other process takes it for one that was left.
      defer { held.release() }
      try requireNoStrangers(in: sessionID)
      try moveAway(sessionID)
      try mark?.remove()
      try finishDeletion(of: sessionID)
    case .gone:
      try requireNoStrangers(in: sessionID)
      try mark?.remove()
      try forgetEverywhere(sessionID)
    case .busy: throw DatabaseError.busy(folder.path, "another coach deletes it")
    }
  }

  /// How long somebody may look whether a session is being recorded.
  private static var glanceMilliseconds: Int32 { 500 }

  /// Makes sure that coach could have named a session: what another has put among the folders stays.
  private func requireOwnName(_ sessionID: String) throws(FileError) {
    guard !SessionFolder.isName(sessionID) else { return }
    throw FileError(.remove, SessionFolder.path(of: sessionID, in: dataFolder).path, code: FileError.notOurs)
  }

  /// Makes sure that coach gave a session its name, that everything in its folder is a file of it and of the user, and that the folder
  /// can go where deleted ones go, before anything of that is deleted.
  func requireNoStrangers(in sessionID: String) throws {
    try requireOwnName(sessionID)
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    guard let status = try FileSystem.status(folder) else { return }
    guard status.isFolder else { throw FileError(.remove, folder.path, code: FileError.notOurs) }
    try requireNoStrangers(in: folder)
    try requireNoObstacle(of: sessionID)
    let hasDeleted = try FileSystem.hasFolder(deletedFolder)
    try FileSystem.requireOneFileSystem(folder.folder, hasDeleted ? deletedFolder : dataFolder)
    // What is left of an older session of the same name goes first.
    try requireNoStrangers(in: deletedPath(of: sessionID))
  }

  private func requireNoStrangers(in folder: StoredPath) throws(FileError) {
    do throws(FileError) {
      guard let stranger = try SessionFolder.strangers(in: folder).first else { return }
      throw FileError(.remove, (folder + "/" + stranger.name).path, code: stranger.code)
    } catch  where error.isMissing {
      // Nothing is there, or it has just gone.
    }
  }

  /// Makes sure that where a session goes that is deleted is nothing, or what coach puts there: a folder of the user's own.
  private func requireNoObstacle(of sessionID: String) throws {
    let path = deletedPath(of: sessionID)
    guard let status = try FileSystem.status(path) else { return }
    guard status.isFolder else { throw DeletionObstacle(path.path, status.kind) }
    guard status.isOfUser else { throw DeletionObstacle(path.path, "\(status.kind) of another user") }
  }

  /// Moves the folder of a session, which is held, to those that are deleted.
  private func moveAway(_ sessionID: String) throws {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    while let problem = try problemOfMoving(sessionID) {
      // Somebody may have put something there since it was looked at.
      try requireNoObstacle(of: sessionID)
      if problem.isFull {
        try removeOlder(sessionID)
      } else if try problem.code != ENOENT || !FileSystem.hasFolder(folder) {
        throw problem
      }
      // Else another deletion was the last one in `deleted/`, and has removed it.
    }
    for changed in [deletedFolder, folder.folder, dataFolder] { try FileSystem.syncFolder(changed) }
  }

  private func problemOfMoving(_ sessionID: String) throws(FileError) -> FileError? {
    try makeDeletedFolder(for: sessionID)
    do throws(FileError) {
      try FileSystem.rename(SessionFolder.path(of: sessionID, in: dataFolder), to: deletedPath(of: sessionID))
      return nil
    } catch {
      return error
    }
  }

  /// Makes the folder of those that are deleted. Where the disk has no room for it, files of the session make some: they go anyhow, and
  /// a process that dies in between leaves a session that can be deleted again.
  private func makeDeletedFolder(for sessionID: String) throws(FileError) {
    guard var problem = problemOfMakingDeletedFolder() else { return }
    if problem.code == ENOSPC {
      for file in try SessionFolder.largestFirst(in: SessionFolder.path(of: sessionID, in: dataFolder)) {
        try FileSystem.removeIfPresent(file)
        guard let next = problemOfMakingDeletedFolder() else { return }
        problem = next
      }
    }
    throw problem
  }

  private func problemOfMakingDeletedFolder() -> FileError? {
    do throws(FileError) {
      try FileSystem.createFolder(deletedFolder)
      return nil
    } catch {
      return error
    }
  }

  /// Removes what is left of an older session of the same name, when nobody is at it any more.
  private func removeOlder(_ sessionID: String) throws {
    let path = deletedPath(of: sessionID)
    switch try HeldFolder.take(path, waitingMilliseconds: busyMilliseconds) {
    case .held(let left):
      defer { left.release() }
      try SessionFolder.remove(path)
    case .gone: break
    case .busy: throw DatabaseError.busy(path.path, "another coach deletes it")
    }
  }

  /// Finishes deletions that were cut off; the sessions. What another process is at is left to it, and one that cannot be finished
  /// leaves the others to be.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be finished now; the next start tries again.
  func finishDeletions() throws -> [String] {
    guard hasUnfinishedDeletions else { return [] }
    var finished: [String] = []
    var problem: FileError?
    for name in try FileSystem.listIfPresent(deletedFolder) where SessionFolder.isName(name) {
      do {
        let place = deletedPath(of: name)
        guard case .held(let held) = try HeldFolder.take(place, waitingMilliseconds: 0) else { continue }
        defer { held.release() }
        try finishDeletion(of: name)
        finished.append(name)
      } catch let error as FileError where error.isOfPath {
        problem = problem ?? error
      }
    }
    try FileSystem.removeIfEmpty(deletedFolder)
    if let problem { throw problem }
    return finished
  }

  /// Does what is left to do for a session whose folder is moved away and held.
  private func finishDeletion(of sessionID: String) throws {
    try forgetMakingRoom(sessionID)
    try SessionFolder.remove(deletedPath(of: sessionID))
    do throws(FileError) {
      try FileSystem.syncFolder(deletedFolder)
    } catch  where error.isMissing {
      // Another deletion was the last one in there.
    }
    try FileSystem.removeIfEmpty(deletedFolder)
  }

  /// Drops what is kept of a session beside its folder, which is moved away.
  ///
  /// On a disk that is full the index has no room even to forget. The files, which go anyhow, make some; their folder stays until the index
  /// has forgotten, so that the next start finds what is left to do.
  private func forgetMakingRoom(_ sessionID: String) throws {
    let outcome = Result { try forgetEverywhere(sessionID) }
    guard case .failure(let error) = outcome, Self.mayBeOfSpace(error) else { return try outcome.get() }
    let files = try SessionFolder.largestFirst(in: deletedPath(of: sessionID))
    for file in files { try FileSystem.removeIfPresent(file) }
    try forgetEverywhere(sessionID)
  }

  private static func mayBeOfSpace(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError { return error.mayBeOfSpace }
    return (error as? FileError)?.code == ENOSPC
  }

  /// Drops what is kept of a session beside its folder; a session that was imported again in between is another one.
  private func forgetEverywhere(_ sessionID: String) throws {
    try EndedInputs.remove(sessionID, in: dataFolder)
    if try hasIndex { try writer.wait { try $0.forget(sessionID) } }
    if try stamp(of: sessionID) == nil { try onDelete(.session(sessionID), dataFolder) }
  }
}
