internal import WorkoutSession
internal import ZoneEngine

/// Finds the stamps at both ends of a recording that are not of it, such as one of 1970 that a device wrote before its clock
/// was set: they would decide when the recording began, when it ended and how long it took.
///
/// The recording itself begins with the first three instants of which each is at most six hours after the one before, and ends
/// with the last three. One or two instants before or after it are stray where they lie further from it than six hours, and than
/// it takes. So those of a sparse recording, such as steps at night, are of it, and so are three or more. But where three or more lie
/// alone or in twos, as damage leaves them, and are few beside the instants of the recording itself, those are stray that more than a
/// month parts from it and from all that is kept.
struct StrayTimes: Sendable {
  /// From how many instants on they are a course.
  static let fewest = 3
  /// How many instants, or points, there are at least for each that is stray where any number may be.
  static let clearMajority = 10
  /// From which silence on three or more instants are no sparse part of the recording, in nanoseconds: a month.
  private static let longestOfMany: UInt64 = 30 * 86_400 * 1_000_000_000

  private var isEmpty = true
  private var earliest: Int64 = 0
  private var latest: Int64 = 0
  /// The instants since the last long silence: how many, and the first.
  private var count = 0
  private var first: Int64 = 0
  /// From the first to the last instant of the recording itself, as far as it is known.
  private var course: (from: Int64, until: Int64)?
  /// How many instants there are from the first to the last of it.
  private var courseCount = 0
  /// The instants before it, and after it. Six hours part each from all but one of the others, so that they are not too many to keep.
  private var before: [Int64] = []
  private var after: [Int64] = []

  /// Looks at the times of readings in order.
  init() {}

  /// The instants of an activity, in order.
  init(_ points: [RecordedPoint]) { for point in points { admit(point.time) } }

  /// Whether any of these points, which are in order, may be stray: not where the last is near the first.
  static func maySeparate(_ points: [RecordedPoint]) -> Bool {
    guard let first = points.first?.time, let last = points.last?.time else { return false }
    return isFar(last, from: first)
  }

  /// Takes the time of a reading, in nanoseconds; they come in order.
  @inline(__always)
  mutating func admit(_ time: Int64) {
    if time == latest, count > 0 { return }
    if Self.isFar(time, from: latest) || isEmpty { begin(at: time) }
    latest = time
    count &+= 1
  }

  /// Takes times of readings that count from `first`, none of which is far from the one before.
  mutating func admit(steady times: Span<SessionTime>, from first: Int64) {
    for index in times.indices {
      let time = first + times[index].nanoseconds
      count &+= time == latest ? 0 : 1
      latest = time
    }
  }

  @inline(never)
  private mutating func begin(at time: Int64) {
    endStretch()
    if isEmpty { earliest = time }
    isEmpty = false
    (count, first) = (0, time)
  }

  /// Decides of what belongs together whether it is a course.
  private mutating func endStretch() {
    guard count > 0 else { return }
    guard count < Self.fewest else {
      course = (course?.from ?? first, latest)
      courseCount += after.count + count
      after = []
      return
    }
    let instants = first == latest ? [first] : [first, latest]
    if course == nil { before += instants } else { after += instants }
  }

  /// From the first to the last instant without those that are stray; `nil` where none is.
  ///
  /// - Parameter silence: how far from the recording itself an instant lies at least that is stray.
  func kept(beyond silence: SessionTime = LongSilence.longest) -> ClosedRange<Int64>? {
    var ended = self
    ended.endStretch()
    guard let course = ended.course else { return nil }
    let farthest = max(Self.span(course.from, course.until), UInt64(silence.nanoseconds))
    var (from, until) = (earliest, latest)
    if ended.before.count < Self.fewest {
      from = ended.before.first { Self.span($0, course.from) <= farthest } ?? course.from
    }
    if ended.after.count < Self.fewest {
      until = ended.after.last { Self.span(course.until, $0) <= farthest } ?? course.until
    }
    if let many = ended.keptOfMany(course, within: max(farthest, Self.longestOfMany)) {
      if ended.before.count >= Self.fewest { from = many.lowerBound }
      if ended.after.count >= Self.fewest { until = many.upperBound }
    }
    return from > earliest || until < latest ? from...until : nil
  }

  /// From the first to the last instant that no silence longer than `farthest` parts from the recording itself; `nil` where
  /// those beyond it are too many to be damage.
  private func keptOfMany(_ course: (from: Int64, until: Int64), within farthest: UInt64) -> ClosedRange<Int64>? {
    var (from, until, beyond) = (course.from, course.until, before.count + after.count)
    for time in before.reversed() {
      guard Self.span(time, from) <= farthest else { break }
      (from, beyond) = (time, beyond - 1)
    }
    for time in after {
      guard Self.span(until, time) <= farthest else { break }
      (until, beyond) = (time, beyond - 1)
    }
    return beyond <= courseCount / Self.clearMajority ? from...until : nil
  }

  /// Says where a stray reading is.
  static func position(of time: Int64, isWall: Bool) -> String {
    isWall ? "time \(WallClockTime(nanoseconds: time))" : "second \(time / 1_000_000_000)"
  }

  /// Whether a time is more than six hours after another.
  @inline(__always)
  private static func isFar(_ time: Int64, from earlier: Int64) -> Bool {
    let (silence, overflow) = time.subtractingReportingOverflow(earlier)
    return overflow || silence > LongSilence.longest.nanoseconds
  }

  /// The nanoseconds from one time to a later one.
  private static func span(_ from: Int64, _ until: Int64) -> UInt64 { UInt64(bitPattern: until &- from) }
}
