import Testing
import TextFormats
@testable import coach

@Suite("Suggestions")
struct ArgumentsSuggestionTests {
  @Test(
    "The distance counts insertions, deletions, replacements and swaps of neighbours",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("age", "age", 0), ("aeg", "age", 1), ("agee", "age", 1),
      ("ag", "age", 1), ("abe", "age", 1), ("relpay", "replay", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func distances(first: String, second: String, distance: Int) {
    #expect(Spelling.distance(first, second) == distance)
    #expect(Spelling.distance(second, first) == distance)
  }

  @Test(
    "The nearest word is suggested when it is near enough",
    arguments: [
      ("zone", "zones"), ("ZONES", "zones"), ("insepct", "inspect"), ("strat", "strategies"), ("verfiy", "verify"),
      ("x", nil), ("xyzzy", nil), ("", nil), ("lave", "live"), ("fave", nil),
    ] as [(String, String?)])
  func nearestWords(typed: String, suggestion: String?) {
    #expect(Spelling.closest(to: typed, among: ["zones", "live", "inspect", "strategies", "verify"]) == suggestion)
  }

  @Test("Of equally near words the first is suggested, and edits go before a common beginning")
  func ties() {
    #expect(Spelling.closest(to: "cat", among: ["bat", "hat"]) == "bat")
    #expect(Spelling.closest(to: "format", among: ["formats-and-more", "formal"]) == "formal")
  }

  @Test("A text of any length is compared in no time")
  func longText() {
    #expect(Spelling.closest(to: String(repeating: "a", count: 1_000_000), among: ["zones"]) == nil)
  }
}
