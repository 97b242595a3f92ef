import Testing

@testable import TextFormats

@Suite("A text that names a file")
struct LabelTextTests {
  /// A letter that is one character together with what follows it, a slash too.
  private static let prefixing = "\u{D4E}"

  @Test("is letters of any script with their marks, and numbers")
  func labels() {
    for text in ["", "anna", "Änne-2", "e\u{301}", "李娜", "می\u{200C}نا", "हिन्दी", "x½", "a_b"] {
      #expect(text.isLabel(punctuation: "-_"), "\(text)")
    }
  }

  @Test("has nothing else in it, and nothing that is not seen, whatever character that is a part of")
  func others() {
    #expect((Self.prefixing + "/").count == 1)
    for other in ["/", ".", "\0", " ", "\u{200D}", "\u{200B}", "\u{FE0F}", "\u{202E}", "\u{E0061}", "❤"] {
      for text in ["ann\(other)a", "1\(other)", Self.prefixing + other + "a"] {
        #expect(!text.isLabel(punctuation: "-_"), "\(text.visible)")
      }
    }
  }

  @Test("is what is left of any text, within its bounds")
  func rest() {
    func label(_ text: String) -> String { text.label(punctuation: " -_", characters: 5, bytes: 12) }
    #expect(label("yoga/pilates") == "yogap")
    #expect(label(Self.prefixing + "/x") == Self.prefixing + "x")
    #expect(label("yo\u{200D}ga") == "yoga")
    #expect(label("می\u{200C}نا") == "می\u{200C}نا".prefix(5))
    #expect(label("a" + String(repeating: "\u{301}", count: 100)) == "")
    #expect(label("李娜李娜李娜") == "李娜李娜")
    #expect(label("").isEmpty)
  }

  @Test("can be typed as it is shown")
  func typed() {
    for text in ["ann\u{200D}a", "\u{202E}", "a\u{E0061}b\u{200B}"] { #expect(String(visible: text.visible) == text) }
    for text in ["anna", #"a\u{200d"#, #"a\u{xyz}"#, #"a\u{d800}"#, #"a\u{}"#, ""] {
      #expect(String(visible: text) == nil, "\(text)")
    }
  }
}
