internal import ZoneEngine

/// Puts the inputs of an activity into rows.
struct ExportedWorkoutBuilder {
  typealias Activity = ExportedWorkout.Activity

  /// How many rows there are so far, with those of the activities before.
  private(set) var rowCount: Int

  private let part: ActivityFacts?
  private let start: SessionTime
  private var current = Activity()
  private var row: RecordedPoint?
  private var lastStream = SampleStream.heartRate
  private var steps = 0.0
  private var pausedAt: Int64?
  private var distance: DistanceTotal

  /// Begins an activity whose inputs count from `start`; `part` is what its file tells of it, where it does.
  init(
    _ activity: WorkoutSession.Activity, part: ActivityFacts?, startingAt start: SessionTime = .zero,
    rowsBefore rowCount: Int = 0
  ) {
    self.part = part
    self.start = start
    self.rowCount = rowCount
    distance = DistanceTotal(fastestMetersPerSecond: activity.fastestMetersPerSecond)
    guard let part else { return }
    current.sport = part.sport
    current.from = part.from.nanoseconds
    current.until = part.until.nanoseconds
    current.statedMeters = part.statedMeters
    current.statedSteps = part.statedSteps
    current.pauses = part.pauses.map {
      ExportedWorkout.Pause(from: $0.from.nanoseconds, until: $0.until.nanoseconds)
    }
  }

  /// Takes the next input.
  ///
  /// - Throws: `ExportError` when there are too many.
  mutating func admit(_ input: RecordedInput) throws(ExportError) {
    switch input {
    case .sample(let sample):
      try admit(Sample(sample.reading, at: sample.time + start, source: sample.source))
    case .unplaced, .advance: break
    case .command(let command, let time): admit(command, at: time + start)
    }
  }

  /// Takes a command, at a time of the workout.
  mutating func admit(_ command: SessionCommand, at time: SessionTime) {
    // Where the file tells of its activities, it tells of their pauses.
    guard part == nil else { return }
    let nanoseconds = time.nanoseconds
    switch command {
    case .pause: pausedAt = pausedAt ?? nanoseconds
    case .resume:
      guard let from = pausedAt, nanoseconds > from else { return pausedAt = nil }
      current.pauses.append(ExportedWorkout.Pause(from: from, until: nanoseconds))
      pausedAt = nil
    case .start, .lap, .stop, .target, .strategy: break
    }
  }

  /// Takes a sample, at a time of the workout.
  ///
  /// - Throws: `ExportError` when there are too many.
  mutating func admit(_ sample: Sample) throws(ExportError) {
    let time = sample.time.nanoseconds
    if case .rrInterval(let milliseconds) = sample.reading {
      current.intervals.append((time, milliseconds))
      return
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
      current.motions.append((current.rows.count, reading))
      rowCount += 1
    case .rrInterval: break
    }
  }

  /// Whether a position has the speed that the row has: one row cannot tell two.
  private func continuesRow(_ reading: Reading) -> Bool {
    guard case .location(let fix) = reading, let row, !row.speed.isNaN else { return true }
    return fix.speedMetersPerSecond == row.speed
  }

  private mutating func beginRow(at time: Int64) throws(ExportError) {
    guard rowCount < ExportedWorkout.largestCount else {
      throw ExportError("second \(time / 1_000_000_000): more than \(ExportedWorkout.largestCount) points up to here")
    }
    closeRow()
    row = RecordedPoint(time: time)
    rowCount += 1
  }

  private mutating func closeRow() {
    if let row { current.rows.append(row) }
    row = nil
  }

  /// The activity; `nil` when it has no row.
  mutating func finish() -> Activity? {
    closeRow()
    guard let first = current.rows.first, let last = current.rows.last else { return nil }
    if let pausedAt, last.time > pausedAt {
      current.pauses.append(ExportedWorkout.Pause(from: pausedAt, until: last.time))
    }
    current.from = part == nil ? first.time : min(current.from, first.time)
    current.until = max(current.until, last.time)
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
