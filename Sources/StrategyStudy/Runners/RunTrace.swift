package import ZoneEngine

/// An example of a session, to be drawn.
package struct RunTrace: Hashable, Sendable {
  /// A second: what was true, and what the sensor reported.
  package struct Point: Hashable, Sendable {
    /// Seconds since the start.
    package let second: Int
    /// The true heart rate in bpm.
    package let heartRate: Double
    /// What the sensor reported, in bpm; absent in most seconds.
    package let reading: Double?
    /// Speed in m/s.
    package let speed: Double
  }

  /// A decision of the coach.
  package struct Cue: Hashable, Sendable {
    /// When and what.
    package let decision: Decision
    /// Whether the runner changes the speed for it.
    package let isFollowed: Bool
  }

  /// The seconds in order.
  package private(set) var points: [Point] = []
  /// The decisions in order.
  package private(set) var cues: [Cue] = []

  /// Nothing yet.
  package init() {}

  mutating func add(second: Int, heartRate: Double, reading: Double?, speed: Double) {
    points.append(Point(second: second, heartRate: heartRate, reading: reading, speed: speed))
  }

  mutating func add(_ decision: Decision, isFollowed: Bool) {
    cues.append(Cue(decision: decision, isFollowed: isFollowed))
  }
}
