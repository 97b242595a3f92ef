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
  /// Rows a second that were asked for of this stream.
  package private(set) var askedRateHz: Double?
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

  /// When the session begins and ends, in which a stream with a rate is expected; `nil` before that is known.
  package private(set) var session: ClosedRange<SessionTime>?
  /// The earliest row; `nil` without any.
  package private(set) var first: SessionTime?
  /// The latest row.
  package private(set) var newest = SessionTime.zero
  private var isBroken = false
  /// The pauses, in order.
  private var pauses: [Range<SessionTime>]
  /// How long gaps in pauses were together.
  private var pausedTime = SessionTime.zero
  /// How many intervals from row to row are a pause as a whole.
  private var pausedCount = 0
  private var recent: [RowIdentity] = []
  private var next = 0

  /// What makes two rows the same one.
  struct RowIdentity: Hashable {
    let time: SessionTime
    let content: UInt64
  }

  init(
    _ stream: SampleStream, file: String?, columns: [String], _ expectation: Expectation,
    pauses: [Range<SessionTime>] = []
  ) {
    self.stream = stream
    self.file = file
    askedRateHz = expectation.rateHz
    gapThreshold = expectation.gap ?? (stream == .motion ? .seconds(1) : CoachingEngine.holdLimit)
    missing = columns.map { ($0, 0) }
    self.pauses = pauses
  }

  /// The rows that there would be without a gap, at the rate that was asked for or else at the median interval; `nil`
  /// with fewer than two rows.
  ///
  /// A stream with a rate is expected from the beginning of the session to its end, others from their first row to their last.
  /// Of a pause nothing is expected where nothing came.
  package var expectedRows: Int? {
    guard let first, rows > 1, newest > first else { return nil }
    let interval = askedRateHz.map { 1 / $0 } ?? medianInterval?.seconds ?? 0
    let time =
      newest - first - pausedTime + silence(from: session?.lowerBound, until: first)
      + silence(from: newest, until: session?.upperBound)
    let count = time.seconds / interval
    return interval > 0 && count < 1e15 ? Int(count.rounded()) + 1 + pausedCount : nil
  }

  /// Whether rows begin late, or end early, in their session: by more than a gap, pauses left out.
  package var isPartial: Bool {
    guard let first else { return false }
    return silence(from: session?.lowerBound, until: first) + silence(from: newest, until: session?.upperBound) > .zero
  }

  /// The time at an end of the session without a row that is longer than a gap, and in no pause.
  private func silence(from: SessionTime?, until: SessionTime?) -> SessionTime {
    guard let from, let until, until > from, hasRate else { return .zero }
    let silence = until - from - paused(from..<until)
    return silence > gapThreshold ? silence : .zero
  }

  /// Whether rows come all the time. Steps come while somebody walks, and intervals between beats where beats do.
  private var hasRate: Bool {
    switch stream {
    case .heartRate, .cadence, .distance, .speed, .location, .motion, .direction, .altitude: true
    case .steps, .rrInterval: false
    }
  }

  private func paused(_ span: Range<SessionTime>) -> SessionTime {
    pauses.reduce(.zero) { time, pause in
      let both = pause.clamped(to: span)
      return both.isEmpty ? time : time + (both.upperBound - both.lowerBound)
    }
  }

  /// Notes when the session of all streams was, and its pauses.
  ///
  /// - Parameter isAsked: whether the rate that was asked for is of this stream.
  mutating func settle(in session: ClosedRange<SessionTime>, pauses: [Range<SessionTime>], isAsked: Bool) {
    self.session = session
    self.pauses = pauses
    if !isAsked { askedRateHz = nil }
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
    let interval = row.time - newest
    guard !isBroken else {
      if interval > gapThreshold {
        pausedTime += interval
        pausedCount += 1
      }
      return
    }
    guard interval > gapThreshold else { return intervals.admit(interval) }
    gapCount += 1
    gapTime += interval
    pausedTime += paused(newest..<row.time)
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
      writer.member("firstRowSeconds", secondsFromNanoseconds: first?.nanoseconds)
      writer.member("lastRowSeconds", secondsFromNanoseconds: first == nil ? nil : newest.nanoseconds)
      writer.member(
        "sessionSeconds", secondsFromNanoseconds: session.map { ($0.upperBound - $0.lowerBound).nanoseconds })
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
