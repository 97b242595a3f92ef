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
  private var count: SplitCount
  private var last = WayPoint.start
  private var heartRates = HeartRateStatistics()

  /// Creates splits at the start of a session: of a kilometre or a mile.
  package init(_ units: UnitSystem) { count = SplitCount(units) }

  /// Takes an accepted heart rate of the active session.
  package mutating func admit(heartRate beatsPerMinute: Double) { heartRates.admit(beatsPerMinute) }

  /// Takes the distance so far and the active time so far; the instant of a full one is between two of them in
  /// proportion.
  package mutating func admit(meters: Double, active: SessionTime) {
    let point = WayPoint(time: active, active: active, meters: meters)
    while let end = count.end(from: last, to: point) {
      finished.append(Split(meters: count.length, active: count.span, meanHeartRate: heartRates.mean))
      heartRates = HeartRateStatistics()
      last = end
    }
    last = WayPoint(time: active, active: active, meters: max(meters, last.meters))
  }

  /// The splits of a session that ended.
  package var splits: [Split] {
    let rest = last.meters - count.length * Double(finished.count)
    guard rest >= Self.shortestRest else { return finished }
    return finished + [Split(meters: rest, active: last.active - count.begunAt, meanHeartRate: heartRates.mean)]
  }
}
