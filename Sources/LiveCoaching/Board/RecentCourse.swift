package import ZoneEngine

/// The heart rate of the last minutes, second by second, in a fixed number of slots.
package struct RecentCourse: Sendable {
  /// How far it reaches back, in seconds.
  package static let reach = 600

  private var slots = [UInt8](repeating: 0, count: reach)
  private var newest = -1

  /// A course without a heart rate.
  package init() {}

  /// Takes the heart rate that is displayed at a time; times never go back by more than the reach.
  ///
  /// - Complexity: O(1), but for the slots of a silence.
  package mutating func note(_ displayedBPM: Int, at time: SessionTime) {
    let second = Int(time.nanoseconds / 1_000_000_000)
    guard second >= 0, second > newest - Self.reach else { return }
    if second > newest {
      for skipped in max(newest + 1, second - Self.reach + 1)...second { slots[skipped % Self.reach] = 0 }
      newest = second
    }
    slots[second % Self.reach] = UInt8(clamping: displayedBPM)
  }

  /// Mean heart rates of `count` equal spans over the last `seconds` until `end`; `nil` where there was no reading.
  ///
  /// - Precondition: `count` is positive, and `seconds` at most ``reach``.
  package func means(_ count: Int, last seconds: Int, until end: SessionTime) -> [Double?] {
    precondition(count > 0 && (1...Self.reach).contains(seconds), "a course has points")
    let last = Int(end.nanoseconds / 1_000_000_000)
    var sums = [Int](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: count)
    for second in max(0, last - seconds + 1, newest - Self.reach + 1)..<max(0, last + 1) where second <= newest {
      let bpm = Int(slots[second % Self.reach])
      guard bpm > 0 else { continue }
      let place = (second - (last - seconds + 1)) * count / seconds
      sums[place] += bpm
      counts[place] += 1
    }
    return zip(sums, counts).map { $1 > 0 ? Double($0) / Double($1) : nil }
  }
}
