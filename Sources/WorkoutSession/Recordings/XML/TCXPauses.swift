/// Finds the pauses between the tracks of one activity; the rule stands with ``TCXDecoder``.
struct TCXPauses {
  /// The nanoseconds between two tracks of a lap that are no pause.
  static let trackTolerance: Int64 = 1_000_000_000
  /// The nanoseconds between two laps that are no pause.
  static let lapTolerance: Int64 = 2_000_000_000

  /// What is known of a lap.
  private struct Lap {
    var start: Int64?
    var seconds: Double?
    var paused: Int64 = 0
    var lastPoint: Int64?
  }

  private var lap = Lap()
  /// The lap before, until the first point of this one.
  private var previous: Lap?
  private var lastPoint: Int64?
  private var isTrackNew = false

  /// The `TotalTimeSeconds` of the current lap.
  var lapSeconds: Double? {
    get { lap.seconds }
    set { lap.seconds = newValue }
  }

  mutating func beginLap(at start: Int64?) { lap = Lap(start: start) }

  mutating func beginTrack() { isTrackNew = true }

  /// The last instant of the lap that ends, where one is known.
  mutating func endLap() -> Int64? {
    defer { previous = lap }
    return lap.lastPoint ?? lap.start
  }

  /// Takes the time of a point; the pause before it, if there was one.
  mutating func admit(_ time: Int64) -> (from: Int64, until: Int64)? {
    defer {
      lastPoint = time
      lap.lastPoint = time
    }
    if let previous {
      self.previous = nil
      isTrackNew = false
      return pause(after: previous)
    }
    guard isTrackNew else { return nil }
    isTrackNew = false
    guard let lastPoint, let gap = Self.span(from: lastPoint, until: time), gap > Self.trackTolerance
    else { return nil }
    lap.paused = lap.paused.addingReportingOverflow(gap).overflow ? .max : lap.paused + gap
    return (lastPoint, time)
  }

  private func pause(after previous: Lap) -> (from: Int64, until: Int64)? {
    guard let lastPoint, let start = previous.start, let until = lap.start, let seconds = previous.seconds,
      seconds > 0, seconds < 1e9,
      let gap = Self.span(from: lastPoint, until: until), let elapsed = Self.span(from: start, until: until),
      let running = Self.span(from: previous.paused, until: elapsed),
      let unaccounted = Self.span(from: Int64((seconds * 1e9).rounded()), until: running)
    else { return nil }
    let length = min(gap, unaccounted)
    return length > Self.lapTolerance ? (until - length, until) : nil
  }

  /// The difference; `nil` when it does not fit, as between the year 1700 and today.
  private static func span(from: Int64, until: Int64) -> Int64? {
    WallClockTime(nanoseconds: until).nanoseconds(since: WallClockTime(nanoseconds: from))
  }
}
