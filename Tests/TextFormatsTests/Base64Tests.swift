import Testing

@testable import TextFormats

@Suite("Base64")
struct Base64Tests {
  /// Source: RFC 4648, section 10.
  @Test(
    "The examples of the standard",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func examples(text: String, encoded: String) {
    #expect(Base64.text(Array(text.utf8), .standard) == encoded)
    #expect(Base64.text(Array(text.utf8), .url) == encoded.replacing("=", with: ""))
  }

  @Test("The last two letters differ between the alphabets")
  func alphabets() {
    #expect(Base64.text([0xFB, 0xEF, 0xFF], .standard) == "++//")
    #expect(Base64.text([0xFB, 0xEF, 0xFF], .url) == "--__")
  }
}
