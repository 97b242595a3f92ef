internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Writes a workout as FIT: one file an activity, several in a row.
///
/// Times are cut to the second in which they lie. What was measured at several instants of a second becomes one record: of
/// each kind of reading the last counts. Several rows of one instant stay several records. A clock that is not known is written as FIT has it for devices whose clock was never set: seconds
/// since some start.
///
/// Each lap is one, and of a session of our own each step of its plan, and its cues stand in ``FITFile/describeFields()``. Where
/// no record counts metres, laps and the session state those between the positions.
///
/// The session, and a lap that is the only one, state the energy of a session of our own, and what has strides states how many
/// there were in a minute of the time without pauses.
///
/// Source: Garmin, FIT SDK, *FIT Activity File* and *Global FIT Profile*.
struct FITExport {
  private typealias Row = FITRecordRow

  private(set) var losses = ExportLosses()

  private let workout: ExportedWorkout
  /// Nanoseconds from the beginning of the file's clock to session time zero.
  private let origin: Int64
  private var file = FITFile()
  private var streams: Row.Streams = []
  private var countsSteps = false
  /// Whether the steps of the rows are those that the recording states beside its points, as the session does here.
  private var statesSteps = false
  private var lastRecord: UInt32?
  private var laps: FITLaps
  /// The cues that no record has yet, with the second of each.
  private var cues: ArraySlice<(second: UInt32, cue: ExportedMarks.Cue)> = []

  /// Looks at a workout.
  ///
  /// - Throws: `ExportError` when its times cannot be written in FIT.
  init(_ workout: ExportedWorkout) throws(ExportError) {
    self.workout = workout
    laps = FITLaps([], from: 0, until: 0, altitudesAreOfOneDevice: workout.altitudesAreOfOneDevice)
    let first = workout.activities.map(\.from).min() ?? 0
    let last = workout.activities.map(\.until).max() ?? 0
    let range: ClosedRange<Int64>
    if let start = workout.start {
      // What is smaller is the time since a device was switched on.
      range = 0x1000_0000...0xFFFF_FFFE
      let (sum, overflow) = start.nanoseconds.subtractingReportingOverflow(631_065_600_000_000_000)
      guard !overflow else { throw Self.outside }
      origin = sum
    } else {
      range = 0...0x0FFF_FFFF
      origin = 0
    }
    for time in [first, last] {
      let (sum, overflow) = origin.addingReportingOverflow(time)
      guard !overflow, range.contains(Self.second(sum)) else { throw Self.outside }
    }
  }

  private static var outside: ExportError {
    ExportError(
      "fit holds times from 1998-07-03 to 2126-02-06, or 8 years of an unknown clock: export as tcx, gpx or csv")
  }

  mutating func write(to output: (Span<UInt8>) throws -> Void) throws {
    for activity in workout.activities {
      file = FITFile()
      lastRecord = nil
      try write(activity)
      try file.write(to: output)
    }
  }

  private mutating func write(_ activity: ExportedWorkout.Activity) throws {
    losses.add(.motions, activity.items.motionCount)
    losses.add(.directions, activity.items.directionCount)
    let sport = sport(of: activity)
    countsSteps = sport.isOnFoot
    statesSteps = activity.statedSteps != nil
    streams = streams(of: activity)
    let pauses = pauses(of: activity)
    let from = timestamp(activity.from)
    let until = max(timestamp(activity.until), pauses.last?.until ?? 0)
    let end = timestamp(activity.until)
    let kind = WorkoutSession.Activity(ofSport: activity.sport)
    laps = FITLaps(
      activity.marks.laps.map { (second: timestamp($0.from), lap: $0) }, from: from, until: until, pauses: pauses,
      track: streams.contains(.distance)
        ? nil : DistanceTotal(fastestMetersPerSecond: kind.fastestMetersPerSecond),
      altitudesAreOfOneDevice: workout.altitudesAreOfOneDevice,
      results: activity.lapResults, second: { timestamp($0.start.nanoseconds) }, whole: activity.heartRates)
    cues = activity.marks.cues.map { (second: min(max(from, timestamp($0.time)), end), cue: $0) }[...]
    file.head(at: from)
    if let name = deviceName() { file.device(name, at: from) }
    if laps.hasNames || !cues.isEmpty { file.describeFields() }
    file.defineEvents()
    file.event(at: from, isStop: false)
    file.defineRecords(streams)
    var intervals = try writtenIntervals(of: activity)[...]
    if !intervals.isEmpty { file.defineIntervals() }
    var events = pauses.flatMap { [(time: $0.from, isStop: true), (time: $0.until, isStop: false)] }[...]
    let writeEvents = { (file: inout FITFile, until: UInt32) in
      while let event = events.first, event.isStop ? event.time < until : event.time <= until {
        file.event(at: event.time, isStop: event.isStop)
        events.removeFirst()
      }
    }
    forEachSecond(of: activity.points) { writer, second, row in
      if writer.lastRecord == nil, second > from { writer.record(.empty, at: from) }
      if !intervals.isEmpty { writer.write(&intervals, before: second, writeEvents) }
      writer.writeCues(before: second, writeEvents)
      writeEvents(&writer.file, second)
      writer.record(row, at: second)
    }
    if !intervals.isEmpty { write(&intervals, before: .max, writeEvents) }
    writeCues(before: end, writeEvents)
    if lastRecord != end {
      writeEvents(&file, end)
      record(.empty, at: end)
    }
    while !cues.isEmpty { record(.empty, at: end) }
    for event in events { file.event(at: event.time, isStop: event.isStop) }
    file.event(at: until, isStop: true)
    let paused = pauses.reduce(0) { $0 + $1.until - $1.from }
    let summary = summary(of: activity, sport, from: from, until: until, paused: paused)
    if !laps.isPlain { file.write(laps.summaries(until: until, pauses: pauses, whole: summary)) }
    file.write(summary, lapCount: laps.isPlain ? 0 : laps.laps.count, localUntil: local(until))
  }

