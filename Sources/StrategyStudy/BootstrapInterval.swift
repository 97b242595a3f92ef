internal import ZoneEngine

/// An interval that holds a true value with a stated confidence.
package struct ConfidenceInterval: Hashable, Sendable {
  /// The lower end.
  package let lower: Double
  /// The upper end.
  package let upper: Double

  /// Creates an interval.
  package init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }
}

/// The bootstrap over units such as persons: units are drawn with replacement, never the seconds within them, which are
/// no replicates of each other. Source: Efron & Tibshirani 1993, *An Introduction to the Bootstrap*, percentile intervals.
package enum Bootstrap {
  /// How many times is drawn when nothing else is said.
  package static let resamples = 10_000

  /// The 95 % percentile interval of the mean of one value a unit; `nil` for fewer than two units, which tell nothing
  /// of how units differ.
  ///
  /// - Complexity: O(resamples · n); the same values and seed give the same interval everywhere.
  package static func meanInterval(
    of values: [Double], resamples: Int = Bootstrap.resamples, seed: UInt64
  ) -> ConfidenceInterval? {
    let count = values.count
    guard count > 1, resamples > 1 else { return nil }
    guard values.contains(where: { $0 != values[0] }) else {
      return ConfidenceInterval(lower: values[0], upper: values[0])
    }
    let random = CounterRandom(seed: seed, 0xB007)
    var means: [Double] = []
    means.reserveCapacity(resamples)
    var counter: UInt64 = 0
    for _ in 0..<resamples {
      var sum = 0.0
      for _ in 0..<count {
        sum += values[place(random, counter, of: count)]
        counter += 1
      }
      means.append(sum / Double(count))
    }
    means.sort()
    return ConfidenceInterval(lower: quantile(0.025, ofSorted: means), upper: quantile(0.975, ofSorted: means))
  }

  /// The 95 % percentile intervals of statistics of units that are drawn, each by its place from 0; an interval is absent
  /// where a statistic has no value for some draw. `nil` for fewer than two units.
  ///
  /// - Complexity: O(resamples · n) and as many calls as resamples; the same statistics and seed give the same intervals.
  package static func intervals(
    of count: Int, resamples: Int = Bootstrap.resamples, seed: UInt64, _ statistics: ([Int]) -> [Double?]
  ) -> [ConfidenceInterval?]? {
    guard count > 1, resamples > 1 else { return nil }
    let random = CounterRandom(seed: seed, 0xB007)
    var values: [[Double]?] = []
    var drawn = [Int](repeating: 0, count: count)
    for resample in 0..<resamples {
      for index in 0..<count { drawn[index] = place(random, UInt64(resample * count + index), of: count) }
      let found = statistics(drawn)
      if values.isEmpty { values = found.map { _ in [] } }
      for index in found.indices {
        if let value = found[index] { values[index]?.append(value) } else { values[index] = nil }
      }
    }
    return values.map { values in
      values.map { values in
        let sorted = values.sorted()
        return ConfidenceInterval(lower: quantile(0.025, ofSorted: sorted), upper: quantile(0.975, ofSorted: sorted))
      }
    }
  }

  private static func place(_ random: CounterRandom, _ counter: UInt64, of count: Int) -> Int {
    Int(random.bits(at: counter).multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A quantile by linear interpolation between order statistics, as R's type 7 and numpy's default.
  ///
  /// - Precondition: `values` is sorted and not empty, and `part` lies in 0…1.
  package static func quantile(_ part: Double, ofSorted values: [Double]) -> Double {
    let place = part * Double(values.count - 1)
    let index = Int(place)
    let next = min(index + 1, values.count - 1)
    return values[index] + (values[next] - values[index]) * (place - Double(index))
  }
}
