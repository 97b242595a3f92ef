extension DecimalText {
  /// The number that `bytes` state, rounded to the nearest `Double` (ties to even).
  ///
  /// Returns `nil` for what is not a number and for a number too large for a finite `Double`; one too small is 0.
  /// - Complexity: O(n); allocates only for numbers with more than 19 digits or powers of ten beyond ±22 that cannot
  ///   be decided otherwise.
  @inline(__always)
  package static func double(from bytes: Span<UInt8>, separator: UInt8 = UInt8(ascii: ".")) -> Double? {
    if let plain = PlainDecimal(bytes, from: 0, separator: separator), plain.end == bytes.count,
      let value = plain.double
    {
      return value
    }
    return roundedDouble(from: bytes, separator: separator)
  }

  /// The same for a number that one division of exact numbers cannot decide.
  private static func roundedDouble(from bytes: Span<UInt8>, separator: UInt8) -> Double? {
    guard let decimal = DecimalText(bytes, separator: separator) else { return nil }
    let magnitude: Double
    if let decided = decimal.decidedMagnitude {
      magnitude = decided
    } else {
      guard let parsed = parsedMagnitude(bytes, separator: separator) else { return nil }
      magnitude = parsed
    }
    return decimal.isNegative ? -magnitude : magnitude
  }

  /// The magnitude as a `Double`, when 128-bit integer arithmetic is enough to round it correctly.
  var decidedMagnitude: Double? {
    guard significand != 0 else { return 0 }
    guard !isTruncated else {
      // The true value lies between two significands: decided when both round to the same double.
      guard let low = Self.rounded(significand, exponent), let high = Self.rounded(significand + 1, exponent),
        low == high
      else { return nil }
      return low
    }
    if significand <= 1 << 53, exponent.magnitude <= 22 {
      let exact = Double(significand)
      return exponent < 0 ? exact / PowersOfTen.double(-exponent) : exact * PowersOfTen.double(exponent)
    }
    return Self.rounded(significand, exponent)
  }

  /// `significand`·10^`exponent` for a significand above 0, correctly rounded; `nil` for exponents beyond ±19.
  private static func rounded(_ significand: UInt64, _ exponent: Int) -> Double? {
    guard exponent != 0 else { return Double(significand) }
    guard exponent.magnitude <= 19 else { return nil }
    let zeros = significand.leadingZeroBitCount
    let normalized = significand << UInt64(zeros)
    if exponent > 0 {
      let power = PowersOfTen.integer(exponent)
      let (high, low) = significand.multipliedFullWidth(by: power)
      guard high != 0 else { return Double(low) }
      let shift = high.leadingZeroBitCount
      let top = shift == 0 ? high : high << UInt64(shift) | low >> UInt64(64 - shift)
      return scaled(top, isInexact: low << UInt64(shift) != 0, power: 64 - shift)
    }
    let divisor = PowersOfTen.integer(-exponent)
    if let estimate = estimated(normalized, zeros: zeros, divisor: divisor, power: -exponent) { return estimate }
    let divisorZeros = divisor.leadingZeroBitCount
    let (quotient, remainder) = (divisor << UInt64(divisorZeros))
      .dividingFullWidth((high: normalized >> 1, low: normalized << 63))
    return scaled(quotient, isInexact: remainder != 0, power: divisorZeros - zeros - 63)
  }

  /// The quotient by way of the reciprocal, when its error cannot change how it rounds: for 99.7 % of all numbers.
  private static func estimated(_ normalized: UInt64, zeros: Int, divisor: UInt64, power: Int) -> Double? {
    let (high, _) = normalized.multipliedFullWidth(by: PowersOfTen.reciprocal(power))
    // The true product begins with `high` or `high` + 1, and is no whole number of the last place kept nor a tie
    // unless what follows the kept bits is all ones, or within one of the half.
    let shift = UInt64(11 - high.leadingZeroBitCount)
    let rest = high & (1 << shift - 1)
    let half: UInt64 = 1 << (shift - 1)
    guard rest != 1 << shift - 1, rest != half, rest != half - 1 else { return nil }
    let kept = high >> shift
    // The reciprocal is 2^(63 + bits) / divisor, where `bits` are those of the divisor.
    let binaryPower = Int(shift) + 1 - (64 - divisor.leadingZeroBitCount) - zeros
    let factor = Double(bitPattern: UInt64(binaryPower + 1023) << 52)
    return Double(rest > half ? kept + 1 : kept) * factor
  }

  /// `value`·2^`power`, rounded to nearest, ties to even; `isInexact` says that the true value is a little larger.
  private static func scaled(_ value: UInt64, isInexact: Bool, power: Int) -> Double {
    let shift = UInt64(64 - value.leadingZeroBitCount - 53)
    let kept = value >> shift
    let rest = value & (1 << shift - 1)
    let half: UInt64 = 1 << (shift - 1)
    let roundsUp = rest > half || rest == half && (isInexact || kept & 1 == 1)
    let factor = Double(bitPattern: UInt64(power + Int(shift) + 1023) << 52)
    return Double(roundsUp ? kept + 1 : kept) * factor
  }

  /// The rare rest, through the standard library's correctly rounding parser.
  private static func parsedMagnitude(_ bytes: Span<UInt8>, separator: UInt8) -> Double? {
    var text = ""
    for index in bytes.indices {
      let byte = bytes[index]
      if index == 0, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { continue }
      text.unicodeScalars.append(Unicode.Scalar(byte == separator ? UInt8(ascii: ".") : byte))
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
