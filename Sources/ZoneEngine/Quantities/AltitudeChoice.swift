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

  /// When the newest altitude of the barometer was, in nanoseconds, while that is what counts; in eight bytes, of which an engine
  /// has few to spare.
  private var newest = Self.nothing
  private static let nothing = Int64.min
  private static let position = Int64.min + 1

  /// Nothing has been measured.
  package init() {}

  /// Takes note of an altitude; the times of one sensor do not fall.
  package mutating func admit(ofBarometer: Bool, at time: SessionTime) -> Use {
    if ofBarometer {
      defer { newest = time.nanoseconds }
      return newest == Self.position ? .beginAnew : .goOn
    }
    let isOfBarometer = newest != Self.nothing && newest != Self.position
    guard !isOfBarometer || time - SessionTime(nanoseconds: newest) > Self.longestSilence else { return .leaveOut }
    newest = Self.position
    return isOfBarometer ? .beginAnew : .goOn
  }
}
