package import TextFormats

/// The mark of a session that is not closed: `unfinished/SESSION` in the data folder.
///
/// It is on the disk before the folder of the session is, locked by the process that records, and removed when the
/// session is closed and in the index. A mark that nobody has locked is a session whose process is gone.
package final class SessionMark {
  /// The identity of the session.
  package let sessionID: String
  private let path: StoredPath
  private let file: POSIXFile

  private init(_ sessionID: String, _ path: StoredPath, _ file: POSIXFile) {
    self.sessionID = sessionID
    self.path = path
    self.file = file
  }

  /// The identities of the sessions that have marks, sorted; none where no session was ever recorded.
  ///
  /// - Throws: `FileError` when the folder of the marks cannot be listed.
  package static func all(in dataFolder: StoredPath) throws(FileError) -> [String] {
    let folder = folder(in: dataFolder)
    var marks: [String] = []
    for name in try FileSystem.listIfPresent(folder) where SessionFolder.isName(name) {
      if try FileSystem.status(folder + "/" + name)?.isRegular == true { marks.append(name) }
    }
    return marks
  }

  /// Whether a name in the folder of the marks is that of one, or of one that is about to be made.
  package static func isName(_ name: String) -> Bool {
    let name = TemporaryName.final(of: name) ?? name
    return SessionFolder.isName(name.hasPrefix(".") ? String(name.dropFirst()) : name)
  }

  /// Marks a session that is about to be recorded.
  ///
  /// - Throws: `FileError` when the mark cannot be made, or there is one.
  package static func make(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> SessionMark {
    let folder = folder(in: dataFolder)
    if !FileSystem.isFolder(folder) {
      try FileSystem.createFolder(folder)
      try FileSystem.syncFolder(dataFolder)
    }
    let path = folder + "/" + sessionID
    // It has its name only when it is locked, so that nobody takes it for that of a process that is gone.
    let marks = try OutputFolder(folder)
    let temporary = TemporaryName.make(for: "." + sessionID)
    let file = try marks.createFile(temporary)
    _ = try file.lock()
    // A mark that is there may be held by a process that closes its session, and is never taken from it.
    try marks.rename(temporary, toFree: sessionID)
    try marks.sync()
    return SessionMark(sessionID, path, file)
  }

  /// Whether there is a mark of a session, whoever holds it.
  package static func exists(_ sessionID: String, in dataFolder: StoredPath) -> Bool {
    (try? FileSystem.status(folder(in: dataFolder) + "/" + sessionID))?.isRegular == true
  }

  /// Takes the mark of a session whose process is gone; `nil` when a process holds it, or it has just been removed.
  ///
  /// - Parameter milliseconds: how long somebody is waited for who only looks whether it is held.
  /// - Throws: `FileError` when it cannot be opened.
  package static func take(
    _ sessionID: String, in dataFolder: StoredPath, waitingMilliseconds milliseconds: Int32 = 0
  ) throws(FileError) -> SessionMark? {
    let path = folder(in: dataFolder) + "/" + sessionID
    let file: POSIXFile
    do throws(FileError) {
      file = try POSIXFile(reading: path)
    } catch  where error.isMissing {
      return nil
    }
    guard try file.lock(waitingMilliseconds: milliseconds), try file.isAt(path) else { return nil }
    return SessionMark(sessionID, path, file)
  }

  /// Removes the mark: the session is closed.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  package func remove() throws(FileError) { try FileSystem.remove(path) }

  private static func folder(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/unfinished" }
}
