internal import ZoneEngine

/// Stamps of an origin in a row that have no place in the session, or lie back: where enough of them follow each other, they are its
/// new course.
struct StrayRow: Sendable {
  /// The first one, as it was sent.
  private(set) var first = SessionTime.zero
  /// When that was heard, as a count of stamps.
  private(set) var begun = 0
  /// How many there are; 0 while every stamp has a place.
  private(set) var count = 0
  private var last = SessionTime.zero
  /// Whether one of them repeats a reading that was there already.
  private var hasRepeats = false
  /// Those of them that lie back, and whether they keep pace with the session.
  private var pace: StampPace?

  /// Takes a stamp.
  mutating func admit(_ stamp: SessionTime, isRepeat: Bool, heard: Int) {
    let step = stamp - last
    // A clock that was set goes on; what is sent once more comes in any order.
    let goesOn = count > 0 && step > .zero && step <= TimeCourse.longestSilence
    if count == 0 { pace = nil }
    if !goesOn { (first, hasRepeats, begun) = (stamp, false, heard) }
    hasRepeats = hasRepeats || isRepeat
    count = goesOn ? count + 1 : 1
    last = stamp
  }

  /// Whether there are enough of them for a new course.
  var isEnough: Bool { count >= Self.needed(hasRepeats) }

  /// Takes note of how fast the stamp that was taken last came, which lies back; whether there are enough that keep pace with the
  /// session: what waited for a connection comes faster than it was measured.
  mutating func isEnoughInPace(_ stamp: SessionTime, now: SessionTime, isRepeat: Bool) -> Bool {
    guard var pace else {
      self.pace = StampPace(stamp, now: now, isRepeat: isRepeat)
      return false
    }
    pace.admit(stamp, now: now, isRepeat: isRepeat)
    self.pace = pace
    return pace.row.isSteady && pace.row.count >= Self.needed(pace.row.hasRepeats)
  }

  /// What lies between the last stamp of the old course and a stamp of this one: before the first of these as much as between two of
  /// them, of which there are several.
  func span(until stamp: SessionTime) -> SessionTime {
    let span = max(.zero, stamp - first)
    return span + SessionTime(nanoseconds: min(span, TimeCourse.longestFirstStep).nanoseconds / Int64(count - 1))
  }

  /// A stamp has a place again.
  mutating func end() { count = 0 }

  private static func needed(_ hasRepeats: Bool) -> Int {
    hasRepeats ? TimeCourse.newCourseCountOfRepeats : TimeCourse.newCourseCount
  }
}
