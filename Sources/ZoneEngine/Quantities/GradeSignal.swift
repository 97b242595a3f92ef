/// How steep the ground is: the middle slope of the altitude against the metres over the last seconds.
///
/// The slope between all pairs of readings is taken and the middle one counts (Theil 1950; Sen 1968), because a receiver's
/// altitude jumps. Half a minute is about 90 m of a run: an altitude that is wrong by a metre at one end is then about one
/// percent of grade, and a hill begins to count after 15 s.
package struct GradeSignal: Hashable, Sendable {
  /// The time that is looked at.
  static let window = SessionTime.seconds(30)
  /// The shortest time, and the fewest metres, that give a grade.
  static let shortest = SessionTime.seconds(15)
  static let fewestMeters = 20.0
  /// Readings that are nearer to each other than this are one, so that there are at most sixteen.
  static let spacing = SessionTime.seconds(2)

  private struct Point: Hashable {
    let time: SessionTime
    let meters: Double
    let altitude: Double
  }

  private var points: [Point] = []

  /// A signal without any altitude.
  package init() {}

  /// Takes an altitude after some metres.
  package mutating func admit(altitude: Double, meters: Double, at time: SessionTime) {
    guard altitude.isFinite, altitude.magnitude < 10_000 else { return }
    if let last = points.last {
      // Metres begin anew after an interruption.
      if time - last.time > SessionTime.holdLimit || meters < last.meters { points.removeAll(keepingCapacity: true) }
    }
    if points.count > 1, time - points[points.count - 2].time < Self.spacing { points.removeLast() }
    points.append(Point(time: time, meters: meters, altitude: altitude))
    while let first = points.first, time - first.time > Self.window { points.removeFirst() }
  }

  /// Metres up for each metre forward; `nil` without enough altitudes, or when the newest is older than one holds.
  package func gradient(at time: SessionTime) -> Double? {
    guard let first = points.first, let last = points.last, time - last.time <= SessionTime.holdLimit,
      last.time - first.time >= Self.shortest, last.meters - first.meters >= Self.fewestMeters
    else { return nil }
    var slopes: [Double] = []
    slopes.reserveCapacity(points.count * (points.count - 1) / 2)
    for (index, earlier) in points.enumerated() {
      for later in points[(index + 1)...] where later.meters - earlier.meters >= 1 {
        slopes.append((later.altitude - earlier.altitude) / (later.meters - earlier.meters))
      }
    }
    return slopes.median
  }

  /// The newest altitudes; none where there is none to go on from.
  var course: AltitudeCourse {
    var course = AltitudeCourse()
    for point in points.suffix(4) { _ = course.admit(point.altitude, at: point.time) }
    return course
  }

  /// Whether there is an altitude that still holds.
  func hasAltitude(at time: SessionTime) -> Bool {
    points.last.map { time - $0.time <= SessionTime.holdLimit } ?? false
  }

  /// Forgets everything, as a pause asks for.
  package mutating func interrupt() { points.removeAll(keepingCapacity: true) }
}

extension [Double] {
  /// The middle value, or the mean of the middle two; `nil` when there is none.
  var median: Double? {
    guard !isEmpty else { return nil }
    let ordered = sorted()
    let middle = count / 2
    return count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
  }
}
