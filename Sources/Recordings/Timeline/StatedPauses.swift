/// Finds the pauses of an activity that its file states only as a number: a lap states how long its timer ran, and its
/// points span more. The longest gaps of the lap are then its pauses, until what is left over is accounted for.
///
/// - A gap lies between two neighbouring points, or between a point and the end of the lap. It counts when it is longer
///   than two seconds and than one and a half of the usual ones. The usual one is the median; fewer than four gaps have
///   none.
/// - Of the last gap only as much is a pause as is left over, and that part ends where the gap ends: a device writes a
///   point as it goes on, but not always as it stops.
/// - Starts, ends and pauses are written in whole seconds, so two seconds, and one more for each pause that is known
///   already, are nothing that is left over.
/// - Where the gaps make up less than half of what is left over, the number is no statement about gaps, such as the time
///   in motion of a device that went on recording; nothing is a pause then.
struct StatedPauses {
  /// The nanoseconds of a gap, or left over of a lap, that are no pause.
  static let tolerance: Int64 = 2_000_000_000
  /// The nanoseconds that each known pause may be off.
  static let toleranceOfPause: Int64 = 1_000_000_000
  /// The nanoseconds of a gap between two tracks that may be the recorder's doing, where none is usual. Source: an assumption.
  static let longestOfRecorder: Int64 = 10_000_000_000
  /// From how many gaps on there is a usual one.
  static let fewestGaps = 4

  private let points: [RecordedPoint]
  private let pauses: [DecodedRecording.Pause]

  /// Looks at an activity.
  ///
  /// - Parameter points: in order of time.
  /// - Parameter pauses: those that are known, in order and apart.
  init(points: [RecordedPoint], pauses: [DecodedRecording.Pause]) {
    self.points = points
    self.pauses = pauses
  }

  /// The pauses in laps; of laps that overlap, the later one counts from where the earlier one ends.
  ///
  /// - Complexity: O(n log n) for n points and laps.
  func found(in spans: [TimedSpan]) -> [DecodedRecording.Pause] {
    var found: [DecodedRecording.Pause] = []
    forEachLap(of: spans) { from, until, timer in found += pauses(from: from, until: until, timer: timer) }
    return found
  }

  /// The gaps between tracks of laps that the timer ran through, by what the laps state: their time is more than is left without such
  /// gaps, the shortest first, and at least half of a gap more, which is the nearer of the two.
  ///
  /// A gap of more than ten seconds that stands out from those within the tracks is a pause, whatever a lap says: there are programs
  /// that write how long it took in all.
  ///
  /// - Complexity: O(n log n) for n points, laps and gaps.
  func ranThrough(_ gaps: [DecodedRecording.Pause], in spans: [TimedSpan]) -> Set<DecodedRecording.Pause> {
    let gaps = Set(gaps)
    var ran: Set<DecodedRecording.Pause> = []
    forEachLap(of: spans) { from, until, timer in
      let known = known(from: from, until: until)
      let candidates = known.filter { gaps.contains($0) && $0.from >= from && $0.until <= until }
      guard !candidates.isEmpty else { return }
      let usual = Self.usual(self.gaps(from: from, until: until, known))
      let short = candidates.filter { gap in
        let length = Self.span(gap.from, gap.until)
        return length <= Self.longestOfRecorder || !Self.isLong(length, usual)
      }
      .sorted { (Self.span($0.from, $0.until), $0.from) < (Self.span($1.from, $1.until), $1.from) }
      let active = Self.span(Self.paused(known, from: from, until: until), Self.span(from, until))
      var left = Self.span(active, timer)
      // Each other pause may be off.
      left = Self.span(Int64(known.count - short.count) * Self.toleranceOfPause, left)
      for gap in short {
        let length = Self.span(gap.from, gap.until)
        guard left >= length - length / 2 else { break }
        left -= length
        ran.insert(gap)
      }
    }
    return ran
  }

