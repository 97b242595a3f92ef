internal import TextFormats
internal import ZoneEngine

/// Steps and heart rate of each hour of the day in which a session was under way, pauses included.
struct HourTotals: Sendable {
  /// One hour.
  struct Hour: Hashable, Sendable {
    /// When it began, in seconds since the Unix epoch.
    let from: Int64
    /// Steps that were told in it.
    var steps = 0
    /// Whether any step sample was told in it.
    var hasSteps = false
    /// Accepted heart rates in it, added up in beats per minute, and how many there were.
    var heartRateSum = 0.0
    var heartRateCount = 0
  }

  /// The hours with readings, in order.
  private(set) var hours: [Hour] = []
  private let start: WallClockTime
  private let utcOffsetSeconds: Int

  /// Creates totals of a session; hours begin where the clock of its place shows them.
  init(start: WallClockTime, utcOffsetSeconds: Int) {
    self.start = start
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// Takes an accepted heart rate.
  mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    guard let index = hour(at: time) else { return }
    hours[index].heartRateSum += beatsPerMinute
    hours[index].heartRateCount += 1
  }

  /// Takes the steps since the last step sample.
  mutating func admit(steps: Int, at time: SessionTime) {
    guard let index = hour(at: time) else { return }
    hours[index].steps += steps
    hours[index].hasSteps = true
  }

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
