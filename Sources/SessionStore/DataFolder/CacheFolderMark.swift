internal import Synchronization
package import TextFormats

/// The mark of a data folder that is the cache of one of several instances: the file `cache.lock` in it.
///
/// What is unfinished in such a folder goes on at another instance, or here when the log says so. Nobody closes it from what the
/// folder has, and the next start throws it away: the log has all of it.
package final class CacheFolderMark: Sendable {
  /// The name of the file in the data folder.
  package static let name = "cache.lock"
  /// What a folder is called, among what is being imported, that an instance reads a file into.
  package static let importPrefix = "instance-"
  /// What a folder has that is a store of its own.
  private static let ofStores = ["service.sqlite", "coach.sqlite", "profiles", SessionFolder.sessions]

  private let file: Mutex<POSIXFile>

  private init(_ file: sending POSIXFile) { self.file = Mutex(file) }

  /// Whether a data folder is a cache.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func exists(in dataFolder: StoredPath) throws(FileError) -> Bool {
    try FileSystem.has(dataFolder + "/" + name)
  }

  /// Makes sure that what is written into a data folder stays there.
  ///
  /// - Throws: ``Refused`` for a cache.
  package static func requireNone(in dataFolder: StoredPath) throws {
    guard try exists(in: dataFolder) else { return }
    throw Refused(
      path: dataFolder.path,
      problem: "is the cache of an instance of several, which throws away what its database does not have: "
        + "expected another folder, or --database")
  }

  /// Takes a folder as the cache of this process, and throws away what is unfinished in it.
  ///
  /// - Throws: ``Refused`` for a folder that is a store of its own, or that another process has; `FileError` when it cannot be
  ///   made or looked at.
  package static func take(_ dataFolder: StoredPath) throws -> CacheFolderMark {
    let isNew = try !exists(in: dataFolder)
    if isNew {
      for name in ofStores where try FileSystem.has(dataFolder + "/" + name) {
        throw Refused(
          path: dataFolder.path,
          problem: "is a store of its own: expected another folder, which an instance keeps for itself")
      }
    }
    try DataFolderMark.make(dataFolder)
    let file = try POSIXFile(writing: dataFolder + "/" + name, .append)
    guard try file.lock() else {
      throw Refused(path: dataFolder.path, problem: "another instance has it: expected a folder for each")
    }
    if isNew { try FileSystem.syncFolder(dataFolder) }
    for sessionID in try SessionMark.all(in: dataFolder) { try discard(sessionID, in: dataFolder) }
    try FileSystem.removeTree((dataFolder + "/" + LiveJournal.folderName).path)
    try FileSystem.removeTree((dataFolder + "/" + EndedInputs.folderName).path)
    let importing = dataFolder + "/importing"
    for name in try FileSystem.listIfPresent(importing) where name.hasPrefix(importPrefix) {
      try FileSystem.removeTree((importing + "/" + name).path)
    }
    return CacheFolderMark(file)
  }

  /// Throws away what a cache has of a session that another instance goes on with; nothing where it is whole.
  ///
  /// - Throws: `FileError` when it cannot be looked at or removed.
  package static func discardUnfinished(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    if try !FileSystem.has(folder + "/" + SessionFolder.summary) { try discard(sessionID, in: dataFolder) }
  }

  private static func discard(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    try FileSystem.removeTree(SessionFolder.path(of: sessionID, in: dataFolder).path)
    try SessionMark.remove(sessionID, in: dataFolder)
  }

  /// Why a folder cannot be the cache of a process.
  package struct Refused: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder.
    package let path: String
    /// What is wrong and what was expected.
    package let problem: String

    /// One line.
    package var description: String { "\(path): \(problem)" }
  }

  /// Gives the folder back.
  package func release() { file.withLock { $0.unlock() } }
}