  /// Gives each lap that states its time to `body`: from, until, and the nanoseconds of its timer.
  private func forEachLap(of spans: [TimedSpan], _ body: (Int64, Int64, Int64) -> Void) {
    let ordered = spans.enumerated()
      .sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
      .map(\.element)
    var free = Int64.min
    for (index, span) in ordered.enumerated() {
      var from = max(free, span.from)
      // A start from which the timer would have run out before the first point is none.
      if let first = firstPoint(from: from).map({ points[$0].time }), Self.span(from, first) > span.timer ?? .max {
        from = first
      }
      let until = end(of: span, before: index + 1 < ordered.count ? ordered[index + 1].from : nil)
      guard from < until else { continue }
      free = until
      if let timer = span.timer { body(from, until, timer) }
    }
  }

  /// Where a lap ends: where the next one begins, as long as no point lies between them.
  private func end(of span: TimedSpan, before next: Int64?) -> Int64 {
    guard let next, next > span.until, let after = firstPoint(from: span.until, isIncluded: false) else {
      return span.until
    }
    return min(next, points[after].time)
  }

  private func pauses(from: Int64, until: Int64, timer: Int64) -> [DecodedRecording.Pause] {
    let known = known(from: from, until: until)
    let paused = Self.paused(known, from: from, until: until)
    let excess = Self.span(Self.sum(timer, paused), Self.span(from, until))
    let tolerance = Self.sum(Self.tolerance, Int64(known.count) * Self.toleranceOfPause)
    guard excess > tolerance else { return [] }
    let gaps = gaps(from: from, until: until, known)
    let usual = Self.usual(gaps)
    let long = gaps.filter { Self.isLong($0.length, usual) }
      .sorted { ($1.length, $0.until) < ($0.length, $1.until) }
    guard long.reduce(0, { Self.sum($0, $1.length) }) >= excess / 2 else { return [] }
    var found: [DecodedRecording.Pause] = []
    var left = excess
    for gap in long where left > Self.tolerance {
      let length = min(gap.length, left)
      left -= length
      found.append(DecodedRecording.Pause(from: gap.until - length, until: gap.until))
    }
    return found
  }

  private struct Gap {
    let until: Int64
    let length: Int64
  }

  /// The pauses that are known and have a part in a span.
  private func known(from: Int64, until: Int64) -> ArraySlice<DecodedRecording.Pause> {
    pauses[firstPause(after: from)...].prefix { $0.from < until }
  }

  /// How much of a span lies in pauses.
  private static func paused(_ known: ArraySlice<DecodedRecording.Pause>, from: Int64, until: Int64) -> Int64 {
    known.reduce(0) { sum($0, span(max($1.from, from), min($1.until, until))) }
  }

  /// The usual length of gaps; 0 where there are too few to say so.
  private static func usual(_ gaps: [Gap]) -> Int64 {
    gaps.count < fewestGaps ? 0 : gaps.map(\.length).sorted()[gaps.count / 2]
  }

  /// Whether a length stands out from the usual one.
  private static func isLong(_ length: Int64, _ usual: Int64) -> Bool { length > tolerance && length / 3 > usual / 2 }

  /// The spans between neighbouring points in a lap, without those that are known to hold a pause.
  private func gaps(from: Int64, until: Int64, _ known: ArraySlice<DecodedRecording.Pause>) -> [Gap] {
    guard let first = firstPoint(from: from) else { return [] }
    var gaps: [Gap] = []
    var known = known
    for index in max(first, 1)..<max(points.count, first, 1) {
      let (start, end) = (max(from, points[index - 1].time), min(until, points[index].time))
      guard start < until else { break }
      known = known.drop { $0.until <= start }
      if start < end, known.first.map({ $0.from >= end }) ?? true {
        gaps.append(Gap(until: end, length: Self.span(start, end)))
      }
    }
    return gaps
  }

  private func firstPoint(from time: Int64, isIncluded: Bool = true) -> Int? {
    let index = points.partitioningIndex { isIncluded ? $0.time >= time : $0.time > time }
    return index < points.count ? index : nil
  }

  private func firstPause(after time: Int64) -> Int { pauses.partitioningIndex { $0.until > time } }

  /// The nanoseconds from one instant to another; the largest number when they do not fit, as between 1700 and today.
  private static func span(_ from: Int64, _ until: Int64) -> Int64 {
    let (difference, overflow) = until.subtractingReportingOverflow(from)
    return overflow ? (from < 0 ? .max : .min) : difference
  }

  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
