@testable import CoachService
import Foundation
import Testing

@Suite("Sentences in a header")
struct HeaderSentencesTests {
  @Test("Stand in printable ASCII, with a semicolon between them")
  func text() {
    #expect(HTTPField("N", sentences: ["one"]).value == "one")
    #expect(
      HTTPField("N", sentences: ["one: 5 %", "zwölf\r\nSet-Cookie: a=b"]).value
        == "one: 5 %25; zw%C3%B6lf%0D%0ASet-Cookie: a=b")
    #expect(HTTPField("N", sentences: []).value.isEmpty)
  }

  @Test("Of more than fits the number is said, and a first one that does not fit is cut")
  func limit() {
    let sentences = (0..<500).map { "sentence \($0)" }
    let field = HTTPField("N", sentences: sentences, atMost: HTTPField.sentenceBytes)
    #expect(field.value.utf8.count <= HTTPField.sentenceBytes + 20)
    #expect(field.value.hasPrefix("sentence 0; sentence 1; "))
    let shown = field.value.components(separatedBy: "; ")
    #expect(shown.last == "and \(500 - (shown.count - 1)) more")
    #expect(HTTPField("N", sentences: sentences).value.hasSuffix("sentence 499"))
    let long = HTTPField("N", sentences: [String(repeating: "ö", count: 4_000), "next"], atMost: 100)
    #expect(long.value == String(repeating: "%C3%B6", count: 16) + "...; and 1 more")
  }
}
