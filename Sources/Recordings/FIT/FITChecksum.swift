private import CWideVectors

/// The checksum of FIT: 16 bits, polynomial x¹⁶ + x¹⁵ + x² + 1, least significant bit first, beginning with 0.
///
/// The checksum of bytes followed by their checksum is 0.
package struct FITChecksum: Sendable {
  package private(set) var value: UInt16 = 0

  /// Creates a value of nothing yet.
  package init() {}

  /// Goes on with further bytes.
  ///
  /// - Complexity: O(n); sixteen bytes at once, of which only two wait for the bytes before, and 64 where the processor folds them.
  package mutating func update(_ bytes: RawSpan) {
    let blocks = Self.areFolded && bytes.byteCount >= 4 * Self.blockBytes ? bytes.byteCount / Self.blockBytes : 0
    guard blocks > 0 else { return value = Self.checksum(of: bytes, after: value) }
    var folded = InlineArray<64, UInt8>(repeating: 0)
    unsafe bytes.withUnsafeBytes { bytes in
      var span = folded.mutableSpan
      unsafe span.withUnsafeMutableBufferPointer { folded in
        unsafe coach_fold_checksum(
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), blocks, UInt64(value), folded.baseAddress)
      }
    }
    value = unsafe Self.checksum(of: folded.span.bytes, after: 0)
    value = Self.checksum(of: bytes.extracting(droppingFirst: blocks * Self.blockBytes), after: value)
  }

  /// The bytes of a block that is folded.
  private static let blockBytes = Int(COACH_CHECKSUM_BLOCK)
  private static let areFolded = coach_folds_checksums() != 0

  private static func checksum(of bytes: RawSpan, after value: UInt16) -> UInt16 {
    let tables = tables.span
    var crc = value
    var index = 0
    while bytes.byteCount - index >= 16 {
      let low = word(bytes, index)
      let high = word(bytes, index + 8)
      crc = sixteen(low, high, crc, tables)
      index += 16
    }
    while index < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      crc = (crc &>> 8) ^ tables[Int((crc ^ UInt16(byte)) & 0xFF)]
      index += 1
    }
    return crc
  }

  /// Eight bytes.
  @inline(__always)
  private static func word(_ bytes: RawSpan, _ index: Int) -> UInt64 {
    // The load is checked against the end; any bits are a whole number.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Goes on with sixteen bytes.
  @inline(__always)
  private static func sixteen(_ low: UInt64, _ high: UInt64, _ crc: UInt16, _ tables: Span<UInt16>) -> UInt16 {
    fold(high, tables, firstTable: 7) ^ fold(low ^ UInt64(crc), tables, firstTable: 15)
  }

  /// The part of eight bytes, the first of which is looked up in the table `firstTable`, the next in the one before it.
  @inline(__always)
  private static func fold(_ word: UInt64, _ tables: Span<UInt16>, firstTable: Int) -> UInt16 {
    // A table number in 0…15 times 256 plus a byte is always below the 4,096 entries.
    func entry(_ byte: UInt64) -> UInt16 {
      unsafe tables[unchecked: (firstTable &- Int(byte)) &<< 8 | Int((word &>> (byte &* 8)) & 0xFF)]
    }
    return (entry(0) ^ entry(1)) ^ (entry(2) ^ entry(3)) ^ ((entry(4) ^ entry(5)) ^ (entry(6) ^ entry(7)))
  }

  /// Sixteen tables of 256: entry b of table k is the checksum of the byte b followed by k zero bytes.
  private static let tables: [UInt16] = {
    var tables = [UInt16](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var crc = UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xA001 : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()
}
