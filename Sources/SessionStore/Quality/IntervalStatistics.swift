package import ZoneEngine

/// Median, quantiles and spread of intervals, in a memory that does not depend on how many there are.
///
/// Intervals are counted in classes whose width is 1/128 of their value; a class gives the mean of what is in it. So a
/// quantile is exact where all intervals of its class are equal, and within 0.8 % elsewhere.
package struct IntervalStatistics: Sendable {
  private struct Class {
    var count = 0
    var sum = 0.0
  }

  /// How many intervals there were.
  package private(set) var count = 0
  private var classes: [Class] = []
  private var mean = 0.0
  private var squares = 0.0

  /// Creates statistics of no interval.
  package init() {}

  /// Takes an interval.
  ///
  /// - Precondition: it is not negative.
  package mutating func admit(_ interval: SessionTime) {
    precondition(interval >= .zero, "an interval is not negative")
    let index = Self.index(UInt64(interval.nanoseconds))
    while classes.count <= index { classes.append(Class()) }
    classes[index].count += 1
    classes[index].sum += Double(interval.nanoseconds)
    // Source: B.P. Welford (1962), Technometrics 4:419.
    count += 1
    let difference = interval.seconds - mean
    mean += difference / Double(count)
    squares += difference * (interval.seconds - mean)
  }

  /// The smallest interval that `share` of all do not exceed (nearest rank); `nil` without any.
  ///
  /// - Precondition: `share` is above 0 and at most 1.
  package func quantile(_ share: Double) -> SessionTime? {
    precondition(share > 0 && share <= 1, "a quantile is a part of all")
    guard count > 0 else { return nil }
    var rank = max(1, Int((share * Double(count)).rounded(.up)))
    for entry in classes where entry.count > 0 {
      rank -= entry.count
      if rank <= 0 { return SessionTime(nanoseconds: Int64((entry.sum / Double(entry.count)).rounded())) }
    }
    return nil
  }

  /// The standard deviation of a sample, in seconds; `nil` with fewer than two intervals.
  package var standardDeviationSeconds: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }

  /// Values under 256 have a class each, above that 128 classes share each doubling.
  private static func index(_ value: UInt64) -> Int {
    guard value >= 256 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 7) * 128 + Int(value >> UInt64(exponent - 7))
  }
}
