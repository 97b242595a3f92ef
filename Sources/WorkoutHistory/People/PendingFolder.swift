private import Glibc
package import TextFormats
internal import WorkoutExports

/// A folder that gets its name when it is whole: until ``commit()`` it stands beside it under another name, which is drawn,
/// and when that is never called nothing is left of it.
///
/// Everything in it is created anew and relative to the open folder, so that nothing is written through a link. Errors name
/// paths as they will be.
package final class PendingFolder: DataSink {
  /// The name that the folder will have.
  package let path: String
  private let parent: OutputFolder
  private let name: String
  private let temporary: String
  private let folder: OutputFolder
  private var isNamed = false
  private var chunk = [UInt8](repeating: 0, count: pieceBytes)

  /// How many bytes are written at once.
  private static let pieceBytes = 256 << 10

  /// Begins a folder, which only its owner can read and write.
  ///
  /// - Throws: `FileError` with `create` when something has the name, be it a link, or the folder cannot be created.
  package init(_ path: String) throws(FileError) {
    self.path = path
    name = FileSystem.name(of: path)
    do throws(FileError) {
      parent = try OutputFolder(FileSystem.folder(of: path))
      guard try !parent.has(name) else { throw FileError(.create, path, code: EEXIST) }
      temporary = TemporaryName.make(for: name)
      try parent.createFolder(temporary)
      folder = try parent.folder(temporary)
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  deinit {
    if !isNamed { try? FileSystem.removeTree(FileSystem.folder(of: path) + "/" + temporary) }
  }

  package func add(folder path: String) throws {
    try named(path) { () throws(FileError) in try folder.createFolder(path) }
  }

  package func add(_ bytes: [UInt8], as path: String) throws { try add(bytes, as: path) {} }

  /// Takes a file of these bytes, piece by piece.
  ///
  /// - Parameter onPiece: called before each piece, so that whoever waits can end it.
  /// - Throws: `FileError` when it cannot be written, or what `onPiece` throws.
  package func add(_ bytes: [UInt8], as path: String, _ onPiece: () throws -> Void) throws {
    let output = try named(path) { () throws(FileError) in try folder.createFile(path) }
    for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
      try onPiece()
      let piece = start..<min(bytes.count, start + Self.pieceBytes)
      try named(path) { () throws(FileError) in try output.write(bytes.span.extracting(piece)) }
    }
    try named(path) { () throws(FileError) in
      try output.sync(metadata: true)
      try output.close()
    }
  }

  package func add(fileAt source: StoredPath, as path: String, _ onPiece: () throws -> Void) throws {
    let input = try POSIXFile(reading: source)
    let output = try named(path) { () throws(FileError) in try folder.createFile(path) }
    while true {
      try onPiece()
      let count = try input.read(into: &chunk)
      guard count > 0 else { break }
      let chunk = chunk
      try named(path) { () throws(FileError) in try output.write(chunk.span.extracting(first: count)) }
    }
    try named(path) { () throws(FileError) in
      try output.sync(metadata: true)
      try output.close()
    }
  }

  /// Gives the folder its name.
  ///
  /// - Throws: `FileError`; with `rename` when something else has taken the name.
  package func commit() throws(FileError) {
    do throws(FileError) {
      try parent.rename(temporary, to: name)
      isNamed = true
      try parent.sync()
    } catch {
      throw error.named(path)
    }
  }

  private func named<Value>(
    _ path: String, _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw error.named(self.path + "/" + path)
    }
  }
}
