internal import WorkoutSession
internal import ZoneEngine

/// Finds counts, of metres or of steps, that are damaged: one or two in a row that leap faster than they can grow, after which the
/// count goes on from where it was before them.
///
/// ``CumulativeCount`` waits with such a leap of metres once they have grown evenly, and it adds nothing. Before that nobody can know
/// who does not see what follows, nor of steps, which devices write in batches: there a leap would be counted, and what follows
/// taken for a new beginning. So would a first count that is more than anybody covers in the whole recording. Where a count does
/// not go on for ten readings it is not certain which of them is damaged, and none is.
struct LeapingCounts: Sendable {
  /// How many readings in a row may be damaged.
  private static let most = 2
  /// How many readings show that a count goes on.
  private static let enough = 10
  /// Which part of a leap the count that goes on has at most: a smaller fall is noise, which changes nothing.
  private static let largestShare = 0.5

  /// The places of the points whose counts are damaged, in order.
  let places: [Int]

  private struct Count {
    let place: Int
    let total: Double
    let time: SessionTime
  }

  /// Looks at the counts of points, in order of time; one that is no number is absent.
  ///
  /// - Parameter fastest: by how much a count can grow, a second.
  /// - Parameter even: from which rate on it does not grow evenly; `nil` of one that is written in batches.
  /// - Complexity: O(n), without room for what is not damaged.
  init(
    _ points: [RecordedPoint], fastestPerSecond fastest: Double, evenPerSecond even: Double?,
    _ total: (RecordedPoint) -> Double
  ) {
    guard let start = points.first?.time, let end = points.last?.time, Self.falls(points, total) else {
      places = []
      return
    }
    var counts: [Count] = []
    for (place, point) in points.enumerated() where total(point).isFinite {
      counts.append(Count(place: place, total: total(point), time: SessionTime(nanoseconds: point.time)))
    }
    let whole = SessionTime(nanoseconds: end) - SessionTime(nanoseconds: start)
    places = Self.damaged(counts, in: whole, fastest: fastest, even: even)
  }

  /// Whether a count is less than half of one of the two before it.
  private static func falls(_ points: [RecordedPoint], _ total: (RecordedPoint) -> Double) -> Bool {
    var (last, other) = (0.0, 0.0)
    for point in points {
      let count = total(point)
      guard count.isFinite else { continue }
      if count < max(last, other) * largestShare { return true }
      (last, other) = (count, last)
    }
    return false
  }

  private static func damaged(
    _ counts: [Count], in whole: SessionTime, fastest: Double, even fastestEven: Double?
  ) -> [Int] {
    var places: [Int] = []
    var last: Count?
    var even = 0
    var index = 0
    while index < counts.count {
      let count = counts[index]
      let from = last ?? Count(place: count.place, total: 0, time: count.time)
      // A second of grace, because two readings of one second may carry the same whole-second time.
      let seconds = max(1, (count.time - from.time).seconds)
      let isAbsurd = count.total > fastest * max(1, whole.seconds)
      let isLeap = last != nil && count.total > from.total + fastest * seconds && even < enough
      if isAbsurd || isLeap, let back = back(from: index, after: from, in: counts, fastest: fastest) {
        places += counts[index..<back].map(\.place)
        index = back
        continue
      }
      if let fastestEven { even = count.total <= from.total + fastestEven * seconds ? even + 1 : 0 }
      last = count
      index += 1
    }
    return places
  }

  /// Where the count goes on that stood at `last`; `nil` where what leaps may be true.
  private static func back(from index: Int, after last: Count, in counts: [Count], fastest: Double) -> Int? {
    let limit = counts[index].total * largestShare
    return (index + 1...index + most).first { next in
      guard next + enough <= counts.count else { return false }
      let growth = fastest * max(1, (counts[next].time - last.time).seconds)
      let (least, largest) = (last.total, last.total + growth)
      // Another one of those that follow may be damaged, too.
      return counts[next].total < limit && (least...largest).contains(counts[next].total)
        && counts[next..<next + enough].count { $0.total < limit } >= enough - most
    }
  }
}

extension DecodedRecording.Activity {
  /// Faster than sound nothing moves that is recorded, in metres per second.
  private static let speedOfSound = 340.0
  /// How many points say how long an activity took.
  private static let fewestPoints = 10
  /// How much longer than its points an activity may have been when its steps were counted, in seconds.
  private static let uncoveredSeconds = 60.0

  /// Makes counts of metres and of steps absent that are damaged; how many of each, and the time of the first.
  ///
  /// - Precondition: the points are in order of time.
  mutating func removeLeapingCounts() -> [(name: String, count: Int, first: Int64)] {
    var removed: [(name: String, count: Int, first: Int64)] = []
    let wheels = DistanceTotal.fastestOnWheels
    let even = min(wheels, WorkoutSession.Activity(ofSport: sport).fastestMetersPerSecond)
    let meters = LeapingCounts(points, fastestPerSecond: wheels, evenPerSecond: even) { $0.distance }.places
    for place in meters { points[place].distance = .nan }
    if let first = meters.first { removed.append(("a distance that leaps", meters.count, points[first].time)) }
    let fastest = PossibleSteps.believedPerSecond
    let steps = LeapingCounts(points, fastestPerSecond: fastest, evenPerSecond: nil) { $0.steps }.places
    for place in steps { points[place].steps = .nan }
    if let first = steps.first { removed.append(("steps that leap", steps.count, points[first].time)) }
    return removed
  }

  /// Forgets metres that the file states and that nothing covers in the time of the activity; how many they were.
  ///
  /// - Precondition: the points are in order of time.
  mutating func removeImpossibleMeters() -> Double? {
    guard let meters = statedMeters, points.count >= Self.fewestPoints, let first = points.first?.time,
      let last = points.last?.time
    else { return nil }
    guard meters > Self.speedOfSound * max(1, Self.seconds(from: first, until: last), statedSeconds) else { return nil }
    statedMeters = nil
    return meters
  }

  /// Forgets steps that the file states and that nobody takes in the time of the activity; how many they were.
  ///
  /// - Precondition: the points are in order of time.
  mutating func removeImpossibleSteps() -> Int? {
    guard let steps = statedSteps, let first = points.first?.time, let last = points.last?.time else { return nil }
    let seconds = max(Self.seconds(from: first, until: last), statedSeconds) + Self.uncoveredSeconds
    guard PossibleSteps.areImpossible(Double(steps), inSeconds: seconds) else { return nil }
    statedSteps = nil
    return steps
  }

  /// How long the laps and the whole were together, by what the file states.
  private var statedSeconds: Double { timed.map { Self.seconds(from: $0.from, until: $0.until) }.reduce(0, +) }

  private static func seconds(from: Int64, until: Int64) -> Double { Double(until) / 1e9 - Double(from) / 1e9 }
}
