internal import TextFormats
internal import ZoneEngine

/// Where stamps and the clock of the machine lie in a live session, once it has begun.
struct SessionTimebase: Sendable {
  /// How far the clock of the machine may be ahead of the start for a session to follow it: ten days.
  static let longestSession = SessionTime.seconds(864_000)
  /// How close to now the first sample must be for the automatic clock to follow the wall, and to that or to zero to begin a session
  /// by itself.
  static let nearness = SessionTime.seconds(60)

  /// The time of day at which the session began; absent before.
  private(set) var start: WallClockTime?
  /// Whether the wall clock moves the session on.
  private(set) var followsWallClock: Bool
  /// The stamp that began the session, as time since its start.
  private(set) var firstStamp = SessionTime.zero

  private let clock: SessionClock

  /// A session that has not begun.
  init(_ clock: SessionClock) {
    self.clock = clock
    followsWallClock = clock == .wall
  }

  /// Begins the session with a stamp that arrived at a time of day.
  mutating func begin(at stamp: Stamp, arrival: WallClockTime) {
    var countsItsOwnSeconds = false
    let start: WallClockTime
    switch stamp {
    case .wall(let time): start = time
    case .session(let time):
      countsItsOwnSeconds = true
      // Seconds that no session can have are counted from somewhere else.
      firstStamp = LiveLine.sessionNanoseconds.contains(time.nanoseconds) ? time : .zero
      start = arrival.adding(nanoseconds: -firstStamp.nanoseconds) ?? arrival
    }
    self.start = start
    guard clock == .automatic else { return }
    let distance = Self.span(from: start, to: arrival) - firstStamp
    // A stream that counts its own seconds says nothing about now.
    followsWallClock = !countsItsOwnSeconds && Self.isNear(distance)
  }

  /// Has the samples alone move the session on from now on.
  mutating func leaveWallClock() { followsWallClock = false }

  /// What the clock of the machine shows as time since the start, where the session follows it.
  func time(ofWall now: WallClockTime) -> SessionTime? {
    guard followsWallClock, start != nil else { return nil }
    let time = time(of: .wall(now))
    return time <= Self.longestSession ? time : nil
  }

  /// A stamp as time since the start, by the clock that made it.
  func time(of stamp: Stamp) -> SessionTime {
    switch stamp {
    case .session(let time): time
    case .wall(let time): start.map { Self.span(from: $0, to: time) } ?? .zero
    }
  }

  /// The time of day that a stamp means.
  func wall(of stamp: Stamp, arrival: WallClockTime) -> WallClockTime {
    switch stamp {
    case .wall(let value): value
    case .session(let value): start?.adding(nanoseconds: value.nanoseconds) ?? arrival
    }
  }

  /// Whether a distance, of either sign, is that of the same time.
  static func isNear(_ distance: SessionTime) -> Bool { distance.nanoseconds.magnitude <= nearness.nanoseconds }

  /// The span between two times of day; it stops at the ends of the range instead of overflowing.
  static func span(from start: WallClockTime, to end: WallClockTime) -> SessionTime {
    SessionTime(nanoseconds: end.nanoseconds) - SessionTime(nanoseconds: start.nanoseconds)
  }
}
