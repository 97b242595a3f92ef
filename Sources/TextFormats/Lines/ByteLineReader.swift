/// Reads the lines of a file, or of bytes in memory.
package enum ByteLineReader {
  /// Gives every line of an open file to `body`.
  ///
  /// - Throws: `FileError`, `LineError`, or what `body` throws.
  /// - Complexity: O(n) time; the memory does not depend on the size of the file.
  package static func forEachLine(
    of file: POSIXFile, splitter: LineSplitter = LineSplitter(), chunkBytes: Int = POSIXFile.pieceBytes,
    _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    var splitter = splitter
    try file.forEachPiece(bytes: chunkBytes) { try splitter.feed($0, body) }
    try splitter.finish(body)
  }

  /// Gives every line of a text to `body`.
  ///
  /// - Throws: `LineError`, or what `body` throws.
  package static func forEachLine(
    of bytes: Span<UInt8>, splitter: LineSplitter = LineSplitter(),
    _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    var splitter = splitter
    try splitter.feed(bytes, body)
    try splitter.finish(body)
  }
}

extension POSIXFile {
  /// The bytes that are read at once: few enough to stay in the cache of a core, and for memory that is used again.
  package static let pieceBytes = 64 << 10

  /// Gives the rest of the file to `body` in pieces of at most `bytes` bytes.
  ///
  /// - Throws: `FileError`, or what `body` throws.
  /// - Complexity: O(n) time; the memory is that of one piece.
  package func forEachPiece(bytes: Int = pieceBytes, _ body: (Span<UInt8>) throws -> Void) throws {
    precondition(bytes > 0, "a file is read at least a byte at a time")
    var chunk = [UInt8](repeating: 0, count: bytes)
    while true {
      let count = try read(into: &chunk)
      guard count > 0 else { return }
      try body(chunk.span.extracting(first: count))
    }
  }
}
