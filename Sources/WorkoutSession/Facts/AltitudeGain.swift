package import ZoneEngine

/// The metres that were climbed and descended.
///
/// A climb or a descent counts when it is at least ``leastMeters``, so that a receiver's altitude, which goes up and down by a
/// metre or two while its wearer is on the level, adds nothing; what counts is the whole of it, from the lowest to the highest
/// place: a way turns where it leads back by as much.
package struct AltitudeGain: Hashable, Sendable {
  /// What is less than this up or down is taken for noise, in metres.
  package static let leastMeters = 3.0

  /// The metres up and down so far.
  package private(set) var up = 0.0, down = 0.0

  private enum Way: Hashable { case level(lowest: Double, highest: Double), up(highest: Double), down(lowest: Double) }

  /// Which way it goes, and how far that has led; absent before the first altitude.
  private var way: Way?

  /// Nothing has been climbed.
  package init() {}

  /// Takes an altitude in metres; one that is not finite is left out.
  package mutating func admit(_ meters: Double) {
    guard meters.isFinite else { return }
    switch way {
    case nil:
      way = .level(lowest: meters, highest: meters)
    case .level(let lowest, let highest):
      if meters - lowest >= Self.leastMeters {
        climb(from: lowest, to: meters)
      } else if highest - meters >= Self.leastMeters {
        descend(from: highest, to: meters)
      } else {
        way = .level(lowest: min(lowest, meters), highest: max(highest, meters))
      }
    case .up(let highest):
      if meters >= highest {
        climb(from: highest, to: meters)
      } else if highest - meters >= Self.leastMeters {
        descend(from: highest, to: meters)
      }
    case .down(let lowest):
      if meters <= lowest {
        descend(from: lowest, to: meters)
      } else if meters - lowest >= Self.leastMeters {
        climb(from: lowest, to: meters)
      }
    }
  }

  /// Takes altitudes that count; nobody climbed to those to which nothing climbs as fast.
  package mutating func admit(_ counted: AltitudeCourse.Counted) {
    if counted.beginsAnew || counted.waitedLeap { interrupt() }
    for meters in counted.waited { admit(meters) }
    guard let now = counted.now else { return }
    if counted.nowLeaps { interrupt() }
    admit(now)
  }

  private mutating func climb(from lowest: Double, to meters: Double) {
    up += meters - lowest
    way = .up(highest: meters)
  }

  private mutating func descend(from highest: Double, to meters: Double) {
    down += highest - meters
    way = .down(lowest: meters)
  }

  /// Begins anew at the next altitude: in a pause nobody climbs for the session.
  package mutating func interrupt() { way = nil }
}
