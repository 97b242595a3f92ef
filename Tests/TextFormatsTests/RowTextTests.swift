import TestSupport
import Testing
import TextFormats

@Suite("Text that gathers before it goes into a buffer")
struct RowTextTests {
  /// Numbers at the limits of what is written in place.
  private static let limits: [Double] = [
    0, -0.0, 1, -1, 9, 10, 99, 100, 0.1, -0.5, 0.000_1, 0.000_099, 0.000_099_999_9, 0.000_100_1, 1e-6, -1e-7, 0.123_456,
    0.123_456_7, 999_999_999, 999_999_999.999_999, 999_999_999.999_999_9, 1e9, 1_000_000_000.5, 1e15, 1e21, 1e22, 1e300,
    .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1 + 0.2, 1 / 3,
  ]

  private func number(_ random: inout SplitMix64) -> Double {
    switch random.int(0...5) {
    case 0: return Self.limits[random.int(0...Self.limits.count - 1)]
    case 1:
      let any = Double(bitPattern: random.next())
      return any.isFinite ? any : 0
    case 2: return Double(random.int(-2_000_000...2_000_000)) / 1e6
    case 3: return Double(random.int(-100_000...100_000)) / 9.806_65
    default: return Double(random.int(-99_999...99_999)) / [1, 10, 100, 1e4, 1e7][random.int(0...4)]
    }
  }

  @Test("Numbers and times come to what they are written as alone, however many gather", arguments: [1, 2] as [UInt64])
  func agreement(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      var row = RowText()
      var (text, expected): ([UInt8], [UInt8]) = ([7], [7])
      for _ in 0..<random.int(1...30) {
        if random.int(0...3) == 0 {
          let spans = [0, 1, -1, 10_000_000, 120_000_000_000, Int64.max, Int64.min, -1_500_000_000]
          let time = random.int(0...1) == 0 ? spans[random.int(0...7)] : Int64(random.int(0...9_999)) * 10_000_000
          row.append(seconds: time, to: &text)
          DecimalFormat.append(seconds: time, to: &expected)
        } else {
          let number = number(&random)
          row.append(shortest: number, to: &text)
          DecimalFormat.appendShortest(number, to: &expected)
        }
        row.append(UInt8(ascii: ","), to: &text)
        expected.append(UInt8(ascii: ","))
      }
      row.flush(to: &text)
      #expect(
        text == expected,
        "seed \(seed): \(String(decoding: text, as: UTF8.self)), expected \(String(decoding: expected, as: UTF8.self))")
      row.flush(to: &text)
      #expect(text == expected)
    }
  }
}
