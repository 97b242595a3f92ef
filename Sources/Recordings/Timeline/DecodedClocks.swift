/// The clocks that the times of a file are on: that of the day, one that was never set, or both.
struct DecodedClocks: Sendable {
  private var hasWallTimes = false
  private var hasRelativeTimes = false

  /// Takes note of a clock that times of the file are on.
  mutating func admit(_ clock: RecordedClock) {
    switch clock {
    case .wall: hasWallTimes = true
    case .relative: hasRelativeTimes = true
    }
  }

  /// The clock that a time of the file is on.
  func clock(of time: Int64) -> RecordedClock {
    hasRelativeTimes && (!hasWallTimes || time < RecordedClock.relativeEnd) ? .relative : .wall
  }

  /// Leaves one clock to each activity that has times on both; their points are in the order of the file.
  func settle(_ activities: inout [DecodedRecording.Activity], _ warnings: inout RecordingWarnings) {
    guard hasWallTimes, hasRelativeTimes else { return }
    for index in activities.indices {
      let settled = SettledClock(activities[index])
      activities[index].placeTimes(settled.place)
      if let set = settled.setAt, settled.placed > 0 {
        warnings.add(.clockSetLate, at: StrayTimes.position(of: set, isWall: true), count: settled.placed)
      }
      if let first = settled.firstLost {
        let isWall = clock(of: first) == .wall
        warnings.add(.implausibleTime, at: StrayTimes.position(of: first, isWall: isWall), count: settled.lost)
      }
    }
  }

  /// Puts activities whose clock was never set behind those that state the time of day, each a second after what is before
  /// it: nobody knows when they were, and their own times would be of 1970.
  ///
  /// - Precondition: every activity has a point, and knows its clock.
  static func appendRelative(in activities: inout [DecodedRecording.Activity]) {
    guard var end = activities.filter({ $0.clock == .wall }).compactMap(\.points.last?.time).max() else { return }
    let relative = activities.indices.filter { activities[$0].clock == .relative }
    for index in relative.sorted(by: { (activities[$0].points[0].time, $0) < (activities[$1].points[0].time, $1) }) {
      let shift = end &+ 1_000_000_000 &- activities[index].points[0].time
      activities[index].placeTimes { $0.addingReportingOverflow(shift).overflow ? nil : $0 + shift }
      end = activities[index].points.last?.time ?? end
    }
  }
}
