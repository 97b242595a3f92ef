/// Which altitudes count where a barometer and a receiver of positions both give some: those of the barometer, until it has been
/// silent for ``longestSilence``.
///
/// Two sensors differ by many metres, so that no slope and no climb may join them.
package struct AltitudeChoice: Hashable, Sendable {
  /// What to do with an altitude.
  package enum Use: Hashable, Sendable {
    /// It follows those before it.
    case goOn
    /// It counts, and is of another sensor than those before it.
    case beginAnew
    /// It does not count.
    case leaveOut
  }

  /// How long the barometer may be silent before positions count.
  package static let longestSilence = SessionTime.seconds(30)

  /// The newest altitude of the barometer, while that is what counts.
  private var newest: SessionTime?
  private var isFirst = true

  /// Nothing has been measured.
  package init() {}

  /// Takes note of an altitude; the times of one sensor do not fall.
  package mutating func admit(ofBarometer: Bool, at time: SessionTime) -> Use {
    defer { isFirst = false }
    if ofBarometer {
      defer { newest = time }
      return newest == nil && !isFirst ? .beginAnew : .goOn
    }
    guard let newest else { return .goOn }
    guard time - newest > Self.longestSilence else { return .leaveOut }
    self.newest = nil
    return .beginAnew
  }
}
