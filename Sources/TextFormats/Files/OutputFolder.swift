private import CSyncFS
private import Glibc

/// A folder in which something gets its name when it is whole. It is held open, so that nothing is written elsewhere when its
/// path leads elsewhere meanwhile, and no link in it is followed.
package final class OutputFolder {
  private let descriptor: Int32

  /// Opens a folder.
  ///
  /// - Throws: `FileError` with `create`.
  package init(_ place: some FilePlace) throws(FileError) { descriptor = try FileSystem.openFolder(place, .create) }

  private init(_ name: String, in folder: OutputFolder) throws(FileError) {
    descriptor = unsafe openat(folder.descriptor, name.systemPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.create, name, code: errno) }
  }

  deinit { _ = Glibc.close(descriptor) }

  /// A folder in it.
  ///
  /// - Throws: `FileError` with `create`.
  package func folder(_ name: String) throws(FileError) -> OutputFolder {
    try OutputFolder(name, in: self)
  }

  /// Looks whether something can be made in it.
  ///
  /// - Throws: `FileError` with `create` when the permissions, or a disk that is mounted for reading alone, forbid it.
  package func requireWritable() throws(FileError) {
    guard unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw FileError(.create, ".", code: errno)
    }
  }

  /// Creates a file that only its owner can read and write.
  ///
  /// - Throws: `FileError` with `create`, also when something has the name, be it a link.
  package func createFile(_ name: String) throws(FileError) -> POSIXFile {
    while true {
      let file = unsafe openat(descriptor, name.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if file >= 0 { return POSIXFile(owning: file, named: name) }
      guard errno == EINTR else { throw FileError(.create, name, code: errno) }
    }
  }

  /// Opens a file to write to places of it; a new one can be read and written by its owner only.
  ///
  /// - Throws: `FileError` with `create`, also for a link, for everything that is no regular file, and for one with another
  ///   name.
  package func openFile(_ name: String) throws(FileError) -> POSIXFile {
    while true {
      let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let descriptor = unsafe openat(self.descriptor, name.systemPath, flags, 0o600)
      if descriptor >= 0 {
        let file = POSIXFile(owning: descriptor, named: name)
        var problem = try file.status().problemOfWriting(isOwned: true)
        if problem == FileError.hardLink {
          OtherNames.dropTemporary(of: name, in: self.descriptor)
          problem = try file.status().problemOfWriting(isOwned: true)
        }
        guard let problem else { return file }
        throw FileError(.create, name, code: problem)
      }
      guard errno == EINTR else {
        throw FileError(.create, name, code: StoredPath.code(errno, of: name.systemPath, in: self.descriptor))
      }
    }
  }

  /// Creates a folder that only its owner can read and write.
  ///
  /// - Throws: `FileError` with `createFolder`, also when something has the name.
  package func createFolder(_ name: String) throws(FileError) {
    guard unsafe mkdirat(descriptor, name.systemPath, 0o700) == 0 else {
      throw FileError(.createFolder, name, code: errno)
    }
  }

  /// Whether something has a name, be it a link that leads nowhere.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package func has(_ name: String) throws(FileError) -> Bool {
    var info = stat()
    guard unsafe fstatat(descriptor, name.systemPath, &info, AT_SYMLINK_NOFOLLOW) != 0 else { return true }
    guard errno == ENOENT else { throw FileError(.inspect, name, code: errno) }
    return false
  }

  /// Gives something another name, instead of the file or link that has it: what that leads to stays.
  ///
  /// - Throws: `FileError` with `rename`.
  package func rename(_ name: String, to newName: String) throws(FileError) {
    guard unsafe renameat(descriptor, name.systemPath, descriptor, newName.systemPath) == 0 else {
      throw FileError(.rename, newName, code: errno)
    }
  }

  /// The flag of `renameat2` by which it replaces nothing.
  private static let noReplacing: UInt32 = 1

  /// Gives a file another name unless something has it, and nobody can take it in between.
  ///
  /// In one call, so that a program which is killed leaves it with one name, where the kernel and the file system have that.
  /// - Throws: `FileError` with `create`.
  package func rename(_ name: String, toFree newName: String) throws(FileError) {
    let failed = unsafe renameat2(descriptor, name.systemPath, descriptor, newName.systemPath, Self.noReplacing)
    guard failed != 0 else { return }
    let code = errno
    guard [EINVAL, ENOSYS, ENOTSUP, EPERM].contains(code) else { throw FileError(.create, newName, code: code) }
    try link(name, toFree: newName)
  }

  /// The same in two calls. A program that is killed between them leaves the file with both names, of which ``OtherNames``
  /// drops the first later.
  func link(_ name: String, toFree newName: String) throws(FileError) {
    guard unsafe linkat(descriptor, name.systemPath, descriptor, newName.systemPath, 0) != 0 else {
      do throws(FileError) {
        return try remove(name)
      } catch  where error.isMissing {
        // Somebody has dropped it meanwhile.
        return
      }
    }
    let code = errno
    // Not every file system can give a file a second name.
    guard code == EPERM || code == ENOTSUP || code == EMLINK, try !has(newName) else {
      throw FileError(.create, newName, code: code)
    }
    try rename(name, to: newName)
  }

  /// Deletes a file.
  ///
  /// - Throws: `FileError` with `remove`.
  package func remove(_ name: String) throws(FileError) {
    guard unsafe unlinkat(descriptor, name.systemPath, 0) == 0 else { throw FileError(.remove, name, code: errno) }
  }

  /// Waits until the names in it are on the disk.
  ///
  /// - Throws: `FileError` with `sync`.
  package func sync() throws(FileError) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw FileError(.sync, "", code: errno) }
    }
  }
}
