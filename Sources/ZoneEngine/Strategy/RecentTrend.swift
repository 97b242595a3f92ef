/// A robust line through the heart rates of a window: the median of the slopes between all pairs of twelve instants, and
/// the median height. A few wrong readings do not move it. Source: Theil 1950; Sen 1968, 10.1080/01621459.1968.10480934.
struct RecentTrend {
  /// How many instants the line is drawn through.
  static let instants = 12

  /// Beats per minute each second.
  let slope: Double
  /// Beats per minute at the end of the window.
  let level: Double

  /// The line through the window `(time − length, time]`; `nil` when less than half of the instants have a heart rate.
  init?(_ window: HeldWindow, length: SessionTime, until time: SessionTime) {
    var heights = InlineArray<12, Double>(repeating: .nan)
    var count = 0
    let step = length.nanoseconds / Int64(Self.instants)
    window.forEachInstant(count: Self.instants, every: SessionTime(nanoseconds: step), until: time) { index, bpm in
      heights[index] = Double(bpm)
      count += 1
    }
    guard count * 2 >= Self.instants else { return nil }
    let seconds = Double(step) / 1e9
    var slopes = Values()
    for early in 0..<Self.instants where !heights[early].isNaN {
      for late in (early + 1)..<Self.instants where !heights[late].isNaN {
        slopes.add((heights[late] - heights[early]) / (Double(late - early) * seconds))
      }
    }
    slope = slopes.median()
    var levels = Values()
    for index in 0..<Self.instants where !heights[index].isNaN {
      levels.add(heights[index] + slope * Double(Self.instants - 1 - index) * seconds)
    }
    level = levels.median()
  }

  /// A few values, of which the middle is wanted.
  private struct Values {
    private var values = InlineArray<66, Double>(repeating: 0)
    private var count = 0

    @inline(__always)
    mutating func add(_ value: Double) {
      values[count] = value
      count += 1
    }

    /// The middle value, or the mean of both; 0 of none. The values are in another order after it.
    ///
    /// Source: Hoare 1961, *Algorithm 65: find*, 10.1145/366622.366647.
    mutating func median() -> Double {
      guard count > 0 else { return 0 }
      let middle = count / 2
      select(middle)
      guard count % 2 == 0 else { return values[middle] }
      // What stands before the upper middle value is not above it; the greatest of these is the lower one.
      var lower = values[0]
      for index in 1..<max(1, middle) { lower = max(lower, values[index]) }
      return (lower + values[middle]) / 2
    }

    /// Brings the value of a place in order to that place, none greater before it and none less behind it.
    private mutating func select(_ place: Int) {
      var (first, last) = (0, count - 1)
      while first < last {
        let pivot = values[place]
        var (left, right) = (first, last)
        while left <= right {
          while values[left] < pivot { left += 1 }
          while pivot < values[right] { right -= 1 }
          if left <= right {
            values.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if right < place { first = left }
        if place < left { last = right }
      }
    }
  }
}
