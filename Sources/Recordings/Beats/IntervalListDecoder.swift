internal import TextFormats

/// Reads a plain list of intervals between beats: one a line, in milliseconds or in seconds.
///
/// A file is one when the lines at its beginning are single numbers, but for lines with `#`, a first line that names the
/// intervals (`rr`, `RR-interval [ms]`, `ibi`, `nn`) and one in ten that is damaged, there are at least two, and their median is
/// 200 to 3,000 (milliseconds) or 0.2 to 3 (seconds). A first line of words that names something else is the header of a
/// table. So a list of heart rates is none. The clock begins with the first interval: the list says nothing of the day.
struct IntervalListDecoder: RecordingDecoder {
  /// What the numbers are.
  enum Unit: Hashable, Sendable {
    case milliseconds, seconds

    /// Milliseconds of one.
    fileprivate var milliseconds: Double { self == .milliseconds ? 1 : 1_000 }
  }

  private let unit: Unit
  private let budget: ReadingBudget
  private var splitter = LineSplitter.ofShortLines
  private var clock = IntervalClock()
  private var count = 0

  /// Creates a decoder at the beginning of a list.
  init(unit: Unit, budget: ReadingBudget) { (self.unit, self.budget) = (unit, budget) }

  /// The unit of a list that begins with these bytes; `nil` for what is none.
  static func unit(beginning bytes: Span<UInt8>) -> Unit? {
    var splitter = LineSplitter.ofShortLines
    var values: [Double] = []
    var isList = true
    var others = 0
    let isCut = bytes.count >= RecordingFormat.beginningBytes
    let take = { (line: Span<UInt8>, number: Int) throws(DecodingProblem) in
      switch Line(line) {
      case .empty: break
      case .number(let value): values.append(value)
      case .words(let words):
        // Words above the list name it; a number that is damaged does not.
        if number == 1, Self.namesIntervals(words) { break }
        if number == 1, words.count(where: \.isNumber) <= words.count(where: \.isLetter) { isList = false }
        others += 1
      }
    }
    try? splitter.split(bytes, take)
    // The last line of a piece may go on.
    if !isCut { try? splitter.split(nil, take) }
    // A few lines may be damaged.
    guard isList, values.count > 1, others * 10 <= values.count + 9 else { return nil }
    let median = values.sorted()[values.count / 2]
    if (200...3_000).contains(median) { return .milliseconds }
    return (0.2...3).contains(median) ? .seconds : nil
  }

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    try take(bytes, sink)
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    try take(nil, sink)
    guard count > 0 else { throw DecodingProblem(position: "byte 0", problem: "expected intervals between beats") }
    sink(.point(RecordedPoint(time: clock.time)))
  }

  private mutating func take(_ bytes: Span<UInt8>?, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var (splitter, clock, count) = (splitter, clock, count)
    defer { (self.splitter, self.clock, self.count) = (splitter, clock, count) }
    let (unit, limit) = (unit, budget.points)
    try splitter.split(bytes) { (line, number) throws(DecodingProblem) in
      switch Line(line) {
      case .empty: return
      case .words(let words):
        guard number > 1 || !Self.namesIntervals(words) else { return }
        sink(.warning(.unreadableRow, position: "line \(number)", detail: nil))
      case .number(let value):
        let milliseconds = value * unit.milliseconds
        guard IntervalClock.readable.contains(milliseconds) else {
          return sink(.warning(.unreadableValue, position: "line \(number)", detail: nil))
        }
        if count == 0 {
          sink(.clock(.relative))
          sink(.activity(sport: nil))
          sink(.point(RecordedPoint(time: 0)))
        }
        count += 1
        guard count <= limit else { throw DecodingProblem.exceeds(limit, "intervals", at: "line \(number)") }
        sink(.interval(milliseconds: milliseconds, at: clock.end(of: milliseconds)))
      }
    }
  }

  /// Whether the words of a first line say that intervals follow.
  private static func namesIntervals(_ words: String) -> Bool {
    let name = words.lowercased().filter { $0.isLetter || $0.isNumber }
    return name.count <= 40 && ["rr", "ibi", "nn", "interval"].contains { name.contains($0) }
      && !words.contains { $0 == "," || $0 == ";" || $0 == "\t" || $0 == "{" || $0 == "<" }
  }

  /// What stands in a line.
  private enum Line {
    case empty
    case number(Double)
    case words(String)

    init(_ bytes: Span<UInt8>) {
      var (first, end) = (0, bytes.count)
      while first < end, Self.isSpace(bytes[first]) { first += 1 }
      while end > first, Self.isSpace(bytes[end - 1]) { end -= 1 }
      guard first < end, bytes[first] != UInt8(ascii: "#") else {
        self = .empty
        return
      }
      let text = bytes.extracting(first..<end)
      for separator in [UInt8(ascii: "."), UInt8(ascii: ",")] {
        // With a comma, a number has one whole digit: `0,812`. Others would be two columns.
        if separator == UInt8(ascii: ","), text.count < 3 || text[1] != separator { continue }
        guard let number = DecimalText.double(from: text, separator: separator), number.isFinite else { continue }
        self = .number(number)
        return
      }
      self = .words(String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
  }
}
