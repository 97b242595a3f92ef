/// The metres that were climbed and descended.
///
/// A climb or a descent counts when it is at least ``leastMeters``, so that a receiver's altitude, which goes up and down by a
/// metre or two while its wearer is on the level, adds nothing; what counts is the whole of it.
package struct AltitudeGain: Hashable, Sendable {
  /// What is less than this up or down is taken for noise, in metres.
  package static let leastMeters = 3.0

  /// The metres up and down so far.
  package private(set) var up = 0.0, down = 0.0

  /// The altitude up to which everything counts.
  private var counted: Double?

  /// Takes an altitude in metres; one that is not finite is left out.
  mutating func admit(_ meters: Double) {
    guard meters.isFinite else { return }
    guard let last = counted else {
      counted = meters
      return
    }
    let change = meters - last
    guard change.magnitude >= Self.leastMeters else { return }
    if change > 0 { up += change } else { down -= change }
    counted = meters
  }

  /// Begins anew at the next altitude: in a pause nobody climbs for the session.
  mutating func interrupt() { counted = nil }
}
