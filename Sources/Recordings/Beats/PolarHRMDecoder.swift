internal import TextFormats

/// Reads Polar's HRM text: heart rates at an interval, or, where that is 238, the intervals between beats in milliseconds.
///
/// - `[Params]` has the date, the time of day, and which columns stand beside a heart rate (`SMode`); of those the speed is read.
/// - The time of day is that of the place, which the file does not name: it is taken for UTC, as in a CSV.
/// - A heart rate of 0 is no reading and is kept as such.
///
/// Source: Polar Electro, *Polar HRM files*, the description of the format by its maker.
struct PolarHRMDecoder: RecordingDecoder {
  /// The value of `Interval` that says that `[HRData]` are intervals between beats.
  private static let betweenBeats = 238
  /// The intervals that heart rates are stored at, in seconds.
  private static let storedSeconds = 1...3_600

  private let budget: ReadingBudget
  private var splitter = LineSplitter.ofShortLines
  private var reading = Reading()

  /// Creates a decoder at the beginning of a text.
  init(budget: ReadingBudget) { self.budget = budget }

  /// Whether a text begins like such a file.
  static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
    let word = Array("[Params]".utf8)
    var start = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    while start < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start]) { start += 1 }
    return bytes.count >= start + word.count && word.indices.allSatisfy { bytes[start + $0] == word[$0] }
  }

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    try take(bytes, sink)
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    try take(nil, sink)
    guard reading.hasBegun else {
      throw DecodingProblem(
        position: "line \(reading.lines)", problem: "expected [HRData] with heart rates or intervals")
    }
    if reading.isOfBeats { sink(.point(RecordedPoint(time: reading.origin + reading.clock.time))) }
  }

  private mutating func take(_ bytes: Span<UInt8>?, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var (splitter, reading) = (splitter, reading)
    defer { (self.splitter, self.reading) = (splitter, reading) }
    let limit = budget.points
    try splitter.split(bytes) { (line, number) throws(DecodingProblem) in
      reading.lines = number
      try reading.take(String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self), limit, sink)
    }
  }

  /// What was read so far.
  private struct Reading: Sendable {
    var lines = 0
    var clock = IntervalClock()
    var origin: Int64 = 0
    private(set) var hasBegun = false
    private var section = ""
    private var parameters: [String: String] = [:]
    private var count = 0

    var isOfBeats: Bool { interval == betweenBeats }
    private var interval: Int? { parameters["interval"].flatMap { Int($0) } }

    mutating func take(_ line: String, _ limit: Int, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\u{FEFF}" })
      guard let first = words.first else { return }
      if first.hasPrefix("[") {
        section = first.lowercased()
      } else if section == "[params]", let equals = line.firstIndex(of: "="), parameters.count < 100 {
        let value = line[line.index(after: equals)...].filter { $0 != "\r" && $0 != " " }
        parameters[line[..<equals].lowercased().filter { $0 != " " }] = value
      } else if section == "[hrdata]" {
        if !hasBegun { try begin(sink) }
        count += 1
        guard count <= limit else { throw DecodingProblem.exceeds(limit, "points", at: "line \(lines)") }
        isOfBeats ? takeInterval(first, sink) : takeHeartRate(words, sink)
      }
    }

    private mutating func begin(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
      guard let interval, isOfBeats || storedSeconds.contains(interval) else {
        throw DecodingProblem(
          position: "line \(lines)",
          problem: "expected an Interval of 1 to 3600 seconds, or 238 for intervals between beats")
      }
      hasBegun = true
      if let start = start {
        origin = start
        sink(.clock(.wall))
      } else {
        sink(.clock(.relative))
        sink(.warning(.clockNeverSet, position: "line \(lines)", detail: nil))
      }
      sink(.activity(sport: nil))
      if let monitor = parameters["monitor"], !monitor.isEmpty { sink(.device("Polar monitor \(monitor)")) }
      if isOfBeats { sink(.point(RecordedPoint(time: origin))) }
      let unread = [1: "cadence", 2: "altitude", 3: "power"].filter { has($0.key) }.sorted { $0.key < $1.key }
      if !isOfBeats, !unread.isEmpty {
        sink(
          .warning(
            .unknownColumns, position: "line \(lines)", detail: unread.map(\.value).joined(separator: ", ")))
      }
    }

    /// When it began; `nil` where the date or the time is none.
    private var start: Int64? {
      guard let date = parameters["date"], date.count == 8, date.allSatisfy(\.isNumber),
        let time = parameters["starttime"]
      else { return nil }
      let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
      let hour =
        time.firstIndex(of: ":") == time.index(time.startIndex, offsetBy: 1, limitedBy: time.endIndex) ? "0" : ""
      return WallClockTimeText(iso8601: "\(day)T\(hour)\(time)Z")?.time.nanoseconds
    }

    /// Whether a value of `SMode` is set; older files, without it, have none.
    private func has(_ place: Int) -> Bool {
      guard let mode = parameters["smode"] else { return false }
      return mode.dropFirst(place).first == "1"
    }

    private mutating func takeInterval(_ word: Substring, _ sink: (DecodedItem) -> Void) {
      guard let milliseconds = Self.number(word), IntervalClock.readable.contains(milliseconds) else {
        return sink(.warning(.unreadableRow, position: "line \(lines)", detail: nil))
      }
      sink(.interval(milliseconds: milliseconds, at: origin + clock.end(of: milliseconds)))
    }

    private mutating func takeHeartRate(_ words: [Substring], _ sink: (DecodedItem) -> Void) {
      guard let rate = Self.number(words[0]), rate >= 0, let interval else {
        return sink(.warning(.unreadableRow, position: "line \(lines)", detail: nil))
      }
      var point = RecordedPoint(time: origin + Int64(count - 1) * Int64(interval) * 1_000_000_000)
      point.heartRate = rate
      if has(0), words.count > 1, let tenths = Self.number(words[1]), tenths >= 0 {
        // Tenths of a kilometre or mile an hour.
        point.speed = has(7) ? tenths / 10 * 1_609.344 / 3_600 : tenths / 36
      }
      sink(.point(point))
    }

    private static func number(_ word: Substring) -> Double? {
      DecimalText.double(from: word.utf8.span)
    }
  }
}
