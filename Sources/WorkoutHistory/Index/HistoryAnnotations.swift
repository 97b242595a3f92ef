internal import SessionStore
internal import TextFormats

/// How what is written into the folder of a session that is over comes into the index, too: notes, tags, labels, whose it is.
///
/// While that is done the folder is held, and `annotating/SESSION` in the data folder marks it. The mark goes when the index says what
/// the folder says; one that a process has left which died between the two, or could not change the index, is followed by
/// ``HistoryWorker/finishAnnotations()`` of the next start.
extension HistoryFolder {
  private var annotatingFolder: StoredPath { dataFolder + "/annotating" }

  /// Whether there are sessions of which the index may not say what was written into their folders.
  package var hasUnfinishedAnnotations: Bool {
    FileSystem.isLeftOver(annotatingFolder) { SessionFolder.isName($0) }
  }

  /// The sessions that have marks, sorted.
  fileprivate func annotated() throws(FileError) -> [String] {
    var names: [String] = []
    for name in try FileSystem.listIfPresent(annotatingFolder) where SessionFolder.isName(name) {
      if try isMark(name) { names.append(name) }
    }
    return names
  }

  /// Whether coach's own mark of a session is there, and not what somebody else has put in its place.
  private func isMark(_ sessionID: String) throws(FileError) -> Bool {
    guard let status = try FileSystem.status(annotatingFolder + "/" + sessionID) else { return false }
    return status.problem(isOwned: true) == nil
  }

  /// Marks a session whose folder is held.
  ///
  /// - Returns: whether one was there that somebody has left, or something else that stays.
  fileprivate func markAnnotated(_ sessionID: String) throws(FileError) -> Bool {
    let mark = annotatingFolder + "/" + sessionID
    guard try FileSystem.status(mark) == nil else { return true }
    while true {
      try FileSystem.createFolder(annotatingFolder)
      do throws(FileError) {
        try POSIXFile(writing: mark, .append).close()
        try FileSystem.syncFolder(annotatingFolder)
        try FileSystem.syncFolder(dataFolder)
        return false
      } catch  where error.isMissing {
        // Another one was the last in there, and has removed the folder.
      }
    }
  }

  /// Removes the mark of a session whose folder is held.
  fileprivate func unmarkAnnotated(_ sessionID: String) throws(FileError) {
    if try isMark(sessionID) { try FileSystem.removeIfPresent(annotatingFolder + "/" + sessionID) }
    try FileSystem.removeIfEmpty(annotatingFolder)
  }

  /// Removes the folder of the marks when it is empty.
  fileprivate func tidyAnnotated() throws(FileError) { try FileSystem.removeIfEmpty(annotatingFolder) }
}

extension HistoryWorker {
  /// Holds the folder of a session that is over while `body` looks into it and changes it.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `DatabaseError` when another one changes it, or what `body`
  ///   throws.
  func holding<Value>(_ sessionID: String, _ body: (StoredPath) throws -> Value) throws -> Value {
    guard try !SessionMark.exists(sessionID, in: dataFolder) else { throw SessionInUse(sessionID: sessionID) }
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    switch try HeldFolder.take(folder, waitingMilliseconds: busyMilliseconds) {
    case .held(let held):
      defer { held.release() }
      return try body(folder)
    case .gone: throw SessionGone(sessionID: sessionID)
    case .busy: throw DatabaseError.busy(folder.path, "another coach changes it")
    }
  }

  /// Writes into the folder of a session, which is held, and brings the index to agree.
  ///
  /// - Parameters:
  ///   - write: writes to the folder.
  ///   - agree: brings the index to agree; absent, the folder is read, as it is where an earlier change is not in the index yet.
  /// - Throws: what `write` and `agree` throw; when something may have been written the mark stays, for the next start.
  func annotate(_ sessionID: String, _ write: () throws -> Void, agree: (() throws -> Void)? = nil) throws {
    let isLeft = try markAnnotated(sessionID)
    try write()
    if let agree, !isLeft { try agree() } else { try add(sessionID) }
    try unmarkAnnotated(sessionID)
  }

  /// Brings the index to agree with folders into which something was written without its saying so. What another process is at is left
  /// to it.
  ///
  /// - Throws: `FileError` or `DatabaseError` when that cannot be finished now; the next start tries again.
  func finishAnnotations() throws {
    guard hasUnfinishedAnnotations else { return }
    for sessionID in try annotated() {
      let folder = SessionFolder.path(of: sessionID, in: dataFolder)
      switch try HeldFolder.take(folder, waitingMilliseconds: 0) {
      case .busy: continue
      case .gone: try unmarkAnnotated(sessionID)
      case .held(let held):
        defer { held.release() }
        do {
          // One that is being recorded or closed comes into the index with all that its folder has.
          if try hasIndex, try !SessionMark.exists(sessionID, in: dataFolder) { try add(sessionID) }
        } catch let error as DatabaseError {
          throw error
        } catch let error as FileError where !error.isOfPath && !error.isMissing {
          throw error
        } catch {
          // A folder that cannot be read is reported by whoever looks into all of them.
        }
        try unmarkAnnotated(sessionID)
      }
    }
    try tidyAnnotated()
  }
}

extension History {
  /// Brings the index to agree with folders into which something was written without its saying so. What another process is at is left
  /// to it.
  ///
  /// - Throws: `FileError` or `DatabaseError` when that cannot be finished now; the next start tries again.
  package func finishAnnotations() async throws { try await change { try $0.finishAnnotations() } }
}
