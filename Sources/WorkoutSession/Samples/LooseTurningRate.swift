internal import ZoneEngine

/// The newest turning rate that came in a sample of its own, for the accelerations after it: some programs send a sample for each sensor.
struct LooseTurningRate: Sendable {
  /// How long after it an acceleration may be that it goes with, inclusive.
  static let longestAge = SessionTime(nanoseconds: 100_000_000)

  private var newest: (rate: Axes, time: SessionTime)?

  /// Takes a turning rate.
  mutating func take(_ rate: Axes, at time: SessionTime) { newest = (rate, time) }

  /// The turning rate that goes with an acceleration; `nil` where none came, where it is too long ago, or later than that.
  func rate(beside time: SessionTime) -> Axes? {
    guard let newest, time >= newest.time, time - newest.time <= Self.longestAge else { return nil }
    return newest.rate
  }
}
