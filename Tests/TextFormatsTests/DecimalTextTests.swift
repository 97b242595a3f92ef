import Foundation
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

private func double(_ text: String, separator: Character = ".") -> Double? {
  DecimalText.double(from: text.utf8.span, separator: separator.asciiValue ?? 0)
}
private func nanoseconds(_ text: String) -> Int64? { DecimalText.exactNanoseconds(from: text.utf8.span) }
private func whole(_ text: String) -> Int64? { DecimalText(text.utf8.span)?.exactInt64 }
private func fixed(_ value: Double, _ decimals: Int) -> String {
  var bytes: [UInt8] = []
  DecimalFormat.append(value, decimals: decimals, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}
private func shortest(_ value: Double) -> String {
  var bytes: [UInt8] = []
  DecimalFormat.appendShortest(value, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}
private func seconds(_ nanoseconds: Int64) -> String {
  var bytes: [UInt8] = []
  DecimalFormat.append(seconds: nanoseconds, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}
private func seconds(_ nanoseconds: Int64, decimals: Int) -> String {
  var bytes: [UInt8] = []
  DecimalFormat.append(seconds: nanoseconds, decimals: decimals, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("Decimal text")
struct DecimalTextTests {
  @Test(
    "What is not exactly one number is refused",
    arguments: [
      "", " ", "+", "-", ".", "e", "1e", "1e+", "e5", "1 ", " 1", "1,5", "0x10", "0x1p3", "nan", "NaN", "inf",
      "-inf", "infinity", "1_000", "1..2", "1.2.3", "--1", "+-1", "1e5.5", "1e5 ", "１", "1e999", "-1e400", "1.8e308",
    ])
  func refusal(text: String) { #expect(double(text) == nil) }

  @Test(
    "Numbers of every shape equal the standard library's",
    arguments: [
      "0", "-0", "+0", "1", "-1", "+1.5", ".5", "5.", "-.5e1", "00012.500", "1e5", "1E-5", "1e+05", "9007199254740992",
      "9007199254740993", "9007199254740995", "18446744073709551615", "18446744073709551616", "99999999999999999999",
      "0.1", "0.30000000000000004", "123456789012345678", "1234567890.1234567890123", "1e22", "1e23", "8.5e22",
      "1.7976931348623157e308", "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "2e-324", "1e-400",
      "0.000000000000000000000000000001", "1e-19", "12345678901234567890e-19", "9007199254740993.00000000000000000001",
      "9007199254740993.00000000000000000000", "179769313486231580000000000000000000000", "0e999", "0.0e-999",
      "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000001e82",
      "6.02214076e23", "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126", "7.2057594037927933e16", "9223372036854775807",
    ])
  func agreement(text: String) throws {
    let expected = try #require(Double(text.hasPrefix(".") ? "0" + text : text.replacing("-.", with: "-0.")))
    let found = try #require(double(text))
    #expect(found.bitPattern == expected.bitPattern, "\(text): \(found) instead of \(expected)")
  }

  @Test("Random decimals round as the standard library rounds them", arguments: [1, 2, 3, 4] as [UInt64])
  func randomDecimals(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...25, using: &generator)
      var text = Bool.random(using: &generator) ? "-" : ""
      let point = Int.random(in: 0...digits, using: &generator)
      for index in 0..<digits {
        if index == point { text += index == 0 ? "0." : "." }
        text += String(UInt8.random(in: 0...9, using: &generator))
      }
      if Int.random(in: 0..<3, using: &generator) == 0 { text += "e\(Int.random(in: -40...40, using: &generator))" }
      #expect(double(text)?.bitPattern == Double(text)?.bitPattern, "seed \(seed): \(text)")
    }
  }

  @Test("Long decimals at and beside exact binary fractions round correctly", arguments: [11, 12] as [UInt64])
  func nearExact(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<5_000 {
      let bits = Int.random(in: 1...18, using: &generator)
      let value = Double(
        UInt64.random(in: 1...(1 << 53), using: &generator) >> UInt64.random(in: 0...52, using: &generator))
      let digits = Int.random(in: 17...19, using: &generator)
      guard let significand = UInt64(exactly: (value / pow(2, Double(bits))).truncatingRemainder(dividingBy: 1) * 1e18)
      else { continue }
      for neighbour in [significand, significand &+ 1, significand &- 1] where neighbour < 1_000_000_000_000_000_000 {
        let fraction = String(1_000_000_000_000_000_000 + neighbour).dropFirst().prefix(digits)
        for text in ["0.\(fraction)", "\(fraction)e-\(digits / 2)", "\(fraction)e3", "3\(fraction)e-19"] {
          #expect(double(text)?.bitPattern == Double(text)?.bitPattern, "seed \(seed): \(text)")
        }
      }
    }
  }

  @Test("Random doubles survive their shortest text, and it never has an exponent in 1e-6…1e15", arguments: [5, 6])
  func shortestRoundTrip(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for round in 0..<20_000 {
      let value: Double
      if round % 2 == 0 {
        value = Double(bitPattern: generator.next())
      } else {
        value = Double.random(in: -1...1, using: &generator) * pow(10, Double.random(in: -6...15, using: &generator))
      }
      guard value.isFinite else { continue }
      let text = shortest(value)
      #expect(double(text) == value, "seed \(seed): \(text) is not \(value)")
      if (1e-6...1e15).contains(value.magnitude) { #expect(!text.contains("e"), "seed \(seed): \(text)") }
      #expect(!text.hasSuffix(".0"), "seed \(seed): \(text)")
      #expect(!text.hasSuffix("."), "seed \(seed): \(text)")
    }
  }

  @Test("Parts of a second have no zeros at their ends", arguments: [15, 16] as [UInt64])
  func partsOfSecond(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<5_000 {
      let part = round == 0 ? 0 : UInt64(random.int(0...999_999_999)) / random.pick([1, 1_000, 1_000_000] as [UInt64])
      let scaled = random.chance(0.5) ? part : part * 1_000 % 1_000_000_000
      var bytes: [UInt8] = []
      DecimalFormat.append(fractionNanoseconds: scaled, to: &bytes)
      var expected = "." + String(String(1_000_000_000 + scaled).dropFirst())
      while expected.hasSuffix("0") { expected.removeLast() }
      #expect(String(decoding: bytes, as: UTF8.self) == (scaled == 0 ? "" : expected), "seed \(seed)")
    }
  }

  @Test(
    "The shortest text of a number",
    arguments: [
      (0, "0"), (-0.0, "0"), (142, "142"), (-142, "-142"), (0.1, "0.1"), (-0.25, "-0.25"), (1e-6, "0.000001"),
      (1.5e-6, "0.0000015"), (9.5e-7, "9.5e-7"), (1e-7, "1e-7"), (1e15, "1000000000000000"),
      (123_456_789_012_345_680, "123456789012345680"), (1e20, "100000000000000000000"), (1e21, "1e21"),
      (1.5e300, "1.5e300"), (.leastNonzeroMagnitude, "5e-324"), (0.3, "0.3"), (0.1 + 0.2, "0.30000000000000004"),
      (100.5, "100.5"), (1e-4, "0.0001"), (-0.000_12, "-0.00012"), (0.000_099, "0.000099"),
      (123_456.789, "123456.789"), (999_999_999_999_999.9, "999999999999999.9"),
    ] as [(Double, String)])
  func shortestText(value: Double, text: String) { #expect(shortest(value) == text) }

  @Test("Numbers of few decimals, and their neighbours, have the digits of the standard library", arguments: [9, 10])
  func fewDecimals(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let digits = pow(10, Double(Int.random(in: 1...16, using: &generator)))
      let decimals = pow(10, Double(Int.random(in: 1...13, using: &generator)))
      let number = (Double.random(in: -1...1, using: &generator) * digits).rounded() / decimals
      for value in [number, number.nextUp, number.nextDown] {
        guard (1e-4..<1e15).contains(value.magnitude), value != value.rounded() else { continue }
        #expect(shortest(value) == value.description, "seed \(seed)")
      }
    }
    for value in [999_999_999.999_999, 999_999_999.999_999_5, 999.999_999_999_999, 1_000.000_000_000_1, 0.000_1] {
      #expect(shortest(value) == value.description)
      #expect(shortest(-value) == "-" + value.description)
    }
  }

  @Test("Whole numbers have as many zeros in front as are asked for", arguments: 0...4)
  func wholeNumbers(minimumDigits: Int) {
    for number in Array(0...1_100) as [UInt64] + [99_999, .max] {
      var bytes: [UInt8] = []
      DecimalFormat.append(magnitude: number, minimumDigits: minimumDigits, to: &bytes)
      let digits = number == 0 ? "" : "\(number)"
      let expected = String(repeating: "0", count: max(0, minimumDigits - digits.count)) + digits
      #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
  }

  @Test(
    "Seconds become exact nanoseconds",
    arguments: [
      ("0", 0), ("120", 120_000_000_000), ("120.5", 120_500_000_000), ("0.000000001", 1), ("-0.000000001", -1),
      ("0.0000000005", 1), ("-0.0000000005", -1), ("0.00000000049999999999999999", 0), ("1e-9", 1), ("5e-10", 1),
      ("4e-10", 0), ("1e3", 1_000_000_000_000), ("9223372036.854775807", .max), ("9223372036.8547758074999", .max),
      ("9223372036.8547758075", nil), ("-9223372036.854775808", .min), ("-9223372036.8547758085", nil),
      ("9223372037", nil), ("1e30", nil), ("1e-30", 0), ("0e99", 0), ("12345678901234567890", nil),
      ("1.00000000000000000000000000000", 1_000_000_000), ("0.1", 100_000_000),
      ("1763622000.123456789", 1_763_622_000_123_456_789),
      ("9000000000.0000000005", 9_000_000_000_000_000_001), ("", nil), ("x", nil), ("1s", nil), ("1,5", nil),
    ] as [(String, Int64?)])
  func exactNanoseconds(text: String, expected: Int64?) { #expect(nanoseconds(text) == expected) }

  @Test("Random nanoseconds survive their text of seconds", arguments: [7, 8] as [UInt64])
  func secondsRoundTrip(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for value in [Int64.min, .max, 0, 1, -1] { #expect(nanoseconds(seconds(value)) == value) }
    for _ in 0..<20_000 {
      let value = Int64(bitPattern: generator.next()) >> Int64.random(in: 0...62, using: &generator)
      #expect(nanoseconds(seconds(value)) == value, "seed \(seed): \(seconds(value))")
      #expect(nanoseconds(seconds(value, decimals: 9)) == value, "seed \(seed): \(value)")
    }
  }

  @Test(
    "A whole number is exact or there is none",
    arguments: [
      ("142", 142), ("142.0", 142), ("1.42e2", 142), ("-0", 0), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min), ("0.5", nil),
      ("-9223372036854775809", nil), ("1500e-2", 15), ("1501e-2", nil), ("0.00000000000000000000000001", nil),
      ("1.00000000000000000000000001", nil), ("1.00000000000000000000000000", 1), ("0e5", 0),
    ] as [(String, Int64?)])
  func exactInteger(text: String, expected: Int64?) { #expect(whole(text) == expected) }

  @Test(
    "Fixed decimals round the exact value half away from zero",
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (0.5, 0, "1"), (1.5, 0, "2"), (2.5, 0, "3"), (-0.4, 0, "0"), (-0.5, 0, "-1"),
      (0.125, 2, "0.13"), (1.005, 2, "1.00"), (2.675, 2, "2.67"), (99.995, 1, "100.0"), (-1234.5678, 3, "-1234.568"),
      (1e-30, 6, "0.000000"), (.leastNonzeroMagnitude, 15, "0.000000000000000"), (0.1, 15, "0.100000000000000"),
      (1e17, 0, "100000000000000000"),
      (1e17, 2, "100000000000000000.00"), (1e22, 1, "10000000000000000000000.0"), (1000.5, 15, "1000.500000000000000"),
      (9_007_199_254_740_992, 1, "9007199254740992.0"), (-0.001, 2, "0.00"),
    ] as [(Double, Int, String)])
  func fixedDecimals(value: Double, decimals: Int, text: String) { #expect(fixed(value, decimals) == text) }

  @Test("Random fixed decimals equal those of the C library", arguments: [9, 10] as [UInt64])
  func fixedAgreement(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<10_000 {
      let value =
        Double.random(in: -1e6...1e6, using: &generator) * pow(10, Double.random(in: -6...3, using: &generator))
      let decimals = Int.random(in: 0...7, using: &generator)
      var expected = String(format: "%.\(decimals)f", value)
      if Double(expected) == 0, expected.hasPrefix("-") { expected.removeFirst() }
      #expect(fixed(value, decimals) == expected, "seed \(seed): \(value)")
    }
  }

  @Test("Seconds with fixed decimals round half away from zero")
  func fixedSeconds() {
    #expect(seconds(1_500_000_000, decimals: 0) == "2")
    #expect(seconds(-1_500_000_000, decimals: 0) == "-2")
    #expect(seconds(-400_000_000, decimals: 0) == "0")
    #expect(seconds(1_049_999_999, decimals: 1) == "1.0")
    #expect(seconds(1_050_000_000, decimals: 1) == "1.1")
    #expect(seconds(.max, decimals: 3) == "9223372036.855")
    #expect(seconds(.min, decimals: 9) == "-9223372036.854775808")
  }

  @Test("A decimal comma is read where it is asked for, and then a point is not")
  func decimalComma() {
    #expect(double("1,5", separator: ",") == 1.5)
    #expect(double("1.5", separator: ",") == nil)
    #expect(double("0,000000000000000000000000000001", separator: ",") == 1e-30)
  }
}
