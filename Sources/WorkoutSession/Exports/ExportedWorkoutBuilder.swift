internal import ZoneEngine

/// Puts the inputs of a session into rows and activities.
struct ExportedWorkoutBuilder {
  typealias Activity = ExportedWorkout.Activity

  private let parts: [ActivityFacts]
  private var part = 0
  private var activities: [Activity] = []
  private var current = Activity()
  private var row: RecordedPoint?
  private var lastStream = SampleStream.heartRate
  private var steps = 0.0
  private var count = 0
  private var pausedAt: Int64?
  private var distance = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnWheels)
  private var countedBefore: Double?
  private var measuredBefore = 0.0

  /// Begins; `parts` are the activities of the recording where it knows of any.
  init(parts: [ActivityFacts]) {
    self.parts = parts
    describe()
  }

  /// Takes the next input.
  ///
  /// - Throws: `ExportError` when there are too many.
  mutating func admit(_ input: RecordedInput) throws(ExportError) {
    switch input {
    case .sample(let sample): try admit(sample)
    case .command(let command, let time):
      // Where the parts are known, so are their pauses.
      guard parts.isEmpty else { return }
      switch command {
      case .pause: pausedAt = pausedAt ?? time.nanoseconds
      case .resume:
        guard let from = pausedAt, time.nanoseconds > from else { return pausedAt = nil }
        current.pauses.append(ExportedWorkout.Pause(from: from, until: time.nanoseconds))
        pausedAt = nil
      case .start, .lap, .stop: break
      }
    }
  }

  /// The activities that have a row.
  mutating func finish() -> [Activity] {
    closeActivity()
    return activities
  }

  private mutating func admit(_ sample: Sample) throws(ExportError) {
    let time = sample.time.nanoseconds
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
    case .motion(let reading): current.motions.append((current.rows.count, reading))
    }
  }

  /// Whether a position has the speed that the row has: one row cannot tell two.
  private func continuesRow(_ reading: Reading) -> Bool {
    guard case .location(let fix) = reading, let row, !row.speed.isNaN else { return true }
    return fix.speedMetersPerSecond == row.speed
  }

  private mutating func beginRow(at time: Int64) throws(ExportError) {
    guard count < ExportedWorkout.largestCount else {
      throw ExportError("more than \(ExportedWorkout.largestCount) points")
    }
    let before = row?.time
    closeRow()
    if isBehindPart(time, before) {
      closeActivity()
      repeat { part += 1 } while part + 1 < parts.count && time > parts[part].until.nanoseconds
      describe()
    }
    row = RecordedPoint(time: time)
    count += 1
  }

  /// Whether a row belongs to an activity after the current one. Those that overlap follow each other whole, so that the
  /// next one begins where time steps back; where one begins in the last instant of the other, with the second row.
  private func isBehindPart(_ time: Int64, _ before: Int64?) -> Bool {
    guard part + 1 < parts.count else { return false }
    let until = parts[part].until.nanoseconds
    if time > until { return true }
    guard let before else { return false }
    return time < before || time == before && time == until && time == parts[part + 1].from.nanoseconds
  }

  private mutating func closeRow() {
    if let row { current.rows.append(row) }
    row = nil
  }

  private mutating func describe() {
    guard parts.indices.contains(part) else { return }
    current.sport = parts[part].sport
    current.from = parts[part].from.nanoseconds
    current.until = parts[part].until.nanoseconds
    current.statedMeters = parts[part].statedMeters
    current.statedSteps = parts[part].statedSteps
    current.pauses = parts[part].pauses.map {
      ExportedWorkout.Pause(from: $0.from.nanoseconds, until: $0.until.nanoseconds)
    }
  }

  private mutating func closeActivity() {
    closeRow()
    if var last = current.rows.last, let first = current.rows.first {
      if zip(current.rows, current.rows.dropFirst()).contains(where: { $0.time > $1.time }) { sortRows() }
      last = current.rows.last ?? last
      let earliest = current.rows.first ?? first
      current.from = parts.isEmpty ? earliest.time : min(current.from, earliest.time)
      current.until = max(current.until, last.time)
      current.pauses = Self.united(current.pauses)
      if let recorded = distance.recordedMeters, recorded != countedBefore {
        current.countedMeters = recorded - (countedBefore ?? 0)
      }
      let measured = distance.measuredMeters - measuredBefore
      current.measuredMeters = measured > 0 ? measured : nil
      activities.append(current)
    }
    (countedBefore, measuredBefore) = (distance.recordedMeters, distance.measuredMeters)
    current = Activity()
    steps = 0
  }

  /// Puts rows in order of time; those of one instant stay as they are, and every row keeps the steps that it added.
  private mutating func sortRows() {
    var rows = current.rows
    var last = 0.0
    for index in rows.indices where !rows[index].steps.isNaN {
      (rows[index].steps, last) = (rows[index].steps - last, rows[index].steps)
    }
    let order = rows.indices.sorted { rows[$0].time == rows[$1].time ? $0 < $1 : rows[$0].time < rows[$1].time }
    var places = [Int](repeating: 0, count: rows.count)
    for (place, index) in order.enumerated() { places[index] = place }
    var total = 0.0
    current.rows = order.map { index in
      var row = rows[index]
      if !row.steps.isNaN {
        total += row.steps
        row.steps = total
      }
      return row
    }
    current.motions = current.motions.map { (places[$0.row], $0.reading) }.sorted { $0.row < $1.row }
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
