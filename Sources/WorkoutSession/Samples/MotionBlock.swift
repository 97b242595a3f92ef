package import ZoneEngine

/// Readings of the motion sensors at an even rate, as a device sends many at once.
package struct MotionBlock: Hashable, Sendable {
  /// How many readings a block has.
  package static let counts = 1...4_096
  /// How many readings a second a device makes.
  package static let ratesHz = 1.0...1_000.0
  /// The longest time from the first reading to the last.
  package static let longest = SessionTime.seconds(60)

  /// The readings, oldest first.
  package let readings: [MotionReading]
  /// How many there are in a second.
  package let rateHz: Double

  /// Creates a block; `nil` without readings, or when it is longer than ``longest`` or has a rate or count that no block has.
  package init?(_ readings: [MotionReading], rateHz: Double) {
    guard Self.counts.contains(readings.count), Self.ratesHz.contains(rateHz) else { return nil }
    self.readings = readings
    self.rateHz = rateHz
    guard offset(of: readings.count - 1) <= Self.longest else { return nil }
  }

  /// The time from the first reading to another, to the nearest nanosecond.
  package func offset(of index: Int) -> SessionTime {
    SessionTime(seconds: Double(index) / rateHz) ?? .distantFuture
  }
}
