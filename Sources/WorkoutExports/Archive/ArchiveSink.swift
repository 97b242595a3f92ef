package import TextFormats

/// An archive of tar, packed by gzip, all of whose paths begin with one folder.
package struct ArchiveSink: DataSink {
  private let root: String
  private let file: PendingFile
  private let packer = GzipWriter()
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  /// Begins an archive in a file; the folder in it is called `root`.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package init(_ file: PendingFile, root: String) throws {
    self.file = file
    self.root = root
    try write(TarWriter.folder(root, modifiedSeconds: 0))
  }

  package mutating func add(folder path: String) throws {
    try write(TarWriter.folder(root + "/" + path, modifiedSeconds: 0))
  }

  package mutating func add(_ bytes: [UInt8], as path: String) throws {
    try write(TarWriter.file(root + "/" + path, size: bytes.count, modifiedSeconds: 0))
    try write(bytes)
    try write(TarWriter.padding(after: bytes.count))
  }

  package mutating func add(fileAt source: StoredPath, as path: String, _ onPiece: () throws -> Void) throws {
    let input = try POSIXFile(reading: source)
    let status = try input.status()
    try write(TarWriter.file(root + "/" + path, size: status.size, modifiedSeconds: status.modifiedSeconds))
    try packer.copy(input, count: status.size, by: &chunk) { piece in
      try onPiece()
      try file.write(piece)
    }
    try write(TarWriter.padding(after: status.size))
  }

  /// Ends the archive and gives the file its name.
  ///
  /// - Throws: `FileError`; with `create` when there is a file of that name already and it is not to be replaced.
  package func commit(replacing: Bool) throws {
    try write(TarWriter.end)
    try packer.finish { try file.write($0) }
    try file.commit(replacing: replacing)
  }

  private func write(_ bytes: [UInt8]) throws {
    try packer.write(bytes.span) { try file.write($0) }
  }
}
