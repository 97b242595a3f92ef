private import CSyncFS
private import Glibc

/// A file in memory that nobody can change, so that many processes may read the same one, whatever becomes of one of them.
package final class SealedFile: Sendable {
  private let descriptor: Int32

  /// Creates a file of bytes.
  ///
  /// - Throws: `FileError` with `create` or `write`, and what it is called.
  package init(_ bytes: [UInt8], named name: String) throws(FileError) {
    let made = unsafe coach_memory_file("coach".systemPath)
    guard made >= 0 else { throw FileError(.create, name, code: errno) }
    do throws(FileError) {
      try POSIXFile(borrowing: made, named: name).write(bytes.span)
      guard coach_seal(made) == 0 else { throw FileError(.create, name, code: errno) }
    } catch {
      _ = Glibc.close(made)
      throw error
    }
    descriptor = made
  }

  deinit { _ = Glibc.close(descriptor) }

  /// A path that can be opened while this value lives; each opening begins at the first byte.
  package var path: String { "/proc/self/fd/\(descriptor)" }
}
