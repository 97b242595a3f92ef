/// The checksum of FIT: 16 bits, polynomial x¹⁶ + x¹⁵ + x² + 1, least significant bit first, beginning with 0.
///
/// The checksum of bytes followed by their checksum is 0.
package struct FITChecksum: Sendable {
  package private(set) var value: UInt16 = 0

  /// Creates a value of nothing yet.
  package init() {}

  /// Goes on with further bytes.
  ///
  /// - Complexity: O(n); of many bytes eight at once, of few sixteen, of which only two wait for the bytes before.
  package mutating func update(_ bytes: RawSpan) {
    let tables = Self.tables.span
    var crc = value
    var index = 0
    if bytes.byteCount >= 4 * Self.blockBytes { index = Self.shorten(bytes, &crc, tables) }
    while bytes.byteCount - index >= 16 {
      let low = Self.word(bytes, index)
      let high = Self.word(bytes, index + 8)
      crc = Self.sixteen(low, high, crc, tables)
      index += 16
    }
    while index < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      crc = (crc &>> 8) ^ tables[Int((crc ^ UInt16(byte)) & 0xFF)]
      index += 1
    }
    value = crc
  }

  /// The bytes of sixteen words.
  private static let blockBytes = 128

  /// Goes on with all whole blocks of 128 bytes but less than one; returns how many bytes those were.
  ///
  /// A word of 64 bits may be added to words after it instead: the polynomial P = (x + 1)(x¹⁵ + x + 1) divides
  /// (x⁶⁴ + 1)(x⁹⁶⁰ + x⁶⁴ + 1), since (x + 1)⁶⁴ = x⁶⁴ + 1 and x⁹⁶⁰ = (x¹⁵)⁶⁴ = (x + 1)⁶⁴ modulo the other factor. So
  /// x¹⁰²⁴ = x⁹⁶⁰ + x¹²⁸ + 1 modulo P: a word is added to the next one, the fourteenth and the sixteenth after it. What is left are
  /// sixteen words.
  private static func shorten(_ bytes: RawSpan, _ crc: inout UInt16, _ tables: Span<UInt16>) -> Int {
    // The last sixteen words, each at its number modulo sixteen.
    var words = InlineArray<16, UInt64>(repeating: 0)
    var (index, last, before) = (0, UInt64(0), UInt64(crc))
    while bytes.byteCount - index >= 2 * blockBytes {
      for place in 0..<16 {
        // Both places are below sixteen.
        let added = unsafe words[unchecked: place] ^ words[unchecked: (place &+ 2) & 15]
        last ^= word(bytes, index &+ 8 &* place) ^ before ^ added
        before = 0
        unsafe words[unchecked: place] = last
      }
      index += blockBytes
    }
    crc = 0
    for place in stride(from: 0, to: 16, by: 2) {
      var pair = (word(bytes, index + 8 * place) ^ words[place], word(bytes, index + 8 * place + 8) ^ words[place + 1])
      if place == 0 { pair.0 ^= last }
      if place < 14 {
        pair.0 ^= words[place + 2]
        pair.1 ^= words[place + 3]
      }
      crc = sixteen(pair.0, pair.1, crc, tables)
    }
    return index + blockBytes
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
