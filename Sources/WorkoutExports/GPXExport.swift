internal import Recordings
internal import TextFormats
internal import WorkoutSession

/// Writes a workout as GPX 1.1 with Garmin's extension of track points (version 2) and Cluetrust's for the distance.
///
/// Every activity is a track, and after a pause a new segment begins. Only what was measured while the timer ran, in the
/// second of a position or not long before one, has a place; see ``PositionedRows``. The time of the file is that of its first point.
struct GPXExport {
  private(set) var losses = ExportLosses()

  private let workout: ExportedWorkout
  private let start: WallClockTime
  private var text = XMLText()

  /// Looks at a workout.
  ///
  /// - Throws: `ExportError` when its time of day is not known or it has no position.
  init(_ workout: ExportedWorkout) throws(ExportError) {
    guard workout.activities.contains(where: { $0.points.contains(where: Self.isPlaced) }) else {
      throw ExportError("no position, and gpx holds nothing else: export as fit, tcx or csv")
    }
    start = try workout.timeOfDay(for: .gpx)
    self.workout = workout
  }

  /// Whether a row has a position that is not marked as invalid.
  private static func isPlaced(_ row: RecordedPoint) -> Bool { row.hasPosition && !(row.horizontalAccuracy < 0) }

  mutating func write(to output: (Span<UInt8>) throws -> Void) throws {
    text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"")
    let device = XMLText.cleaned(workout.device ?? "")
    text.escaped(device.isEmpty ? "coach" : device)
    text.raw(
      """
      " xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xmlns:gpxdata="http://www.cluetrust.com/XML/GPXDATA/1/0">

      """)
    writeBeginning()
    for activity in workout.activities { try write(activity, to: output) }
    text.raw("</gpx>\n")
    try text.spill(to: output, above: 0)
  }

  /// The time of the first point, which is where programs begin a workout that look at nothing else.
  private mutating func writeBeginning() {
    let firsts = workout.activities.compactMap { activity in
      var sweep = PauseSweep(activity.pauses)
      return activity.points.first { Self.isPlaced($0) && !sweep.advance(to: $0.time).isPaused }?.time
    }
    guard let first = firsts.min(), let time = start.adding(nanoseconds: first) else { return }
    text.raw("<metadata><time>")
    text.time(time)
    text.raw("</time></metadata>\n")
  }

  private mutating func write(
    _ activity: ExportedWorkout.Activity, to output: (Span<UInt8>) throws -> Void
  ) throws {
    losses.add(.motions, activity.items.motionCount)
    losses.add(.rrIntervals, activity.items.intervalCount)
    losses.add(.directions, activity.items.directionCount)
    let isKept = activity.statedMeters == nil || activity.statedMeters == activity.countedMeters
    losses.add(.statedDistances, isKept ? 0 : 1)
    let hasTrack = activity.points.contains(where: Self.isPlaced)
    if hasTrack { beginTrack(activity.sport) } else { losses.add(.activitiesWithoutPosition) }
    let countsSteps = activity.sport.map { !RecordedSport.isOffFoot($0) } ?? true
    var sweep = PauseSweep(activity.pauses)
    var last: Int64?
    var passed: [ExportedWorkout.Pause] = []
    let positioned = PositionedRows(
      activity.points, pauses: activity.pauses, origin: start.nanoseconds % 1_000_000_000, isPlaced: Self.isPlaced)
    losses.add(.samplesMoved, positioned.moved)
    for row in positioned.rows {
      let place = sweep.advance(to: row.time)
      passed += place.over
      guard !place.isPaused else {
        losses.add(.samplesInPauses, row.sampleCount)
        continue
      }
      guard let position = position(of: row) else { continue }
      if !passed.isEmpty {
        breakSegment(passed, from: last, until: row.time)
        passed = []
      }
      write(row, position, countsSteps: countsSteps)
      last = row.time
      try text.spill(to: output)
    }
    losses.add(.pauses, passed.count + sweep.advance(to: .max).over.count)
    if hasTrack { text.raw("</trkseg></trk>\n") }
  }

  private mutating func beginTrack(_ sport: String?) {
    text.raw("<trk>")
    if let sport, !XMLText.cleaned(sport).isEmpty {
      text.raw("<type>")
      text.escaped(sport)
      text.raw("</type>")
    }
    text.raw("<trkseg>\n")
  }

  /// Begins another segment; the pauses lie between two points with a position, of which the first may be missing.
  private mutating func breakSegment(_ pauses: [ExportedWorkout.Pause], from last: Int64?, until next: Int64) {
    guard let last else { return losses.add(.pauses, pauses.count) }
    text.raw("</trkseg><trkseg>\n")
    losses.add(.pauses, pauses.count - 1)
    if pauses.first != ExportedWorkout.Pause(from: last, until: next) { losses.add(.pausesMoved) }
  }

  /// The position of a row; what stands in a row without one is counted.
  private mutating func position(of row: RecordedPoint) -> (latitude: Double, longitude: Double)? {
    let position = losses.position(of: row)
    guard position == nil else { return position }
    losses.add(.heartRatesWithoutPosition, row.heartRate.isNaN ? 0 : 1)
    losses.add(.steps, row.steps.isNaN ? 0 : 1)
    losses.add(.samplesWithoutPosition, [row.cadence, row.distance, row.speed, row.altitude].count { !$0.isNaN })
    return nil
  }

  private mutating func write(
    _ row: RecordedPoint, _ position: (latitude: Double, longitude: Double), countsSteps: Bool
  ) {
    losses.add(.steps, row.steps.isNaN ? 0 : 1)
    losses.add(.accuracies, row.horizontalAccuracy.isNaN ? 0 : 1)
    if !countsSteps, !row.cadence.isNaN { losses.add(.cadencesOffFoot) }
    text.raw("<trkpt lat=\"")
    text.number(position.latitude)
    text.raw("\" lon=\"")
    text.number(position.longitude)
    text.raw("\">")
    if let altitude = losses.plausible(row.altitude) { text.element("ele", altitude) }
    text.raw("<time>")
    if let time = start.adding(nanoseconds: row.time) { text.time(time) }
    text.raw("</time>")
    let heartRate = losses.wholeBeats(row.heartRate)
    let cadence = countsSteps ? losses.strides(row.cadence) : nil
    let speed = losses.plausible(row.speed, atLeast: 0)
    let distance = losses.plausible(row.distance, atLeast: 0)
    let hasExtension = heartRate != nil || cadence != nil || speed != nil
    if hasExtension || distance != nil {
      text.raw("<extensions>")
      if hasExtension {
        text.raw("<gpxtpx:TrackPointExtension>")
        text.element("gpxtpx:hr", heartRate)
        text.element("gpxtpx:cad", cadence)
        if let speed { text.element("gpxtpx:speed", speed) }
        text.raw("</gpxtpx:TrackPointExtension>")
      }
      if let distance { text.element("gpxdata:distance", distance) }
      text.raw("</extensions>")
    }
    text.raw("</trkpt>\n")
  }
}
