extension CSVRow {
  /// Writes a text as a field: in quotes where it has some, or a comma; what steers a terminal or ends a line is left out there.
  package static func append(field text: String, to bytes: inout [UInt8]) {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 < 0x20 }) else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    bytes.append(0x22)
    for byte in text.utf8 where byte >= 0x20 {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }

  /// The texts of all fields; see ``string(_:in:)``.
  package func strings(in line: Span<UInt8>) -> [String] { (0..<count).map { string($0, in: line) } }

  /// The text of a field, doubled quotes made single; bytes that are not UTF-8 become replacement characters.
  package func string(_ index: Int, in line: Span<UInt8>) -> String {
    let field = line.extracting(range(of: index))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.count)
    var position = 0
    while position < field.count {
      bytes.append(field[position])
      let skipsQuote = isEscaped(index) && field[position] == UInt8(ascii: "\"")
      position += skipsQuote ? 2 : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a field says that there is no value: empty, `N/A`, `NA`, `NaN`, `null`, `None`, `-`, in any case.
  package func isMissing(_ index: Int, in line: Span<UInt8>) -> Bool {
    Self.isMissing(line.extracting(range(of: index)))
  }

  /// Whether a text says so where it stands in a field.
  package static func isMissing(_ text: String) -> Bool { isMissing(Array(text.utf8).span) }

  static func isMissing(_ field: Span<UInt8>) -> Bool {
    switch field.count {
    case 0: return true
    case 1: return field[0] == UInt8(ascii: "-")
    case 2: return Self.matches(field, "na")
    case 3: return Self.matches(field, "n/a") || Self.matches(field, "nan")
    case 4: return Self.matches(field, "null") || Self.matches(field, "none")
    default: return false
    }
  }

  /// The number in a field; `nil` when it is missing, no number or not finite. With ``allowsDecimalComma`` one with a comma
  /// is one too.
  @inline(__always)
  package func double(_ index: Int, in line: Span<UInt8>) -> Double? {
    let range = range(of: index)
    if let plain = PlainDecimal(line, from: range.lowerBound, separator: UInt8(ascii: ".")),
      plain.end == range.upperBound, let value = plain.double
    {
      return value
    }
    let field = line.extracting(range)
    return DecimalText.double(from: field, separator: separator(of: field))
  }

  /// The whole number in a field; `nil` when it is missing or no whole number.
  @inline(__always)
  package func int64(_ index: Int, in line: Span<UInt8>) -> Int64? {
    let field = line.extracting(range(of: index))
    return DecimalText(field, separator: separator(of: field))?.exactInt64
  }

  /// The number in a field as it is written; `nil` when it is missing or no number.
  @inline(__always)
  package func decimal(_ index: Int, in line: Span<UInt8>) -> DecimalText? {
    let range = range(of: index)
    if let plain = PlainDecimal(line, from: range.lowerBound, separator: UInt8(ascii: ".")),
      plain.end == range.upperBound
    {
      return DecimalText(plain)
    }
    let field = line.extracting(range)
    return DecimalText(field, separator: separator(of: field))
  }

  /// The seconds in a field as exact nanoseconds; `nil` when it is missing, no number or does not fit.
  @inline(__always)
  package func nanosecondsFromSeconds(_ index: Int, in line: Span<UInt8>) -> Int64? {
    let field = line.extracting(range(of: index))
    return DecimalText.exactNanoseconds(from: field, separator: separator(of: field))
  }

  /// The date with a time of day in a field; `nil` when it is missing or none.
  @inline(__always)
  package func time(_ index: Int, in line: Span<UInt8>) -> WallClockTimeText? {
    WallClockTimeText(iso8601: line.extracting(range(of: index)))
  }

  func separator(of field: Span<UInt8>) -> UInt8 {
    guard allowsDecimalComma else { return UInt8(ascii: ".") }
    for index in field.indices where field[index] == UInt8(ascii: ",") { return UInt8(ascii: ",") }
    return UInt8(ascii: ".")
  }

  private static func matches(_ field: Span<UInt8>, _ word: StaticString) -> Bool {
    guard word.utf8CodeUnitCount == field.count else { return false }
    for index in field.indices {
      let isCapital = field[index] &- 65 < 26
      let letter = unsafe word.utf8Start[index]
      guard (isCapital ? field[index] | 0x20 : field[index]) == letter else { return false }
    }
    return true
  }
}
