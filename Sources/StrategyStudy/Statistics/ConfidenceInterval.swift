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

/// How the intervals of comparisons are made: people are the unit, because what one person does twice is alike.
///
/// Student's t holds its 95 % at any number of people whose effects are normal, and more when they are heavy-tailed. Skewed
/// effects of few people are missed more often than said by every method; percentile and BCa intervals are too narrow for
/// few people of any kind. `Benchmarks/interval-coverage` shows all of it.
package enum PeopleInterval {
  /// What records call the method.
  package static let method = SampleMoments.intervalMethod
  /// The fewest people that an interval is given for: two say next to nothing of how people differ.
  package static let fewestPeople = 3

  /// Why there is no interval over so many people; `nil` where there is one.
  package static func absence(ofPeople people: Int) -> String? {
    guard people < fewestPeople else { return nil }
    let who = people == 1 ? "One person says nothing" : "Two people say next to nothing"
    return "\(who) of how people differ: there is no interval."
  }
  /// The probability that an interval misses the true value.
  static let alpha = 0.05
}

extension Sequence<Double> {
  /// A quantile by linear interpolation between order statistics, as R's type 7 and numpy's default.
  ///
  /// - Precondition: there is a value, and `part` lies in 0…1.
  package func quantile(_ part: Double) -> Double {
    let values = sorted()
    precondition(!values.isEmpty && part >= 0 && part <= 1, "a quantile is of values")
    let place = part * Double(values.count - 1)
    let index = Int(place)
    let next = Swift.min(index + 1, values.count - 1)
    return values[index] + (values[next] - values[index]) * (place - Double(index))
  }
}
