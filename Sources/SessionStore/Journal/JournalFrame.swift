internal import CZlib
internal import TextFormats

/// The unit of a live journal: what one session adds to its files at once.
///
/// All numbers are little-endian:
///
/// ```
/// count    UInt32   how many bytes follow the checksum
/// checksum UInt32   CRC-32 of them, as gzip has it
/// kind     UInt8    1 rows, 2 closed
/// length   UInt8    of the session's name
/// name
/// rows: SessionFileChunks; closed: nothing
/// ```
package enum JournalFrame {
  /// What a frame says.
  package enum Kind: UInt8, Sendable {
    /// The session adds to its files.
    case rows = 1
    /// The session is closed and in the history: nothing is left to do for it.
    case closed = 2
  }

  /// The most bytes that a frame may say it has.
  static let largest = 1 << 28
  private static let headBytes = 8

  /// Appends a frame; `body` appends what it holds, and says whether there is anything. The place of that in the bytes, or
  /// `nil` when there was nothing and nothing is appended.
  package static func append(
    _ kind: Kind, of sessionID: String, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Bool
  ) -> Range<Int>? {
    let begin = bytes.count
    bytes.appendLittleEndian(UInt64(0))
    bytes.append(kind.rawValue)
    bytes.append(UInt8(sessionID.utf8.count))
    bytes.append(contentsOf: sessionID.utf8)
    let content = bytes.count
    guard body(&bytes) else {
      bytes.removeSubrange(begin...)
      return nil
    }
    let framed = begin + headBytes
    bytes.writeLittleEndian(UInt32(bytes.count - framed), at: begin)
    bytes.writeLittleEndian(checksum(of: bytes.span.extracting(framed..<bytes.count)), at: begin + 4)
    return content..<bytes.count
  }

  /// Gives every whole frame of some bytes to `body`, in their order, with the place of what it holds; how many bytes they
  /// have. What comes after a frame that is cut off or damaged is not looked at.
  package static func forEach<Failure: Error>(
    of bytes: Span<UInt8>, from begin: Int,
    _ body: (_ kind: Kind, _ sessionID: String, _ content: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var place = begin
    while bytes.count - place >= headBytes {
      let count = Int(bytes.littleEndian(UInt32.self, at: place))
      let framed = place + headBytes
      guard count >= 2, count <= largest, count <= bytes.count - framed else { break }
      let frame = bytes.extracting(framed..<framed + count)
      guard checksum(of: frame) == bytes.littleEndian(UInt32.self, at: place + 4), let kind = Kind(rawValue: frame[0])
      else { break }
      let nameEnd = 2 + Int(frame[1])
      guard nameEnd <= count else { break }
      var name: [UInt8] = []
      name.append(span: frame.extracting(2..<nameEnd))
      let sessionID = String(decoding: name, as: UTF8.self)
      guard SessionFolder.isName(sessionID) else { break }
      try body(kind, sessionID, framed + nameEnd..<framed + count)
      place = framed + count
    }
    return place
  }

  private static func checksum(of bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(truncatingIfNeeded: crc32(0, buffer.baseAddress, UInt32(buffer.count)))
    }
  }
}
