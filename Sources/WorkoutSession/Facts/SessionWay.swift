internal import ZoneEngine

/// How far a running session has come, by the times of its distances: what is said of it while somebody runs, by the rule of
/// ``DistanceSplits``.
///
/// Decisions follow the heart rate, which comes at other times than distances do.
package struct SessionWay: Sendable {
  /// The newest reading of a distance.
  package private(set) var newest = WayPoint.start
  /// The one before it.
  package private(set) var before = WayPoint.start
  /// The kilometres that are over.
  package private(set) var kilometers = SplitCount(.metric)
  /// The miles that are over.
  package private(set) var miles = SplitCount(.imperial)

  /// Nothing yet.
  init() {}

  /// The kilometres or the miles.
  package func splits(_ units: UnitSystem) -> SplitCount {
    switch units {
    case .metric: kilometers
    case .imperial: miles
    }
  }

  /// Takes the metres up to a reading of a distance at a time, which what is decided may lag behind.
  mutating func admit(meters: Double, at time: SessionTime, isRunning: Bool, now: SessionTime, active: SessionTime) {
    // One that comes late never leads backwards.
    let point = WayPoint(
      time: max(time, newest.time), active: max(isRunning ? active + (time - now) : active, newest.active),
      meters: max(meters, newest.meters))
    kilometers.pass(from: newest, to: point)
    miles.pass(from: newest, to: point)
    (before, newest) = (newest, point)
  }
}
