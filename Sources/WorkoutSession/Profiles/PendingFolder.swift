private import Glibc

/// A folder that gets its name when it is whole: until ``commit()`` it stands beside it under another name, and when that
/// is never called nothing is left of it.
package final class PendingFolder: DataSink {
  /// The name that the folder will have.
  package let path: String
  private let temporary: String
  private var isNamed = false
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  /// Begins a folder, which only its owner can read and write.
  ///
  /// - Throws: `FileError` with `create` when something has the name, or the folder cannot be created.
  package init(_ path: String) throws(FileError) {
    self.path = path
    temporary = "\(path).\(getpid()).tmp"
    guard try FileSystem.status(path) == nil else { throw FileError(.create, path, code: EEXIST) }
    try FileSystem.removeTree(temporary)
    try FileSystem.createFolder(temporary)
  }

  deinit {
    if !isNamed { try? FileSystem.removeTree(temporary) }
  }

  package func add(folder path: String) throws { try FileSystem.createFolder(temporary + "/" + path) }

  package func add(_ bytes: [UInt8], as path: String) throws {
    let file = try POSIXFile(writing: temporary + "/" + path, .exclusive)
    try file.write(bytes.span)
    try file.sync(metadata: true)
    try file.close()
  }

  package func add(fileAt source: StoredPath, as path: String) throws {
    let input = try POSIXFile(reading: source)
    let output = try POSIXFile(writing: temporary + "/" + path, .exclusive)
    while true {
      let count = try input.read(into: &chunk)
      guard count > 0 else { break }
      let chunk = chunk
      try output.write(chunk.span.extracting(first: count))
    }
    try output.sync(metadata: true)
    try output.close()
  }

  /// Gives the folder its name.
  ///
  /// - Throws: `FileError`; with `rename` when something else has taken the name.
  package func commit() throws(FileError) {
    try FileSystem.rename(temporary, to: path)
    isNamed = true
    try FileSystem.syncFolder(FileSystem.folder(of: path))
  }
}
