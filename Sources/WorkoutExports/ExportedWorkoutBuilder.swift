internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Puts the inputs of an activity into rows.
struct ExportedWorkoutBuilder {
  typealias Activity = ExportedWorkout.Activity

  /// In which order the readings of one instant come, by which they are put into rows.
  enum Order {
    /// Row by row, as in a file: a stream that comes again, or one before the last, begins the next row.
    case rows
    /// Stream by stream, as in the logs of a session: the first reading of each stands in the first row, the second in the
    /// second.
    case streams
  }

  private let part: ActivityFacts?
  private let order: Order
  private let start: SessionTime
  private var current = Activity()
  private var items: ExportedItemWriter
  /// The rows of an instant that are not written yet; not empty but between instants.
  private var rows: [InstantRow] = []
  /// In which of them the next reading of each stream may stand.
  private var places = [Int](repeating: 0, count: SampleStream.allCases.count)
  /// Times between beats at the instant of the rows, which come after them.
  private var intervals: [Double] = []
  private var lastStream = SampleStream.heartRate
  private var steps = 0.0
  private var pausedAt: Int64?
  private var distance: DistanceTotal
  /// The pauses that the file states.
  private var sweep = PauseSweep([])
  /// How many times between beats wait for the end of their row.
  private static let mostIntervals = 1_024
  /// How many rows of an instant are filled together.
  private static let mostRows = 1_024

  /// The readings of a row.
  private struct InstantRow {
    var point: RecordedPoint
    var motion: MotionReading?
    var direction: DirectionReading?
  }

  /// Begins an activity whose inputs count from `start`; `part` is what its file states of it, where it does.
  init(
    _ activity: WorkoutSession.Activity, part: ActivityFacts?, in order: Order, startingAt start: SessionTime = .zero,
    holding bytes: Int
  ) {
    self.part = part
    self.order = order
    self.start = start
    items = ExportedItemWriter(holding: bytes)
    distance = DistanceTotal(fastestMetersPerSecond: activity.fastestMetersPerSecond)
    guard let part else { return }
    current.sport = part.sport
    current.subSport = part.subSport
    current.from = part.from.nanoseconds
    current.until = part.until.nanoseconds
    current.statedMeters = part.statedMeters
    current.statedSteps = part.statedSteps
    current.energyKilocalories = part.statedKilocalories
    current.marks = ExportedMarks(statedBy: part)
    current.pauses = Self.united(
      part.pauses.map { ExportedWorkout.Pause(from: $0.from.nanoseconds, until: $0.until.nanoseconds) })
    sweep = PauseSweep(current.pauses)
  }

  /// Takes the next input.
  ///
  /// - Throws: `FileError` when the items cannot be kept.
  mutating func admit(_ input: RecordedInput) throws(FileError) {
    switch input {
    case .sample(let sample):
      try admit(Sample(sample.reading, at: sample.time + start, source: sample.source))
    case .unplaced, .advance: break
    case .command(let command, let time): admit(command, at: time + start)
    }
  }

  /// Takes a command, at a time of the workout.
  mutating func admit(_ command: SessionCommand, at time: SessionTime) {
    // Where the file states its activities, it states their pauses.
    guard part == nil else { return }
    let nanoseconds = time.nanoseconds
    switch command {
    case .pause, .recognized(.pause):
      pausedAt = pausedAt ?? nanoseconds
      distance.breakTrack()
    case .resume, .recognized(.resume):
      guard let from = pausedAt, nanoseconds > from else { return pausedAt = nil }
      current.pauses.append(ExportedWorkout.Pause(from: from, until: nanoseconds))
      pausedAt = nil
    case .start, .lap, .stop, .ended, .target, .strategy, .recognized(.activity), .recognized(.differs),
      .recognized(.steps), .answered:
      break
    }
  }

  /// Takes a sample, at a time of the workout.
  ///
  /// - Throws: `FileError` when the items cannot be kept.
  mutating func admit(_ sample: Sample) throws(FileError) {
    let time = sample.time.nanoseconds
    if case .rrInterval(let milliseconds) = sample.reading {
      return try admit(interval: milliseconds, at: time)
    }
    let index = try place(of: sample.reading, at: time)
    switch sample.reading {
    case .heartRate(let value): rows[index].point.heartRate = value
    case .steps(let count):
      steps += Double(count)
      rows[index].point.steps = steps
    case .cadence(let value): rows[index].point.cadence = value
    case .distance(let meters):
      rows[index].point.distance = meters
      distance.admit(recordedMeters: meters, at: sample.time)
    case .speed(let value): rows[index].point.speed = value
    case .location(let fix):
      rows[index].point.take(fix)
      if !isPaused(at: time) { _ = distance.admit(fix, at: sample.time) }
    case .motion(let reading): rows[index].motion = reading
    case .direction(let reading): rows[index].direction = reading
    case .altitude(let meters): rows[index].point.altitude = meters
    case .rrInterval: break
    }
  }

