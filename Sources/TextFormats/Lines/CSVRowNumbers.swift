extension CSVRow {
  /// What is wanted of a column.
  package enum Use: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// A number, or that there is none. One that may be written in groups of thousands is refused, by what could divide them.
    case number(slot: Int, refusing: DigitGroups = [])
    /// The place of its text, and the number where it is a plain one.
    case time
    /// The place of its text.
    case text
  }

  /// What may divide the thousands of a number where its decimals could stand as well, as in `1.234` and `1,234`.
  package struct DigitGroups: OptionSet, Hashable, Sendable {
    /// One bit for each.
    package let rawValue: UInt8
    /// Groups of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A point.
    package static let points = DigitGroups(rawValue: 1)
    /// A comma.
    package static let commas = DigitGroups(rawValue: 2)

    /// Whether a text is one to three digits of which the first is not 0, a point or comma, and three digits, so that it can be two
    /// numbers.
    package func matches(_ field: Span<UInt8>) -> Bool {
      guard !isEmpty, field.count >= 5 else { return false }
      let first = field[0] == UInt8(ascii: "-") || field[0] == UInt8(ascii: "+") ? 1 : 0
      let mark = field.count - 4
      guard (first + 1...first + 3).contains(mark), field[first] != UInt8(ascii: "0") else { return false }
      for index in first..<field.count where index != mark && field[index] &- 48 >= 10 { return false }
      return contains(.points) && field[mark] == UInt8(ascii: ".")
        || contains(.commas) && field[mark] == UInt8(ascii: ",")
    }
  }

  /// Values beyond this are damage; below it no sum of them can overflow.
  package static let largestMagnitude = 1e15
  /// Digits that make no larger number, wherever their point stands.
  private static let largestSignificand: UInt64 = 1_000_000_000_000_000

  /// Sets what is wanted of each column, so that ``readNumbers(_:)`` can be called.
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
      case .number(let slot, let groups):
        precondition(numbers.indices.contains(slot), "a number has a slot")
        codes[column] = (groups.contains(.points) ? Code.firstGrouped : Code.firstNumber) + UInt8(slot)
      }
    }
  }

  /// A use in one byte: numbers are known by their slots. Those whose points are looked at stand before the others, so that the
  /// others are read as fast.
  private enum Code {
    static let nothing: UInt8 = 0
    static let text: UInt8 = 1
    static let firstGrouped: UInt8 = 2
    static let time: UInt8 = 64
    static let firstNumber: UInt8 = 65

    static func slot(_ code: UInt8) -> Int { Int(code >= firstNumber ? code - firstNumber : code - firstGrouped) }
  }

  /// Reads what is wanted of a line in one go, where it is simple; see ``readNumbers(_:from:)``.
  ///
  /// - Returns: whether it was.
  package mutating func readNumbers(_ line: Span<UInt8>) -> Bool { readNumbers(line, from: 0) == line.count }

  /// Reads what is wanted of the row that begins at `start` in one go, where it is simple: with as many columns as are
  /// wanted, at most 64, without quotes, and with numbers or their absence where they are wanted. The row ends with a line
  /// feed, which a carriage return may precede, or with the text.
  ///
  /// - Returns: the index behind the row and its end. Then ``numbers``, ``plainTime`` and the texts are those of this row,
  ///   whose places count from the beginning of `text`. `nil` when the row is not simple and has to be split.
  /// - Precondition: `start` is in 0…count.
  /// - Complexity: O(n); nothing is allocated.
  package mutating func readNumbers(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard codeCount > 0 else { return nil }
    precondition(start >= 0 && start <= text.count, "a row begins inside of its text")
    if fields.count != codeCount { begin(count: codeCount) }
    let separator = delimiter.rawValue
    let lastRoomy = text.count &- EndedDecimal.room
    var (index, column) = (start, 0)
    while true {
      let code = unsafe codes[unchecked: column]
      column &+= 1
      if code >= Code.time, index <= lastRoomy, let number = EndedDecimal(text, from: index),
        number.stop == separator || number.stop == UInt8(ascii: "\n") || number.stop == UInt8(ascii: "\r")
      {
        if code == Code.time {
          plainTime = PlainDecimal(number)
          plainTimeStart = index
        } else {
          unsafe numbers[unchecked: Int(code &- Code.firstNumber)] = number.nearest
        }
        index = number.end
        guard column < codeCount else { return Self.indexAfterLineEnd(text, index) }
        guard number.stop == separator else { return nil }
      } else {
        guard let end = readAny(text, index, column &- 1, code) else { return nil }
        index = end
        guard column < codeCount else { return Self.indexAfterLineEnd(text, index) }
        // What ends a field is the delimiter, or the end of a row that is too short.
        guard index < text.count, unsafe text[unchecked: index] == separator else { return nil }
      }
      index &+= 1
    }
  }

  /// Reads a field of any kind; the index behind it, or `nil` when it is not simple.
  @inline(never)
  private mutating func readAny(_ text: Span<UInt8>, _ start: Int, _ column: Int, _ code: UInt8) -> Int? {
    guard code >= Code.firstGrouped, let plain = PlainDecimal(text, from: start, separator: UInt8(ascii: ".")),
      Self.mayEndField(text, plain.end, delimiter.rawValue),
      code == Code.time || plain.significand <= Self.largestSignificand
    else { return readOther(text, start, column, code) }
    if code == Code.time {
      plainTime = plain
      plainTimeStart = start
    } else {
      if code < Code.time, DigitGroups.points.matches(text.extracting(start..<plain.end)) { return nil }
      numbers[Code.slot(code)] = plain.nearest
    }
    return plain.end
  }

  /// Sets the place of the time among the fields, where it was plain and nobody needed it.
  package mutating func placePlainTime() {
    guard let plainTime, let column = uses.firstIndex(of: .time) else { return }
    place(column, at: plainTimeStart..<plainTime.end)
  }

  /// Reads a field that is no plain number; the index behind it, or `nil` when it is not simple.
  private mutating func readOther(_ text: Span<UInt8>, _ start: Int, _ column: Int, _ code: UInt8) -> Int? {
    let end = Self.fieldEnd(text, start, delimiter)
    if code >= Code.firstGrouped, code != Code.time {
      guard let number = oddNumber(text, start, end, column) else { return nil }
      numbers[Code.slot(code)] = number
      return end
    }
    if start < end, Self.mayBeginQuotes(text[start], delimiter) { return nil }
    if code == Code.nothing { return end }
    if start < end, Self.isSpace(text[end - 1], delimiter: delimiter) { return nil }
    if code == Code.time { plainTime = nil }
    fields[column] = Field(start: start, end: end, isEscaped: false)
    return end
  }

  /// Whether a field may end at `index`: with a delimiter, a line, or the text.
  @inline(__always)
  private static func mayEndField(_ text: Span<UInt8>, _ index: Int, _ separator: UInt8) -> Bool {
    guard index < text.count else { return true }
    let byte = text[index]
    return byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// The index behind the end of a line that stands at `index`; `nil` when none stands there.
  @inline(__always)
  private static func indexAfterLineEnd(_ text: Span<UInt8>, _ index: Int) -> Int? {
    guard index < text.count else { return index }
    let byte = unsafe text[unchecked: index]
    if byte == UInt8(ascii: "\n") { return index &+ 1 }
    guard byte == UInt8(ascii: "\r"), index &+ 1 < text.count, text[index &+ 1] == UInt8(ascii: "\n") else {
      return nil
    }
    return index &+ 2
  }

  /// The index of the delimiter or the end of the line behind a field.
  private static func fieldEnd(_ text: Span<UInt8>, _ start: Int, _ delimiter: CSVDelimiter) -> Int {
    let pattern = UInt64(delimiter.rawValue) &* 0x0101_0101_0101_0101
    let end = text.index(ofDelimiter: pattern, orLineFeedFrom: start)
    let hasReturn =
      end < text.count && text[end] == UInt8(ascii: "\n") && end > start && text[end &- 1] == UInt8(ascii: "\r")
    return hasReturn ? end &- 1 : end
  }

  /// The number of a field that is not plain, not a number where it is missing; `nil` where it is neither.
  private func oddNumber(_ line: Span<UInt8>, _ start: Int, _ end: Int, _ column: Int) -> Double? {
    if start == end { return .nan }
    let place = Self.trimmed(line, start, end, delimiter)
    let field = line.extracting(place.start..<place.end)
    if Self.isMissing(field) { return .nan }
    if case .number(_, let groups) = uses[column], groups.matches(field) { return nil }
    let value = DecimalText.double(from: field, separator: separator(of: field))
    return value.flatMap { $0.magnitude <= Self.largestMagnitude ? $0 : nil }
  }

  @inline(__always)
  private static func mayBeginQuotes(_ byte: UInt8, _ delimiter: CSVDelimiter) -> Bool {
    byte == UInt8(ascii: "\"") || isSpace(byte, delimiter: delimiter)
  }
}
