internal import TextFormats

/// Finds the pauses between the tracks of a lap, and what each lap states of its time; the rule stands with
/// ``TCXDecoder``.
package struct TCXPauses {
  /// The nanoseconds between two tracks of a lap that are no pause.
  package static let trackTolerance: Int64 = 1_000_000_000

  /// What is known of a lap.
  private struct Lap {
    var start: Int64?
    var seconds: Double?
    var end = StatedStep.End.hand
    var points: ClosedRange<Int64>?
  }

  private var lap = Lap()
  private var lastPoint: Int64?
  private var isTrackNew = false

  /// The `TotalTimeSeconds` of the current lap.
  var lapSeconds: Double? {
    get { lap.seconds }
    set { lap.seconds = newValue }
  }

  /// What the current lap says that ended it.
  var lapEnd: StatedStep.End {
    get { lap.end }
    set { lap.end = newValue }
  }

  mutating func beginLap(at start: Int64?) {
    lap = Lap(start: start)
    lastPoint = nil
  }

  mutating func beginTrack() { isTrackNew = true }

  /// The lap that ends, up to its last point; `nil` where no instant of it is known.
  func endLap() -> TimedSpan? {
    guard let until = lap.points?.upperBound ?? lap.start else { return nil }
    // A start behind the first point is none.
    let from = min(lap.start ?? until, lap.points?.lowerBound ?? until)
    return TimedSpan(
      from: from, until: until, timer: lap.seconds.flatMap(TimedSpan.nanoseconds(seconds:)), isWhole: false,
      step: lap.end == .hand ? nil : StatedStep(name: nil, kind: nil, end: lap.end))
  }

  /// Takes the time of a point; the pause before it, if there was one.
  mutating func admit(_ time: Int64) -> (from: Int64, until: Int64)? {
    defer {
      lastPoint = time
      lap.points = lap.points.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
    defer { isTrackNew = false }
    guard isTrackNew, let lastPoint,
      let gap = WallClockTime(nanoseconds: time).nanoseconds(since: WallClockTime(nanoseconds: lastPoint)),
      gap > Self.trackTolerance
    else { return nil }
    return (lastPoint, time)
  }
}
