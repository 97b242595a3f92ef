internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// The laps of an activity as TCX has them: one after the other, each from its beginning to that of the next, and what each
/// comes to.
///
/// A lap of a session of our own comes to what its history says. Of a file a reading at the instant at which a lap begins
/// belongs to the lap before; a lap that begins between two readings of the distance has its share of the way between them, in
/// proportion to the time without pauses.
struct TCXLaps {
  /// A lap; times are nanoseconds of session time.
  struct Lap {
    let from: Int64
    let until: Int64
    /// What ended it.
    let end: StatedStep.End
    /// Nanoseconds without pauses.
    fileprivate(set) var active: Int64 = 0
    fileprivate(set) var meters = 0.0
    fileprivate(set) var kilocalories: UInt16 = 0
    fileprivate(set) var heartRates = HeartRateStatistics()
    /// The highest of its speeds in metres per second; `nil` without one.
    fileprivate(set) var maximumSpeed: Double?
    fileprivate var strides = TCXStrides()

    /// Metres per second without pauses, to the millimetre; `nil` where no distance is known.
    var meanSpeed: Double? {
      guard meters > 0, active > 0 else { return nil }
      return (meters / (Double(active) / 1e9) * 1_000).rounded() / 1_000
    }

    /// Whole strides of one leg a minute of the cadences above 0; `nil` without one.
    var meanCadence: UInt8? { strides.mean }

    /// Whole strides of one leg a minute; `nil` without a cadence.
    var maximumCadence: UInt8? { strides.maximum }
  }

  /// At least one; the first begins with the activity, the last ends with it.
  private(set) var laps: [Lap]
  /// How many began in a pause, and begin with it here, because a track ends where a pause begins.
  private(set) var movedCount = 0

  /// Lays the laps of an activity out.
  ///
  /// - Parameters:
  ///   - pauses: those that are written, in order and apart.
  ///   - meters: what the whole activity comes to; `nil` where nothing says it.
  ///   - kilocalories: those of the whole activity; 0 where they are not known.
  init(
    _ activity: ExportedWorkout.Activity, pauses: [ExportedWorkout.Pause], meters: Double?, kilocalories: UInt16
  ) {
    var starts: [(from: Int64, begunBy: StatedStep.End)] = [(activity.from, .hand)]
    var ahead = pauses[...]
    for mark in activity.marks.laps where mark.from > activity.from && mark.from < activity.until {
      while let pause = ahead.first, pause.until <= mark.from { ahead.removeFirst() }
      let pausedAt = ahead.first.flatMap { $0.from < mark.from ? $0.from : nil }
      if pausedAt != nil { movedCount += 1 }
      let from = pausedAt ?? mark.from
      // What begins with another is one with it.
      if from > starts[starts.count - 1].from { starts.append((from, mark.begunBy)) }
    }
    laps = starts.indices.map { index in
      let next = index + 1 < starts.count ? starts[index + 1] : (activity.until, .hand)
      return Lap(from: starts[index].from, until: next.0, end: next.1)
    }
    var open = pauses[...]
    for index in laps.indices {
      let lap = laps[index]
      open = open.drop { $0.until <= lap.from }
      laps[index].active = Self.active(lap, open)
    }
    let measured = measure(activity, pauses)
    let results = LapResults(activity.lapResults, starts: laps.map(\.from)) { $0.start.nanoseconds }
    if laps.count > 1 {
      for index in laps.indices { laps[index].heartRates = results.heartRates[index] ?? laps[index].heartRates }
    } else if let known = activity.heartRates {
      laps[0].heartRates = known
    }
    if laps.count > 1, let ends = results.meters {
      share(ends[ends.count - 1], by: ends.indices.map { ends[$0] - ($0 > 0 ? ends[$0 - 1] : 0) })
    } else {
      share(meters ?? 0, by: measured)
    }
    let ends = Self.sums(shares(by: []), of: Double(kilocalories))
    for index in laps.indices {
      laps[index].kilocalories = UInt16(clamping: Int64(ends[index] - (index > 0 ? ends[index - 1] : 0)))
    }
  }

  /// The time of a lap without pauses, of which those that ended before it are left out.
  private static func active(_ lap: Lap, _ pauses: ArraySlice<ExportedWorkout.Pause>) -> Int64 {
    pauses.prefix { $0.from < lap.until }.reduce(span(lap.from, lap.until)) {
      max(0, $0 - span(max($1.from, lap.from), min($1.until, lap.until)))
    }
  }

  /// The nanoseconds from one time to a later one; 0 where nobody can have run so long.
  private static func span(_ from: Int64, _ until: Int64) -> Int64 {
    let (length, overflow) = until.subtractingReportingOverflow(from)
    return overflow ? 0 : max(0, length)
  }

