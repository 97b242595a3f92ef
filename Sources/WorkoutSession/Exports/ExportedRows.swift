/// The rows of all activities of a workout in order of time, each with the steps that it adds and its motion: for formats
/// that hold one table.
struct ExportedRows {
  /// A row in its place.
  struct Place {
    let row: RecordedPoint
    /// Steps since the row before of its activity that counts some; NaN when the row counts none.
    let addedSteps: Double
    let motion: MotionReading?
  }

  private var activities: [Cursor]
  /// The activities of the rows in order, where activities overlap; `nil` where they follow each other.
  private let order: [Int]?
  private var taken = 0
  private var distance: JoinedDistance?

  init(_ workout: ExportedWorkout) {
    activities = workout.activities.map { Cursor($0) }
    order = Self.overlap(workout.activities) ? Self.order(workout.activities) : nil
    distance = order == nil && activities.count > 1 ? JoinedDistance() : nil
  }

  /// The next row; `nil` after the last.
  mutating func next() -> Place? {
    if let order {
      guard taken < order.count else { return nil }
      taken += 1
      return activities[order[taken - 1]].next()
    }
    while taken < activities.count {
      if let place = activities[taken].next() { return joined(place) }
      taken += 1
    }
    return nil
  }

  /// The row with metres that count on where its activity counts from its own beginning.
  private mutating func joined(_ place: Place) -> Place {
    guard distance != nil, place.row.distance >= 0, place.row.distance.isFinite else { return place }
    distance?.admit(place.row.distance, of: taken)
    var row = place.row
    row.distance = distance?.meters ?? .nan
    return Place(row: row, addedSteps: place.addedSteps, motion: place.motion)
  }

  /// Whether an activity begins before another one is over.
  private static func overlap(_ activities: [ExportedWorkout.Activity]) -> Bool {
    var until = Int64.min
    for activity in activities {
      if activity.from < until { return true }
      until = max(until, activity.until)
    }
    return false
  }

  private static func order(_ activities: [ExportedWorkout.Activity]) -> [Int] {
    activities.enumerated()
      .flatMap { number, activity in
        activity.rows.indices.map { (time: activity.rows[$0].time, activity: number, row: $0) }
      }
      .sorted { ($0.time, $0.activity, $0.row) < ($1.time, $1.activity, $1.row) }
      .map(\.activity)
  }

  private struct Cursor {
    private let activity: ExportedWorkout.Activity
    private var index = 0
    private var steps = 0.0
    private var motions = 0

    init(_ activity: ExportedWorkout.Activity) { self.activity = activity }

    mutating func next() -> Place? {
      guard index < activity.rows.count else { return nil }
      let row = activity.rows[index]
      let added = row.steps - steps
      if !row.steps.isNaN { steps = row.steps }
      var motion: MotionReading?
      if motions < activity.motions.count, activity.motions[motions].row == index {
        motion = activity.motions[motions].reading
        motions += 1
      }
      index += 1
      return Place(row: row, addedSteps: added, motion: motion)
    }
  }
}

extension [UInt8] {
  /// Gives the bytes away when there are more than `limit`.
  mutating func spill(to output: (Span<UInt8>) throws -> Void, above limit: Int = 64 << 10) throws {
    guard count > limit else { return }
    let bytes = self
    try output(bytes.span)
    removeAll(keepingCapacity: true)
  }
}
