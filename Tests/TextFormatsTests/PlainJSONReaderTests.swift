import TestSupport
import Testing
import TextFormats

@Suite("Plain JSON")
struct PlainJSONReaderTests {
  /// Where a plain text that begins at the first byte ends, looked for byte by byte.
  private func text(_ bytes: [UInt8]) -> Range<Int>? {
    guard bytes.first == 0x22 else { return nil }
    for index in bytes.indices.dropFirst() {
      if bytes[index] == 0x22 { return 1..<index }
      guard (0x20..<0x7F).contains(bytes[index]), bytes[index] != 0x5C else { return nil }
    }
    return nil
  }

  @Test("A text ends at the first quote, and is none with a byte that is not plain", arguments: [1, 2, 3] as [UInt64])
  func texts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let odd: [UInt8] = [0x22, 0x5C, 0x7F, 0x80, 0xFF, 0x1F, 0x00, 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7E]
    for _ in 0..<20_000 {
      let bytes =
        [0x22]
        + (0..<random.int(0...40)).map { _ in
          random.int(0...15) == 0 ? odd[random.int(0...odd.count - 1)] : UInt8(random.int(0x61...0x7A))
        }
      var reader = PlainJSONReader()
      #expect(reader.text(bytes.span) == text(bytes), "seed \(seed): \(bytes)")
    }
    for byte in UInt8.min...UInt8.max {
      for place in 1...9 {
        var bytes = [0x22] + Array(repeating: UInt8(0x61), count: 12) + [0x22]
        bytes[place] = byte
        var reader = PlainJSONReader()
        #expect(reader.text(bytes.span) == text(bytes), "\(byte) at \(place)")
      }
    }
  }

  @Test("Three numbers are read with white space or without, and the bracket has to follow")
  func threeNumbers() {
    func read(_ text: String) -> [Double]? {
      var reader = PlainJSONReader()
      return reader.threeNumbers(text.utf8.span).map { [$0, $1, $2] }
    }
    #expect(read("1,-0.25,3.5]") == [1, -0.25, 3.5])
    #expect(read(" 1 ,\t2\n, 3 ]") == [1, 2, 3])
    for text in ["1,2]", "1,2,3", "1,2,3,4]", "1,,3]", "1,2,3}", "1,2,1e3]", "", "]", "1,2,+3]", "1,2,03]"] {
      #expect(read(text) == nil, "\(text)")
    }
  }
}
