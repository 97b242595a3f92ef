/// Reads a JSON text from front to back without taking memory, as long as it is plain: texts of printable ASCII without escapes,
/// numbers without exponents.
///
/// It knows no more of a text than what was asked for: whoever uses it leaves everything that is not plain, or not as expected,
/// to ``JSONValue``, which says what is wrong.
package struct PlainJSONReader: Sendable {
  /// The index of the next byte.
  private var index = 0

  /// A number and the place of its text.
  package struct Number: Sendable {
    /// The nearest double.
    package let value: Double
    /// Where it is written.
    package let place: Range<Int>
  }

  /// A reader at the beginning of a text.
  package init() {}

  /// The next byte that is no white space, which is not taken; `nil` at the end.
  package mutating func peek(_ bytes: Span<UInt8>) -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): index += 1
      default: return byte
      }
    }
    return nil
  }

  /// Takes a byte, if it is the next one; whether it was.
  package mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard peek(bytes) == byte else { return false }
    index += 1
    return true
  }

  /// Takes a text; the place of what stands between its quotes, or `nil` when there is none or it is not plain.
  package mutating func text(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard take(UInt8(ascii: "\""), bytes) else { return nil }
    let start = index
    while index < bytes.count {
      let others = Self.others(bytes.word(at: index))
      guard others != 0 else {
        index += 8
        continue
      }
      index += others.trailingZeroBitCount >> 3
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
      defer { index += 1 }
      return start..<index
    }
    return nil
  }

  /// The top bit of the first of eight bytes that does not stand in a plain text, perhaps with bits above it: a quote, a backslash, or
  /// no printable ASCII.
  private static func others(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let isQuoteOrBackslash = zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C)
    let isControl = (word &- ones &* 0x20) & ~word
    let isBeyond = (word &+ ones) | word
    return (isQuoteOrBackslash | isControl | isBeyond) & 0x8080_8080_8080_8080
  }

  /// The first eight bytes of a text at a place, the first in the lowest, and zeros behind its end.
  package static func head(of place: Range<Int>, _ bytes: Span<UInt8>) -> UInt64 {
    let word = bytes.word(at: place.lowerBound)
    return place.count >= 8 ? word : word & ((1 &<< UInt64(truncatingIfNeeded: place.count * 8)) &- 1)
  }

  /// Takes a number; `nil` when there is none or it is not plain.
  package mutating func number(_ bytes: Span<UInt8>) -> Number? {
    guard let first = peek(bytes) else { return nil }
    let start = index
    let digits = start + (first == UInt8(ascii: "-") ? 1 : 0)
    guard digits < bytes.count, Self.isDigit(bytes[digits]) else { return nil }
    if bytes[digits] == UInt8(ascii: "0"), digits + 1 < bytes.count, Self.isDigit(bytes[digits + 1]) { return nil }
    guard let plain = PlainDecimal(bytes, from: start, separator: UInt8(ascii: ".")), let value = plain.double,
      Self.isDigit(bytes[plain.end - 1])
    else { return nil }
    index = plain.end
    return Number(value: value, place: start..<plain.end)
  }

  /// Whether nothing but white space follows.
  package mutating func isAtEnd(_ bytes: Span<UInt8>) -> Bool { peek(bytes) == nil }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
