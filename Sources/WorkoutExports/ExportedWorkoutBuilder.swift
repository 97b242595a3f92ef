internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Puts the inputs of an activity into rows.
struct ExportedWorkoutBuilder {
  typealias Activity = ExportedWorkout.Activity

  private let part: ActivityFacts?
  private let start: SessionTime
  private var current = Activity()
  private var items: ExportedItemWriter
  private var row: RecordedPoint?
  private var motion: MotionReading?
  private var direction: DirectionReading?
  /// Times between beats at the instant of the row, which come after it.
  private var intervals: [Double] = []
  private var lastStream = SampleStream.heartRate
  private var steps = 0.0
  private var pausedAt: Int64?
  private var distance: DistanceTotal
  /// How many times between beats wait for the end of their row.
  private static let mostIntervals = 1_024

  /// Begins an activity whose inputs count from `start`; `part` is what its file states of it, where it does.
  init(
    _ activity: WorkoutSession.Activity, part: ActivityFacts?, startingAt start: SessionTime = .zero,
    holding bytes: Int
  ) {
    self.part = part
    self.start = start
    items = ExportedItemWriter(holding: bytes)
    distance = DistanceTotal(fastestMetersPerSecond: activity.fastestMetersPerSecond)
    guard let part else { return }
    current.sport = part.sport
    current.from = part.from.nanoseconds
    current.until = part.until.nanoseconds
    current.statedMeters = part.statedMeters
    current.statedSteps = part.statedSteps
    current.marks = ExportedMarks(statedBy: part)
    current.pauses = part.pauses.map {
      ExportedWorkout.Pause(from: $0.from.nanoseconds, until: $0.until.nanoseconds)
    }
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
    case .pause, .recognized(.pause): pausedAt = pausedAt ?? nanoseconds
    case .resume, .recognized(.resume):
      guard let from = pausedAt, nanoseconds > from else { return pausedAt = nil }
      current.pauses.append(ExportedWorkout.Pause(from: from, until: nanoseconds))
      pausedAt = nil
    case .start, .lap, .stop, .target, .strategy, .recognized(.activity), .recognized(.differs),
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
    let stream = sample.reading.stream
    if row?.time != time || stream <= lastStream || !continuesRow(sample.reading) { try beginRow(at: time) }
    lastStream = stream
    switch sample.reading {
    case .heartRate(let value): row?.heartRate = value
    case .steps(let count):
      steps += Double(count)
      row?.steps = steps
    case .cadence(let value): row?.cadence = value
    case .distance(let meters):
      row?.distance = meters
      distance.admit(recordedMeters: meters, at: sample.time)
    case .speed(let value): row?.speed = value
    case .location(let fix):
      row?.latitude = fix.coordinate.latitudeDegrees
      row?.longitude = fix.coordinate.longitudeDegrees
      row?.altitude = fix.altitudeMeters ?? .nan
      row?.horizontalAccuracy = fix.horizontalAccuracyMeters ?? .nan
      row?.speed = fix.speedMetersPerSecond ?? .nan
      _ = distance.admit(fix, at: sample.time)
    case .motion(let reading):
      motion = reading
    case .direction(let reading): direction = reading
    case .altitude(let meters): row?.altitude = meters
    case .rrInterval: break
    }
  }

  /// Whether a position has the speed that the row has: one row cannot hold two; nor can it hold a position and an altitude of
  /// another sensor.
  private func continuesRow(_ reading: Reading) -> Bool {
    if case .altitude = reading { return row?.hasPosition != true }
    guard case .location(let fix) = reading, let row, !row.speed.isNaN else { return true }
    return fix.speedMetersPerSecond == row.speed
  }

  private mutating func admit(interval milliseconds: Double, at time: Int64) throws(FileError) {
    guard let row, row.time == time, intervals.count < Self.mostIntervals else {
      try closeRow()
      return try items.append(.interval(time: time, milliseconds: milliseconds))
    }
    intervals.append(milliseconds)
  }

  private mutating func beginRow(at time: Int64) throws(FileError) {
    try closeRow()
    row = RecordedPoint(time: time)
  }

  private mutating func closeRow() throws(FileError) {
    guard let row else { return }
    try items.append(.row(row, motion, direction))
    for milliseconds in intervals { try items.append(.interval(time: row.time, milliseconds: milliseconds)) }
    intervals.removeAll(keepingCapacity: true)
    (self.row, motion, direction) = (nil, nil, nil)
  }

  /// The activity; `nil` when it has no row.
  ///
  /// - Throws: `FileError` when the items cannot be kept.
  mutating func finish() throws(FileError) -> Activity? {
    try closeRow()
    current.items = try items.finish()
    guard let (first, last) = current.items.span else { return nil }
    if let pausedAt, last > pausedAt {
      current.pauses.append(ExportedWorkout.Pause(from: pausedAt, until: last))
    }
    current.from = part == nil ? first : min(current.from, first)
    current.until = max(current.until, last)
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
