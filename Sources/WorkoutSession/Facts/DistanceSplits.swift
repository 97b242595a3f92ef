package import ZoneEngine

/// The time and the heart rate of each kilometre, or of each mile.
package struct DistanceSplits: Sendable {
  /// One kilometre or mile, or what is left at the end.
  package struct Split: Hashable, Sendable {
    /// Its length: ``UnitSystem/splitMeters`` but for the last one.
    package let meters: Double
    /// The active time that it took.
    package let active: SessionTime
    /// The mean of the accepted heart rates in it, in beats per minute; `nil` without any.
    package let meanHeartRate: Double?

    /// Creates a split from its parts.
    package init(meters: Double, active: SessionTime, meanHeartRate: Double?) {
      self.meters = meters
      self.active = active
      self.meanHeartRate = meanHeartRate
    }
  }

  /// The shortest rest at the end that counts, in metres; less is the noise of a position.
  private static let shortestRest = 20.0

  private var finished: [Split] = []
  private var ends: SplitCount
  private var last = WayPoint.start
  private var heartRates = HeartRateStatistics()
  /// Heart rates since the last distance, of which the next one shows to which split they belong.
  private var waiting: [(active: SessionTime, beatsPerMinute: Double)] = []
  /// The most that wait: more come only where distances are too far apart for it to matter.
  private static let capacity = 512

  /// Creates splits at the start of a session: of a kilometre or a mile.
  package init(_ units: UnitSystem) { ends = SplitCount(units) }

  /// Takes an accepted heart rate of the active session, at the active time so far.
  package mutating func admit(heartRate beatsPerMinute: Double, active: SessionTime) {
    waiting.append((active, beatsPerMinute))
    if waiting.count > Self.capacity { count(waiting.count / 2) }
  }

  /// Takes the distance so far and the active time so far; the instant of a full one is between two of them in
  /// proportion.
  package mutating func admit(meters: Double, active: SessionTime) {
    let point = WayPoint(time: active, active: active, meters: meters)
    while let end = ends.end(from: last, to: point) {
      count(waiting.firstIndex { $0.active > end.active } ?? waiting.count)
      finished.append(Split(meters: ends.length, active: ends.span, meanHeartRate: heartRates.mean))
      heartRates = HeartRateStatistics()
      last = end
    }
    last = WayPoint(time: active, active: active, meters: max(meters, last.meters))
    count(waiting.firstIndex { $0.active > active } ?? waiting.count)
  }

  /// Takes the first of those that wait to the split under way.
  private mutating func count(_ first: Int) {
    for heartRate in waiting[..<first] { heartRates.admit(heartRate.beatsPerMinute) }
    waiting.removeFirst(first)
  }

  /// The splits of a session that ended.
  package var splits: [Split] {
    let rest = last.meters - ends.length * Double(finished.count)
    guard rest >= Self.shortestRest else { return finished }
    var heartRates = heartRates
    for heartRate in waiting { heartRates.admit(heartRate.beatsPerMinute) }
    return finished + [Split(meters: rest, active: last.active - ends.begunAt, meanHeartRate: heartRates.mean)]
  }
}
