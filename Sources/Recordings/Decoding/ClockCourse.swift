/// The clock that a recording is on, by the instants of its readings: that of the day as soon as three are on it, and while
/// there are no three on the other one. So neither one or two readings with damaged times decide it, nor a device that states
/// the time of day only after it has recorded for a while.
struct ClockCourse: Sendable {
  /// From how many instants on they are a course.
  static let fewest = 3

  private var wallInstants = 0
  private var relativeInstants = 0
  private var lastWall = Int64.min
  private var lastRelative = Int64.min

  /// The clock; `nil` before the first reading.
  var clock: RecordedClock? {
    if wallInstants >= Self.fewest { return .wall }
    if relativeInstants >= Self.fewest { return .relative }
    return wallInstants > 0 ? .wall : relativeInstants > 0 ? .relative : nil
  }

  /// Takes a reading in the order of the file; several of one instant are one.
  @inline(__always)
  mutating func admit(_ clock: RecordedClock, at time: Int64) {
    switch clock {
    case .wall:
      guard wallInstants < Self.fewest, time != lastWall else { return }
      wallInstants += 1
      lastWall = time
    case .relative:
      guard relativeInstants < Self.fewest, time != lastRelative else { return }
      relativeInstants += 1
      lastRelative = time
    }
  }
}
