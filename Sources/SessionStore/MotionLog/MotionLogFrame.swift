internal import CZlib
internal import TextFormats

/// The unit of `motion.bin`: rows that were written at once.
///
/// A file is a head, the eight letters `coachmtn`, the version and zero as 32 bits each, and then frames. A block is a frame that
/// begins anew, with one row, and those behind it that go on from it, 1,024 rows together at most. All numbers are little-endian:
///
/// ```
/// kind     UInt8    0xB1 begins anew, 0xB2 goes on
/// rows     UInt8    how many rows, 1 to 128
/// count    UInt16   how many bytes follow the checksum
/// checksum UInt32   CRC-32, as gzip has it, of the four bytes before and those behind; of a frame that goes on, after the
///                   checksum of the frame before
/// 0xB1: the number of its row in the log, UInt64, from 0
/// bits     as MotionRowCode writes them, the last byte filled with zeros
/// ```
///
/// So a frame that goes on is right only behind the very frame that it was written behind.
enum MotionLogFrame {
  static let magic = Array("coachmtn".utf8)
  static let version: UInt32 = 1
  /// How many bytes of a file come before its frames.
  static let fileHeadBytes = 16
  /// How many bytes of a frame come before what it holds.
  static let headBytes = 8
  static let rowNumberBytes = 8
  static let beginsAnew: UInt8 = 0xB1
  static let goesOn: UInt8 = 0xB2
  /// The most rows of a frame.
  static let mostRows = 128
  /// The most rows of a block.
  static let blockRows = 1_024
  /// The most bytes that a frame holds, and one that begins anew, which is looked for behind damage.
  static let mostBytes = 32 << 10
  static let mostFirstBytes = 255

  /// The head of a file.
  static var fileHead: [UInt8] {
    var head = magic
    head.appendLittleEndian(version)
    head.appendLittleEndian(UInt32(0))
    return head
  }

  /// Appends a frame; returns its checksum, which the next one needs.
  static func append(
    _ kind: UInt8, rows: Int, _ content: [UInt8], after before: UInt32, to bytes: inout [UInt8]
  ) -> UInt32 {
    let begin = bytes.count
    bytes.append(kind)
    bytes.append(UInt8(rows))
    bytes.appendLittleEndian(UInt16(content.count))
    bytes.appendLittleEndian(UInt32(0))
    bytes += content
    let checksum = checksum(of: bytes.span.extracting(begin..<bytes.count), after: kind == beginsAnew ? 0 : before)
    bytes.writeLittleEndian(checksum, at: begin + 4)
    return checksum
  }

  /// The head of a frame.
  struct Head {
    let kind: UInt8
    let rows: Int
    let count: Int
    let checksum: UInt32

    /// Reads the head at the beginning of some bytes; `nil` where none can be.
    ///
    /// - Precondition: there are ``MotionLogFrame/headBytes`` bytes.
    init?(_ bytes: Span<UInt8>) {
      kind = bytes[0]
      rows = Int(bytes[1])
      count = Int(bytes.littleEndian(UInt16.self, at: 2))
      checksum = bytes.littleEndian(UInt32.self, at: 4)
      guard (1...mostRows).contains(rows), (1...mostBytes).contains(count) else { return nil }
      switch kind {
      case beginsAnew: guard rows == 1, count > rowNumberBytes, count <= mostFirstBytes else { return nil }
      case goesOn: break
      default: return nil
      }
    }
  }

  /// The checksum of a frame with its head, whatever stands at the place of the checksum.
  static func checksum(of frame: Span<UInt8>, after before: UInt32) -> UInt32 {
    func add(_ checksum: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
      unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe UInt32(truncatingIfNeeded: crc32(UInt(checksum), buffer.baseAddress, UInt32(buffer.count)))
      }
    }
    let head = add(before, frame.extracting(first: 4))
    // Of no bytes the library returns the checksum of nothing.
    return frame.count > headBytes ? add(head, frame.extracting(droppingFirst: headBytes)) : head
  }
}
