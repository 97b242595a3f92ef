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
    if (1e-4..<1e15).contains(value.magnitude) {
      if appendDecimals(of: value, most: 6, power: 1e6, to: &buffer) { return }
      if appendDecimals(of: value, most: 12, power: 1e12, to: &buffer) { return }
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

  /// Appends a number that is no whole one and has at most so many decimals, and 15 digits in all; whether it is one. Most that a
  /// sensor sends are.
  ///
  /// Different decimals of up to 15 digits are different doubles, so that no shorter text reads back as the same.
  ///
  /// - Parameter power: 10 to the `most`.
  @inline(__always)
  private static func appendDecimals(of value: Double, most: Int, power: Double, to buffer: inout [UInt8]) -> Bool {
    guard value.magnitude < 1e15 / power else { return false }
    var rest = Int64(value.magnitude * power + 0.5)
    guard Double(rest) / power == value.magnitude else { return false }
    var decimals = most
    while decimals > 1, rest % 10 == 0 {
      rest /= 10
      decimals -= 1
    }
    // From the last digit to the first.
    var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var place = text.count
    for _ in 0..<decimals {
      place -= 1
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    place -= 1
    text[place] = UInt8(ascii: ".")
    repeat {
      place -= 1
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 {
      place -= 1
      text[place] = UInt8(ascii: "-")
    }
    buffer.append(span: text.span.extracting(place..<text.count))
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
