/// The checksum of FIT: 16 bits, polynomial x¹⁶ + x¹⁵ + x² + 1, least significant bit first, beginning with 0.
///
/// The checksum of bytes followed by their checksum is 0.
package struct FITChecksum: Sendable {
  package private(set) var value: UInt16 = 0

  /// Creates a value of nothing yet.
  package init() {}

  /// Goes on with further bytes.
  ///
  /// - Complexity: O(n); sixteen bytes at once, of which only two wait for the bytes before.
  package mutating func update(_ bytes: RawSpan) {
    let tables = Self.tables.span
    var crc = value
    var index = 0
    while bytes.byteCount - index >= 16 {
      let low = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let high = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
      let first = low ^ UInt64(crc)
      crc = Self.fold(high, tables, firstTable: 7) ^ Self.fold(first, tables, firstTable: 15)
      index += 16
    }
    while index < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      crc = (crc &>> 8) ^ tables[Int((crc ^ UInt16(byte)) & 0xFF)]
      index += 1
    }
    value = crc
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
