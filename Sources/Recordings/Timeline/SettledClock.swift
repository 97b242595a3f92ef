internal import ZoneEngine

/// Where the times of an activity belong that has some of the day and some since its device was switched on.
///
/// ``ClockCourse`` decides which of them is the clock of the activity. Of one that knows the time of day, readings from before
/// its clock was set are placed before the first that has it, as far apart as they were, when at least three instants of
/// them follow each other up to there; the step to it is taken for the usual one. Everything else on the other clock is damaged,
/// and has no place.
struct SettledClock {
  /// How many readings were placed.
  let placed: Int
  /// The first time of the day, up to which they count; `nil` where no reading is placed.
  let setAt: Int64?
  /// How many readings have no place.
  let lost: Int
  /// The time in the file of the first of these.
  let firstLost: Int64?

  private let clock: RecordedClock
  /// The relative times that are placed, and how much later they are.
  private let early: (times: ClosedRange<Int64>, shift: Int64)?

  /// How long before the first reading the timer may be started.
  private static let startsBefore: Int64 = 60_000_000_000

  /// Looks at an activity whose points are in the order of the file.
  ///
  /// - Complexity: O(n log n).
  init(_ activity: DecodedRecording.Activity) {
    let points = activity.points
    var course = ClockCourse()
    for point in points { course.admit(Self.clock(of: point.time), at: point.time) }
    if points.isEmpty {
      for time in activity.intervals.map(\.time) + activity.timed.map(\.from) {
        course.admit(Self.clock(of: time), at: time)
      }
    }
    let clock = course.clock ?? .wall
    let early = clock == .wall ? Self.early(points) : nil
    let isOther = { (time: Int64) in
      Self.clock(of: time) != clock && !(early.map { $0.times.contains(time) } ?? false)
    }
    (self.clock, self.early) = (clock, early)
    placed = early.map { early in points.count { early.times.contains($0.time) } } ?? 0
    setAt = early == nil ? nil : points.first { Self.clock(of: $0.time) == .wall }?.time
    lost = points.count { isOther($0.time) }
    firstLost = points.first { isOther($0.time) }?.time
  }

  /// Where a time belongs; `nil` where it has no place.
  func place(_ time: Int64) -> Int64? {
    if Self.clock(of: time) == clock { return time }
    guard let early, early.times.contains(time) else { return nil }
    return time + early.shift
  }

  private static func clock(of time: Int64) -> RecordedClock { time < RecordedClock.relativeEnd ? .relative : .wall }

  /// The readings that follow each other up to the first time of the day; `nil` where they are no three instants.
  private static func early(_ points: [RecordedPoint]) -> (times: ClosedRange<Int64>, shift: Int64)? {
    let before = points.prefix { clock(of: $0.time) == .relative }
    guard before.count < points.count, let last = before.last?.time else { return nil }
    var first = last
    var steps: [Int64] = []
    for point in before.dropLast().reversed() {
      let step = first - point.time
      guard step >= 0, step <= LongSilence.longest.nanoseconds else { break }
      if step > 0 { steps.append(step) }
      first = point.time
    }
    guard steps.count >= ClockCourse.fewest - 1 else { return nil }
    let step = steps.sorted()[steps.count / 2]
    let times = (first - startsBefore)...(last + step)
    return (times, points[before.count].time - step - last)
  }
}
