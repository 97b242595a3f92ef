package import Recordings
package import SessionStore
package import WorkoutSession
internal import ZoneEngine

extension MovementTrace {
  /// Reads a recording.
  ///
  /// - Parameter noting: is given every input too.
  /// - Throws: what reading the recording throws.
  package init(_ recording: Recording, noting: (RecordedInput) -> Void = { _ in }) throws {
    var reader = try MovementReader()
    try recording.forEachInput { input in
      noting(input)
      reader.take(input)
    }
    self = reader.finished()
    origin = recording.origin
  }

  /// Reads a session of our own.
  ///
  /// - Parameter noting: is given every input too.
  /// - Throws: what reading its logs throws.
  package init(_ session: SessionFolderRecording, noting: (RecordedInput) -> Void = { _ in }) throws {
    var reader = try MovementReader()
    _ = try session.forEachInput { input in
      noting(input)
      reader.take(input)
    }
    self = reader.finished()
    origin = session.manifest.origin
  }
}

/// Collects what a trace is made of. Metres are those that the product counts: of the device, else between positions; where
/// there are neither, speeds are summed.
private struct MovementReader {
  private typealias Point = MovementTrace.Point

  private var pipeline: SessionPipeline
  private var events: [SessionEvent] = []
  private var heartRates: [Point] = []
  private var meters: [Point] = []
  private var summed: [Point] = []
  private var altitudes: [Point] = []
  private var cadences: [Point] = []
  private var pauses: [ClosedRange<Double>] = []
  private var pausedAt: Double?

  init() throws {
    // Nothing is asked for; the maximum decides nothing.
    var request = CoachingRequest()
    request.profile.maximumHeartRate = 190
    request.strategy = .none
    pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: nil)
  }

  mutating func take(_ input: RecordedInput) {
    events.removeAll(keepingCapacity: true)
    switch input {
    case .unplaced, .advance: break
    case .command(let command, let time):
      pipeline.perform(command, at: time, into: &events)
      note(pause: pipeline.engine.isPaused, at: time.seconds)
    case .sample(let sample): take(sample)
    }
  }

  private mutating func take(_ sample: Sample) {
    guard pipeline.take(sample, into: &events) == .admitted else { return }
    let seconds = sample.time.seconds
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      guard pipeline.engine.newestReading?.time == sample.time else { return }
      Self.add(beatsPerMinute, at: seconds, to: &heartRates)
    case .speed(let speed) where speed >= 0:
      let last = summed.last ?? Point(seconds: seconds, value: 0)
      let gap = seconds - last.seconds
      Self.add(last.value + (gap <= MovementTrace.longestGap ? speed * gap : 0), at: seconds, to: &summed)
    case .location(let fix):
      if let altitude = fix.altitudeMeters { Self.add(altitude, at: seconds, to: &altitudes) }
      addMeters(at: seconds)
    case .distance: addMeters(at: seconds)
    case .cadence(let stepsPerMinute): Self.add(stepsPerMinute, at: seconds, to: &cadences)
    case .altitude(let meters): Self.add(meters, at: seconds, to: &altitudes)
    case .speed, .steps, .motion, .rrInterval, .direction: break
    }
  }

  mutating func finished() -> MovementTrace {
    note(pause: false, at: pipeline.latest.seconds)
    return MovementTrace(
      heartRates: heartRates, meters: meters.count > 1 ? meters : summed, altitudes: altitudes, cadences: cadences,
      pauses: pauses)
  }

  private mutating func addMeters(at seconds: Double) {
    if let covered = pipeline.engine.distanceMeters { Self.add(covered, at: seconds, to: &meters) }
  }

  private mutating func note(pause isPaused: Bool, at seconds: Double) {
    if isPaused, pausedAt == nil { pausedAt = seconds }
    if !isPaused, let from = pausedAt {
      pauses.append(from...max(from, seconds))
      pausedAt = nil
    }
  }

  /// Appends a reading; one that is not later than the last is left out.
  private static func add(_ value: Double, at seconds: Double, to points: inout [Point]) {
    guard value.isFinite, seconds > (points.last?.seconds ?? -1) else { return }
    points.append(Point(seconds: seconds, value: value))
  }
}
