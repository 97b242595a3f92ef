private import Glibc

/// A file that gets its name when it is whole: until ``commit(replacing:)`` its bytes stand beside it under another name,
/// and when that is never called nothing is left of them.
///
/// Every error names the final path.
package final class PendingFile {
  /// The name that the file will have.
  package let path: String

  private let temporary: String
  private let file: POSIXFile
  private var isNamed = false

  /// Begins a file, which can be read and written by its owner only.
  ///
  /// - Throws: `FileError` with `create`.
  package init(_ path: String) throws(FileError) {
    self.path = path
    temporary = "\(path).\(getpid()).tmp"
    do throws(FileError) {
      file = try POSIXFile(writing: temporary, .truncate)
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  deinit {
    if !isNamed { _ = unsafe Glibc.unlink(temporary) }
  }

  /// Writes further bytes.
  ///
  /// - Throws: `FileError` with `write`.
  package func write(_ bytes: Span<UInt8>) throws(FileError) {
    try named { () throws(FileError) in try file.write(bytes) }
  }

  /// Waits until everything is on the disk and gives the file its name.
  ///
  /// - Throws: `FileError`; with `create` when there is a file of that name already and it is not to be replaced. What
  ///   was at the path is then as it was.
  package func commit(replacing: Bool) throws(FileError) {
    try named { () throws(FileError) in
      try file.sync(metadata: true)
      try file.close()
      if replacing {
        try FileSystem.rename(temporary, to: path)
      } else {
        try takeFreeName()
      }
    }
    isNamed = true
    try FileSystem.syncFolder(FileSystem.folder(of: path))
  }

  /// Gives the file its name unless something has it, and nobody can take it in between.
  private func takeFreeName() throws(FileError) {
    guard unsafe link(temporary, path) != 0 else { return try FileSystem.remove(temporary) }
    let code = errno
    // Not every file system can give a file a second name.
    guard code == EPERM || code == ENOTSUP || code == EMLINK, !FileSystem.exists(path) else {
      throw FileError(.create, path, code: code)
    }
    try FileSystem.rename(temporary, to: path)
  }

  private func named(_ body: () throws(FileError) -> Void) throws(FileError) {
    do throws(FileError) {
      try body()
    } catch {
      throw FileError(error.operation, path, code: error.code)
    }
  }
}
