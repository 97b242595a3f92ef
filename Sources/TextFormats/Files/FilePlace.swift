private import Glibc

/// Where a file or a folder is: a path as somebody wrote it, whose links are followed, or a ``StoredPath``, below whose root
/// nothing is.
package protocol FilePlace: Sendable {
  /// The whole path, for messages.
  var path: String { get }
  /// The place below which no link is followed: itself, or the folder of that path.
  var stored: StoredPath { get }
  /// Whether a link at the place, or on the way to it, is followed.
  var followsLinks: Bool { get }
  /// Whether only what belongs to the user who runs the program is used.
  var isOwned: Bool { get }

  /// Gives `body` an open folder and the name of the place in it, as the system knows it, for its calls that take both.
  ///
  /// - Throws: `FileError` with `operation` when the folder cannot be reached, or what `body` throws.
  func resolved<Value>(
    _ operation: FileError.Operation, _ body: (_ folder: Int32, _ name: [CChar]) throws(FileError) -> Value
  ) throws(FileError) -> Value
}

extension String: FilePlace {
  package var path: String { self }
  package var stored: StoredPath { StoredPath(folder: self) }
  package var followsLinks: Bool { true }
  package var isOwned: Bool { false }

  package func resolved<Value>(
    _ operation: FileError.Operation, _ body: (_ folder: Int32, _ name: [CChar]) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    // A path with a zero byte would be cut there by the system.
    guard !utf8.contains(0) else { throw FileError(operation, self, code: EINVAL) }
    return try body(AT_FDCWD, systemPath)
  }
}
