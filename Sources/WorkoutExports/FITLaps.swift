internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// The laps of a FIT file and what each comes to.
///
/// A record of the second in which a lap begins belongs to the lap before. Metres and heart rates of the laps of a session of
/// our own are those of its history, whose laps begin between seconds too.
struct FITLaps {
  /// A lap in whole seconds.
  struct Lap {
    let from: UInt32
    var name: String?
    var kind: String?
    /// What ended the lap before it.
    var begunBy = StatedStep.End.hand
    fileprivate(set) var heartRates = HeartRateStatistics()
    fileprivate(set) var rates = FITRates()
    /// What was climbed and descended up to its last altitude; `nil` without one.
    fileprivate(set) var gain: AltitudeGain?
    /// Centimetres that were counted at its end; `nil` where nothing has counted until then.
    fileprivate(set) var distance: UInt32?
    /// Steps of both feet outside of pauses until its end; `nil` where nothing has counted them.
    fileprivate(set) var steps: Double?

    /// Whole strides of one leg until its end.
    fileprivate var cycles: UInt32? { steps.flatMap { UInt32(exactly: ($0 / 2).rounded(.down)) } }
  }

  private(set) var laps: [Lap]
  private var current = 0
  /// Metres between the positions; absent where the records count metres themselves.
  private var track: DistanceTotal?
  private var climb: FITClimb
  /// The steps of the last record that had them, and those that were made in pauses.
  private var (countedSteps, pausedSteps) = (0.0, 0.0)
  /// Spans without a timer that are not over yet, in whole seconds.
  private var pauses: ArraySlice<(from: UInt32, until: UInt32)>
  /// What the history has of the laps.
  private let results: LapResults
  /// The heart rates of the whole session as the history has them; absent for a file.
  private let whole: HeartRateStatistics?

  /// Laps from their marks: those that begin in one second are one, and what lies beyond the end is none.
  ///
  /// - Parameters:
  ///   - marks: the second in which each begins, in order.
  ///   - from: when the activity begins.
  ///   - until: when it ends.
  ///   - pauses: in whole seconds, in order.
  ///   - track: what measures the way between positions, for records that count no metres.
  ///   - altitudesAreOfOneDevice: whether those of records with a position and of those without one are.
  ///   - results: what the history has of the laps.
  ///   - second: the second in which one of those begins.
  ///   - whole: the heart rates of all laps as the history has them.
  init(
    _ marks: [(second: UInt32, lap: ExportedMarks.Lap)], from: UInt32, until: UInt32,
    pauses: [(from: UInt32, until: UInt32)] = [], track: DistanceTotal? = nil, altitudesAreOfOneDevice: Bool,
    results: [SessionLap] = [], second: (SessionLap) -> UInt32 = { _ in 0 },
    whole: HeartRateStatistics? = nil
  ) {
    self.whole = whole
    climb = FITClimb(altitudesAreOfOneDevice: altitudesAreOfOneDevice)
    var laps = [Lap(from: from)]
    (self.pauses, self.track) = (pauses[...], track)
    for (second, mark) in marks where second < until || second <= from {
      let lap = Lap(from: max(second, from), name: mark.name, kind: mark.kind, begunBy: mark.begunBy)
      if laps[laps.count - 1].from == lap.from { laps[laps.count - 1] = lap } else { laps.append(lap) }
    }
    self.laps = laps
    self.results = LapResults(results, starts: laps.map { Int64($0.from) }) { Int64(second($0)) }
  }

  /// Whether there is nothing to say of the laps but that there is one.
  var isPlain: Bool { laps.count == 1 && laps[0].name == nil }

  /// Whether a lap is a step with a name.
  var hasNames: Bool { laps.contains { $0.name != nil } }

  /// Centimetres of all laps together, as the history has them; `nil` for a file, and for a session of one lap.
  var knownDistance: UInt32? { laps.count > 1 ? knownDistance(at: laps.count - 1) : nil }

  /// Centimetres between the positions of all records; `nil` where the records count metres themselves, or have no two
  /// positions.
  var measuredDistance: UInt32? { track?.meters.flatMap { UInt32(exactly: ($0 * 100).rounded()) } }

  /// What the records of all laps say of cadence and speed.
  var rates: FITRates { laps.reduce(into: FITRates()) { $0.add($1.rates) } }

