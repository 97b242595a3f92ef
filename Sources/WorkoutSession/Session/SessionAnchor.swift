package import TextFormats
internal import ZoneEngine

/// Decides at which stamp a live session begins, so that one sample of 1970 cannot begin it there.
///
/// A stamp near the clock of the machine, or seconds since the start near zero, begins the session at once. Any other is
/// held until a second one follows it, until a third one does where several disagree, or until nothing else can be
/// waited for: a command, the end of the input, or as many stamps as are held. Where no stamp is likely, a command waits with them.
package struct SessionAnchor: Sendable {
  /// How close a stamp is to the machine's clock, or to zero, to begin a session by itself.
  static let nearness = SessionTime.seconds(60)
  /// How many stamps are held.
  static let largestCount = 10
  /// How much later than the one before a stamp may be to follow it.
  static let longestStep = SessionTime.seconds(300)
  /// Before it no sender had a clock that was set: 2000-01-01.
  static let earliestLikely: Int64 = 946_684_800_000_000_000

  /// How many commands are held.
  static let largestCommandCount = 100

  /// Where a session begins.
  package enum Beginning: Hashable, Sendable {
    /// At one of the stamps taken so far, from 0.
    case held(Int)
    /// At the time at which a command was issued, or arrived.
    case command(Stamp, arrival: WallClockTime)
  }

  /// Stamps that follow each other.
  private struct Course {
    /// Which of the stamps began it, from 0.
    let first: Int
    let isCounted: Bool
    let isLikely: Bool
    var newest: SessionTime
    var count = 1

    /// Whether another stamp goes on where this course is.
    func isFollowed(at time: SessionTime, isCounted: Bool) -> Bool {
      let step = time - newest
      return self.isCounted == isCounted && step >= .zero - TimeCourse.longestReturn && step <= longestStep
    }
  }

  private var courses: [Course] = []
  private var count = 0
  private var commandCount = 0
  /// When the first command was issued that says a likely time; until one does, when the first of all arrived.
  private var firstCommand: (stamp: Stamp, arrival: WallClockTime, isIssued: Bool)?

  /// An anchor that has seen nothing.
  package init() {}

  /// Whether a session may begin at a stamp: a clock before 2000, or more than a day ahead, was never set.
  package static func isLikely(_ stamp: Stamp, arrival: WallClockTime) -> Bool {
    guard case .wall(let time) = stamp else { return true }
    let ahead = SessionTime(nanoseconds: time.nanoseconds) - SessionTime(nanoseconds: arrival.nanoseconds)
    return time.nanoseconds >= earliestLikely && ahead <= .seconds(86_400)
  }

  /// Takes the next stamp, which arrived at a time of day.
  ///
  /// - Returns: which of the stamps taken so far begins the session, from 0; `nil` while that is open.
  package mutating func take(_ stamp: Stamp, arrival: WallClockTime) -> Int? {
    let index = count
    count += 1
    let time: SessionTime
    let isCounted: Bool
    let distance: SessionTime
    switch stamp {
    case .session(let value): (time, isCounted, distance) = (value, true, value)
    case .wall(let value):
      (time, isCounted) = (SessionTime(nanoseconds: value.nanoseconds), false)
      distance = time - SessionTime(nanoseconds: arrival.nanoseconds)
    }
    if distance >= .zero - Self.nearness, distance <= Self.nearness { return index }
    if let known = courses.firstIndex(where: { $0.isFollowed(at: time, isCounted: isCounted) }) {
      courses[known].count += 1
      courses[known].newest = max(courses[known].newest, time)
      let needed = courses[known].isLikely ? (courses.count == 1 ? 2 : 3) : Self.largestCount
      if courses[known].count >= needed { return courses[known].first }
    } else {
      courses.append(
        Course(first: index, isCounted: isCounted, isLikely: Self.isLikely(stamp, arrival: arrival), newest: time))
    }
    return count >= Self.largestCount ? bestCourse?.first : nil
  }

  /// Takes the next command but `start`, which was issued at a time, where it says one, and arrived at a time of day.
  ///
  /// A stamp that is not likely does not begin the session because a command arrived.
  ///
  /// - Parameter ends: whether the command ends the session, so that nothing can be waited for.
  /// - Returns: where the session begins; `nil` while that is open, or no stamp waits.
  package mutating func take(command stamp: Stamp?, arrival: WallClockTime, ends: Bool) -> Beginning? {
    guard let course = bestCourse else { return nil }
    commandCount += 1
    if let stamp, Self.isLikely(stamp, arrival: arrival) {
      if firstCommand?.isIssued != true { firstCommand = (stamp, arrival, isIssued: true) }
    } else if firstCommand == nil {
      firstCommand = (.wall(arrival), arrival, isIssued: false)
    }
    if course.isLikely { return .held(course.first) }
    return ends || commandCount >= Self.largestCommandCount ? last : nil
  }

  /// Where the session begins when there is nothing to wait for: at the best of the stamps; where none of them is likely, when
  /// a command was issued, or arrived. `nil` when there is no stamp.
  package var last: Beginning? {
    guard let course = bestCourse else { return nil }
    if course.isLikely { return .held(course.first) }
    guard let firstCommand else { return .held(course.first) }
    return .command(firstCommand.stamp, arrival: firstCommand.arrival)
  }

  /// The course whose first stamp begins the session when there is nothing to wait for: that which most stamps follow, a likely one
  /// before all others; `nil` when there is none.
  private var bestCourse: Course? {
    var found: Course?
    for course in courses {
      guard let known = found else {
        found = course
        continue
      }
      if (course.isLikely ? 1 : 0, course.count) > (known.isLikely ? 1 : 0, known.count) { found = course }
    }
    return found
  }
}
