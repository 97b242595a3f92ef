extension JSONParser {
  /// Reads a string from its opening quote past its closing one.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let opening = position
    index += 1
    let start = index
    var isPlain = true
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw JSONError(.controlCharacter(byte), expected: "an escape such as \\n", at: position) }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        index += 1
      }
      index += 1
    }
    guard index < bytes.count else {
      index = bytes.count
      throw unexpected(bytes, expected: "a closing quote for the string at byte \(opening.byteOffset)")
    }
    let end = index
    guard end - start <= limits.tokenBytes else {
      throw JSONError(.tooLong, expected: "a string of at most \(limits.tokenBytes) bytes", at: opening)
    }
    let raw = bytes.extracting(start..<end)
    index = end + 1
    return isPlain ? try utf8(raw, offset: start) : try unescaped(raw, offset: start)
  }

  private func utf8(_ raw: Span<UInt8>, offset: Int) throws(JSONError) -> String {
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: raw))
    } catch {
      let first = error.byteOffsets.lowerBound
      throw JSONError(
        .invalidUTF8(raw[first]), expected: "a string in UTF-8",
        at: JSONPosition(byteOffset: offset + first, line: line))
    }
  }

  private func unescaped(_ raw: Span<UInt8>, offset: Int) throws(JSONError) -> String {
    _ = try utf8(raw, offset: offset)
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      let position = JSONPosition(byteOffset: offset + index - 1, line: line)
      let escape = raw[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = try unicodeEscape(raw, &index, at: position)
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: throw Self.invalidEscape(escape, at: position)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The scalar of the escape whose digits begin at `index`, which may be a pair of surrogates.
  private func unicodeEscape(
    _ raw: Span<UInt8>, _ index: inout Int, at position: JSONPosition
  ) throws(JSONError) -> Unicode.Scalar {
    guard let unit = Self.hexadecimal(raw, index) else {
      throw Self.invalidEscape(UInt8(ascii: "u"), at: position)
    }
    index += 4
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"), raw[index + 1] == UInt8(ascii: "u"),
      let low = Self.hexadecimal(raw, index + 2), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw JSONError(.loneSurrogate, expected: "both halves of a surrogate pair", at: position) }
    index += 6
    return scalar
  }

  private static func invalidEscape(_ byte: UInt8, at position: JSONPosition) -> JSONError {
    JSONError(
      .invalidEscape(byte), expected: "one of \", \\, /, b, f, n, r, t and uXXXX after the backslash", at: position)
  }

  private static func hexadecimal(_ raw: Span<UInt8>, _ start: Int) -> UInt32? {
    guard start + 4 <= raw.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + 4 {
      let digit: UInt8
      switch raw[index] {
      case 48...57: digit = raw[index] - 48
      case 65...70: digit = raw[index] - 55
      case 97...102: digit = raw[index] - 87
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads a number as RFC 8259 has it: no leading zeros, digits on both sides of the point.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
    let start = position
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "I") {
      throw JSONError(.notFinite, expected: "a finite number", at: start)
    }
    let whole = index
    try digits(bytes)
    if bytes[whole] == UInt8(ascii: "0"), index - whole > 1 {
      throw JSONError(.zerosInFront, expected: "a number as JSON writes it", at: start)
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits(bytes)
    }
    var mayOverflow = index - start.byteOffset > 300
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      mayOverflow = true
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      try digits(bytes)
    }
    let raw = bytes.extracting(start.byteOffset..<index)
    guard raw.count <= limits.tokenBytes else {
      throw JSONError(.tooLong, expected: "a number of at most \(limits.tokenBytes) bytes", at: start)
    }
    if mayOverflow, DecimalText.double(from: raw) == nil {
      throw JSONError(.notFinite, expected: "a finite number", at: start)
    }
    return JSONNumber(checked: try utf8(raw, offset: start.byteOffset))
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = index
    while index < bytes.count, bytes[index] &- 48 < 10 { index += 1 }
    guard index > start else { throw unexpected(bytes, expected: "a digit") }
  }
}
