extension DecodedRecording {
  /// The time between two beats.
  struct Interval: Hashable, Sendable {
    /// When the second one was.
    let time: Int64
    /// How long it took.
    let milliseconds: Double

    /// Intervals in order of time, those of one instant in that in which they came.
    ///
    /// - Complexity: O(n log n), O(n) where they are in order.
    static func ordered(_ intervals: [Interval]) -> [Interval] {
      guard zip(intervals, intervals.dropFirst()).contains(where: { $0.time > $1.time }) else { return intervals }
      return intervals.enumerated()
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        .map(\.element)
    }
  }
}

/// Gives intervals between beats of parts that have nothing else to the activity in which they were measured; where there is
/// none, they are one themselves. A strap hands over more than a workout: what lies beyond it is left out.
enum PlacedIntervals {
  private typealias Interval = DecodedRecording.Interval

  /// How far beyond the points of an activity its intervals between beats may lie, in nanoseconds.
  private static let longestBeyond: Int64 = 15_000_000_000

  /// Places the intervals of activities whose points are in order.
  static func place(in activities: inout [DecodedRecording.Activity], _ warnings: inout RecordingWarnings) {
    let alone = activities.filter { $0.points.isEmpty }.flatMap(\.intervals)
    if let first = alone.map(\.time).min(), let last = alone.map(\.time).max(), activities.allSatisfy(\.points.isEmpty),
      let index = activities.firstIndex(where: { !$0.intervals.isEmpty })
    {
      activities[index].pauses += DecodedRecording.Pause.between(
        activities.compactMap { part in
          guard let first = part.intervals.map(\.time).min(), let last = part.intervals.map(\.time).max() else {
            return nil
          }
          return first...last
        })
      activities[index].intervals = Interval.ordered(alone)
      activities[index].points = [RecordedPoint(time: first), RecordedPoint(time: last)]
      return
    }
    var left = alone
    for index in activities.indices {
      guard let first = activities[index].points.first?.time, let last = activities[index].points.last?.time else {
        continue
      }
      let span = (first - Self.longestBeyond)...(last + Self.longestBeyond)
      let own = activities[index].intervals
      guard !left.isEmpty || own.contains(where: { $0.time < first || $0.time > last }) else { continue }
      let candidates = own + left
      left = candidates.filter { !span.contains($0.time) }
      activities[index].intervals = Interval.ordered(
        candidates.filter { span.contains($0.time) }.map {
          Interval(time: max(first, $0.time), milliseconds: $0.milliseconds)
        })
    }
    if !left.isEmpty {
      warnings.add(.heartRateOutsideWorkout, at: "intervals between beats", count: left.count)
    }
  }
}
