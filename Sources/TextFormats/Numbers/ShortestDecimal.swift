extension DecimalFormat {
  /// Appends the shortest text that reads back as the same number.
  ///
  /// A whole number has no point and negative zero is `0`. From 10⁻⁶ up to 10²¹ there is no exponent; outside of that
  /// there is one (`1.5e-7`, `1e21`) unless `alwaysPlain`.
  /// - Precondition: `value` is finite.
  package static func appendShortest(_ value: Double, to buffer: inout [UInt8], alwaysPlain: Bool = false) {
    precondition(value.isFinite, "only a finite number has a decimal text")
    if value.magnitude < 1e15, value == value.rounded(.towardZero) {
      append(Int64(value), to: &buffer)
      return
    }
    if appendFewDecimals(value, to: &buffer) { return }
    if (1e-4..<1e15).contains(value.magnitude) {
      // The standard library writes these in the same way.
      var text = value.description
      text.withUTF8 { unsafe buffer.append(contentsOf: $0) }
      return
    }
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    let digits = ShortestDigits(value.magnitude)
    // The point stands after `point` of the digits.
    let point = digits.point
    if alwaysPlain || (-5...21).contains(point) {
      appendPlain(digits, to: &buffer)
    } else {
      buffer.append(digits.bytes[0])
      if digits.count > 1 {
        buffer.append(UInt8(ascii: "."))
        for index in 1..<digits.count { buffer.append(digits.bytes[index]) }
      }
      buffer.append(UInt8(ascii: "e"))
      append(Int64(point - 1), to: &buffer)
    }
  }

  /// Appends a number that is written with at most seven decimals, as most measured ones are; `false` for any other.
  ///
  /// Of 15 digits no two texts are the same number, so that the one that reads back is the shortest but for zeros at its end.
  private static func appendFewDecimals(_ value: Double, to buffer: inout [UInt8]) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 1e-4, magnitude < 1e8 else { return false }
    // The product is off by less than a quarter, and the quotient is rounded once.
    let scaled = UInt64(magnitude * 1e7 + 0.5)
    guard Double(scaled) / 1e7 == magnitude else { return false }
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    let (whole, decimals) = scaled.quotientAndRemainder(dividingBy: 10_000_000)
    append(magnitude: whole, minimumDigits: 1, to: &buffer)
    append(fractionNanoseconds: decimals * 100, to: &buffer)
    return true
  }

  private static func appendPlain(_ digits: ShortestDigits, to buffer: inout [UInt8]) {
    if digits.point <= 0 {
      buffer.append(UInt8(ascii: "0"))
      buffer.append(UInt8(ascii: "."))
      for _ in 0..<(-digits.point) { buffer.append(UInt8(ascii: "0")) }
    }
    for index in 0..<digits.count {
      if index == digits.point, index > 0 { buffer.append(UInt8(ascii: ".")) }
      buffer.append(digits.bytes[index])
    }
    for _ in stride(from: digits.count, to: digits.point, by: 1) { buffer.append(UInt8(ascii: "0")) }
  }
}

/// The fewest digits that identify a positive number, and where the point stands among them.
private struct ShortestDigits {
  var bytes = InlineArray<20, UInt8>(repeating: 0)
  var count = 0
  /// The number is 0.DIGITS · 10^point.
  var point = 0

  /// Takes the digits out of the standard library's shortest description (`1.25e-07`, `120.5`, `1e+22`).
  init(_ value: Double) {
    var sawPoint = false
    var sawExponent = false
    var exponent = 0
    var exponentIsNegative = false
    for byte in value.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"): sawExponent = true
      case UInt8(ascii: "-"): exponentIsNegative = true
      case UInt8(ascii: "+"): break
      default:
        if sawExponent {
          exponent = exponent * 10 + Int(byte - 48)
        } else if count == 0, byte == UInt8(ascii: "0") {
          if sawPoint { point -= 1 }
        } else {
          if !sawPoint { point += 1 }
          bytes[count] = byte
          count += 1
        }
      }
    }
    point += exponentIsNegative ? -exponent : exponent
    while count > 1, bytes[count - 1] == UInt8(ascii: "0") { count -= 1 }
  }
}
