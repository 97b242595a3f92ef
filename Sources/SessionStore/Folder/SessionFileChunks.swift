internal import TextFormats

/// Pieces of the files of a session as bytes: which file, where in it, what stands there.
///
/// A piece says its place, so that to write one again changes nothing. All numbers are little-endian:
///
/// ```
/// file  UInt8    as in SessionFile
/// at    UInt64   the place of its first byte
/// count UInt32   how many bytes follow
/// bytes
/// ```
package enum SessionFileChunks {
  private static let headBytes = 13

  /// One piece.
  package struct Chunk {
    /// The file.
    package let file: SessionFile
    /// The place of the first byte.
    package let offset: Int
    /// Where the bytes are in what is read.
    package let bytes: Range<Int>
  }

  /// Appends a piece.
  package static func append(_ content: Span<UInt8>, of file: SessionFile, at offset: Int, to bytes: inout [UInt8]) {
    bytes.append(file.rawValue)
    bytes.appendLittleEndian(UInt64(offset))
    bytes.appendLittleEndian(UInt32(content.count))
    bytes.append(span: content)
  }

  /// Gives every piece of some bytes to `body`, in their order; `false` when they are none.
  @discardableResult
  package static func forEach<Failure: Error>(
    of bytes: Span<UInt8>, _ body: (Chunk) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var place = 0
    while place < bytes.count {
      guard bytes.count - place >= headBytes, let file = SessionFile(rawValue: bytes[place]),
        let offset = Int(exactly: bytes.littleEndian(UInt64.self, at: place + 1))
      else { return false }
      let count = Int(bytes.littleEndian(UInt32.self, at: place + 9))
      let begin = place + headBytes
      guard count <= bytes.count - begin, offset <= Int.max - count else { return false }
      try body(Chunk(file: file, offset: offset, bytes: begin..<begin + count))
      place = begin + count
    }
    return true
  }
}
