package import ActivityRecognition
package import TextFormats
package import ZoneEngine

/// Steps, heart rate and activities of each hour of the day in which a session was under way, pauses included.
package struct HourTotals: Sendable {
  /// One hour.
  package struct Hour: Hashable, Sendable {
    /// When it began, in seconds since the Unix epoch.
    package let from: Int64
    /// Steps that were counted in it.
    package fileprivate(set) var steps = 0
    /// Whether there was any step sample in it.
    package fileprivate(set) var hasSteps = false
    /// Accepted heart rates in it, added up in beats per minute.
    package fileprivate(set) var heartRateSum = 0.0
    /// How many accepted heart rates there were in it.
    package fileprivate(set) var heartRateCount = 0
    /// What was done in it; absent where nothing was recognised.
    package fileprivate(set) var activities: ActivityMinutes?
    /// Whether somebody's labels say what was done in it.
    package fileprivate(set) var isLabelled = false
  }

  /// The hours with readings, in order.
  package private(set) var hours: [Hour] = []
  private let start: WallClockTime
  private let utcOffsetSeconds: Int

  /// Creates totals of a session; hours begin where the clock of its place shows them.
  package init(start: WallClockTime, utcOffsetSeconds: Int) {
    self.start = start
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// Takes an accepted heart rate.
  package mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    guard let index = hour(at: time) else { return }
    hours[index].heartRateSum += beatsPerMinute
    hours[index].heartRateCount += 1
  }

  /// Takes the steps since the last step sample.
  package mutating func admit(steps: Int, at time: SessionTime) {
    guard let index = hour(at: time) else { return }
    hours[index].steps += steps
    hours[index].hasSteps = true
  }

  /// Takes what was done between two times, which may lie in several hours.
  ///
  /// - Parameter isLabelled: whether a label says so, and no recogniser.
  package mutating func admit(
    _ kind: ActivityKind, from start: SessionTime, until end: SessionTime, isLabelled: Bool = false
  ) {
    guard ActivityMinutes.kinds.contains(kind) else { return }
    var from = start
    while from < end {
      guard let index = hour(at: from), let instant = self.start.adding(nanoseconds: from.nanoseconds) else { return }
      let left = (hours[index].from + 3_600) * 1_000_000_000 - instant.nanoseconds
      let until = min(end, from + SessionTime(nanoseconds: left))
      var activities = hours[index].activities ?? ActivityMinutes()
      activities[kind] += until.nanoseconds - from.nanoseconds
      hours[index].activities = activities
      if isLabelled { hours[index].isLabelled = true }
      guard until > from else { return }
      from = until
    }
  }

  /// Whether anything was recognised that is counted.
  package var hasActivities: Bool { hours.contains { $0.activities != nil } }

  /// The place of the hour of an instant, which is among the last ones.
  private mutating func hour(at time: SessionTime) -> Int? {
    guard let instant = start.adding(nanoseconds: time.nanoseconds) else { return nil }
    let local = instant.wholeSeconds + utcOffsetSeconds
    let from = Int64(local - WallClockTime.floor(local, by: 3_600).remainder - utcOffsetSeconds)
    var index = hours.count
    while index > 0, hours[index - 1].from > from { index -= 1 }
    if index > 0, hours[index - 1].from == from { return index - 1 }
    hours.insert(Hour(from: from), at: index)
    return index
  }
}
