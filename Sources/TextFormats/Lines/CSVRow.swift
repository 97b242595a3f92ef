/// What stands between two fields.
package enum CSVDelimiter: UInt8, Hashable, Sendable, CaseIterable {
  /// `,`
  case comma = 0x2C
  /// `;`, with which a decimal comma is allowed too.
  case semicolon = 0x3B
  /// A tab.
  case tab = 0x09

  /// The delimiter of a file by its header line: the one that is there most often outside of quotes.
  ///
  /// Comma when there is none, and comma before semicolon before tab when they are there equally often.
  package static func detect(header: Span<UInt8>) -> CSVDelimiter {
    var counts = [0, 0, 0]
    var isQuoted = false
    for index in header.indices {
      switch header[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case comma.rawValue where !isQuoted: counts[0] += 1
      case semicolon.rawValue where !isQuoted: counts[1] += 1
      case tab.rawValue where !isQuoted: counts[2] += 1
      default: break
      }
    }
    if counts[2] > max(counts[0], counts[1]) { return .tab }
    return counts[1] > counts[0] ? .semicolon : .comma
  }

  /// The delimiter that a line before the header such as `sep=;` states, which spreadsheets write; `nil` for any other line.
  ///
  /// - Throws: ``CSVDelimiterProblem`` when it states another one.
  package static func stated(in line: Span<UInt8>) throws(CSVDelimiterProblem) -> CSVDelimiter? {
    var bytes = line.indices.prefix(8).map { line[$0] }
    if bytes.first == UInt8(ascii: "\"") {
      bytes.removeFirst()
      if bytes.last == UInt8(ascii: "\"") { bytes.removeLast() }
    }
    guard bytes.count == 5, bytes.prefix(3).map({ $0 | 0x20 }).elementsEqual("sep".utf8), bytes[3] == UInt8(ascii: "=")
    else { return nil }
    guard let delimiter = CSVDelimiter(rawValue: bytes[4]) else { throw CSVDelimiterProblem(sign: bytes[4]) }
    return delimiter
  }
}

/// That a file states a delimiter of its fields that is not read.
package struct CSVDelimiterProblem: Error, Hashable, Sendable, CustomStringConvertible {
  let sign: UInt8

  /// What is wrong, in a line without its place.
  package var description: String {
    "fields divided by '\(String(decoding: [sign], as: UTF8.self).visible)': expected a comma, a semicolon or a tab"
  }
}

/// Why a line is no row.
package enum CSVRowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The quotes of a field are not closed on its line. Fields that span lines are not supported.
  case openQuote(column: Int)
  /// Something follows the closing quote of a field.
  case textAfterQuote(column: Int)
  /// The row has another number of columns than the header.
  case columnCount(expected: Int, found: Int)

  /// What is wrong; columns are counted from 1.
  package var description: String {
    switch self {
    case .openQuote(let column): "column \(column): expected a closing quote on the same line"
    case .textAfterQuote(let column): "column \(column): expected a delimiter after the closing quote"
    case .columnCount(let expected, let found):
      "expected \(expected) column\(expected == 1 ? "" : "s"), found \(found)"
    }
  }
}