  /// The time of an interval between beats, and its milliseconds as FIT has them.
  private typealias WrittenInterval = (second: UInt32, milliseconds: UInt16)

  private mutating func writtenIntervals(of activity: ExportedWorkout.Activity) throws -> [WrittenInterval] {
    guard activity.items.intervalCount > 0 else { return [] }
    var intervals: [WrittenInterval] = []
    var losses = losses
    try activity.items.forEach { item in
      guard case .interval(let time, let milliseconds) = item else { return }
      guard let whole = UInt16(exactly: milliseconds.rounded()), whole < .max else {
        return losses.add(.valuesOutOfRange)
      }
      if Double(whole) != milliseconds { losses.add(.valuesRounded) }
      if !isWhole(time) { losses.add(.timesCut) }
      intervals.append((timestamp(time), whole))
    }
    self.losses = losses
    return intervals
  }

  /// Writes the intervals of the seconds before a record, each behind a record of its second, whose time they have.
  private mutating func write(
    _ intervals: inout ArraySlice<WrittenInterval>, before second: UInt32,
    _ writeEvents: (inout FITFile, UInt32) -> Void
  ) {
    while let next = intervals.first?.second, next < second {
      if lastRecord.map({ $0 < next }) ?? true {
        writeEvents(&file, next)
        record(.empty, at: next)
      }
      let count = min(FITFile.mostIntervals, intervals.prefix { $0.second == next }.count)
      file.intervals(intervals.prefix(count).map(\.milliseconds))
      intervals.removeFirst(count)
    }
  }

  /// Writes the cues of the seconds before a record in records of their own; those of its second are its.
  private mutating func writeCues(before second: UInt32, _ writeEvents: (inout FITFile, UInt32) -> Void) {
    while let next = cues.first?.second, next < second {
      writeEvents(&file, next)
      record(.empty, at: next)
    }
  }

  /// The streams of which an activity has anything that can be written.
  private func streams(of activity: ExportedWorkout.Activity) -> Row.Streams {
    var trial = self
    var streams: Row.Streams = []
    trial.forEachSecond(of: activity.points) { streams.formUnion($2.streams) }
    return streams
  }

  // MARK: Times

  private static func second(_ nanoseconds: Int64) -> Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The second in which a time lies; the ends of the clock for what lies beyond.
  private func timestamp(_ time: Int64) -> UInt32 {
    let (sum, overflow) = origin.addingReportingOverflow(time)
    guard !overflow else { return time < 0 ? 0 : .max - 1 }
    return UInt32(min(max(0, Self.second(sum)), Int64(UInt32.max - 1)))
  }

  /// The same instant on the clock of the place; `nil` where nobody knows that, or where it is UTC, which devices write that do not.
  private func local(_ timestamp: UInt32) -> UInt32? {
    guard workout.start != nil, let offset = PlaceOffset.secondsUnlessUTC(workout.utcOffsetSeconds) else { return nil }
    let local = Int64(timestamp) + Int64(offset)
    return (0x1000_0000..<Int64(UInt32.max)).contains(local) ? UInt32(local) : nil
  }

  private func isWhole(_ time: Int64) -> Bool { (origin % 1_000_000_000 + time % 1_000_000_000) % 1_000_000_000 == 0 }

  private mutating func pauses(of activity: ExportedWorkout.Activity) -> [(from: UInt32, until: UInt32)] {
    activity.pauses.compactMap { pause in
      let (from, until) = (timestamp(pause.from), timestamp(pause.until))
      let isOnClock = workout.start == nil ? pause.from >= 0 && until < 0x1000_0000 : from >= 0x1000_0000
      guard from < until, isOnClock else {
        losses.add(.pauses)
        return nil
      }
      if !isWhole(pause.from) || !isWhole(pause.until) { losses.add(.pausesMoved) }
      return (from, until)
    }
  }

