package import ZoneEngine

/// The course of the heart rate in a fixed number of slots, whatever the length of the session.
///
/// Each slot keeps count and sum of the readings of an equal span; when a reading falls beyond the last slot, spans
/// double and neighbours are joined.
package struct HeartRateCurve: Sendable {
  /// How many slots there are.
  package static let slotCount = 512

  private struct Slot {
    var sum = 0.0
    var count = 0
  }

  private var slots = [Slot](repeating: Slot(), count: slotCount)
  private var span = SessionTime.seconds(1)
  private var last = SessionTime.zero

  /// Creates an empty curve.
  package init() {}

  /// Takes an accepted reading.
  ///
  /// - Precondition: `time` is not negative.
  /// - Complexity: O(1), amortised.
  package mutating func admit(_ beatsPerMinute: Double, at time: SessionTime) {
    last = max(last, time)
    while time.nanoseconds / span.nanoseconds >= Int64(Self.slotCount) { double() }
    let index = Int(time.nanoseconds / span.nanoseconds)
    slots[index].sum += beatsPerMinute
    slots[index].count += 1
  }

  /// Mean heart rates of `columns` equal spans from the start to `end`; `nil` where there was no reading.
  ///
  /// - Precondition: `columns` is positive.
  package func means(columns: Int, until end: SessionTime) -> [Double?] {
    precondition(columns > 0, "a curve has columns")
    let end = max(end, .seconds(1))
    var sums = [Double](repeating: 0, count: columns)
    var counts = [Int](repeating: 0, count: columns)
    for (index, slot) in slots.enumerated() where slot.count > 0 {
      // The middle of the slot tells its column; a slot wider than a column leaves holes, which are filled below.
      let middle = (Double(index) + 0.5) * span.seconds / end.seconds
      let column = min(columns - 1, Int(middle * Double(columns)))
      sums[column] += slot.sum
      counts[column] += slot.count
    }
    var means = zip(sums, counts).map { $1 > 0 ? $0 / Double($1) : nil }
    let widest = Int((span.seconds / end.seconds * Double(columns)).rounded(.up)) + 1
    var lastFilled: Int?
    for column in 0..<columns where means[column] != nil {
      if let from = lastFilled, column - from > 1, column - from <= widest {
        for hole in (from + 1)..<column { means[hole] = means[from] }
      }
      lastFilled = column
    }
    return means
  }

  private mutating func double() {
    for index in 0..<Self.slotCount / 2 {
      let left = slots[index * 2]
      let right = slots[index * 2 + 1]
      slots[index] = Slot(sum: left.sum + right.sum, count: left.count + right.count)
    }
    for index in Self.slotCount / 2..<Self.slotCount { slots[index] = Slot() }
    span = span + span
  }
}
