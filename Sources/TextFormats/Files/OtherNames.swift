private import Glibc

/// Names of a file beside its own: hard links.
///
/// A file had two for a moment where it was given its final one by `link` and `unlink`: as programs before this one did, and as it
/// is done where a file system has no other way. One that was killed there left both, and the first of them is coach's own to
/// drop. Any other name is somebody's.
enum OtherNames {
  /// Takes from a file the names that it had until it was whole, where they are in its folder. What cannot be dropped stays.
  ///
  /// - Throws: `FileError` with `inspect` when the folder cannot be reached.
  static func dropTemporary(of place: StoredPath) throws(FileError) {
    try place.resolved(.inspect) { folder, _ throws(FileError) in dropTemporary(of: place.lastName, in: folder) }
  }

  /// Takes from a file in an open folder the names that it had until it was whole. What cannot be dropped stays.
  static func dropTemporary(of name: String, in folder: Int32) {
    guard let own = facts(name, folder) else { return }
    let opened = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0, let names = try? FileSystem.names(closing: opened, name) else { return }
    for other in names where TemporaryName.final(of: other) == name {
      guard let found = facts(other, folder), found.st_ino == own.st_ino, found.st_dev == own.st_dev else { continue }
      _ = unsafe unlinkat(folder, other.systemPath, 0)
    }
  }

  private static func facts(_ name: String, _ folder: Int32) -> stat? {
    var facts = stat()
    return unsafe fstatat(folder, name.systemPath, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts : nil
  }
}
