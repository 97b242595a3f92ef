/// Which activities of an export are collected in one pass: as many as have a million records, and at least one.
///
/// Where workouts overlap, a record belongs to the one that began first, and is counted once.
struct HealthBatches: Sendable {
  /// Which records an activity has, by their places among all of them in order of time.
  struct Ranks: Sendable {
    let heartRates: Range<Int>
    let others: Range<Int>
  }

  /// How many records are collected in one pass; one activity may have more.
  private static let recordsPerPass = 1_000_000

  private let ranks: [Ranks]

  /// Takes the ranks of all activities in order of their numbers.
  init(_ ranks: [Ranks]) { self.ranks = ranks }

  /// Divides activities, in order of their numbers, into batches of workouts or of days.
  /// - Complexity: O(n)
  func divided(_ activities: [RecordedActivity]) -> [ArraySlice<RecordedActivity>] {
    var batches: [ArraySlice<RecordedActivity>] = []
    var (start, count) = (0, 0)
    var reached = (heartRates: 0, others: 0)
    for (index, activity) in activities.enumerated() {
      let ranks = ranks[activity.number - 1]
      if index > start, count >= Self.recordsPerPass || activity.isWorkout != activities[start].isWorkout {
        batches.append(activities[start..<index])
        (start, count) = (index, 0)
        if activity.isWorkout != activities[index - 1].isWorkout { reached = (0, 0) }
      }
      count += Self.new(ranks.heartRates, after: &reached.heartRates) + Self.new(ranks.others, after: &reached.others)
    }
    if start < activities.count { batches.append(activities[start...]) }
    return batches
  }

  /// How many of some places lie behind those of activities before.
  private static func new(_ places: Range<Int>, after reached: inout Int) -> Int {
    defer { reached = max(reached, places.upperBound) }
    return max(0, places.upperBound - max(reached, places.lowerBound))
  }
}
