import Testing
import TextFormats

@Suite("The mark in front of a text")
struct TextMarkTests {
  @Test("It is dropped, or three blanks stand for it, and a text without it stays as it is")
  func mark() {
    let text = Array("{}\u{FEFF}".utf8)
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + text
    #expect(TextMark.dropped(from: marked) == text)
    #expect(TextMark.blanked(in: marked) == Array("   ".utf8) + text)
    #expect(TextMark.dropped(from: text) == text)
    #expect(TextMark.blanked(in: text) == text)
    #expect(TextMark.dropped(from: [0xEF, 0xBB]) == [0xEF, 0xBB])
    #expect(TextMark.blanked(in: []).isEmpty)
  }
}
