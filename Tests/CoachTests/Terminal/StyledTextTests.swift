import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("Styled text")
struct StyledTextTests {
  static let mixed = StyledText("Z2 ", .bold(.blue)) + StyledText("日本", .dim) + StyledText(" e\u{301}♥")

  @Test("Width counts what is seen: 2 for wide characters, 0 for marks, nothing for styles")
  func width() {
    #expect(Self.mixed.width == 3 + 4 + 3)
    #expect(StyledText("👟").width == 2)
    #expect(StyledText("▲●▼♥–…").width == 6)
    #expect(StyledText.empty.width == 0)
    #expect(StyledText("12").padded(to: 5).plain == "12   ")
    #expect(StyledText("12").aligned(to: 5).plain == "   12")
    #expect(StyledText("123456").aligned(to: 5).plain == "123456")
  }

  @Test("Cutting never leaves more than asked for, and keeps what fits", arguments: 0...12)
  func cut(limit: Int) {
    let cut = Self.mixed.cut(to: limit)
    #expect(cut.width <= limit)
    #expect(limit < Self.mixed.width || cut == Self.mixed)
    #expect(limit == 0 || limit >= Self.mixed.width || cut.plain.hasSuffix("…"))
  }

  @Test("A wide character is not cut in half")
  func cutWide() {
    #expect(Self.mixed.cut(to: 5).plain == "Z2 …")
    #expect(Self.mixed.cut(to: 6).plain == "Z2 日…")
  }

  @Test("Colours are written only when they are used")
  func rendering() {
    let text = StyledText("a", .bold(.orange)) + StyledText("b") + StyledText("c", .dim)
    #expect(text.rendered(usingColor: true, in: .unicode) == "\u{1B}[1;38;5;136ma\u{1B}[0mb\u{1B}[2mc\u{1B}[0m")
    #expect(text.rendered(usingColor: false, in: .unicode) == "abc")
  }

  @Test("A name cannot speak to the terminal or break the line")
  func controls() {
    let text = StyledText("a\u{1B}[2Jb\r\nc\u{7}\u{9B}31m\u{2028}d")
    #expect(text.plain == #"a\u{1b}[2Jb\u{d}\u{a}c\u{7}\u{9b}31m\u{2028}d"#)
    #expect(text.width == text.plain.count)
  }

  @Test("ASCII has the same width, character by character")
  func ascii() {
    let text = StyledText("▲ ● ▼ ♥ 98–118 日 é ░█▏┃⠿")
    let ascii = text.rendered(usingColor: false, in: .ascii)
    #expect(ascii == "^ = v * 98-118 ?? ? .#:#?")
    #expect(ascii.count == text.width)
  }

  @Test("Every zone of every model has a colour, and every cue a shape of its own")
  func colors() throws {
    let models: [ZoneModel] = [
      .percentOfMaximum, .percentOfThreshold(thresholdBPM: 168, scheme: .frielRunning),
      .percentOfThreshold(thresholdBPM: 168, scheme: .coggan),
      .threeZone(firstThresholdBPM: 140, secondThresholdBPM: 160),
      .custom(boundsBPM: [90, 100, 110, 120, 130, 140, 150, 160, 170, 180]),
    ]
    for model in models {
      let zones = try HeartRateZones(model: model, maximum: try MaximumHeartRate(measured: 197))
      for zone in zones.zones { #expect(zone.ink != nil, "\(zone.color)") }
    }
    #expect(Set(CueAction.allCases.map(\.symbol)).count == 3)
    #expect(Set(CueAction.allCases.map { GlyphSet.ascii.text($0.symbol) }).count == 3)
  }

  @Test("Trailing spaces go, styles stay")
  func trailingSpaces() {
    let text = StyledText("a ", .bold) + StyledText("  ", .dim) + StyledText(" ")
    #expect(text.withoutTrailingSpaces == StyledText("a", .bold))
    #expect(StyledText("   ").withoutTrailingSpaces == .empty)
  }
}