/// The fields of one line, found without a copy; the same value is used for row after row.
///
/// A field may stand in quotes with doubled quotes in it (RFC 4180), on one line. Spaces around a field are dropped,
/// tabs too unless they are the delimiter. The line has to be given to every accessor again, as the row keeps none of it.
/// - Complexity: O(n) a line; nothing is allocated once the row has seen its widest line.
package struct CSVRow: Sendable {
  /// Where a field stands.
  struct Field {
    var start: Int
    var end: Int
    /// Whether there are doubled quotes inside.
    var isEscaped: Bool
  }

  /// What stands between two fields.
  package let delimiter: CSVDelimiter
  /// Whether a comma may stand before the decimals of a number.
  package var allowsDecimalComma: Bool
  var fields: [Field] = []
  /// What is wanted of each column, and the same as codes for a row that has room for them; see ``readNumbers(_:)``.
  package var uses: [Use] = []
  var codes: InlineArray<64, UInt8> = .init(repeating: 0)
  var codeCount = 0
  /// The numbers of the line that ``readNumbers(_:)`` read, by their slots; not a number where there is none.
  package var numbers: InlineArray<30, Double> = .init(repeating: .nan)
  /// The time of that line, where it is a plain number, and where it begins.
  package var plainTime: PlainDecimal?
  var plainTimeStart = 0

  /// Creates a row without fields.
  package init(delimiter: CSVDelimiter) {
    self.delimiter = delimiter
    allowsDecimalComma = delimiter == .semicolon
    fields.reserveCapacity(32)
  }

  /// The number of fields; an empty line has one, which is empty.
  package var count: Int { fields.count }

  /// Where the field stands in the line, without quotes and spaces around it.
  ///
  /// - Precondition: `index` is in 0..<count.
  @inline(__always)
  package func range(of index: Int) -> Range<Int> { fields[index].start..<fields[index].end }

  /// Whether the field has doubled quotes in it, so that its text differs from its bytes.
  package func isEscaped(_ index: Int) -> Bool { fields[index].isEscaped }

  /// Finds the fields of the next line.
  ///
  /// - Throws: `CSVRowError` when quotes are wrong; the row then has the fields before.
  package mutating func split(_ line: Span<UInt8>) throws(CSVRowError) {
    fields.removeAll(keepingCapacity: true)
    if line.firstIndex(of: UInt8(ascii: "\""), from: 0) == nil {
      splitPlain(line)
    } else {
      try splitQuoted(line)
    }
  }

  /// Begins a row of `count` empty fields, whose places are set one by one.
  package mutating func begin(count: Int) {
    fields.removeAll(keepingCapacity: true)
    fields.append(contentsOf: repeatElement(Field(start: 0, end: 0, isEscaped: false), count: count))
  }

  /// Sets where a field of the row stands.
  package mutating func place(_ index: Int, at range: Range<Int>) {
    fields[index] = Field(start: range.lowerBound, end: range.upperBound, isEscaped: false)
  }

  /// Checks the number of fields.
  ///
  /// - Throws: `CSVRowError.columnCount` when it is another.
  package func require(columns expected: Int) throws(CSVRowError) {
    guard count == expected else { throw .columnCount(expected: expected, found: count) }
  }

  /// Drops the last fields while there are more than `count` and they are empty, as of a row that ends with delimiters.
  package mutating func dropEmptyEnd(after count: Int) {
    while fields.count > count, let last = fields.last, last.start == last.end { fields.removeLast() }
  }

  private mutating func splitPlain(_ line: Span<UInt8>) {
    let delimiter = delimiter.rawValue
    let pattern = UInt64(delimiter) &* 0x0101_0101_0101_0101
    let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let end = line.count
    var start = 0
    var index = 0
    while index &+ 8 <= end {
      // Eight bytes at once: the top bit of every byte that equals the delimiter.
      let word = unsafe UInt64(littleEndian: line.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let difference = word ^ pattern
      var hits = ~(((difference & lowBits) &+ lowBits) | difference | lowBits)
      while hits != 0 {
        let hit = index &+ hits.trailingZeroBitCount &>> 3
        appendTrimmed(line, start, hit)
        start = hit &+ 1
        hits &= hits &- 1
      }
      index &+= 8
    }
    while index < end {
      if unsafe line[unchecked: index] == delimiter {
        appendTrimmed(line, start, index)
        start = index &+ 1
      }
      index &+= 1
    }
    appendTrimmed(line, start, end)
  }

  private mutating func splitQuoted(_ line: Span<UInt8>) throws(CSVRowError) {
    let quote = UInt8(ascii: "\"")
    var index = 0
    while true {
      while index < line.count, isSpace(line[index]) { index += 1 }
      guard index < line.count, line[index] == quote else {
        let start = index
        while index < line.count, line[index] != delimiter.rawValue { index += 1 }
        appendTrimmed(line, start, index)
        guard index < line.count else { return }
        index += 1
        continue
      }
      index += 1
      var field = Field(start: index, end: index, isEscaped: false)
      while true {
        guard index < line.count else { throw .openQuote(column: count + 1) }
        if line[index] == quote {
          guard index + 1 < line.count, line[index + 1] == quote else { break }
          field.isEscaped = true
          index += 1
        }
        index += 1
      }
      field.end = index
      index += 1
      while index < line.count, isSpace(line[index]) { index += 1 }
      guard index == line.count || line[index] == delimiter.rawValue else {
        throw .textAfterQuote(column: count + 1)
      }
      fields.append(field)
      guard index < line.count else { return }
      index += 1
    }
  }

  private mutating func appendTrimmed(_ line: Span<UInt8>, _ start: Int, _ end: Int) {
    fields.append(Self.trimmed(line, start, end, delimiter))
  }

  /// The place of a field without the spaces around it.
  @inline(__always)
  static func trimmed(_ line: Span<UInt8>, _ start: Int, _ end: Int, _ delimiter: CSVDelimiter) -> Field {
    var field = Field(start: start, end: end, isEscaped: false)
    while field.start < field.end, isSpace(line[field.start], delimiter: delimiter) { field.start += 1 }
    while field.end > field.start, isSpace(line[field.end - 1], delimiter: delimiter) { field.end -= 1 }
    return field
  }

  private func isSpace(_ byte: UInt8) -> Bool { Self.isSpace(byte, delimiter: delimiter) }

  @inline(__always)
  static func isSpace(_ byte: UInt8, delimiter: CSVDelimiter) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") && delimiter != .tab
  }
}
