/// Which altitudes count where a barometer and a receiver of positions both give some: those of the barometer, until it has been
/// silent for ``longestSilence``.
///
/// Two sensors differ by many metres, so that no slope and no climb may join them. A recording has one altitude a point, of one
/// device, whether that point has a position or not: there they are one series, as long as they follow each other as the
/// altitudes of one sensor do, see ``AltitudeCourse``. What a receiver and a barometer of a live session measured lies in one column
/// too once it is exported, and mostly farther apart.
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
  /// has few to spare. In a recording all bits are turned once an altitude of a position after it was of another sensor.
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

  /// Whether the next altitude of a recording goes on only where it follows those that counted: it stands beside a position and the one
  /// before it beside none, or the other way round. For another one the course plays no part.
  func asksForCourse(besidePosition: Bool) -> Bool {
    newest != Self.nothing && !isApart && besidePosition != (newest == Self.position)
  }

  /// Whether an altitude of a position was of another sensor than that of no position before it.
  private var isApart: Bool { newest < 0 && newest > Self.position }

  /// Takes note of an altitude of a recording, beside a position or beside none; the times do not fall, and none is below zero.
  ///
  /// - Parameter course: the altitudes that counted so far; without any where nothing is to be joined to them, as after a pause, and
  ///   where ``asksForCourse(besidePosition:)`` does not.
  package mutating func admit(
    _ meters: Double, besidePosition: Bool, at time: SessionTime, after course: AltitudeCourse
  ) -> Use {
    let asksForCourse = asksForCourse(besidePosition: besidePosition)
    if isApart { newest = ~newest }
    guard asksForCourse, course.follows(meters, at: time) else {
      let use = admit(ofBarometer: !besidePosition, at: time)
      // The next ones are as far apart as this one, though there is more time to climb to them.
      if use == .leaveOut { newest = ~newest }
      return use
    }
    newest = besidePosition ? Self.position : time.nanoseconds
    return .goOn
  }
}
