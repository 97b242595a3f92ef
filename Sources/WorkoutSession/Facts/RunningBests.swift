package import ZoneEngine

/// Says while somebody runs that a distance has never been faster: once for each distance, and only where there is an earlier
/// best to be beaten.
///
/// It is what a watcher keeps, sixteen bytes for each second at most; the records of the history are found at the end, and
/// count.
package struct RunningBests: Sendable {
  /// By how much an effort has to be faster, in seconds: what is found at the end can differ by one reading.
  private static let margin = 1.0

  private struct Goal {
    let meters: Double
    let seconds: Double
    /// The last point from which the distance was covered, among those that are kept.
    var start = 0
  }

  private var goals: [Goal]
  private var points: [(seconds: Double, meters: Double)] = []
  private let fastest: Double

  /// Efforts that are to be beaten; only those over a distance count. Nothing is believed that needs more than
  /// `fastestMetersPerSecond`.
  package init(toBeat bests: [BestEffort], fastestMetersPerSecond: Double) {
    fastest = fastestMetersPerSecond
    goals = bests.compactMap { best in
      guard case .distance(let meters) = best.span else { return nil }
      return Goal(meters: meters, seconds: best.value)
    }.sorted { $0.meters < $1.meters }
  }

  /// Takes how far the session is at a time; the efforts that beat the earlier best with it.
  ///
  /// - Complexity: O(number of distances), amortized.
  package mutating func admit(meters: Double, at time: SessionTime) -> [BestEffort] {
    let seconds = time.seconds
    guard !goals.isEmpty, points.last.map({ seconds >= $0.seconds + 1 }) ?? true else { return [] }
    if let last = points.last {
      let grown = meters - last.meters
      // After a jump, a count that falls or a gap, everything begins anew.
      if grown < 0 || grown > fastest * (seconds - last.seconds) || seconds - last.seconds > 30 {
        points = []
        for index in goals.indices { goals[index].start = 0 }
      }
    }
    points.append((seconds, meters))
    var beaten: [BestEffort] = []
    for index in goals.indices {
      let length = goals[index].meters
      while goals[index].start + 1 < points.count, meters - points[goals[index].start + 1].meters >= length {
        goals[index].start += 1
      }
      let start = points[goals[index].start]
      guard meters - start.meters >= length else { continue }
      // The distance grows evenly between two points.
      let next = points[min(goals[index].start + 1, points.count - 1)]
      let share = next.meters > start.meters ? (meters - length - start.meters) / (next.meters - start.meters) : 0
      let from = start.seconds + min(1, max(0, share)) * (next.seconds - start.seconds)
      guard seconds - from <= goals[index].seconds - Self.margin else { continue }
      beaten.append(BestEffort(.distance(meters: length), value: seconds - from, atSeconds: from))
    }
    goals.removeAll { goal in beaten.contains { $0.span == .distance(meters: goal.meters) } }
    return beaten
  }
}
