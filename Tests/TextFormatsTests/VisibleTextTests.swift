@testable import WorkoutTestSupport
import Testing

@testable import TextFormats
@testable import WorkoutSession

@Suite("Text that people see")
struct VisibleTextTests {
  /// Controls of ASCII and ISO 6429, of the direction, ends of lines, what has no width, and what nobody has assigned.
  private static let hidden: [UInt32] =
    Array(0x00...0x1F) + Array(0x7F...0x9F) + [0xAD, 0x34F, 0x61C, 0x115F, 0x180E] + Array(0x200B...0x200F)
    + Array(0x2028...0x202E) + Array(0x2060...0x206F) + [0x3164, 0xFE00, 0xFEFF, 0xFFA0, 0xE000, 0xFFF9, 0xFFFF]
    + [0xE0001, 0xE0041, 0xE0100, 0x10FFFD, 0x378]

  @Test("What would steer, turn or hide is shown by its number, and is escaped in a record")
  func hidden() throws {
    for value in Self.hidden {
      let scalar = try #require(Unicode.Scalar(value))
      let text = "a\(scalar)b"
      let isByte = scalar.rawByte != nil
      let number = isByte ? #"\x"# + String(value & 0xFF, radix: 16) : #"\u{"# + String(value, radix: 16) + "}"
      #expect(text.visible == "a\(number)b")
      var writer = JSONWriter()
      writer.value(text)
      #expect(writer.text.unicodeScalars.filter { $0.isHidden }.isEmpty, "\(number) in \(writer.text)")
      let read = try JSONValue.parse(writer.bytes.span).string
      #expect(read == (isByte ? "a\(number)b" : text), "\(number)")
    }
  }

  @Test(
    "Text in any script stays as it is",
    arguments: [
      "", "plain text", "Zoë 走る", "שלום", "می\u{200C}خواهم", "क्\u{200D}ष", "🏃\u{200D}♀\u{FE0F}", "❤\u{FE0F}",
      "👩🏽\u{200D}🚒", "e\u{301}", "⣿⠀█▏┃", "119–137 bpm\u{A0}→", #"C:\u{1b}"#,
    ])
  func scripts(text: String) {
    #expect(text.visible == text)
    #expect(text.visible.visible == text.visible)
  }

  @Test("A joiner between letters that do not join is shown")
  func joiners() {
    #expect("ann\u{200D}a".visible == #"ann\u{200d}a"#)
    #expect("ann\u{200C}a".visible == #"ann\u{200c}a"#)
    #expect("\u{200D}a\u{FE0F}".visible == #"\u{200d}a\u{fe0f}"#)
  }
}
