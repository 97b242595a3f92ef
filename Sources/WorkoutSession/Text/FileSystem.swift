private import Glibc

/// Files and folders by their paths. Everything that is created belongs to its owner only.
package enum FileSystem {
  /// The size and kind of what is at a path, `nil` when nothing is; symbolic links are followed.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be told.
  package static func status(_ path: String) throws(FileError) -> FileStatus? {
    guard !path.utf8.contains(0) else { return nil }
    do throws(FileError) {
      return try FileStatus(path: path)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Whether something is at a path.
  package static func exists(_ path: String) -> Bool { (try? status(path)) != nil }

  /// Whether a folder is at a path.
  package static func isFolder(_ path: String) -> Bool { (try? status(path))?.isFolder ?? false }

  /// Creates a folder and those on the way to it, with permissions 0700; nothing when it is there.
  ///
  /// - Throws: `FileError` with `createFolder`.
  package static func createFolder(_ path: String) throws(FileError) {
    guard !path.isEmpty, !isFolder(path) else { return }
    let parent = folder(of: path)
    if parent != path { try createFolder(parent) }
    guard !path.utf8.contains(0) else { throw FileError(.createFolder, path, code: EINVAL) }
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    let code = errno
    guard code == EEXIST, isFolder(path) else { throw FileError(.createFolder, path, code: code) }
  }

  /// The names in a folder, sorted by their bytes.
  ///
  /// - Throws: `FileError` with `inspect`.
  package static func list(_ path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw FileError(.inspect, path, code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.inspect, path, code: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Gives a file or folder another name, replacing a file that has it.
  ///
  /// - Throws: `FileError` with `rename` about the new name.
  package static func rename(_ path: String, to newPath: String) throws(FileError) {
    guard unsafe Glibc.rename(path, newPath) == 0 else { throw FileError(.rename, newPath, code: errno) }
  }

  /// Deletes a file or an empty folder.
  ///
  /// - Throws: `FileError` with `remove`.
  package static func remove(_ path: String) throws(FileError) {
    guard unsafe Glibc.remove(path) == 0 else { throw FileError(.remove, path, code: errno) }
  }

  /// Deletes a file, or a folder with everything in it; nothing when it is not there. A symbolic link goes, and what it
  /// leads to stays.
  ///
  /// - Throws: `FileError` with `remove` or `inspect`.
  package static func removeTree(_ path: String) throws(FileError) {
    do throws(FileError) {
      try remove(path)
    } catch  where error.isMissing {
    } catch  where error.isFull {
      for name in try list(path) { try removeTree(path + "/" + name) }
      try remove(path)
    }
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// - Throws: `FileError` with `sync`.
  package static func syncFolder(_ path: String) throws(FileError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.sync, path, code: errno) }
    defer { _ = Glibc.close(descriptor) }
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw FileError(.sync, path, code: errno) }
    }
  }

  /// Writes a whole file so that, whatever happens, either the old content or the new one is there.
  ///
  /// - Throws: `FileError`; the file at `path` is then as it was.
  package static func writeAtomically(_ bytes: Span<UInt8>, to path: String) throws(FileError) {
    let file = try PendingFile(path)
    try file.write(bytes)
    try file.commit(replacing: true)
  }

  /// The last name of a path; the path itself when it has none, such as that of the root.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The folder that holds what is at a path: `.` for a bare name, `/` for the root.
  package static func folder(of path: String) -> String {
    var end = path.utf8.count
    let bytes = Array(path.utf8)
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return "." }
    var parent = slash
    while parent > 1, bytes[parent - 1] == UInt8(ascii: "/") { parent -= 1 }
    return parent == 0 ? "/" : String(decoding: bytes[..<parent], as: UTF8.self)
  }
}
