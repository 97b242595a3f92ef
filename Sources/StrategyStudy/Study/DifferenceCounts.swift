/// How many runners differ by how much between two arms, to the percentage point.
///
/// A difference of exactly nothing has a place of its own; any other belongs to the next whole point away from it, so that
/// `better[0]` counts differences over 0 and up to 1 point, and `worse[0]` those under 0 and down to −1 point.
package struct DifferenceCounts: Hashable, Sendable {
  /// Runners who are better in the first arm: by up to 1 point, up to 2 points … 100 points.
  package private(set) var better = [Int](repeating: 0, count: 100)
  /// Runners who are worse in the first arm, in the same way.
  package private(set) var worse = [Int](repeating: 0, count: 100)
  /// Runners with the same share in both.
  package private(set) var same = 0

  /// Nobody yet.
  package init() {}

  /// Counts a runner with so many seconds in target of so many, in each arm.
  ///
  /// - Precondition: there are seconds, and not more of them in target than there are.
  package mutating func add(_ first: (inTarget: Int, of: Int), _ second: (inTarget: Int, of: Int)) {
    precondition(first.of > 0 && second.of > 0, "a session has seconds")
    // Whole numbers, so that what lies on an edge is on the same side everywhere.
    let difference = first.inTarget * second.of - second.inTarget * first.of
    guard difference != 0 else {
      same += 1
      return
    }
    let all = first.of * second.of
    let point = (abs(difference) * 100 + all - 1) / all
    precondition((1...100).contains(point), "not more seconds in target than there are")
    if difference > 0 { better[point - 1] += 1 } else { worse[point - 1] += 1 }
  }

  /// All runners.
  package var total: Int { same + better.reduce(0, +) + worse.reduce(0, +) }

  /// The largest difference of anybody in whole points, rounded up; 0 when nobody differs.
  package var widestPoint: Int {
    max((better.lastIndex { $0 > 0 } ?? -1), (worse.lastIndex { $0 > 0 } ?? -1)) + 1
  }
}
