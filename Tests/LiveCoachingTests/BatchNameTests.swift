@testable import LiveCoaching
import Testing
import TestSupport

@Suite("The names of batches")
struct BatchNameTests {
  private static func name(_ text: String) -> BatchName { BatchName(text, isOfItsLines: true) }

  /// FNV-1a of 64 bits, as journals, databases and other instances have it.
  private static func fnv(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x100_0000_01b3
    }
    return hash
  }

  @Test(
    "The number that stands for a name is FNV-1a of its bytes, whatever it counts",
    arguments: ["", "a", "live-17", "7", "007", "b-\u{E9}-1", "12345678901234567890123", "0000", "b-1x", "0x"])
  func standing(text: String) {
    #expect(Self.name(text).number == Self.fnv(text))
    #expect(BatchName.number(of: text) == Self.fnv(text))
  }

  @Test(
    "The number at the end of a name is parted from what is before it, to which leading zeros belong",
    arguments: [
      ("b-7", "b-", 7), ("b-07", "b-0", 7), ("b-070", "b-0", 70), ("b-0", "b-", 0), ("b-00", "b-0", 0), ("7", "", 7),
      ("007", "00", 7), ("a1b22", "a1b", 22), ("b-999999999999999999", "b-", 999_999_999_999_999_999),
      ("b-1000000000000000001", "b-1" + String(repeating: "0", count: 17), 1),
      ("1795158000123456789", "1", 795_158_000_123_456_789),
    ] as [(String, String, UInt64)])
  func counted(text: String, prefix: String, number: UInt64) {
    let counted = Self.name(text).counted
    #expect(counted?.number == number)
    #expect(counted?.prefix == Self.fnv(prefix))
    #expect(counted?.name == Self.fnv(text))
  }

  @Test("A name that does not end in a digit counts nothing", arguments: ["", "a", "1a", "7 ", "b-\u{661}", "b-１"])
  func uncounted(text: String) { #expect(Self.name(text).counted == nil) }

  @Test("What a name counts, written again, is the name", arguments: 0..<20 as Range<UInt64>)
  func properties(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let characters = (0..<random.int(1...30)).map { _ in random.pick(["0", "0", "1", "9", "5", "a", "-"]) }
      let text = characters.joined()
      let name = Self.name(text)
      let endsInDigit = !text.hasSuffix("a") && !text.hasSuffix("-")
      #expect((name.counted != nil) == endsInDigit, "seed \(seed): \(text)")
      guard let counted = name.counted else { continue }
      #expect(counted.name == name.number, "seed \(seed): \(text)")
      let digits = String(counted.number)
      #expect(text.hasSuffix(digits), "seed \(seed): \(text)")
      #expect(counted.prefix == Self.fnv(String(text.dropLast(digits.count))), "seed \(seed): \(text)")
    }
  }
}
