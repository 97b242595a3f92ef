/// Numbers as decimal text, appended to a buffer of bytes. Nothing depends on the locale.
package enum DecimalFormat {
  /// Appends a whole number.
  package static func append(_ value: Int64, to buffer: inout [UInt8]) {
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    append(magnitude: value.magnitude, minimumDigits: 1, to: &buffer)
  }

  /// Appends a whole number of at least `minimumDigits` digits, with zeros in front where needed.
  package static func append(magnitude: UInt64, minimumDigits: Int, to buffer: inout [UInt8]) {
    if magnitude < 100, minimumDigits <= 2 {
      // Most numbers are parts of dates and clocks.
      let (tens, ones) = UInt8(magnitude).quotientAndRemainder(dividingBy: 10)
      if tens > 0 || minimumDigits == 2 { buffer.append(tens + 48) }
      if magnitude > 0 || minimumDigits > 0 { buffer.append(ones + 48) }
      return
    }
    // As many digits as the largest has; those in front of the number are zeros.
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var rest = magnitude
    var begin = digits.count
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      begin -= 1
      digits[begin] = UInt8(truncatingIfNeeded: digit) + 48
      rest = quotient
    }
    for _ in stride(from: digits.count, to: minimumDigits, by: 1) { buffer.append(UInt8(ascii: "0")) }
    begin = min(begin, max(0, digits.count - minimumDigits))
    buffer.append(span: digits.span.extracting(begin..<digits.count))
  }

  /// Appends nanoseconds as exact seconds with as many decimals as are needed: `120`, `120.5`, `0.000000001`.
  package static func append(seconds nanoseconds: Int64, to buffer: inout [UInt8]) {
    if nanoseconds < 0 { buffer.append(UInt8(ascii: "-")) }
    let (whole, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    append(magnitude: whole, minimumDigits: 1, to: &buffer)
    append(fractionNanoseconds: fraction, to: &buffer)
  }

  /// Appends the point and the decimals of a part of a second, without trailing zeros; nothing for 0.
  ///
  /// - Precondition: it is less than a second.
  package static func append(fractionNanoseconds: UInt64, to buffer: inout [UInt8]) {
    precondition(fractionNanoseconds < 1_000_000_000, "a part of a second is less than one")
    guard fractionNanoseconds != 0 else { return }
    var text = InlineArray<10, UInt8>(repeating: UInt8(ascii: "."))
    var rest = UInt32(truncatingIfNeeded: fractionNanoseconds)
    for place in stride(from: 9, to: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      text[place] = UInt8(truncatingIfNeeded: digit) + 48
      rest = quotient
    }
    var end = text.count
    while text[end - 1] == UInt8(ascii: "0") { end -= 1 }
    buffer.append(span: text.span.extracting(0..<end))
  }

  /// Appends nanoseconds as seconds with exactly `decimals` decimals, rounded half away from zero.
  ///
  /// What rounds to zero has no sign.
  /// - Precondition: `decimals` is in 0…9.
  package static func append(seconds nanoseconds: Int64, decimals: Int, to buffer: inout [UInt8]) {
    precondition((0...9).contains(decimals), "seconds have 0 to 9 decimals")
    let divisor = PowersOfTen.integer(9 - decimals)
    let (quotient, remainder) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: divisor)
    let scaled = remainder * 2 >= divisor && divisor > 1 ? quotient + 1 : quotient
    append(scaled: scaled, decimals: decimals, isNegative: nanoseconds < 0, to: &buffer)
  }

  /// Appends a number with exactly `decimals` decimals: its exact value, rounded half away from zero.
  ///
  /// What rounds to zero has no sign. Beyond 10¹⁸ / 10^`decimals` the digits are those of the shortest text that
  /// reads back as the same number, followed by zeros.
  /// - Precondition: `value` is finite and `decimals` is in 0…15.
  package static func append(_ value: Double, decimals: Int, to buffer: inout [UInt8]) {
    precondition(value.isFinite, "only a finite number has a decimal text")
    precondition((0...15).contains(decimals), "a number has 0 to 15 decimals")
    let power = PowersOfTen.integer(decimals)
    guard value.magnitude * Double(power) < 1e18 else {
      appendShortest(value, to: &buffer, alwaysPlain: true)
      guard decimals > 0 else { return }
      appendMissingDecimals(decimals, to: &buffer)
      return
    }
    // value = significand·2^exponent exactly, so the product with 10^decimals fits into 128 bits.
    let bits = value.magnitude.bitPattern
    let biased = Int(bits >> 52)
    let fraction = bits & (1 << 52 - 1)
    let significand = biased == 0 ? fraction : fraction | 1 << 52
    let exponent = max(biased, 1) - 1075
    let product = UInt128(significand) * UInt128(power)
    let scaled: UInt128
    if exponent >= 0 {
      scaled = product << UInt128(exponent)
    } else if exponent > -128 {
      let shift = UInt128(-exponent)
      scaled = (product >> shift) + (product >> (shift - 1) & 1)
    } else {
      scaled = 0
    }
    append(scaled: UInt64(truncatingIfNeeded: scaled), decimals: decimals, isNegative: value < 0, to: &buffer)
  }

  /// Appends `scaled` / 10^`decimals`.
  private static func append(scaled: UInt64, decimals: Int, isNegative: Bool, to buffer: inout [UInt8]) {
    if isNegative, scaled != 0 { buffer.append(UInt8(ascii: "-")) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: PowersOfTen.integer(decimals))
    append(magnitude: whole, minimumDigits: 1, to: &buffer)
    guard decimals > 0 else { return }
    buffer.append(UInt8(ascii: "."))
    append(magnitude: fraction, minimumDigits: decimals, to: &buffer)
  }

  /// Fills the decimals of a plain number at the end of `buffer` up to `decimals` with zeros.
  private static func appendMissingDecimals(_ decimals: Int, to buffer: inout [UInt8]) {
    var present = 0
    var index = buffer.count - 1
    while index >= 0, (48...57).contains(buffer[index]) {
      present += 1
      index -= 1
    }
    if index < 0 || buffer[index] != UInt8(ascii: ".") {
      present = 0
      buffer.append(UInt8(ascii: "."))
    }
    for _ in stride(from: present, to: decimals, by: 1) { buffer.append(UInt8(ascii: "0")) }
  }
}
