private import Glibc

/// A file that has no name and is gone with the last reference to it, or with the process.
///
/// It stands in the folder that is named, else in that of `TMPDIR`, else in `/tmp`, for its owner alone.
package final class TemporaryFile: Sendable {
  /// The bytes that are best read and written at once.
  package static let pieceBytes = 64 << 10

  /// What a file is for and who chose its folder, for who reads that it cannot be made or written.
  struct Use: Hashable, Sendable {
    /// Why the folder is the one that it is.
    enum Choice: Hashable, Sendable {
      /// The variable `TMPDIR` names it.
      case variable
      /// The variable names none.
      case usual
      /// It was asked for.
      case given
    }

    /// What the file is there to do, such as `sort readings`.
    let purpose: String
    /// Who chose the folder.
    let choice: Choice
  }

  private let descriptor: Int32
  private let folder: String
  private let use: Use

  /// Creates an empty file.
  ///
  /// - Parameter purpose: what it is there to do, for messages: `sort readings`.
  /// - Throws: `FileError` with `create`, the folder and the purpose.
  package init(to purpose: String) throws(FileError) {
    let variable = unsafe getenv("TMPDIR").map { unsafe FileName.text(cString: $0) } ?? ""
    folder = variable.isEmpty ? "/tmp" : variable
    use = Use(purpose: purpose, choice: variable.isEmpty ? .usual : .variable)
    descriptor = try Self.open(in: folder, use)
  }

  /// Creates an empty file on the file system of a folder.
  ///
  /// - Parameter purpose: what it is there to do, for messages.
  /// - Throws: `FileError` with `create`, the folder and the purpose.
  package init(in folder: StoredPath, to purpose: String) throws(FileError) {
    self.folder = folder.path
    use = Use(purpose: purpose, choice: .given)
    descriptor = try Self.open(in: folder.path, use)
  }

  deinit { _ = Glibc.close(descriptor) }

  /// How many bytes the file has.
  package var count: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// A path that can be opened while this value lives; each opening begins at the first byte.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Writes bytes at the end.
  ///
  /// - Throws: `FileError` with `write`, the folder and the purpose.
  package func append(_ bytes: Span<UInt8>) throws(FileError) {
    do throws(FileError) {
      try POSIXFile(borrowing: descriptor, named: folder).write(bytes)
    } catch {
      throw error.ofTemporaryFile(use)
    }
  }

  /// Reads bytes that are there.
  ///
  /// - Throws: `FileError` with `read`, the folder and the purpose.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    do throws(FileError) {
      let bytes = try POSIXFile.read(descriptor, at: offset, count: count, of: folder)
      guard bytes.count == count else { throw FileError(.read, folder, code: EIO) }
      return bytes
    } catch {
      throw error.ofTemporaryFile(use)
    }
  }

  /// Opens a file that never had a name, or, on file systems that have none such, one whose name is taken away at once.
  private static func open(in folder: String, _ use: Use) throws(FileError) -> Int32 {
    func failure() -> FileError { FileError(.create, folder, code: errno).ofTemporaryFile(use) }
    let nameless = unsafe Glibc.open(folder.systemPath, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    if nameless >= 0 { return nameless }
    guard [EISDIR, EOPNOTSUPP, ENOENT, EINVAL].contains(errno) else { throw failure() }
    for _ in 0..<100 {
      let name = "\(folder)/coach-\(UInt64.random(in: .min ... .max))".systemPath
      let named = unsafe Glibc.open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if named >= 0 {
        _ = unsafe unlink(name)
        return named
      }
      guard errno == EEXIST || errno == EINTR else { break }
    }
    throw failure()
  }
}
