internal import TextFormats

/// When the times since a start of a table began, by the clock that stands beside them in its first rows: `time,seconds_elapsed,bpm`.
///
/// The times stay those since the start, because they are exact; the clock says only from when they count.
struct CSVClockStart: Sendable {
  /// How many rows are looked at.
  private static let rows = 15
  /// How far the first row may be from the middle of those that are looked at to be believed, in nanoseconds.
  private static let believed: Int64 = 1_000_000_000
  /// 1990-01-01: a clock before that was never set.
  private static let earliest: Int64 = 631_152_000_000_000_000

  /// Nanoseconds since the Unix epoch at the zero of the times.
  let origin: Int64
  /// How far the clock is ahead of UTC, where it says so and it is not UTC itself.
  let utcOffsetSeconds: Int?

  /// What the first rows of a text show, from an index on; `nil` where no clock stands beside times since the start, where it states
  /// no date, and where rows belong to people or trials, each of which has a start of its own.
  init?(_ columns: CSVColumns, _ delimiter: CSVDelimiter, _ text: Span<UInt8>, from start: Int) {
    guard let time = columns.time, case .relativeSeconds(let index) = time, let clock = columns.clock,
      columns.personColumn == nil, columns.columns[.trial] == nil
    else { return nil }
    // How the clock is written is asked of the same table without the times since the start.
    var names = columns.names
    names[index] = ""
    let others = CSVColumns(names, layout: .other, without: Set(columns.rivals?.leftOut ?? []))
    guard others.time == clock else { return nil }
    let style = CSVStyle(others, delimiter: delimiter, text, from: start)
    var seconds = CSVRowTime(time, prefersTimeOfDay: false, style: style, origin: nil)
    var day = CSVRowTime(clock, prefersTimeOfDay: false, style: style, origin: nil)
    var row = CSVRow(delimiter: delimiter)
    row.allowsDecimalComma = style.allowsDecimalComma
    var origins: [Int64] = []
    var left = Self.rows
    LineSplitter.forEachLine(ofWhole: text.extracting(start..<text.count), maximumLineBytes: .max) { line, place in
      guard left > 0, place.isTerminated, !line.isEmpty, (try? row.split(line)) != nil else { return }
      left -= 1
      row.dropEmptyEnd(after: names.count)
      guard row.count == names.count, let passed = seconds.read(row, in: line), let now = day.read(row, in: line),
        day.clock == .wall, now >= Self.earliest
      else { return }
      let (origin, overflow) = now.subtractingReportingOverflow(passed)
      if !overflow { origins.append(origin) }
    }
    guard let first = origins.first else { return nil }
    let middle = origins.sorted()[origins.count / 2]
    let (difference, overflow) = first.subtractingReportingOverflow(middle)
    origin = !overflow && difference.magnitude <= Self.believed ? first : middle
    utcOffsetSeconds = day.utcOffsetSeconds
  }
}
