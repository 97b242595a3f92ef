private import Glibc

/// A file that has no name and is gone with the last reference to it, or with the process.
///
/// It stands in the folder that is named, else in that of `TMPDIR`, else in `/tmp`, for its owner alone.
package final class TemporaryFile: Sendable {
  /// The bytes that are best read and written at once.
  package static let pieceBytes = 64 << 10

  private let descriptor: Int32
  private let folder: String

  /// Creates an empty file.
  ///
  /// - Throws: `FileError` with `create` and the folder.
  package init() throws(FileError) {
    let variable = unsafe getenv("TMPDIR").map { unsafe FileName.text(cString: $0) } ?? ""
    folder = variable.isEmpty ? "/tmp" : variable
    descriptor = try Self.open(in: folder)
  }

  /// Creates an empty file on the file system of a folder.
  ///
  /// - Throws: `FileError` with `create` and the folder.
  package init(in folder: StoredPath) throws(FileError) {
    self.folder = folder.path
    descriptor = try Self.open(in: folder.path)
  }

  deinit { _ = Glibc.close(descriptor) }

  /// How many bytes the file has.
  package var count: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// A path that can be opened while this value lives; each opening begins at the first byte.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Writes bytes at the end.
  ///
  /// - Throws: `FileError` with `write` and the folder.
  package func append(_ bytes: Span<UInt8>) throws(FileError) {
    try POSIXFile(borrowing: descriptor, named: folder).write(bytes)
  }

  /// Reads bytes that are there.
  ///
  /// - Throws: `FileError` with `read` and the folder.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    let bytes = try POSIXFile.read(descriptor, at: offset, count: count, of: folder)
    guard bytes.count == count else { throw FileError(.read, folder, code: EIO) }
    return bytes
  }

  /// Opens a file that never had a name, or, on file systems that have none such, one whose name is taken away at once.
  private static func open(in folder: String) throws(FileError) -> Int32 {
    let nameless = unsafe Glibc.open(folder.systemPath, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    if nameless >= 0 { return nameless }
    guard [EISDIR, EOPNOTSUPP, ENOENT, EINVAL].contains(errno) else { throw FileError(.create, folder, code: errno) }
    for _ in 0..<100 {
      let name = "\(folder)/coach-\(UInt64.random(in: .min ... .max))".systemPath
      let named = unsafe Glibc.open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if named >= 0 {
        _ = unsafe unlink(name)
        return named
      }
      guard errno == EEXIST || errno == EINTR else { break }
    }
    throw FileError(.create, folder, code: errno)
  }
}
