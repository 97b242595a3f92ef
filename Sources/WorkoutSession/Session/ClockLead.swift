internal import ZoneEngine

/// How far the clock of an origin is ahead of the machine's, by what arrives of it; negative where it is slow.
///
/// A sample that comes late looks like one of a slow clock, and a stamp that is wrong may be ahead, so that neither the last
/// one nor the largest counts: the third largest of a few seconds does, and of those the largest of the last minute or two.
struct ClockLead: Sendable {
  /// Over how long a few samples are looked at together.
  static let span = SessionTime.seconds(2)
  /// How long what was found is remembered, at least.
  static let memory = SessionTime.seconds(60)

  /// What is known; that of the first sample until there are a few.
  private(set) var value: SessionTime
  /// When the last sample came, by the machine's clock.
  private(set) var heard: SessionTime
  /// The three largest of the samples under way, the largest first, how many there are and since when.
  private var largest: (SessionTime, SessionTime, SessionTime)
  private var count = 0
  private var begun: SessionTime
  /// The largest of this minute and of the one before.
  private var current: SessionTime?
  private var before: SessionTime?
  private var since: SessionTime

  private static let none = SessionTime(nanoseconds: .min)

  /// What a first sample says.
  init(_ lead: SessionTime, at wall: SessionTime) {
    (value, heard, begun, since) = (lead, wall, wall, wall)
    largest = (Self.none, Self.none, Self.none)
    admit(lead, at: wall)
  }

  /// Takes what a sample says that arrived at a time of the machine's clock.
  mutating func admit(_ lead: SessionTime, at wall: SessionTime) {
    if wall < begun {
      // The clock of the machine was set back.
      (current, before, since) = (nil, nil, wall)
      restart(at: wall)
    }
    heard = wall
    count += 1
    if lead > largest.0 {
      largest = (lead, largest.0, largest.1)
    } else if lead > largest.1 {
      (largest.1, largest.2) = (lead, largest.1)
    } else if lead > largest.2 {
      largest.2 = lead
    }
    guard count >= TimeCourse.newCourseCount, wall - begun >= Self.span else { return }
    if wall - since > Self.memory { (before, current, since) = (current, nil, wall) }
    current = max(current ?? largest.2, largest.2)
    value = max(current ?? largest.2, before ?? largest.2)
    restart(at: wall)
  }

  private mutating func restart(at wall: SessionTime) {
    largest = (Self.none, Self.none, Self.none)
    (count, begun) = (0, wall)
  }
}
