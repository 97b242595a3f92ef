/// A robust line through the heart rates of a window: the median of the slopes between all pairs of twelve instants, and
/// the median height. A few wrong readings do not move it. Source: Theil 1950; Sen 1968, 10.1080/01621459.1968.10480934.
///
/// Everything is a whole number until the end, and both medians are found by counting, all values at once and with the same
/// steps whatever they are: an engine that judges once a minute waits longer for the wrongly foreseen branches of a sort
/// than for all comparisons.
struct RecentTrend {
  /// How many instants the line is drawn through.
  static let instants = 12

  /// Beats per minute each second.
  let slope: Double
  /// Beats per minute at the end of the window.
  let level: Double

  /// The line through the window `(time − length, time]`; `nil` when less than half of the instants have a heart rate.
  init?(_ window: HeldWindow, length: SessionTime, until time: SessionTime) {
    // The newest first, and all of them once more behind, so that others stand beside each.
    var circle = InlineArray<28, Int32>(repeating: 0)
    var isPresent = InlineArray<28, Int32>(repeating: 0)
    var count: Int32 = 0
    let step = length.nanoseconds / Int64(Self.instants)
    window.forEachInstant(count: Self.instants, every: SessionTime(nanoseconds: step), until: time) { index, bpm in
      let age = Self.instants - 1 - index
      let height = Int32(truncatingIfNeeded: bpm)
      circle[age] = height
      circle[age + Self.instants] = height
      isPresent[age] = -1
      isPresent[age + Self.instants] = -1
      count += 1
    }
    guard count * 2 >= Int32(Self.instants) else { return nil }
    let first = SIMD16<Int32>(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0)
    let (heights, present) = (SIMD16(circle, from: 0), SIMD16(isPresent, from: 0) & first)
    let slopes = PairedSlopes(heights, present, circle, isPresent)
    let doubledSlope = slopes.doubledMedian(of: count * (count - 1) / 2)
    slope = Double(doubledSlope) / Double(2 * PairedSlopes.unit) / (Double(step) / 1e9)
    let ages = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0)
    let levels = heights &* (2 * PairedSlopes.unit) &+ ages &* doubledSlope
    let doubledLevel = Self.doubledMedian(of: count, levels.lanes(where: present, otherwise: SIMD16.farthest))
    level = Double(doubledLevel) / Double(4 * PairedSlopes.unit)
  }

  /// Twice the middle one of `count` values, or the sum of both; a lane without a value is greater than all.
  private static func doubledMedian(of count: Int32, _ values: SIMD16<Int32>) -> Int64 {
    var (below, notAbove) = (SIMD16<Int32>.zero, SIMD16<Int32>.zero)
    for index in 0..<instants {
      below &-= SIMD16(repeating: values[index]).less(than: values)
      notAbove &-= SIMD16(repeating: values[index] &- 1).less(than: values)
    }
    // The value of a place in order is one with no more values below it, and more not above it.
    @inline(__always) func value(at place: Int32) -> Int32 {
      values.lanes(where: below.notAbove(place) & ~notAbove.notAbove(place), otherwise: -SIMD16.farthest).greatest
    }
    let upper = value(at: count / 2)
    return Int64(upper) + Int64(count % 2 == 0 ? value(at: count / 2 - 1) : upper)
  }
}
