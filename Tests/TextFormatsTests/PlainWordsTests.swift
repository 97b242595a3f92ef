import Testing
import TextFormats

private let known = [
  "t", "time", "times", "altitude", "altitudes", "longitude", "courseDegrees", "courseAccuracyDegrees",
  "horizontalAccuracyMeters",
]

@Suite("Plain words")
struct PlainWordsTests {
  private let words = PlainWords(known)

  @Test("Each word is found wherever it stands", arguments: known.indices)
  func found(index: Int) {
    let word = known[index]
    for (before, behind) in [("", ""), ("\"", "\":1}"), ("{\"a\":0, \"", "")] {
      let text = Array((before + word + behind).utf8)
      #expect(words.index(of: before.utf8.count..<before.utf8.count + word.utf8.count, text.span) == index)
    }
  }

  @Test("Nothing else is: a part of a word, a longer one, one that differs in any byte, or nothing")
  func others() {
    for word in known {
      let bytes = Array(word.utf8)
      for count in 0..<bytes.count {
        let isKnown = known.contains(String(decoding: bytes[..<count], as: UTF8.self))
        #expect((words.index(of: 0..<count, bytes.span) != nil) == isKnown, "\(word) \(count)")
      }
      #expect(words.index(of: 0..<bytes.count + 1, (bytes + [0x78]).span) == nil, "\(word)")
      for place in bytes.indices {
        var changed = bytes
        changed[place] ^= 0x20
        #expect(words.index(of: 0..<bytes.count, changed.span) == nil, "\(word) \(place)")
      }
    }
    let zeros: [UInt8] = [0x74, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(words.index(of: 0..<9, zeros.span) == nil)
    #expect(words.index(of: 0..<2, zeros.span) == nil)
  }
}
