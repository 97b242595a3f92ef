package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// How well a stream was sampled.
package struct StreamQuality: Sendable {
  /// The most gaps whose places are kept, the first ones.
  package static let largestGapCount = 100
  /// How many rows are remembered to know a row that is there twice.
  private static let remembered = 64

  /// What is asked of a stream.
  package struct Expectation: Hashable, Sendable {
    /// Rows a second, where somebody said.
    package let rateHz: Double?
    /// The longest interval that is no gap; absent for 15 s, or 1 s for motion.
    package let gap: SessionTime?

    /// Creates an expectation.
    package init(rateHz: Double?, gap: SessionTime?) {
      self.rateHz = rateHz
      self.gap = gap
    }
  }

  /// A span without a row, longer than the threshold.
  package struct Gap: Hashable, Sendable {
    /// The row before it.
    package let from: SessionTime
    /// The row after it.
    package let until: SessionTime
  }

  /// The stream.
  package let stream: SampleStream
  /// The file; absent where a file holds several streams.
  package let file: String?
  /// Rows a second that were asked for.
  package let askedRateHz: Double?
  /// The longest interval that is no gap.
  package let gapThreshold: SessionTime
  /// Rows with a value, those that are there twice included.
  package private(set) var rows = 0
  /// The columns, and in how many rows nothing stood in them.
  package private(set) var missing: [(column: String, count: Int)]
  /// Rows equal to one of the last 64, times included.
  package private(set) var duplicates = 0
  /// Rows earlier than one before.
  package private(set) var outOfOrder = 0
  /// Rows that cannot be read.
  package internal(set) var unreadableRows = 0
  /// Rows of a log of our own without a place in the session: they were kept and decided nothing.
  package internal(set) var unplacedRows = 0
  /// Lines without an end.
  package internal(set) var tornLines = 0
  /// The first gaps, in order.
  package private(set) var gaps: [Gap] = []
  /// How many gaps there were.
  package private(set) var gapCount = 0
  /// How long they were together.
  package private(set) var gapTime = SessionTime.zero
  /// The longest one.
  package private(set) var longestGap = SessionTime.zero
  /// The intervals from row to row that are no gaps.
  package private(set) var intervals = IntervalStatistics()

  private var first: SessionTime?
  private var newest = SessionTime.zero
  private var isBroken = false
  private var recent: [RowIdentity] = []
  private var next = 0

  /// What makes two rows the same one.
  struct RowIdentity: Hashable {
    let time: SessionTime
    let content: UInt64
  }

  init(_ stream: SampleStream, file: String?, columns: [String], _ expectation: Expectation) {
    self.stream = stream
    self.file = file
    askedRateHz = expectation.rateHz
    gapThreshold = expectation.gap ?? (stream == .motion ? .seconds(1) : CoachingEngine.holdLimit)
    missing = columns.map { ($0, 0) }
  }

  /// The rows that there would be without a gap, at the rate that was asked for or else at the median interval; `nil`
  /// with fewer than two rows.
  package var expectedRows: Int? {
    guard let first, rows > 1, newest > first else { return nil }
    let interval = askedRateHz.map { 1 / $0 } ?? medianInterval?.seconds ?? 0
    let count = (newest - first).seconds / interval
    return interval > 0 && count < 1e15 ? Int(count.rounded()) + 1 : nil
  }

  /// The interval that half of all do not exceed.
  package var medianInterval: SessionTime? { intervals.quantile(0.5) }

  /// Rows a second, by the median interval.
  package var rateHz: Double? { medianInterval.flatMap { $0 > .zero ? 1 / $0.seconds : nil } }

  /// Takes note of a row in which nothing stands in some columns.
  mutating func admitMissing(_ columns: [Bool]) {
    for (index, isMissing) in columns.enumerated() where isMissing { missing[index].count += 1 }
  }

  /// Takes a row with a value.
  mutating func admit(_ row: RowIdentity) {
    rows += 1
    guard let first else {
      self.first = row.time
      newest = row.time
      remember(row)
      return
    }
    if row.time <= newest, recent.contains(row) {
      duplicates += 1
      return
    }
    remember(row)
    guard row.time >= newest else {
      outOfOrder += 1
      self.first = min(first, row.time)
      return
    }
    defer {
      newest = row.time
      isBroken = false
    }
    guard !isBroken else { return }
    let interval = row.time - newest
    guard interval > gapThreshold else { return intervals.admit(interval) }
    gapCount += 1
    gapTime += interval
    longestGap = max(longestGap, interval)
    if gaps.count < Self.largestGapCount { gaps.append(Gap(from: newest, until: row.time)) }
  }

  /// Notes a stated pause: the time over it is no interval.
  mutating func pause() { isBroken = true }

  private mutating func remember(_ row: RowIdentity) {
    if recent.count < Self.remembered {
      recent.append(row)
    } else {
      recent[next] = row
      next = (next + 1) % Self.remembered
    }
  }

  /// Writes the record of the stream as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "quality")
      writer.member("stream", stream.name)
      writer.member("file", file)
      writer.member("rows", rows)
      writer.member("expectedRows", expectedRows)
      writer.member("askedRateHz", askedRateHz)
      writer.member("rateHz", rateHz)
      writer.member("medianIntervalSeconds", secondsFromNanoseconds: medianInterval?.nanoseconds)
      writer.member("intervalStandardDeviationSeconds", intervals.standardDeviationSeconds)
      writer.member("intervalP95Seconds", secondsFromNanoseconds: intervals.quantile(0.95)?.nanoseconds)
      writer.object("missing") { for (column, count) in missing { $0.member(JSONKey(column), count) } }
      writer.member("duplicates", duplicates)
      writer.member("outOfOrder", outOfOrder)
      writer.member("unreadableRows", unreadableRows)
      writer.member("unplacedRows", unplacedRows)
      writer.member("tornLines", tornLines)
      writer.member("gapThresholdSeconds", secondsFromNanoseconds: gapThreshold.nanoseconds)
      writer.member("gapCount", gapCount)
      writer.member("gapSeconds", secondsFromNanoseconds: gapTime.nanoseconds)
      writer.member("longestGapSeconds", secondsFromNanoseconds: gapCount > 0 ? longestGap.nanoseconds : nil)
      writer.array("gaps") { writer in
        for gap in gaps {
          writer.object { writer in
            writer.member("fromSeconds", secondsFromNanoseconds: gap.from.nanoseconds)
            writer.member("untilSeconds", secondsFromNanoseconds: gap.until.nanoseconds)
          }
        }
      }
    }
  }
}
