package import TextFormats

/// Takes files and folders by relative paths, each folder before what is in it.
package protocol DataSink {
  /// Takes a folder.
  ///
  /// - Throws: `FileError` when it cannot be written.
  mutating func add(folder path: String) throws
  /// Takes a file of these bytes.
  ///
  /// - Throws: `FileError` when it cannot be written.
  mutating func add(_ bytes: [UInt8], as path: String) throws
  /// Takes a copy of a file, piece by piece.
  ///
  /// - Parameter onPiece: called before each piece, so that whoever waits can end it: a single log may take minutes.
  /// - Throws: `FileError` when it cannot be read or written, or what `onPiece` throws.
  mutating func add(fileAt source: StoredPath, as path: String, _ onPiece: () throws -> Void) throws
}
