internal import SessionStore
package import TextFormats

/// The lock of a data folder against a second import, and the folder in which sessions are written until they are whole.
///
/// Imports wait for each other. Who waits next has the turn: who gives the lock back and wants it again waits behind. A wait
/// ends when nobody has got on for its time: an import that gets the lock, or writes on, shows that.
package struct ImportLock {
  /// The folder, without what was left in it.
  let folder: StoredPath
  private let file: POSIXFile

  private init(_ folder: StoredPath, _ file: POSIXFile) {
    self.folder = folder
    self.file = file
  }

  /// Takes the lock and removes what a process that is gone has left.
  ///
  /// - Parameter milliseconds: how long nobody may get on.
  /// - Throws: `FileError` when that fails, `DatabaseError` when another process holds it for longer.
  package static func take(_ dataFolder: StoredPath, waitingMilliseconds milliseconds: Int32) throws -> ImportLock {
    let folder = try folder(in: dataFolder)
    let turn = try POSIXFile(writing: folder + "/" + turnName, .append)
    let file = try POSIXFile(writing: folder + "/" + lockName, .append)
    guard try wait(for: turn, watching: file, milliseconds) else { throw busy(folder) }
    defer { turn.unlock() }
    guard try wait(for: file, watching: file, milliseconds) else { throw busy(folder) }
    let lock = ImportLock(folder, file)
    try lock.begin()
    return lock
  }

  /// Takes the lock when nobody has it; `nil` when somebody does.
  ///
  /// - Throws: `FileError` when that fails.
  package static func takeIfFree(_ dataFolder: StoredPath) throws(FileError) -> ImportLock? {
    let folder = try folder(in: dataFolder)
    let file = try POSIXFile(writing: folder + "/" + lockName, .append)
    guard try file.lock() else { return nil }
    let lock = ImportLock(folder, file)
    try lock.begin()
    return lock
  }

  /// The names of its files, beside which only sessions stand in the folder.
  static let names = [lockName, turnName]
  private static let lockName = "lock"
  private static let turnName = "turn"

  private static func folder(in dataFolder: StoredPath) throws(FileError) -> StoredPath {
    let folder = dataFolder + "/importing"
    try DataFolderMark.make(dataFolder)
    try FileSystem.createFolder(folder)
    return folder
  }

  private static func busy(_ folder: StoredPath) -> DatabaseError {
    .busy(folder.path, "another coach imports into this data folder: try again when it is done")
  }

  private func begin() throws(FileError) {
    touch()
    try FileSystem.requireOneFileSystem(folder, folder.folder + "/" + SessionFolder.sessions)
    for name in try FileSystem.list(folder) where SessionFolder.isName(name) {
      let left = folder + "/" + name
      guard let status = try FileSystem.status(left), status.isFolder, status.isOfUser else { continue }
      do throws(FileError) {
        try SessionFolder.remove(left)
      } catch  where [FileError.notOurs, FileError.foreignOwner].contains(error.code) {
        // What somebody else has put there stays, is in nobody's way, and is named by a check.
      }
    }
  }

  /// Waits for a file to be free as long as the lock is seen to be changed within a time.
  private static func wait(
    for file: POSIXFile, watching lock: POSIXFile, _ milliseconds: Int32
  ) throws(FileError) -> Bool {
    var last = try lock.status().modifiedSeconds
    var deadline = ContinuousClock.now + .milliseconds(Int(milliseconds))
    while true {
      if try file.lock(waitingMilliseconds: min(pollMilliseconds, milliseconds)) { return true }
      let now = ContinuousClock.now
      let modified = try lock.status().modifiedSeconds
      if modified != last {
        last = modified
        deadline = now + .milliseconds(Int(milliseconds))
      }
      if now >= deadline { return false }
    }
  }

  /// How long is waited between two looks.
  private static let pollMilliseconds: Int32 = 50

  /// Says that the one who holds it gets on; that it cannot be said changes nothing.
  func touch() { try? file.touch() }

  /// Waits until everything that was written in the data folder since the lock was taken is on the disk, with whatever else
  /// its file system has to write. The lock is open since then, so that the system reports to it what it could not write.
  ///
  /// - Throws: `FileError` with `sync`.
  func syncFileSystem() throws(FileError) { try file.syncFileSystem() }

  /// Gives the lock back.
  func release() {
    file.unlock()
    try? file.close()
  }
}