  /// Gives each lap the heart rates that are written in it; the metres of each, by the distances of the points, without
  /// those by their positions.
  private mutating func measure(_ activity: ExportedWorkout.Activity, _ pauses: [ExportedWorkout.Pause]) -> [Double] {
    let empty = LapWays(starts: laps.dropFirst().map(\.from), from: activity.from)
    var (counted, measured) = (empty, empty)
    let sport = WorkoutSession.Activity(ofSport: activity.sport)
    var track = DistanceTotal(fastestMetersPerSecond: sport.fastestMetersPerSecond)
    var sweep = PauseSweep(pauses)
    // What is rounded or out of range is counted where the points are written.
    var uncounted = ExportLosses()
    var lap = 0
    for row in activity.points {
      let place = sweep.advance(to: row.time)
      for pause in place.over {
        counted.pause(pause)
        measured.pause(pause)
        track.breakTrack()
      }
      guard !place.isPaused else { continue }
      while lap + 1 < laps.count, row.time > laps[lap + 1].from { lap += 1 }
      let beats = row.heartRate.rounded()
      if (1...254).contains(beats) { laps[lap].heartRates.admit(beats) }
      if let speed = uncounted.plausible(row.speed, atLeast: 0) {
        laps[lap].maximumSpeed = max(laps[lap].maximumSpeed ?? 0, speed)
      }
      if let strides = uncounted.strides(row.cadence) { laps[lap].strides.admit(strides) }
      guard laps.count > 1 else { continue }
      if row.distance >= 0, row.distance.isFinite { counted.admit(row.distance, at: row.time) }
      if let fix = row.writtenFix {
        _ = track.admit(fix, at: SessionTime(nanoseconds: row.time))
        if let meters = track.meters { measured.admit(meters, at: row.time) }
      }
    }
    return counted.hasReading ? counted.ways : measured.ways
  }

  /// Shares metres among the laps, in whole millionths of one, so that who adds them up and shares them again has the same.
  private mutating func share(_ meters: Double, by ways: [Double]) {
    guard laps.count > 1, (0...1e9).contains(meters) else { return laps[0].meters = meters }
    let ends = Self.sums(shares(by: ways), of: (meters * 1e6).rounded())
    for index in laps.indices { laps[index].meters = (ends[index] - (index > 0 ? ends[index - 1] : 0)) / 1e6 }
  }

  /// What part of the whole each lap has: of the ways, or without any of the time without pauses.
  private func shares(by ways: [Double]) -> [Double] {
    let sum = ways.reduce(0, +)
    if sum > 0, sum.isFinite { return ways.map { $0 / sum } }
    let active = laps.reduce(0.0) { $0 + Double($1.active) }
    return laps.map { active > 0 ? Double($0.active) / active : 0 }
  }

  /// How many whole units there are at the end of each part; all of them at the last.
  private static func sums(_ shares: [Double], of whole: Double) -> [Double] {
    var sum = 0.0
    return shares.indices.map { index in
      sum += shares[index]
      return index + 1 == shares.count ? whole : min(whole, (whole * sum).rounded())
    }
  }
}

/// The cadences of a lap as they are written.
struct TCXStrides {
  /// Steps of both feet a minute, of the cadences above 0: who stands has none, as in the history.
  private var sum = 0.0
  private var count = 0
  private var highest: Double?

  /// Takes a cadence as ``ExportLosses/strides(_:)`` writes it.
  fileprivate mutating func admit(_ written: UInt8) {
    let steps = RecordedSport.stepsPerMinute(Double(written))
    highest = max(highest ?? 0, steps)
    guard steps > 0 else { return }
    sum += steps
    count += 1
  }

  fileprivate var mean: UInt8? { count > 0 ? UInt8(exactly: (sum / Double(count) / 2).rounded()) : nil }
  fileprivate var maximum: UInt8? { highest.flatMap { UInt8(exactly: ($0 / 2).rounded()) } }
}

/// How far each lap goes, by readings of the distance in order of time.
private struct LapWays {
  private typealias Place = (meters: Double, active: Double)

  /// When all laps but the first begin, as far as they have not begun.
  private var starts: ArraySlice<Int64>
  private var ends: [Double] = []
  private var last: Place = (0, 0)
  /// Whether there was a reading.
  private(set) var hasReading = false
  private let count: Int
  private let from: Int64
  private var paused = 0.0
  private var waiting: [(from: Int64, until: Int64)] = []

  init(starts: [Int64], from: Int64) {
    self.starts = starts[...]
    count = starts.count + 1
    self.from = from
  }

  /// Takes a pause that is over by the next reading.
  mutating func pause(_ pause: ExportedWorkout.Pause) { waiting.append((pause.from, pause.until)) }

  /// Takes a reading, in metres from the start.
  mutating func admit(_ meters: Double, at time: Int64) {
    hasReading = true
    let place = (meters: max(meters, last.meters), active: active(at: time))
    while let start = starts.first, start <= time {
      let at = active(at: start)
      let share = place.active > last.active ? (at - last.active) / (place.active - last.active) : 0
      ends.append(last.meters + (place.meters - last.meters) * min(max(0, share), 1))
      starts.removeFirst()
    }
    for pause in waiting { paused += Double(pause.until) - Double(pause.from) }
    waiting.removeAll(keepingCapacity: true)
    last = place
  }

  /// Nanoseconds without pauses from the beginning to a time after the last reading.
  private func active(at time: Int64) -> Double {
    let now = Double(time) - Double(from) - paused
    return waiting.filter { $0.until <= time }.reduce(now) { $0 - (Double($1.until) - Double($1.from)) }
  }

  /// The metres of each lap; those that begin after the last reading have none.
  var ways: [Double] {
    let all = ends + [Double](repeating: last.meters, count: count - ends.count)
    return all.indices.map { all[$0] - ($0 > 0 ? all[$0 - 1] : 0) }
  }
}

extension RecordedPoint {
  /// The position as who reads a TCX has it: without an accuracy; `nil` for one that is marked as invalid.
  fileprivate var writtenFix: LocationFix? {
    guard hasPosition, !(horizontalAccuracy < 0),
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude == 180 ? -180 : longitude)
    else { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: nil, horizontalAccuracyMeters: nil, speedMetersPerSecond: nil)
  }
}
