internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// The laps of a FIT file and what each comes to, as far as its records go.
struct FITLaps {
  /// A lap in whole seconds.
  struct Lap {
    let from: UInt32
    var name: String?
    var kind: String?
    /// What ended the lap before it.
    var begunBy = StatedStep.End.hand
    fileprivate(set) var heartRates = HeartRateStatistics()
    /// Centimetres and strides of one leg that were counted at its end; `nil` where nothing has counted until then.
    fileprivate(set) var distance: UInt32?
    fileprivate(set) var cycles: UInt32?
  }

  private(set) var laps: [Lap]
  private var current = 0
  /// Metres between the positions; absent where the records count metres themselves.
  private var track: DistanceTotal?
  /// Spans without a timer that are not over yet, in whole seconds.
  private var pauses: ArraySlice<(from: UInt32, until: UInt32)>

  /// Laps from their marks: those that begin in one second are one, and what lies beyond the end is none.
  ///
  /// - Parameters:
  ///   - marks: the second in which each begins, in order.
  ///   - from: when the activity begins.
  ///   - until: when it ends.
  ///   - pauses: in whole seconds, in order.
  ///   - track: what measures the way between positions, for records that count no metres.
  init(
    _ marks: [(second: UInt32, lap: ExportedMarks.Lap)], from: UInt32, until: UInt32,
    pauses: [(from: UInt32, until: UInt32)] = [], track: DistanceTotal? = nil
  ) {
    laps = [Lap(from: from)]
    (self.pauses, self.track) = (pauses[...], track)
    for (second, mark) in marks where second < until || second <= from {
      let lap = Lap(from: max(second, from), name: mark.name, kind: mark.kind, begunBy: mark.begunBy)
      if laps[laps.count - 1].from == lap.from { laps[laps.count - 1] = lap } else { laps.append(lap) }
    }
  }

  /// Whether there is nothing to say of the laps but that there is one.
  var isPlain: Bool { laps.count == 1 && laps[0].name == nil }

  /// Whether a lap is a step with a name.
  var hasNames: Bool { laps.contains { $0.name != nil } }

  /// Centimetres between the positions of all records; `nil` where the records count metres themselves, or have no two
  /// positions.
  var measuredDistance: UInt32? { track?.meters.flatMap { UInt32(exactly: ($0 * 100).rounded()) } }

  /// Takes a record; their times do not fall.
  mutating func admit(_ row: FITRecordRow, at time: UInt32) {
    while current + 1 < laps.count, time >= laps[current + 1].from {
      current += 1
      (laps[current].distance, laps[current].cycles) = (laps[current - 1].distance, laps[current - 1].cycles)
    }
    if let heartRate = row.heartRate, heartRate > 0 { laps[current].heartRates.admit(Double(heartRate)) }
    measure(row, at: time)
    laps[current].distance = row.distance ?? measuredDistance ?? laps[current].distance
    laps[current].cycles = row.cycles ?? laps[current].cycles
  }

  /// Takes the position of a record as it is written, so that who reads the file measures the same; none in a pause, and no
  /// way across one.
  private mutating func measure(_ row: FITRecordRow, at time: UInt32) {
    guard track != nil else { return }
    while let pause = pauses.first, time >= pause.until {
      track?.breakTrack()
      pauses.removeFirst()
    }
    guard pauses.first.map({ time <= $0.from }) ?? true, let fix = row.fix else { return }
    _ = track?.admit(fix, at: .seconds(Int(time)))
  }

  /// The laps as messages have them.
  ///
  /// - Parameter pauses: in whole seconds, in order.
  func summaries(
    until: UInt32, pauses: [(from: UInt32, until: UInt32)], sport: UInt8
  ) -> [(summary: FITFile.Summary, lap: Lap)] {
    laps.indices.map { index in
      let lap = laps[index]
      let end = index + 1 < laps.count ? laps[index + 1].from : until
      let paused = pauses.reduce(0) { sum, pause in
        sum + UInt32(max(0, Int64(min(pause.until, end)) - Int64(max(pause.from, lap.from))))
      }
      let elapsed = end - lap.from
      var summary = FITFile.Summary(
        from: lap.from, until: end, elapsed: UInt32(clamping: Int64(elapsed) * 1000),
        active: UInt32(clamping: (Int64(elapsed) - Int64(paused)) * 1000), sport: sport)
      summary.distance = Self.difference(lap.distance, index > 0 ? laps[index - 1].distance : nil)
      summary.cycles = Self.difference(lap.cycles, index > 0 ? laps[index - 1].cycles : nil)
      summary.meanHeartRate = lap.heartRates.mean.map { UInt8($0.rounded()) }
      summary.maximumHeartRate = lap.heartRates.maximum.map { UInt8($0) }
      return (summary, lap)
    }
  }

  private static func difference(_ end: UInt32?, _ start: UInt32?) -> UInt32? {
    end.map { $0 - min($0, start ?? 0) }
  }
}