  /// The heart rates of all laps, of a session of our own as the history has them.
  var heartRates: HeartRateStatistics {
    whole ?? HeartRateStatistics(joining: laps.indices.map { heartRates(ofLap: $0) })
  }

  private func heartRates(ofLap index: Int) -> HeartRateStatistics {
    if laps.count == 1, let whole { return whole }
    return results.heartRates[index] ?? laps[index].heartRates
  }

  /// The steps of both feet of all laps; `nil` where nothing has counted them.
  var steps: Double? { laps.last?.steps }

  /// What was climbed and descended in all laps; `nil` without an altitude.
  var gain: AltitudeGain? { laps.last { $0.gain != nil }?.gain }

  /// Takes a record; their times do not fall.
  mutating func admit(_ row: FITRecordRow, at time: UInt32) {
    while current + 1 < laps.count, time > laps[current + 1].from {
      current += 1
      (laps[current].distance, laps[current].steps) = (laps[current - 1].distance, laps[current - 1].steps)
    }
    let isPaused = isPaused(at: time)
    if let steps = row.steps {
      if isPaused { pausedSteps += max(0, steps - countedSteps) }
      countedSteps = steps
      laps[current].steps = steps - pausedSteps
    }
    if !isPaused {
      if let heartRate = row.heartRate, heartRate > 0 { laps[current].heartRates.admit(Double(heartRate)) }
      laps[current].rates.admit(row)
      if let gain = climb.admit(row, at: time) { laps[current].gain = gain }
      // As it is written, so that who reads the file measures the same.
      if track != nil, let fix = row.fix { _ = track?.admit(fix, at: .seconds(Int(time))) }
    }
    laps[current].distance = row.distance ?? measuredDistance ?? laps[current].distance
  }

  /// Whether a time lies in a pause, its ends apart. No way and no climb leads across one.
  private mutating func isPaused(at time: UInt32) -> Bool {
    while let pause = pauses.first, time >= pause.until {
      track?.breakTrack()
      climb.interrupt()
      pauses.removeFirst()
    }
    return pauses.first.map { time > $0.from } ?? false
  }

  /// The laps as messages have them.
  ///
  /// - Parameters:
  ///   - pauses: in whole seconds, in order.
  ///   - whole: what all of them together come to.
  func summaries(
    until: UInt32, pauses: [(from: UInt32, until: UInt32)], whole: FITFile.Summary
  ) -> [(summary: FITFile.Summary, lap: Lap)] {
    var climbed = AltitudeGain()
    return laps.indices.map { index in
      let lap = laps[index]
      let stop = index + 1 < laps.count ? laps[index + 1].from : until
      let paused = pauses.reduce(0) { sum, pause in
        sum + UInt32(max(0, Int64(min(pause.until, stop)) - Int64(max(pause.from, lap.from))))
      }
      let elapsed = stop - lap.from
      var summary = FITFile.Summary(
        from: lap.from, until: stop, elapsed: UInt32(clamping: Int64(elapsed) * 1000),
        active: UInt32(clamping: (Int64(elapsed) - Int64(paused)) * 1000), sport: whole.sport)
      // Each ends at a whole centimetre of the session, so that all of them together are what it has.
      let (end, start) =
        results.meters == nil
        ? (lap.distance, index > 0 ? laps[index - 1].distance : nil)
        : (knownDistance(at: index), index > 0 ? knownDistance(at: index - 1) : nil)
      summary.distance = laps.count == 1 ? whole.distance : Self.difference(end, start)
      summary.cycles =
        laps.count == 1 ? whole.cycles : Self.difference(lap.cycles, index > 0 ? laps[index - 1].cycles : nil)
      let heartRates = heartRates(ofLap: index)
      summary.meanHeartRate = heartRates.mean.flatMap { UInt8(exactly: $0.rounded()) }
      summary.maximumHeartRate = heartRates.maximum.flatMap { UInt8(exactly: $0.rounded()) }
      summary.rates = lap.rates
      if let gain = lap.gain {
        summary.climb(from: climbed, to: gain)
        climbed = gain
      }
      return (summary, lap)
    }
  }

  /// Centimetres that the session had come at the end of a lap, as the history has it.
  private func knownDistance(at index: Int) -> UInt32? {
    results.meters.flatMap { UInt32(exactly: ($0[index] * 100).rounded()) }
  }

  private static func difference(_ end: UInt32?, _ start: UInt32?) -> UInt32? {
    end.map { $0 - min($0, start ?? 0) }
  }
}
