internal import ZoneEngine

/// The times of the rows with a reading: from which one the others count, whether they are in order, and what is at their ends.
struct CSVRowTimes: Sendable {
  /// How far a row may be from the first, in nanoseconds: 100 years, so that no span of a file overflows.
  private static let longestSpan: UInt64 = 100 * 31_557_600 * 1_000_000_000

  /// From which time the others count, on the clock of the file: that of the first row, or 0.
  private(set) var first: Int64 = 0
  /// The earliest time, on the clock of the file.
  private(set) var earliest: Int64 = 0
  /// The latest time, on the clock of the file.
  private(set) var newest = Int64.min
  /// How many rows were taken.
  private(set) var count = 0
  /// Whether no row was earlier than one before.
  private(set) var isOrdered = true
  /// The time of the last row, from the first.
  private(set) var lastSpan: Int64 = 0
  /// What is at the ends of rows in order.
  private var strays = StrayTimes()
  /// The first time that is too far from the first row, and how many are.
  private var otherCentury: (time: Int64, rows: Int)?

  /// Whether no row was taken.
  var isEmpty: Bool { count == 0 }

  /// Takes the time of a row after several others that is not earlier than any of them.
  ///
  /// - Returns: the time from the first row; `nil` of any other row, and of one more than so many, of which nothing is taken.
  @inline(__always)
  mutating func admitInOrder(_ time: Int64, ofAtMost largestCount: Int) -> Int64? {
    let (span, overflow) = time.subtractingReportingOverflow(first)
    // The first rows decide more than the others.
    guard count >= StrayTimes.fewest, time >= newest, count < largestCount, !overflow,
      span.magnitude <= Self.longestSpan
    else { return nil }
    count &+= 1
    newest = time
    strays.admit(time)
    lastSpan = span
    return span
  }

  /// The times of rows from the first one, as ``admitInOrder(_:ofAtMost:)`` would take them, where they do not take so long that a
  /// silence between them could be no part of a workout; `nil` of others.
  ///
  /// - Parameters:
  ///   - written: the times as they are written, at least one.
  ///   - first: the first of them on the clock of the file.
  ///   - largestCount: how many rows there may be in all.
  func steadyTimes(_ written: Span<Int64>, firstAt first: Int64, ofAtMost largestCount: Int) -> [SessionTime]? {
    let longest = LongSilence.longest.nanoseconds
    let (span, isFar) = first.subtractingReportingOverflow(self.first)
    let (silence, isLong) = first.subtractingReportingOverflow(newest)
    guard count >= StrayTimes.fewest, count + written.count <= largestCount, !isFar, !isLong, 0...longest ~= silence
    else { return nil }
    let origin = written[0]
    var times: [SessionTime] = []
    times.reserveCapacity(written.count)
    var previous = origin
    for index in written.indices {
      let time = written[index]
      guard time >= previous else { return nil }
      times.append(SessionTime(nanoseconds: span &+ (time &- origin)))
      previous = time
    }
    // No silence within is longer than all of them together.
    let whole = previous.subtractingReportingOverflow(origin)
    guard !whole.overflow, whole.partialValue <= longest, span.magnitude <= Self.longestSpan,
      (span &+ whole.partialValue).magnitude <= Self.longestSpan
    else { return nil }
    return times
  }

  /// Takes such times.
  mutating func admit(steady times: Span<SessionTime>) {
    strays.admit(steady: times, from: first)
    count += times.count
    lastSpan = times[times.count - 1].nanoseconds
    newest = first + lastSpan
  }

  /// The time of a row from the first one, or from 0; `nil` of one of another century, which is counted.
  @inline(__always)
  mutating func span(to time: Int64, fromZero: Bool) -> Int64? {
    let (span, overflow) = time.subtractingReportingOverflow(isEmpty && !fromZero ? time : first)
    guard !overflow, span.magnitude <= Self.longestSpan else {
      if otherCentury == nil { otherCentury = (time, 0) }
      otherCentury?.rows += 1
      return nil
    }
    return span
  }

  /// Takes the time of a row, which is so far from the first.
  @inline(__always)
  mutating func admit(_ time: Int64, span: Int64) {
    if isEmpty { (first, earliest) = (time - span, time) }
    count += 1
    if time < newest { isOrdered = false }
    if isOrdered { strays.admit(time) }
    newest = max(newest, time)
    earliest = min(earliest, time)
    lastSpan = span
  }

  /// The times that are kept where the first rows are of another century than the others; `nil` where they are not.
  var otherCenturySpan: ClosedRange<Int64>? {
    guard let (time, others) = otherCentury, count < StrayTimes.fewest, others >= StrayTimes.fewest else { return nil }
    let longest = Int64(Self.longestSpan)
    let (from, until) = (time.subtractingReportingOverflow(longest), time.addingReportingOverflow(longest))
    return (from.overflow ? .min : from.partialValue)...(until.overflow ? .max : until.partialValue)
  }

  /// The times that are kept where a few at the ends of rows in order are stray; `nil` where none is.
  var spanWithoutStrays: ClosedRange<Int64>? { isOrdered ? strays.kept() : nil }
}
