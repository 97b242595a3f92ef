internal import ZoneEngine

/// How far a session had come when, for the fastest and the farthest windows in it.
///
/// Between two readings that count the distance grows evenly with the clock, whether the session is paused or not. What
/// cannot have been covered so takes its time and gives no metres: a gap of more than ``longestInterval``, a jump that needs
/// more speed than there is, a count that falls.
///
/// Readings closer than ``shortestInterval`` are one point. Times are kept to the millisecond, distances to the tenth of a
/// millimetre, about three bytes a point; what comes after 49 days is not looked at.
struct DistanceCourse: Sendable {
  /// The longest time between two readings over which the distance is believed.
  static let longestInterval = SessionTime.seconds(30)
  /// The shortest time between two points.
  static let shortestInterval = SessionTime(nanoseconds: 250_000_000)
  private static let unitsPerMeter = 10_000.0
  private static let timeUnit: Int64 = 1_000_000

  private let fastest: Double
  private var points = CoursePoints()
  /// The newest reading, and the metres that count until there; a point as soon as it is far enough from the last one.
  private var newest: (time: SessionTime, stated: Double, meters: Double)?
  /// The metres that a jump may have at most, which grow with the time.
  private var allowance = 0.0
  /// Whether a device counted, after which places do not.
  private var isRecorded = false

  /// The course of a session that begins; nothing is believed that needs more than `fastestMetersPerSecond` for long.
  init(fastestMetersPerSecond: Double) { fastest = fastestMetersPerSecond }

  /// How many points there are.
  var count: Int { points.count }

  /// Whether somebody went on foot.
  var isOnFoot: Bool { fastest <= DistanceTotal.fastestOnFoot }

  /// Takes the distance of the session after a reading that counted; without one it is 0.
  mutating func admit(meters: Double?, of stream: SampleStream, at time: SessionTime) {
    let isCount = stream == .distance
    guard isCount || !isRecorded, time.nanoseconds / Self.timeUnit <= Int64(UInt32.max) else { return }
    let stated = meters ?? 0
    guard let last = newest else {
      isRecorded = isCount
      newest = (time, stated, 0)
      allowance = sprintSpeed
      keepNewest()
      return
    }
    guard time >= last.time else { return }
    var grown = 0.0
    if isCount == isRecorded {
      grown = believed(stated - last.stated, over: time - last.time)
    }
    isRecorded = isCount
    newest = (time, stated, last.meters + grown)
    if let point = points.last,
      time.nanoseconds / Self.timeUnit - Int64(point.milliseconds)
        >= Self.shortestInterval.nanoseconds / Self.timeUnit
    {
      keepNewest()
    }
  }

  /// The last reading is a point, however near it is to the one before.
  mutating func finish() {
    guard let newest, let last = points.last, newest.time.nanoseconds / Self.timeUnit > Int64(last.milliseconds) else {
      return
    }
    keepNewest()
  }

  /// The fastest speed from one reading to the next while they are less than ``DistanceTotal/sprintSeconds`` apart, in metres
  /// per second.
  private var sprintSpeed: Double { isOnFoot ? DistanceTotal.fastestSprint : fastest }

  /// The metres that are believed of those which a reading adds.
  private mutating func believed(_ meters: Double, over interval: SessionTime) -> Double {
    let seconds = interval.seconds
    let speed = seconds < DistanceTotal.sprintSeconds ? sprintSpeed : fastest
    // A second of grace, because two readings of one second may carry the same whole-second time.
    allowance = min(max(1, seconds) * speed, allowance + seconds * speed)
    guard interval <= Self.longestInterval, meters > 0, meters <= allowance else { return 0 }
    allowance -= meters
    return meters
  }

  private mutating func keepNewest() {
    guard let newest else { return }
    points.append(
      CoursePoints.Point(
        milliseconds: UInt32(clamping: newest.time.nanoseconds / Self.timeUnit),
        tenthMillimeters: UInt64((newest.meters * Self.unitsPerMeter).rounded())))
  }

  // MARK: - Windows

