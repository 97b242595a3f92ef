internal import TextFormats

/// The beginning of a text of lines, which is looked at before the text is read, for what its header does not state: how lines end,
/// how numbers and times are written, the units of motion, and which of several columns that hold the same is read.
struct CSVBeginning: Sendable {
  /// How many bytes of a text are looked at before it is read.
  static let longest = CSVLineEnds.longest

  /// How the rows are written; `nil` where there is no header that can be split.
  private(set) var style: CSVStyle?
  /// The units of motion that the header and the rows after it show; `nil` as before.
  private(set) var motionUnits: CSVMotionUnits?
  /// The columns beside which others hold the same, with more values or before them.
  private(set) var leftOut: Set<Int> = []
  /// Whether the row below the names of columns has their units.
  private(set) var hasUnits = false
  /// Whether carriage returns alone end the lines, as on old Macs.
  private(set) var hasReturnsOnly = false

  /// The header, `nil` where it cannot be split, and where the rows begin.
  private typealias Header = (header: CSVHeader?, end: Int)

  /// Whether more than these bytes has to be looked at: they have no header yet, or one that leaves something open that rows may
  /// answer. Nothing is waited for that decides nothing, since the sender of a pipe may want to be refused first.
  static func needsMore(than text: Span<UInt8>) -> Bool {
    guard text.count < longest else { return false }
    guard let found = header(of: text) else { return true }
    guard let header = found.header else { return false }
    if header.isOfUse {
      guard let line = nextLine(of: text, from: found.end) else { return true }
      // Units below the names may say of two columns that they hold the same.
      let isOfUnits = header.isOfUnits(text.extracting(line))
      let named = isOfUnits ? Self.header(of: text, hasUnits: true)?.header : nil
      if (named ?? header).columns.rivals != nil { return true }
    }
    return header.columns.hasMeasuredMotion
      || CSVStyle.needsMore(header.columns, header.delimiter, text, from: found.end)
  }

  /// What a text shows. Bytes beyond ``longest`` change nothing.
  init(_ text: Span<UInt8>) {
    let piece = text.extracting(first: min(text.count, Self.longest))
    let hasReturnsOnly = CSVLineEnds.areReturns(piece)
    self.hasReturnsOnly = hasReturnsOnly
    let isWhole = text.count < Self.longest
    if hasReturnsOnly {
      look(atBytes: CSVLineEnds.withLineFeeds(piece), isWhole: isWhole)
    } else {
      look(at: piece, isWhole: isWhole)
    }
  }

  private mutating func look(atBytes bytes: [UInt8], isWhole: Bool) { look(at: bytes.span, isWhole: isWhole) }

  private mutating func look(at text: Span<UInt8>, isWhole: Bool) {
    guard var found = Self.header(of: text), var header = found.header else { return }
    // What is refused by its names is refused before the line below them, which has to make no difference then.
    if header.isOfUse, let line = Self.nextLine(of: text, from: found.end), header.isOfUnits(text.extracting(line)),
      let whole = Self.header(of: text, hasUnits: true), let named = whole.header
    {
      (found, header, hasUnits) = (whole, named, true)
    }
    if let rivals = header.columns.rivals {
      leftOut = rivals.worse(of: header.columns, header.delimiter, text, from: found.end, isWhole: isWhole)
    }
    let columns = header.columns.without(leftOut)
    let style = CSVStyle(columns, delimiter: header.delimiter, text, from: found.end)
    self.style = style
    motionUnits = CSVMotionUnits(
      columns, delimiter: header.delimiter, rows: text.extracting(found.end..<text.count), style: style,
      isWhole: isWhole)
  }

  /// The header; `nil` when there is no whole one.
  private static func header(of text: Span<UInt8>, hasUnits: Bool = false) -> Header? {
    var reader = CSVHeaderReader(hasUnits: hasUnits)
    let hasMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    var start = hasMark ? 3 : 0
    while let line = line(of: text, from: start) {
      start = line.next
      do throws(CSVHeaderProblem) {
        if let header = try reader.take(text.extracting(line.range), nil) { return (header, start) }
      } catch {
        return (nil, start)
      }
    }
    return nil
  }

  /// Where the next whole line stands that is neither blank nor a comment; `nil` when there is none yet.
  private static func nextLine(of text: Span<UInt8>, from start: Int) -> Range<Int>? {
    var start = start
    while let line = line(of: text, from: start) {
      if !line.range.isEmpty, text[line.range.lowerBound] != UInt8(ascii: "#") { return line.range }
      start = line.next
    }
    return nil
  }

  /// Where a whole line stands, without its end, and where the next one begins.
  private static func line(of text: Span<UInt8>, from start: Int) -> (range: Range<Int>, next: Int)? {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n"), from: start) else { return nil }
    let isReturn = end > start && text[end - 1] == UInt8(ascii: "\r")
    return (start..<(isReturn ? end - 1 : end), end + 1)
  }
}
