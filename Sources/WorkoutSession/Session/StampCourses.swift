internal import TextFormats
internal import ZoneEngine

/// Stamps of which it is open what time they mean, parted into courses: those that follow each other may be of one clock.
struct StampCourses: Sendable {
  /// How much later than the one before a stamp may be to follow it.
  static let longestStep = SessionTime.seconds(300)

  /// Stamps that follow each other.
  struct Course: Sendable {
    /// Which of the stamps began it, from 0.
    let first: Int
    /// When that arrived.
    let arrival: WallClockTime
    /// Whether they are seconds since a start, and no times of day.
    let isCounted: Bool
    /// Whether a session may begin at the first.
    let isLikely: Bool
    /// Its first stamp.
    let oldest: SessionTime
    /// Its latest one.
    fileprivate(set) var newest: SessionTime
    fileprivate(set) var count = 1

    /// Whether another stamp goes on where this course is.
    fileprivate func isFollowed(at time: SessionTime, isCounted: Bool) -> Bool {
      let step = time - newest
      return self.isCounted == isCounted && step >= .zero - TimeCourse.longestReturn
        && step <= StampCourses.longestStep
    }
  }

  private var all: [Course] = []
  /// How many stamps were taken.
  private(set) var count = 0

  /// Takes the next stamp, which arrived at a time of day; the course on which it is, unless it is the first of one.
  mutating func take(_ stamp: Stamp, arrival: WallClockTime) -> Course? {
    let index = count
    count += 1
    let (time, isCounted) =
      switch stamp {
      case .session(let value): (value, true)
      case .wall(let value): (SessionTime(nanoseconds: value.nanoseconds), false)
      }
    if let known = all.firstIndex(where: { $0.isFollowed(at: time, isCounted: isCounted) }) {
      all[known].count += 1
      all[known].newest = max(all[known].newest, time)
      return all[known]
    }
    all.append(
      Course(
        first: index, arrival: arrival, isCounted: isCounted, isLikely: stamp.isLikely(arrival: arrival),
        oldest: time, newest: time))
    return nil
  }

  /// Whether a course has enough stamps to be that of a clock: two, three where several disagree, ten where it is not likely.
  func isEnough(_ course: Course) -> Bool {
    course.count >= (course.isLikely ? (all.count == 1 ? 2 : 3) : SessionAnchor.largestCount)
  }

  /// The course that most stamps follow, a likely one before all others; `nil` when there is none.
  var best: Course? {
    var found: Course?
    for course in all {
      guard let known = found else {
        found = course
        continue
      }
      if (course.isLikely ? 1 : 0, course.count) > (known.isLikely ? 1 : 0, known.count) { found = course }
    }
    return found
  }
}
