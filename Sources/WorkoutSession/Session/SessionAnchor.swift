package import TextFormats
internal import ZoneEngine

/// Decides at which stamp a live session begins, so that one sample of 1970 cannot begin it there.
///
/// A stamp near the clock of the machine, or seconds since the start near zero, begins the session at once. Any other is
/// held until a second one follows it, until a third one does where several disagree, or until nothing else can be
/// waited for: a command, the end of the input, or as many stamps as are held. Where no stamp is likely, a command waits with them.
package struct SessionAnchor: Sendable {
  /// How many stamps are held.
  static let largestCount = 10

  /// How many commands are held.
  static let largestCommandCount = 100

  /// Where a session begins.
  package enum Beginning: Hashable, Sendable {
    /// At one of the stamps taken so far, from 0.
    case held(Int)
    /// At the time at which a command was issued, or arrived.
    case command(Stamp, arrival: WallClockTime)
  }

  private var courses = StampCourses()
  private var commandCount = 0
  /// When the first command was issued that says a likely time; until one does, when the first of all arrived.
  private var firstCommand: (stamp: Stamp, arrival: WallClockTime, isIssued: Bool)?

  /// An anchor that has seen nothing.
  package init() {}

  /// Takes the next stamp, which arrived at a time of day.
  ///
  /// - Returns: which of the stamps taken so far begins the session, from 0; `nil` while that is open.
  package mutating func take(_ stamp: Stamp, arrival: WallClockTime) -> Int? {
    let distance =
      switch stamp {
      case .session(let value): value
      case .wall(let value): SessionTimebase.span(from: arrival, to: value)
      }
    let index = courses.count
    let course = courses.take(stamp, arrival: arrival)
    if SessionTimebase.isNear(distance) { return index }
    if let course, courses.isEnough(course) { return course.first }
    return courses.count >= Self.largestCount ? courses.best?.first : nil
  }

  /// Takes the next command but `start`, which was issued at a time, where it says one, and arrived at a time of day.
  ///
  /// A stamp that is not likely does not begin the session because a command arrived.
  ///
  /// - Parameter ends: whether the command ends the session, so that nothing can be waited for.
  /// - Returns: where the session begins; `nil` while that is open, or no stamp waits.
  package mutating func take(command stamp: Stamp?, arrival: WallClockTime, ends: Bool) -> Beginning? {
    guard let course = courses.best else { return nil }
    commandCount += 1
    if let stamp, stamp.isLikely(arrival: arrival) {
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
    guard let course = courses.best else { return nil }
    if course.isLikely { return .held(course.first) }
    guard let firstCommand else { return .held(course.first) }
    return .command(firstCommand.stamp, arrival: firstCommand.arrival)
  }
}
