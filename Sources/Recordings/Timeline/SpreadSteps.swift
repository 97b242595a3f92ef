internal import ZoneEngine

/// Where the steps of an activity belong of which its file states only how many they were: to the time in which the timer ran, by
/// the cadence where there is any.
///
/// They become one sample of steps a quarter of an hour by the clock, at its last point. Hours begin with a quarter in every time
/// zone, so that each has its own. What lies within one quarter is one sample, at the end. Where the clock was never set the quarters
/// count from the first point, so that a copy, which counts from another instant, has the same.
struct SpreadSteps {
  /// The nanoseconds of a quarter of an hour.
  private static let quarter: Int64 = 900_000_000_000

  private let points: [RecordedPoint]
  private let pauses: [DecodedRecording.Pause]
  private let hasCadence: Bool
  /// Where the quarters count from.
  private let origin: Int64

  /// Looks at an activity whose points and pauses are in order.
  init(_ activity: DecodedRecording.Activity) {
    points = activity.points
    pauses = activity.pauses
    hasCadence = points.contains { $0.cadence > 0 }
    origin = activity.clock == .relative ? points.first?.time ?? 0 : 0
  }

  /// The steps since the sample before, none of them 0, the last at `end`; a total of 0 is one sample.
  ///
  /// - Parameter end: the last instant in which the timer ran.
  /// - Complexity: O(n) for n points and pauses.
  func samples(of total: Int, until end: Int64) -> [(time: Int64, steps: Int)] {
    let quarters = quarters(until: end)
    let whole = quarters.reduce(0) { $0 + $1.weight }
    guard whole > 0, total > 0, quarters.count > 1 else { return [(end, total)] }
    var samples: [(time: Int64, steps: Int)] = []
    var (weight, counted) = (0.0, 0)
    for quarter in quarters.dropLast() {
      weight += quarter.weight
      let steps = min(total, Int((Double(total) * (weight / whole)).rounded())) - counted
      guard steps > 0 else { continue }
      samples.append((quarter.last, steps))
      counted += steps
    }
    if total > counted { samples.append((end, total - counted)) }
    return samples
  }

  /// The quarters with a point at which the timer ran: the last of these points, and how much of the whole belongs to it.
  private func quarters(until end: Int64) -> [(last: Int64, weight: Double)] {
    var quarters: [(last: Int64, weight: Double)] = []
    var current = Int64.min
    var coming = pauses[...]
    guard var last = points.first else { return [] }
    for point in points where point.time <= end {
      var stopped: Int64 = 0
      var isStopped = false
      while let pause = coming.first, pause.from < point.time {
        stopped += max(0, min(pause.until, point.time) - max(pause.from, last.time))
        isStopped = pause.until > point.time
        guard !isStopped else { break }
        coming.removeFirst()
      }
      let weight = weight(of: point.time - last.time - stopped, after: last)
      last = point
      if isStopped {
        if !quarters.isEmpty { quarters[quarters.count - 1].weight += weight }
        continue
      }
      let number = Self.number(of: point.time - origin)
      if number > current || quarters.isEmpty { quarters.append((point.time, 0)) }
      current = number
      quarters[quarters.count - 1].last = point.time
      quarters[quarters.count - 1].weight += weight
    }
    return quarters
  }

  /// What the time between two points counts for: a cadence holds as long as a heart rate.
  private func weight(of nanoseconds: Int64, after point: RecordedPoint) -> Double {
    guard hasCadence else { return Double(nanoseconds) }
    return point.cadence > 0 ? Double(min(nanoseconds, CoachingEngine.holdLimit.nanoseconds)) * point.cadence : 0
  }

  private static func number(of time: Int64) -> Int64 {
    let (number, rest) = time.quotientAndRemainder(dividingBy: quarter)
    return rest < 0 ? number - 1 : number
  }
}
