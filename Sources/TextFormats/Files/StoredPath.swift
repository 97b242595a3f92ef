private import Glibc

/// A place inside a folder of coach's own: the data folder, or the folder of a session that somebody named.
///
/// The root is reached as it was written, links included. What is below it is opened folder by folder, each relative to the
/// one before, and nothing of that is followed when it is a link: whatever somebody put into the folder, nothing outside of
/// it is read, written or deleted. Only regular files are opened, and a pipe is never waited for.
package struct StoredPath: FilePlace, Hashable, CustomStringConvertible {
  /// The folder that is trusted, as it was written.
  package let root: String
  /// The names below it, with `/` between them; empty for the root itself.
  package let name: String
  /// Whether everything, the root included, has to belong to the user who runs the program.
  package let isOwned: Bool

  /// The data folder of the user who runs the program.
  package init(dataFolder root: String) { self.init(root: root, name: "", isOwned: true) }

  /// A folder that may belong to somebody else, such as that of a session which is only read.
  package init(folder root: String) { self.init(root: root, name: "", isOwned: false) }

  private init(root: String, name: String, isOwned: Bool) {
    self.root = root
    self.name = name
    self.isOwned = isOwned
  }

  package var path: String { name.isEmpty ? root : root + "/" + name }
  package var stored: StoredPath { self }
  package var followsLinks: Bool { false }
  /// The whole path.
  package var description: String { path }

  /// The name of the file or folder in the folder that holds it; empty for the root.
  package var lastName: String { name.split(separator: "/").last.map(String.init) ?? "" }

  /// The folder that holds the place; the root is its own.
  package var folder: StoredPath {
    StoredPath(root: root, name: name.split(separator: "/").dropLast().joined(separator: "/"), isOwned: isOwned)
  }

  /// The place with a further piece of its path, such as `/heart_rate.csv`.
  package static func + (place: StoredPath, piece: String) -> StoredPath {
    let piece = place.name.isEmpty ? String(piece.drop { $0 == "/" }) : piece
    return StoredPath(root: place.root, name: place.name + piece, isOwned: place.isOwned)
  }

  package func resolved<Value>(
    _ operation: FileError.Operation, _ body: (_ folder: Int32, _ name: [CChar]) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let names = name.split(separator: "/").map(String.init)
    guard !path.utf8.contains(0), names.allSatisfy({ $0 != "." && $0 != ".." }) else {
      throw FileError(operation, path, code: EINVAL)
    }
    var folder = unsafe Glibc.open(root.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileError(operation, root, code: errno) }
    defer { Glibc.close(folder) }
    try requireOwner(ofFolder: folder, root, operation)
    var reached = root
    for name in names.dropLast() {
      reached += "/" + name
      let name = name.systemPath
      let next = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else { throw FileError(operation, reached, code: Self.code(errno, of: name, in: folder)) }
      Glibc.close(folder)
      folder = next
      try requireOwner(ofFolder: folder, reached, operation)
    }
    return try body(folder, (names.last ?? ".").systemPath)
  }

  private func requireOwner(
    ofFolder folder: Int32, _ path: String, _ operation: FileError.Operation
  ) throws(FileError) {
    guard isOwned else { return }
    var facts = stat()
    guard unsafe fstat(folder, &facts) == 0 else { throw FileError(operation, path, code: errno) }
    guard facts.st_uid == geteuid() else { throw FileError(operation, path, code: FileError.foreignOwner) }
  }

  /// The code of the system for what could not be opened, or our own for a link, a pipe and the like.
  static func code(_ code: Int32, of name: [CChar], in folder: Int32) -> Int32 {
    guard [ELOOP, ENOTDIR, ENXIO, EOPNOTSUPP].contains(code) else { return code }
    var facts = stat()
    guard unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return code }
    let status = FileStatus(facts)
    if status.isLink { return FileError.symbolicLink }
    return code == ENOTDIR ? FileError.noFolder : FileError.noRegularFile
  }
}
