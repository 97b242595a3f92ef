internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The rows of all activities of a workout in order of time, each with the steps that it adds and its motion, and the times
/// between beats among them: for formats that hold one table.
struct ExportedRows {
  /// A row in its place.
  struct Place {
    let row: RecordedPoint
    /// Steps since the row before of its activity that counts some; NaN when the row counts none.
    let addedSteps: Double
    let motion: MotionReading?
    let direction: DirectionReading?
  }

  /// What comes next.
  enum Item {
    case row(Place)
    case interval(time: Int64, milliseconds: Double)
  }

  private var activities: [Cursor]
  /// The activities of the items in order, where activities overlap; `nil` where they follow each other.
  private let order: [Int]?
  private var taken = 0
  private var distance: JoinedDistance?

  /// Begins before the first.
  ///
  /// - Throws: `FileError` when items of activities that overlap cannot be read.
  init(_ workout: ExportedWorkout) throws {
    activities = workout.activities.map { Cursor($0.items.reader) }
    order = Self.overlap(workout.activities) ? try Self.order(workout.activities) : nil
    distance =
      workout.activities.count < 2
      ? nil
      : JoinedDistance(
        workout.activities.map { JoinedDistance.Part(from: $0.from, until: $0.until, meters: $0.countedMeters) },
        areWoven: order != nil)
  }

  /// The next item; `nil` after the last.
  ///
  /// - Throws: `FileError` when it cannot be read.
  mutating func next() throws(FileError) -> Item? {
    if let order {
      guard taken < order.count else { return nil }
      let activity = order[taken]
      taken += 1
      let item = try activities[activity].next()
      guard case .row(let place)? = item else { return item }
      return .row(joined(place, of: activity))
    }
    while taken < activities.count {
      switch try activities[taken].next() {
      case .row(let place): return .row(joined(place, of: taken))
      case let interval?: return interval
      case nil: taken += 1
      }
    }
    return nil
  }

  /// The row with metres that count on where its activity counts from its own beginning.
  private mutating func joined(_ place: Place, of activity: Int) -> Place {
    guard distance != nil, place.row.distance >= 0, place.row.distance.isFinite else { return place }
    distance?.admit(place.row.distance, at: SessionTime(nanoseconds: place.row.time), of: activity)
    var row = place.row
    row.distance = distance?.meters ?? .nan
    return Place(row: row, addedSteps: place.addedSteps, motion: place.motion, direction: place.direction)
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

  private static func order(_ activities: [ExportedWorkout.Activity]) throws -> [Int] {
    var places: [(time: Int64, activity: Int, item: Int)] = []
    for (number, activity) in activities.enumerated() {
      try activity.items.forEach { item in places.append((time: item.time, activity: number, item: places.count)) }
    }
    return places.sorted { ($0.time, $0.activity, $0.item) < ($1.time, $1.activity, $1.item) }.map(\.activity)
  }

  private struct Cursor {
    private var items: ExportedItems.Reader
    private var steps = 0.0

    init(_ items: ExportedItems.Reader) { self.items = items }

    mutating func next() throws(FileError) -> Item? {
      switch try items.next() {
      case nil: return nil
      case .interval(let time, let milliseconds): return .interval(time: time, milliseconds: milliseconds)
      case .row(let row, let motion, let direction):
        let added = row.steps - steps
        if !row.steps.isNaN { steps = row.steps }
        return .row(Place(row: row, addedSteps: added, motion: motion, direction: direction))
      }
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
