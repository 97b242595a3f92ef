internal import TextFormats
internal import ZoneEngine

/// Finds out whose the first samples of a session are that a command began, where their times are not those of its start.
///
/// A sender whose clock is wrong sends as fast as it measures. A recording comes faster than it was measured: the session counts
/// its samples by their own times from the start on, as it does where no command began it. What a sender kept from shortly
/// before the start comes faster, too, and ends now.
///
/// It is pure: what it answers depends on what it was asked before.
struct StartedClock: Sendable {
  /// How long it is waited for what the stamps show; what took so much longer to be measured than to arrive is a recording then.
  static let patience = SessionTime.seconds(3)
  /// How much longer it took where that is known at once; a sender may send the samples of some seconds together.
  static let longestBatch = TimeCourse.longestReturn
  /// How long before now samples may begin that a sender may have kept.
  static let longestKept = SessionTime.seconds(600)
  /// How long seconds since the start may keep pace with the machine's clock until they are believed to.
  static let longestDoubt = SessionTime.seconds(60)
  /// How many samples are held.
  static let largestCount = 10_000

  /// What the samples are.
  enum Verdict: Hashable, Sendable {
    /// What is measured now, whatever their stamps say.
    case live
    /// A recording that begins with the stamp that came after so many others.
    case recorded(from: Int)
  }

  private let arrival: WallClockTime
  /// Whether the wall clock moves the session on until somebody finds otherwise.
  private let followsWallClock: Bool
  private var courses = StampCourses()

  /// A session that a command has just begun.
  ///
  /// - Parameters:
  ///   - start: the time of day of that.
  ///   - arrival: when it arrived.
  /// - Returns: `nil` where the times of samples are decided by hand, or the start states another time than now.
  init?(start: WallClockTime, arrival: WallClockTime, clock: SessionClock, followsWallClock: Bool) {
    guard clock != .wall, SessionTimebase.isNear(SessionTimebase.span(from: start, to: arrival)) else { return nil }
    self.arrival = arrival
    self.followsWallClock = followsWallClock
  }

  /// Whether a sample settles that the session goes on as it began.
  ///
  /// - Parameter isOnCourse: whether its stamp is where the session is.
  func isSettled(by stamp: Stamp, arrival: WallClockTime, isOnCourse: Bool) -> Bool {
    switch stamp {
    case .wall(let time): isOnCourse || SessionTimebase.isNear(SessionTimebase.span(from: time, to: arrival))
    case .session:
      isOnCourse && (!followsWallClock || SessionTimebase.span(from: self.arrival, to: arrival) > Self.longestDoubt)
    }
  }

  /// Takes the next stamp that is not where the session is; `nil` while it is open what that means.
  mutating func take(_ stamp: Stamp, arrival: WallClockTime) -> Verdict? {
    _ = courses.take(stamp, arrival: arrival)
    if courses.count >= Self.largestCount { return verdict }
    return verdict(at: arrival)
  }

  /// What is known when the machine's clock shows a time; `nil` while it is open.
  func verdict(at now: WallClockTime) -> Verdict? {
    guard let course = courses.best else { return nil }
    let waited = SessionTimebase.span(from: course.arrival, to: now)
    let isOver = waited >= Self.patience
    guard courses.isEnough(course) else { return isOver ? .live : nil }
    // Without the machine's clock there is no pace.
    if !followsWallClock { return .recorded(from: course.first) }
    let lead = course.newest - course.oldest - waited
    if isOver { return lead > Self.patience ? .recorded(from: course.first) : .live }
    return lead > Self.longestBatch && !mayBeKept(course) ? .recorded(from: course.first) : nil
  }

  /// What is to be taken for true when nothing can be waited for.
  var verdict: Verdict {
    guard let course = courses.best, course.isLikely || courses.isEnough(course) else { return .live }
    return .recorded(from: course.first)
  }

  /// When it is known at the latest; absent while nothing is asked.
  var due: WallClockTime? {
    courses.best.flatMap { $0.arrival.adding(nanoseconds: Self.patience.nanoseconds) }
  }

  /// Whether a sender may have kept the samples of a course since they were measured, and go on with those of now.
  private func mayBeKept(_ course: StampCourses.Course) -> Bool {
    guard !course.isCounted else { return false }
    let age = SessionTime(nanoseconds: course.arrival.nanoseconds) - course.oldest
    return age >= .zero && age <= Self.longestKept
  }
}
