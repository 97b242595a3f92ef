internal import ZoneEngine

/// Stamps of an origin that lie behind the session, and whether they keep pace with it: those of a clock that is slow do, those
/// of samples that waited for a connection do not.
///
/// One among them may be wrong by itself, so that two rows are kept: a stamp that fits none begins another in the place of the
/// shorter one.
struct StampPace: Sendable {
  /// How far the pace may be off at the most, for what it takes a sample to arrive.
  static let tolerance = SessionTime.seconds(2)
  /// How long it takes at least to see a pace.
  static let shortest = SessionTime.seconds(1)
  /// How long stamps are compared with the first of them.
  static let longest = SessionTime.seconds(30)

  /// Stamps that follow each other about as fast as they come.
  struct Row: Sendable {
    private var first: (stamp: SessionTime, now: SessionTime)
    /// How many there are.
    private(set) var count = 1
    /// The least that one of them was behind.
    private(set) var distance: SessionTime
    /// Whether one of them repeats a reading.
    private(set) var hasRepeats: Bool
    /// Whether the last one keeps pace. Those that come at once with the first show nothing.
    private(set) var isSteady = false

    init(_ stamp: SessionTime, now: SessionTime, isRepeat: Bool) {
      first = (stamp, now)
      distance = stamp - now
      hasRepeats = isRepeat
    }

    /// Takes a stamp, if it fits.
    mutating func admit(_ stamp: SessionTime, now: SessionTime, isRepeat: Bool) -> Bool {
      let passed = now - first.now
      let difference = (stamp - first.stamp - passed).nanoseconds.magnitude
      guard passed >= .zero, difference <= tolerance.nanoseconds.magnitude else { return false }
      isSteady = passed >= shortest && difference <= passed.nanoseconds.magnitude / 2
      count += 1
      distance = max(distance, stamp - now)
      hasRepeats = hasRepeats || isRepeat
      if isSteady, passed > longest { first = (stamp, now) }
      return true
    }
  }

  /// The row of the last stamp.
  private(set) var row: Row
  private var other: Row?

  /// A first stamp, which came when it was `now` in the session.
  init(_ stamp: SessionTime, now: SessionTime, isRepeat: Bool = false) {
    row = Row(stamp, now: now, isRepeat: isRepeat)
  }

  /// Takes the next stamp, which may repeat a reading.
  mutating func admit(_ stamp: SessionTime, now: SessionTime, isRepeat: Bool = false) {
    if row.admit(stamp, now: now, isRepeat: isRepeat) { return }
    let left = row
    if var other, other.admit(stamp, now: now, isRepeat: isRepeat) {
      row = other
    } else {
      row = Row(stamp, now: now, isRepeat: isRepeat)
    }
    if row.count > 1 || left.count >= other?.count ?? 0 { other = left }
  }
}