  /// Whether the timer stands still; no way leads across that.
  private mutating func isPaused(at time: Int64) -> Bool {
    let place = sweep.advance(to: time)
    if !place.over.isEmpty { distance.breakTrack() }
    return place.isPaused || pausedAt != nil
  }

  /// The row in which a reading stands; a new one where it has no place in those of its instant.
  private mutating func place(of reading: Reading, at time: Int64) throws(FileError) -> Int {
    let stream = reading.stream
    if rows.first?.point.time != time || order == .streams && rows.count >= Self.mostRows { try closeRows() }
    switch order {
    case .rows:
      if let row = rows.first, stream <= lastStream || !Self.continues(row, reading) { try closeRows() }
      lastStream = stream
      if rows.isEmpty { rows.append(InstantRow(point: RecordedPoint(time: time))) }
      return 0
    case .streams:
      var index = places[stream.rawValue]
      while index < rows.count, !Self.continues(rows[index], reading) { index += 1 }
      if index >= rows.count {
        index = rows.count
        rows.append(InstantRow(point: RecordedPoint(time: time)))
      }
      places[stream.rawValue] = index + 1
      return index
    }
  }

  /// Whether a position has the speed that a row has: one row cannot hold two; nor can it hold a position and an altitude of
  /// another sensor.
  private static func continues(_ row: InstantRow, _ reading: Reading) -> Bool {
    if case .altitude = reading { return !row.point.hasPosition }
    guard case .location(let fix) = reading, !row.point.speed.isNaN else { return true }
    return fix.speedMetersPerSecond == row.point.speed
  }

  private mutating func admit(interval milliseconds: Double, at time: Int64) throws(FileError) {
    guard rows.first?.point.time == time, intervals.count < Self.mostIntervals else {
      try closeRows()
      return try items.append(.interval(time: time, milliseconds: milliseconds))
    }
    intervals.append(milliseconds)
  }

  private mutating func closeRows() throws(FileError) {
    guard let time = rows.first?.point.time else { return }
    for row in rows { try items.append(.row(row.point, row.motion, row.direction)) }
    for milliseconds in intervals { try items.append(.interval(time: time, milliseconds: milliseconds)) }
    intervals.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    for index in places.indices { places[index] = 0 }
  }

  /// The activity; `nil` when it has no row.
  ///
  /// - Parameter span: when it began and ended, where that is known beside its rows.
  /// - Throws: `FileError` when the items cannot be kept.
  mutating func finish(_ span: ClosedRange<SessionTime>? = nil) throws(FileError) -> Activity? {
    try closeRows()
    current.items = try items.finish()
    guard let (first, last) = current.items.span else { return nil }
    // Without a span of its own an activity goes from its first row to its last.
    let begin = span?.lowerBound.nanoseconds ?? (part == nil ? first : current.from)
    current.from = min(begin, first)
    current.until = max(current.until, last, span?.upperBound.nanoseconds ?? last)
    if let pausedAt, current.until > pausedAt {
      current.pauses.append(ExportedWorkout.Pause(from: pausedAt, until: current.until))
    }
    current.pauses = Self.united(current.pauses)
    current.countedMeters = distance.recordedMeters
    current.measuredMeters = distance.measuredMeters > 0 ? distance.measuredMeters : nil
    return current
  }

  /// Pauses in order, those that overlap made one.
  private static func united(_ pauses: [ExportedWorkout.Pause]) -> [ExportedWorkout.Pause] {
    var result: [ExportedWorkout.Pause] = []
    for pause in pauses.sorted(by: { ($0.from, $0.until) < ($1.from, $1.until) }) {
      if let last = result.last, pause.from < last.until {
        result[result.count - 1] = ExportedWorkout.Pause(from: last.from, until: max(last.until, pause.until))
      } else {
        result.append(pause)
      }
    }
    return result
  }
}

extension RecordedPoint {
  /// Takes what a position says; a speed that was there is that of the position, or none.
  fileprivate mutating func take(_ fix: LocationFix) {
    latitude = fix.coordinate.latitudeDegrees
    longitude = fix.coordinate.longitudeDegrees
    altitude = fix.altitudeMeters ?? .nan
    horizontalAccuracy = fix.horizontalAccuracyMeters ?? .nan
    speed = fix.speedMetersPerSecond ?? .nan
  }
}
