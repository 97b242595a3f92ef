/// A decimal number as it is written: a sign, up to 19 significant digits and a power of ten.
///
/// The text is `[+|-] digits [. digits] [e [+|-] digits]`; digits may be missing on one side of the point, not on both.
/// Hexadecimal, `nan`, `inf`, spaces, digit grouping and anything after the number are refused.
/// Nothing is allocated, and nothing depends on the locale.
package struct DecimalText: Hashable, Sendable {
  /// Whether the text starts with a minus sign; true for `-0` as well.
  package let isNegative: Bool
  /// The first 19 significant digits.
  package let significand: UInt64
  /// The power of ten that `significand` is multiplied with.
  package let exponent: Int
  /// The first digit that did not fit into `significand`; 0 when all did.
  package let nextDigit: UInt8
  /// Whether a digit other than 0 did not fit into `significand`.
  package let isTruncated: Bool

  /// Reads the whole of `bytes` as one number.
  ///
  /// Returns `nil` for an empty text and for anything that is not exactly one number.
  /// - Complexity: O(n)
  @inline(__always)
  package init?(_ bytes: Span<UInt8>, separator: UInt8 = UInt8(ascii: ".")) {
    if let plain = PlainDecimal(bytes, from: 0, separator: separator), plain.end == bytes.count {
      self.init(plain)
    } else {
      self.init(written: bytes, separator: separator)
    }
  }

  /// Takes a number that was read.
  @inline(__always)
  package init(_ plain: PlainDecimal) {
    isNegative = plain.isNegative
    significand = plain.significand
    exponent = -plain.decimals
    nextDigit = 0
    isTruncated = false
  }

  /// Reads a number in any of its forms, byte by byte.
  private init?(written bytes: Span<UInt8>, separator: UInt8) {
    let end = bytes.count
    var index = 0
    var isNegative = false
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let start = index
    var significand: UInt64 = 0
    while index < end {
      let digit = unsafe bytes[unchecked: index] &- 48
      guard digit < 10 else { break }
      significand = significand &* 10 &+ UInt64(digit)
      index &+= 1
    }
    var digits = index - start
    var exponent = 0
    if index < end, bytes[index] == separator {
      index += 1
      let fractionStart = index
      while index < end {
        let digit = unsafe bytes[unchecked: index] &- 48
        guard digit < 10 else { break }
        significand = significand &* 10 &+ UInt64(digit)
        index &+= 1
      }
      digits += index - fractionStart
      exponent = fractionStart - index
    }
    guard digits > 0 else { return nil }
    let digitsEnd = index
    if index < end {
      guard let power = Self.exponent(bytes, from: index) else { return nil }
      exponent += power
    }
    self.isNegative = isNegative
    if digits <= 19 {
      self.significand = significand
      self.exponent = exponent
      nextDigit = 0
      isTruncated = false
    } else {
      let long = Self.longDigits(bytes, start..<digitsEnd)
      self.significand = long.significand
      self.exponent = exponent + long.dropped
      nextDigit = long.nextDigit
      isTruncated = long.isTruncated
    }
  }

  /// The exponent part from `start` to the end, cut off at a thousand million; `nil` when it is malformed.
  private static func exponent(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < bytes.count else { return nil }
    var power = 0
    while index < bytes.count {
      let digit = bytes[index] &- 48
      guard digit < 10 else { return nil }
      power = min(power * 10 + Int(digit), 1_000_000_000)
      index += 1
    }
    return isNegative ? -power : power
  }

  private struct LongDigits {
    var significand: UInt64 = 0
    var count = 0
    var dropped = 0
    var nextDigit: UInt8 = 0
    var isTruncated = false
  }

  /// Reads more than 19 digits: leading zeros do not count, what does not fit is reported.
  private static func longDigits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> LongDigits {
    var result = LongDigits()
    for index in range {
      let digit = bytes[index] &- 48
      guard digit < 10 else { continue }
      if result.count < 19 {
        result.significand = result.significand * 10 + UInt64(digit)
        if result.significand != 0 { result.count += 1 }
      } else {
        if result.dropped == 0 { result.nextDigit = digit }
        result.dropped += 1
        if digit != 0 { result.isTruncated = true }
      }
    }
    return result
  }
}

extension DecimalText {
  /// The number as a whole number, when it is one and fits: `142`, `142.0` and `1.42e2` are all 142.
  package var exactInt64: Int64? {
    guard !isTruncated else { return nil }
    guard significand != 0 else { return 0 }
    if exponent >= 0 {
      guard exponent <= 19 else { return nil }
      let (magnitude, overflow) = significand.multipliedReportingOverflow(by: PowersOfTen.integer(exponent))
      return overflow ? nil : signed(magnitude)
    }
    guard exponent >= -19 else { return nil }
    let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: PowersOfTen.integer(-exponent))
    return remainder == 0 ? signed(quotient) : nil
  }

  /// The number of seconds as whole nanoseconds, rounded half away from zero beyond the ninth decimal.
  ///
  /// Returns `nil` beyond ±9.2·10⁹ seconds.
  @inline(__always)
  package var nanoseconds: Int64? {
    let power = exponent + 9
    if power >= 0, power <= 9, significand < 9_223_372_036 {
      let magnitude = Int64(significand) &* Int64(PowersOfTen.integer(power))
      return isNegative ? -magnitude : magnitude
    }
    return wideNanoseconds
  }

  /// The same for numbers that are large or have many decimals.
  private var wideNanoseconds: Int64? {
    guard significand != 0 else { return 0 }
    let power = exponent + 9
    if power >= 0 {
      guard power <= 19 else { return nil }
      let (magnitude, overflow) = significand.multipliedReportingOverflow(by: PowersOfTen.integer(power))
      guard !overflow else { return nil }
      return signed(nextDigit >= 5 ? magnitude + 1 : magnitude)
    }
    guard power >= -19 else { return 0 }
    let divisor = PowersOfTen.integer(-power)
    let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: divisor)
    return signed(remainder >= divisor - remainder ? quotient + 1 : quotient)
  }

  private func signed(_ magnitude: UInt64) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  /// The seconds that `bytes` state, as whole nanoseconds rounded half away from zero beyond the ninth decimal.
  ///
  /// Returns `nil` for what is not a number and for what does not fit.
  package static func exactNanoseconds(
    from bytes: Span<UInt8>, separator: UInt8 = UInt8(ascii: ".")
  ) -> Int64? {
    DecimalText(bytes, separator: separator)?.nanoseconds
  }
}
