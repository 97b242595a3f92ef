import TestSupport
import Testing
import TextFormats

@Suite("Plain JSON")
struct PlainJSONReaderTests {
  /// What stands between the first quotes, looked at byte by byte; `nil` where that is not plain.
  private func expected(_ bytes: [UInt8]) -> Range<Int>? {
    guard bytes.first == UInt8(ascii: "\"") else { return nil }
    for place in bytes.indices.dropFirst() {
      if bytes[place] == UInt8(ascii: "\"") { return 1..<place }
      guard (0x20..<0x7F).contains(bytes[place]), bytes[place] != UInt8(ascii: "\\") else { return nil }
    }
    return nil
  }

  private func text(_ bytes: [UInt8]) -> Range<Int>? {
    var reader = PlainJSONReader()
    return reader.text(bytes.span)
  }

  @Test("A text ends at its quote, and is plain up to there, whatever byte stands at whatever place of it")
  func everyByteAtEveryPlace() {
    for count in 0...18 {
      let plain = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "a"), count: count) + Array("\":1}".utf8)
      for place in 1..<plain.count {
        for byte in UInt8.min...UInt8.max {
          var bytes = plain
          bytes[place] = byte
          #expect(text(bytes) == expected(bytes), "\(byte) at \(place) of \(count)")
        }
      }
    }
  }

  @Test("A text of any bytes is what it is byte by byte, over seeds", arguments: 1...4 as ClosedRange<UInt64>)
  func anyBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<5_000 {
      let bytes =
        [UInt8(ascii: "\"")]
        + (0..<random.int(0...24)).map { _ in
          random.chance(0.9) ? UInt8(random.int(0x20...0x7E)) : UInt8(random.int(0...255))
        }
      #expect(text(bytes) == expected(bytes), "seed \(seed): \(bytes)")
    }
  }

  @Test("The head of a text has its first eight bytes and nothing of what stands behind it")
  func heads() {
    let bytes = Array("time\":\"atSeconds\"".utf8)
    #expect(PlainJSONReader.head(of: 0..<4, bytes.span) == 0x656D_6974)
    #expect(PlainJSONReader.head(of: 0..<0, bytes.span) == 0)
    #expect(PlainJSONReader.head(of: 7..<16, bytes.span) == PlainJSONReader.head(of: 7..<15, bytes.span))
    #expect(PlainJSONReader.head(of: 16..<17, bytes.span) == 0x22)
  }
}
