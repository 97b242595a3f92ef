internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Writes a workout as Training Center XML, valid by its schema.
///
/// Every activity is one `Activity`, every lap of it a `Lap`; see ``TCXLaps``. A pause is what our reader and the devices make
/// of it: one `Track` ends where it begins, the next begins where it ends, if need be with points that hold only a time. Such
/// points also mark the first and the last instant of a lap when no reading stands there. What was measured inside of a pause
/// has no place.
struct TCXExport {
  /// Nanoseconds that have to lie between two tracks to be a pause to a reader.
  private static let shortestPause = TCXPauses.trackTolerance

  private(set) var losses = ExportLosses()

  private let workout: ExportedWorkout
  private let start: WallClockTime
  private var text = XMLText()
  private var identities: Set<Int64> = []
  /// The time of the last point of the track.
  private var lastTime: Int64?
  /// The time at which the track begins, until it has a point.
  private var trackBegin: Int64?

  /// Looks at a workout.
  ///
  /// - Throws: `ExportError` when its time of day is not known.
  init(_ workout: ExportedWorkout) throws(ExportError) {
    start = try workout.timeOfDay(for: .tcx)
    self.workout = workout
  }

  mutating func write(to output: (Span<UInt8>) throws -> Void) throws {
    text.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
      xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <Activities>

      """)
    for activity in workout.activities { try write(activity, to: output) }
    text.raw("</Activities>\n</TrainingCenterDatabase>\n")
    try text.spill(to: output, above: 0)
  }

  private mutating func write(
    _ activity: ExportedWorkout.Activity, to output: (Span<UInt8>) throws -> Void
  ) throws {
    losses.add(.motions, activity.items.motionCount)
    losses.add(.rrIntervals, activity.items.intervalCount)
    losses.add(.directions, activity.items.directionCount)
    let pauses = pauses(of: activity)
    let laps = laps(of: activity, pauses)
    begin(activity)
    begin(laps[0])
    var lap = 0
    var sweep = PauseSweep(pauses)
    // A reading at the instant at which a lap begins stands in the one before.
    let goOn = { (writer: inout TCXExport, time: Int64) in
      while lap + 1 < laps.count, time > laps[lap].until {
        for pause in sweep.advance(to: laps[lap].until).over { writer.write(pause) }
        writer.end(laps[lap])
        lap += 1
        writer.begin(laps[lap])
      }
    }
    for row in activity.points {
      goOn(&self, row.time)
      let place = sweep.advance(to: row.time)
      for pause in place.over { write(pause) }
      guard !place.isPaused else {
        losses.add(.samplesInPauses, row.sampleCount)
        continue
      }
      write(row)
      try text.spill(to: output)
    }
    goOn(&self, .max)
    for pause in sweep.advance(to: activity.until).over { write(pause) }
    end(laps[lap])
    if let device = workout.device, !XMLText.cleaned(device).isEmpty {
      text.raw("<Creator xsi:type=\"Device_t\"><Name>")
      text.escaped(device)
      text.raw(
        "</Name><UnitId>0</UnitId><ProductID>0</ProductID>"
          + "<Version><VersionMajor>0</VersionMajor><VersionMinor>0</VersionMinor></Version></Creator>\n")
    }
    text.raw("</Activity>\n")
  }

  private mutating func begin(_ activity: ExportedWorkout.Activity) {
    text.raw("<Activity Sport=\"\(sport(activity.sport))\">\n<Id>")
    // The schema wants an identity for each, also for two that begin at once.
    var identity = activity.from
    while !identities.insert(identity).inserted { identity += 1 }
    time(identity)
    text.raw("</Id>\n")
  }

  private mutating func laps(
    of activity: ExportedWorkout.Activity, _ pauses: [ExportedWorkout.Pause]
  ) -> [TCXLaps.Lap] {
    // The schema wants a distance. One that nobody states is that between the positions.
    let states = workout.activities.contains { $0.statedMeters != nil }
    let meters = workout.meters(of: activity) ?? (states ? nil : activity.measuredMeters)
    // It wants calories too, and 0 is what devices write that do not know them.
    let energy = activity.energyKilocalories?.rounded() ?? 0
    let kilocalories = UInt16(exactly: energy)
    if kilocalories == nil { losses.add(.valuesOutOfRange) }
    let laps = TCXLaps(
      activity, pauses: pauses, meters: meters.flatMap { losses.plausible($0) }, kilocalories: kilocalories ?? 0)
    losses.add(.lapsMoved, laps.movedCount)
    return laps.laps
  }

  private mutating func begin(_ lap: TCXLaps.Lap) {
    text.raw("<Lap StartTime=\"")
    time(lap.from)
    text.raw("\">\n<TotalTimeSeconds>")
    text.seconds(lap.active)
    text.raw("</TotalTimeSeconds>\n")
    text.element("DistanceMeters", lap.meters)
    if let speed = lap.maximumSpeed {
      text.raw("\n")
      text.element("MaximumSpeed", speed)
    }
    text.raw("\n<Calories>\(lap.kilocalories)</Calories>\n")
    let (mean, maximum) = (lap.heartRates.mean, lap.heartRates.maximum)
    for (name, beats) in [("AverageHeartRateBpm", mean), ("MaximumHeartRateBpm", maximum)] {
      guard let beats = beats.flatMap({ UInt8(exactly: $0.rounded()) }), (1...254).contains(beats) else { continue }
      text.raw("<\(name)><Value>\(beats)</Value></\(name)>\n")
    }
    text.raw("<Intensity>Active</Intensity>\n")
    if let cadence = lap.meanCadence { text.raw("<Cadence>\(cadence)</Cadence>\n") }
    text.raw("<TriggerMethod>\(lap.end.trigger)</TriggerMethod>\n")
    beginTrack(at: lap.from)
  }

  private mutating func end(_ lap: TCXLaps.Lap) {
    if lastTime != lap.until { point(at: lap.until) }
    text.raw("</Track>\n")
    let (speed, mean, maximum) = (lap.meanSpeed, lap.meanCadence, lap.maximumCadence)
    if speed != nil || maximum != nil {
      text.raw("<Extensions><ns3:LX>")
      if let speed { text.element("ns3:AvgSpeed", speed) }
      text.element("ns3:AvgRunCadence", mean)
      text.element("ns3:MaxRunCadence", maximum)
      text.raw("</ns3:LX></Extensions>\n")
    }
    text.raw("</Lap>\n")
  }

  /// The pauses that can stand between two tracks: inside of the activity and long enough.
  private mutating func pauses(of activity: ExportedWorkout.Activity) -> [ExportedWorkout.Pause] {
    activity.pauses.compactMap { pause in
      let inside = (from: max(pause.from, activity.from), until: min(pause.until, activity.until))
      guard inside.until - inside.from > Self.shortestPause else {
        losses.add(.pauses)
        return nil
      }
      if inside != (pause.from, pause.until) { losses.add(.pausesMoved) }
      return ExportedWorkout.Pause(from: inside.from, until: inside.until)
    }
  }

  private mutating func write(_ pause: ExportedWorkout.Pause) {
    if lastTime != pause.from { point(at: pause.from) }
    text.raw("</Track>\n")
    beginTrack(at: pause.until)
  }

  private mutating func beginTrack(at time: Int64) {
    text.raw("<Track>\n")
    lastTime = nil
    trackBegin = time
  }

  private mutating func write(_ row: RecordedPoint) {
    if !row.steps.isNaN { losses.add(.steps) }
    let position = losses.position(of: row)
    if position != nil, !row.horizontalAccuracy.isNaN { losses.add(.accuracies) }
    let altitude = losses.plausible(row.altitude)
    let distance = losses.plausible(row.distance)
    let heartRate = losses.wholeBeats(row.heartRate)
    let speed = losses.plausible(row.speed, atLeast: 0)
    let cadence = losses.strides(row.cadence)
    guard position != nil || altitude != nil || distance != nil || heartRate != nil || speed != nil || cadence != nil
    else { return }
    beginPoint(at: row.time)
    if let position {
      text.raw("<Position>")
      text.element("LatitudeDegrees", position.latitude)
      text.element("LongitudeDegrees", position.longitude)
      text.raw("</Position>")
    }
    if let altitude { text.element("AltitudeMeters", altitude) }
    if let distance { text.element("DistanceMeters", distance) }
    if let heartRate { text.raw("<HeartRateBpm><Value>\(heartRate)</Value></HeartRateBpm>") }
    if speed != nil || cadence != nil {
      text.raw("<Extensions><ns3:TPX>")
      if let speed { text.element("ns3:Speed", speed) }
      text.element("ns3:RunCadence", cadence)
      text.raw("</ns3:TPX></Extensions>")
    }
    text.raw("</Trackpoint>\n")
  }

  /// Appends a point that holds only a time.
  private mutating func point(at time: Int64) {
    beginPoint(at: time)
    text.raw("</Trackpoint>\n")
  }

  private mutating func beginPoint(at time: Int64) {
    if let begin = trackBegin {
      trackBegin = nil
      if begin != time { point(at: begin) }
    }
    text.raw("<Trackpoint><Time>")
    self.time(time)
    text.raw("</Time>")
    lastTime = time
  }

  private mutating func time(_ time: Int64) { if let time = start.adding(nanoseconds: time) { text.time(time) } }

  /// The schema has three sports.
  private mutating func sport(_ name: String?) -> String {
    let sport = name.map(Self.sport) ?? "Other"
    if let name, sport.lowercased() != name { losses.add(.sportsRenamed, detail: "\(name) → \(sport)") }
    return sport
  }

  private static func sport(_ name: String) -> String {
    switch WorkoutSession.Activity(ofSport: name).label {
    case "running", "treadmill": "Running"
    case "cycling": "Biking"
    default: "Other"
    }
  }
}

extension XMLText {
  /// Appends exact seconds.
  mutating func seconds(_ nanoseconds: Int64) {
    var digits: [UInt8] = []
    DecimalFormat.append(seconds: nanoseconds, to: &digits)
    raw(String(decoding: digits, as: UTF8.self))
  }
}

extension ExportedWorkout {
  /// The time of day of session time zero, for a format that needs one.
  ///
  /// - Throws: `ExportError` when it is not known.
  func timeOfDay(for format: ExportFormat) throws(ExportError) -> WallClockTime {
    guard let start else {
      throw ExportError(
        "the time of day is not known, which \(format.rawValue) needs: "
          + "say it with --start TIME, or export as csv or fit, which keep relative times")
    }
    return start
  }
}
