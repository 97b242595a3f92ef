internal import TestSupport

/// Recordings packed by gzip, without a compressor: in blocks that are stored as they are, and with fixed codes.
enum GzipSeeds {
  static let all =
    (FITSeeds.all.prefix(1) + XMLSeeds.all.prefix(1) + CSVSeeds.all.prefix(2)).map {
      InputCheck.Seed("stored-\($0.name)", member($0.bytes, pieces: 300))
    } + [
      InputCheck.Seed("two-members", member(csv, pieces: 8) + member(Array("3,123\n".utf8), pieces: 9)),
      InputCheck.Seed("trailing-bytes", member(csv, pieces: 99) + [0, 0, 7]),
      InputCheck.Seed("name-and-comment", member(csv, pieces: 99, name: "run.csv")),
      InputCheck.Seed("cut-short", Array(member(csv, pieces: 99).dropLast(12))),
      InputCheck.Seed("fixed-codes", fixedCodes),
    ]

  private static let csv = Array("time,hr\n0,120\n1,121\n2,122\n".utf8)

  /// Source: P. Deutsch, RFC 1952 (gzip), section 2.3, and RFC 1951 (deflate), section 3.2.4.
  private static func member(_ bytes: [UInt8], pieces: Int, name: String? = nil) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 255]
    if let name { packed += Array(name.utf8) + [0] }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = bytes[start..<min(start + pieces, bytes.count)]
      let count = UInt16(piece.count)
      packed.append(start + pieces >= bytes.count ? 1 : 0)
      packed += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + piece
    }
    return packed + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
  }

  /// `time,hr`, a row and a run of rows that repeat it, as the deflate of fixed codes has them: RFC 1951, section 3.2.6.
  private static var fixedCodes: [UInt8] {
    let text = Array("time,hr\n0,99\n".utf8)
    var bits: [Bool] = [true, true, false]
    for byte in text {
      let code = 0x30 + Int(byte)
      for shift in (0..<8).reversed() { bits.append(code >> shift & 1 == 1) }
    }
    // Length 5 (code 259) at distance 5 (code 4 and one further bit): the row once more.
    bits += [false, false, false, false, false, true, true, false, false, true, false, false, false]
    bits += [Bool](repeating: false, count: 7)
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    for start in stride(from: 0, to: bits.count, by: 8) {
      packed.append(bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) } << 0)
    }
    let whole = text + Array("0,99\n".utf8)
    return packed + littleEndian(checksum(whole)) + littleEndian(UInt32(whole.count))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Source: RFC 1952, section 8: CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }
}