  /// The best efforts over all distances and times that the course is long enough for. On foot, one that no human has run
  /// is none: something else carried the runner, or the sensor.
  ///
  /// - Complexity: O(n) of the points for each.
  var efforts: [BestEffort] {
    let curve = Curve(self)
    let distances = BestEffort.distances.compactMap { meters -> BestEffort? in
      guard let found = curve.fastest(over: meters) else { return nil }
      if isOnFoot, found.seconds < BestEffort.fastestSecondsOnFoot(over: meters) { return nil }
      return BestEffort(.distance(meters: meters), thousandthsOf: found.seconds, at: found.from)
    }
    let durations = BestEffort.durations.compactMap { seconds -> BestEffort? in
      guard let found = curve.farthest(in: Double(seconds)), found.meters > 0 else { return nil }
      if isOnFoot, found.meters > BestEffort.mostMetersOnFoot(in: Double(seconds)) { return nil }
      return BestEffort(.duration(seconds: seconds), thousandthsOf: found.meters, at: found.from)
    }
    return distances + durations
  }

  /// The points as numbers, seconds and metres, neither of which falls.
  struct Curve {
    private var seconds: [Double] = []
    private var meters: [Double] = []

    fileprivate init(_ course: DistanceCourse) {
      seconds.reserveCapacity(course.points.count)
      meters.reserveCapacity(course.points.count)
      course.points.forEach { point in
        seconds.append(Double(point.milliseconds) / 1_000)
        meters.append(Double(point.tenthMillimeters) / DistanceCourse.unitsPerMeter)
      }
    }

    /// The fastest window of so many metres, the first of several; `nil` when the course is shorter. One of the fastest
    /// begins or ends at a point, because in between the distance grows evenly.
    func fastest(over length: Double) -> (seconds: Double, from: Double)? {
      guard let all = meters.last, all >= length else { return nil }
      var best = Best()
      var end = 0
      for start in meters.indices {
        while end < meters.count, meters[end] - meters[start] < length { end += 1 }
        guard end < meters.count else { break }
        let until = place(of: meters[start] + length, on: meters, seconds, before: end)
        best.offer(until - seconds[start], from: seconds[start])
      }
      var start = 0
      for end in meters.indices where meters[end] >= length {
        while meters[end] - meters[start + 1] >= length { start += 1 }
        let from = place(of: meters[end] - length, on: meters, seconds, before: start + 1)
        best.offer(seconds[end] - from, from: from)
      }
      return best.found.map { (seconds: $0.cost, from: $0.from) }
    }

    /// The farthest window of so many seconds, the first of several; `nil` when the course is shorter.
    func farthest(in span: Double) -> (meters: Double, from: Double)? {
      guard let first = seconds.first, let last = seconds.last, last - first >= span else { return nil }
      var best = Best()
      var end = 0
      for start in seconds.indices where seconds[start] + span <= last {
        while seconds[end] < seconds[start] + span { end += 1 }
        let until = place(of: seconds[start] + span, on: seconds, meters, before: end)
        best.offer(meters[start] - until, from: seconds[start])
      }
      var start = 0
      for end in seconds.indices where seconds[end] - span >= first {
        while seconds[start + 1] <= seconds[end] - span { start += 1 }
        let from = place(of: seconds[end] - span, on: seconds, meters, before: start + 1)
        best.offer(from - meters[end], from: seconds[end] - span)
      }
      return best.found.map { (meters: -$0.cost, from: $0.from) }
    }

    /// Where the line through the points of `index - 1` and `index` is, on the other axis, for a value that lies between
    /// them on the one.
    private func place(of value: Double, on axis: [Double], _ other: [Double], before index: Int) -> Double {
      guard index > 0, axis[index] > axis[index - 1] else { return other[index] }
      let share = (value - axis[index - 1]) / (axis[index] - axis[index - 1])
      return other[index - 1] + share * (other[index] - other[index - 1])
    }
  }

  /// The window that costs least, the first of several.
  private struct Best {
    private(set) var found: (cost: Double, from: Double)?

    mutating func offer(_ cost: Double, from: Double) {
      guard let found else { return self.found = (cost, from) }
      if cost < found.cost || (cost == found.cost && from < found.from) { self.found = (cost, from) }
    }
  }
}

extension BestEffort {
  /// An effort whose numbers are rounded to the thousandth.
  init(_ span: Span, thousandthsOf value: Double, at seconds: Double) {
    self.init(span, value: (value * 1_000).rounded() / 1_000, atSeconds: (seconds * 1_000).rounded() / 1_000)
  }
}