  /// Gives the rows of the different instants of a second as one; those of one instant stay apart.
  private mutating func forEachSecond(
    of points: [RecordedPoint], _ body: (inout FITExport, UInt32, Row) -> Void
  ) {
    var pending: (second: UInt32, row: Row)?
    var last: Int64?
    for var point in points {
      if statesSteps { point.steps = .nan }
      let row = Row(point, countsSteps: countsSteps, &losses)
      guard !row.streams.isEmpty else { continue }
      if !isWhole(point.time) { losses.add(.timesCut) }
      let second = timestamp(point.time)
      if let held = pending, held.second == second, point.time != last {
        var merged = held.row
        losses.add(.samplesMerged, merged.take(row))
        pending = (second, merged)
      } else {
        if let pending { body(&self, pending.second, pending.row) }
        pending = (second, row)
      }
      last = point.time
    }
    if let pending { body(&self, pending.second, pending.row) }
  }

  // MARK: Sport

  /// The sport in numbers of the profile. A sport that is not stated is running when there are steps, because they would
  /// be read as turns of a crank otherwise.
  private mutating func sport(of activity: ExportedWorkout.Activity) -> FITSport {
    let hasSteps =
      activity.statedSteps != nil || activity.points.contains { !$0.cadence.isNaN || !$0.steps.isNaN }
    let name = activity.sport
    let saysNothing = name == nil || name == "generic" || name == "other"
    let number = name.map { FITSport.number(named: $0) ?? FITSport.number(like: $0) } ?? 0
    let kind = activity.subSport.flatMap(FITSport.kind(named:)) ?? name.flatMap { FITSport.kind(of: number, like: $0) }
    let sport = FITSport(sport: number, kind: kind)
    guard !saysNothing || !hasSteps || sport.isOnFoot else {
      losses.add(.sportsTakenForRunning)
      return FITSport(sport: 1, kind: nil)
    }
    guard let name else { return sport }
    if let written = sport.name, written != name { losses.add(.sportsRenamed, detail: "\(name) → \(written)") }
    return sport
  }

  // MARK: What is written beside the records

  /// The name of the device as it fits into a field.
  private mutating func deviceName() -> [UInt8]? {
    var bytes: [UInt8] = []
    for character in XMLText.cleaned(workout.device ?? "").unicodeScalars {
      let next = Array(String(character).utf8)
      guard bytes.count + next.count <= FITFile.longestText else {
        losses.add(.deviceCut)
        break
      }
      bytes += next
    }
    return bytes.isEmpty ? nil : bytes
  }

  private mutating func summary(
    of activity: ExportedWorkout.Activity, _ sport: FITSport, from: UInt32, until: UInt32, paused: UInt32
  ) -> FITFile.Summary {
    let elapsed = Int64(until - from)
    var summary = FITFile.Summary(
      from: from, until: until, elapsed: UInt32(clamping: elapsed * 1000),
      active: UInt32(clamping: (elapsed - Int64(paused)) * 1000), sport: sport)
    if let centimeters = laps.knownDistance {
      summary.distance = centimeters
    } else if let meters = workout.meters(of: activity) {
      summary.distance = UInt32(exactly: (meters * 100).rounded())
      if summary.distance == nil { losses.add(.statedDistances) }
    } else if workout.activities.allSatisfy({ $0.statedMeters == nil && $0.countedMeters == nil }) {
      // That of a single lap is the one of the whole, also where positions are hidden.
      let meters = laps.laps.count == 1 ? activity.measuredMeters : nil
      summary.distance = meters.flatMap { UInt32(exactly: ($0 * 100).rounded()) } ?? laps.measuredDistance
    }
    if !sport.isOnFoot, activity.statedSteps != nil { losses.add(.statedSteps) }
    // What the records count is written in whole strides, as they count it.
    let known = laps.laps.count == 1 ? activity.steps.map(Double.init) : nil
    let counted = laps.steps.map { ((known ?? $0) / 2).rounded(.down) * 2 }
    if sport.isOnFoot, let steps = activity.statedSteps.map({ Double($0) }) ?? counted {
      summary.cycles = UInt32(exactly: (steps / 2).rounded(.down))
      summary.fractionalCycles = steps.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 64
    }
    let heartRates = laps.heartRates
    summary.meanHeartRate = heartRates.mean.flatMap { UInt8(exactly: $0.rounded()) }
    summary.maximumHeartRate = heartRates.maximum.flatMap { UInt8(exactly: $0.rounded()) }
    summary.rates = laps.rates
    if let gain = laps.gain {
      summary.climb(from: AltitudeGain(), to: gain)
      losses.add(.valuesOutOfRange, [summary.ascent, summary.descent].count { $0 == nil })
    }
    if let energy = activity.energyKilocalories {
      // The largest number means that there is none.
      summary.kilocalories = UInt16(exactly: energy.rounded()).flatMap { $0 == .max ? nil : $0 }
      if summary.kilocalories == nil { losses.add(.valuesOutOfRange) }
    }
    return summary
  }

  private mutating func record(_ row: Row, at time: UInt32) {
    lastRecord = time
    laps.admit(row, at: time)
    guard let next = cues.first, next.second <= time else { return file.record(row, of: streams, at: time) }
    cues.removeFirst()
    file.record(row, of: streams, at: time, cue: next.cue)
  }
}
