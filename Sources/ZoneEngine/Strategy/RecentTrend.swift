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
    var slopes = SortedValues()
    for early in 0..<Self.instants where !heights[early].isNaN {
      for late in (early + 1)..<Self.instants where !heights[late].isNaN {
        slopes.insert((heights[late] - heights[early]) / (Double(late - early) * seconds))
      }
    }
    slope = slopes.median
    var levels = SortedValues()
    for index in 0..<Self.instants where !heights[index].isNaN {
      levels.insert(heights[index] + slope * Double(Self.instants - 1 - index) * seconds)
    }
    level = levels.median
  }

  /// A few values in order.
  private struct SortedValues {
    private var values = InlineArray<66, Double>(repeating: 0)
    private var count = 0

    mutating func insert(_ value: Double) {
      var index = count
      while index > 0, values[index - 1] > value {
        values[index] = values[index - 1]
        index -= 1
      }
      values[index] = value
      count += 1
    }

    /// The middle value, or the mean of both; 0 of none.
    var median: Double {
      guard count > 0 else { return 0 }
      return (values[(count - 1) / 2] + values[count / 2]) / 2
    }
  }
}
