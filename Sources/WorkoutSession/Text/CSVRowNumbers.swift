extension CSVRow {
  /// What is wanted of a column.
  package enum Use: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// A number, or that there is none.
    case number(slot: Int)
    /// The place of its text, and the number where it is a plain one.
    case time
    /// The place of its text.
    case text
  }

  /// Values beyond this are damage; below it no sum of them can overflow.
  static let largestMagnitude = 1e15

  /// Tells what is wanted of each column, so that ``readNumbers(_:)`` can be called.
  ///
  /// - Precondition: slots are in 0..<24.
  package mutating func prepare(_ uses: [Use]) {
    self.uses = uses
    codeCount = uses.count <= codes.count ? uses.count : 0
    for (column, use) in uses.prefix(codeCount).enumerated() {
      switch use {
      case .nothing: codes[column] = Code.nothing
      case .text: codes[column] = Code.text
      case .time: codes[column] = Code.time
      case .number(let slot):
        precondition(numbers.indices.contains(slot), "a number has a slot")
        codes[column] = Code.firstNumber + UInt8(slot)
      }
    }
  }

  /// A use in one byte: numbers are told by their slots.
  private enum Code {
    static let nothing: UInt8 = 0
    static let text: UInt8 = 1
    static let time: UInt8 = 2
    static let firstNumber: UInt8 = 3
  }

  /// Reads what is wanted of the next line in one go, where it is simple: with as many columns as are wanted, at most 64,
  /// without quotes, and with numbers or their absence where they are wanted.
  ///
  /// - Returns: whether it was. Then ``numbers``, ``plainTime`` and the texts are those of this line; else it has to be
  ///   split.
  /// - Complexity: O(n); nothing is allocated.
  package mutating func readNumbers(_ line: Span<UInt8>) -> Bool {
    guard codeCount > 0 else { return false }
    if fields.count != codeCount { begin(count: codeCount) }
    plainTime = nil
    let separator = delimiter
    let pattern = UInt64(separator.rawValue) &* 0x0101_0101_0101_0101
    var index = 0
    var column = 0
    while true {
      let code = unsafe codes[unchecked: column]
      if code >= Code.firstNumber {
        let value: Double
        if let plain = Self.plain(line, index, separator), let number = plain.double,
          number.magnitude <= Self.largestMagnitude
        {
          value = number
          index = plain.end
        } else {
          let end = line.index(of: pattern, from: index)
          guard let number = Self.oddNumber(line, index, end, separator) else { return false }
          value = number
          index = end
        }
        unsafe numbers[unchecked: Int(code &- Code.firstNumber)] = value
      } else if code == Code.nothing {
        if index < line.count, Self.mayBeginQuotes(unsafe line[unchecked: index], separator) { return false }
        index = line.index(of: pattern, from: index)
      } else {
        let plain = code == Code.time ? Self.plain(line, index, separator) : nil
        if code == Code.time { plainTime = plain }
        guard let end = plain?.end ?? Self.text(line, index, pattern, separator) else { return false }
        fields[column] = Field(start: index, end: end, isEscaped: false)
        index = end
      }
      column &+= 1
      guard column < codeCount else { return index == line.count }
      // What ends a field is the delimiter, or the end of a line that is too short.
      guard index < line.count else { return false }
      index &+= 1
    }
  }

  /// The plain number that is a whole field.
  @inline(__always)
  private static func plain(_ line: Span<UInt8>, _ start: Int, _ delimiter: CSVDelimiter) -> PlainDecimal? {
    guard let plain = PlainDecimal(line, from: start, separator: UInt8(ascii: ".")),
      plain.end == line.count || line[plain.end] == delimiter.rawValue
    else { return nil }
    return plain
  }

  /// The end of a text without quotes and spaces around it; `nil` with them.
  @inline(__always)
  private static func text(_ line: Span<UInt8>, _ start: Int, _ pattern: UInt64, _ delimiter: CSVDelimiter) -> Int? {
    let end = line.index(of: pattern, from: start)
    guard start < end else { return end }
    return mayBeginQuotes(line[start], delimiter) || isSpace(line[end &- 1], delimiter: delimiter) ? nil : end
  }

  /// The number of a field that is not plain, not a number where it is missing; `nil` where it is neither.
  @inline(never)
  private static func oddNumber(_ line: Span<UInt8>, _ start: Int, _ end: Int, _ delimiter: CSVDelimiter) -> Double? {
    if start == end { return .nan }
    let place = trimmed(line, start, end, delimiter)
    let field = line.extracting(place.start..<place.end)
    if isMissing(field) { return .nan }
    let value = DecimalText.double(from: field, separator: separator(of: field, delimiter))
    return value.flatMap { $0.magnitude <= largestMagnitude ? $0 : nil }
  }

  @inline(__always)
  private static func mayBeginQuotes(_ byte: UInt8, _ delimiter: CSVDelimiter) -> Bool {
    byte == UInt8(ascii: "\"") || isSpace(byte, delimiter: delimiter)
  }
}
