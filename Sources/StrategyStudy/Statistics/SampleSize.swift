/// How many people a study of paired differences needs, by the exact power of the two-sided t test.
///
/// Source: Cohen 1988, *Statistical power analysis for the behavioral sciences*, chapter 2; the noncentral t
/// distribution as the mean of normal probabilities over the chi distribution.
package enum SampleSize {
  /// The most people that are looked for.
  package static let largest = 10_000_000

  /// The fewest people with whom a true mean difference is found.
  ///
  /// - Parameters:
  ///   - effect: the true mean difference, not zero.
  ///   - spread: the standard deviation of people's differences, above zero, in the same unit.
  ///   - power: the probability of finding it, above `alpha` and below 1.
  ///   - alpha: the probability of finding a difference where there is none, in 0 < alpha < 1.
  /// - Returns: at least 2; `nil` when more than ``largest`` are needed.
  package static func people(effect: Double, spread: Double, power: Double, alpha: Double) -> Int? {
    var (low, high) = (1, 2)
    while Self.power(people: high, effect: effect, spread: spread, alpha: alpha) < power {
      guard high < largest else { return nil }
      (low, high) = (high, min(largest, high * 2))
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if Self.power(people: middle, effect: effect, spread: spread, alpha: alpha) < power {
        low = middle
      } else {
        high = middle
      }
    }
    return high
  }

  /// The fewest people with whom a mean difference is found that was estimated itself, with what its interval leaves open.
  ///
  /// - Parameters:
  ///   - effect: the estimate of the mean difference.
  ///   - confidence95: the 95 % interval of the estimate; absent when nothing is known of how sure it is.
  ///   - spread: the standard deviation of people's differences.
  package static func people(
    effect: Double, confidence95: ConfidenceInterval?, spread: Double, power: Double, alpha: Double
  ) -> PeopleNeeded {
    guard let confidence95, spread > 0, confidence95.lower * confidence95.upper > 0,
      let people = people(effect: effect, spread: spread, power: power, alpha: alpha)
    else { return .noDifference }
    let ends = [confidence95.lower, confidence95.upper].map(\.magnitude)
    let (nearest, farthest) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    return .people(
      people, atLeast: self.people(effect: farthest, spread: spread, power: power, alpha: alpha) ?? people,
      atMost: self.people(effect: nearest, spread: spread, power: power, alpha: alpha))
  }

  /// The probability of finding a true mean difference with a number of people.
  ///
  /// - Precondition: there are at least two people.
  package static func power(people: Int, effect: Double, spread: Double, alpha: Double) -> Double {
    precondition(people > 1, "a paired difference needs two people")
    let degrees = Double(people - 1)
    let shift = effect.magnitude / spread * Double(people).squareRoot()
    let critical = StudentT(degreesOfFreedom: degrees).twoSidedQuantile(alpha)
    // s is the estimated over the true standard deviation: √(χ²/ν). Simpson's rule where its density is.
    let width = 12 / (2 * degrees).squareRoot()
    let from = max(1e-9, 1 - width)
    let until = 1 + max(width, 6 / degrees.squareRoot())
    let constant =
      PortableMath.log(2) + degrees / 2 * PortableMath.log(degrees / 2) - SpecialFunctions.logGamma(degrees / 2)
    let steps = 400
    var sum = 0.0
    for step in 0...steps {
      let s = from + (until - from) * Double(step) / Double(steps)
      let density = PortableMath.exp(constant + (degrees - 1) * PortableMath.log(s) - degrees * s * s / 2)
      let found =
        SpecialFunctions.normalProbability(shift - critical * s)
        + SpecialFunctions.normalProbability(-shift - critical * s)
      sum += (step == 0 || step == steps ? 1 : step % 2 == 1 ? 4 : 2) * density * found
    }
    return min(1, sum * (until - from) / Double(steps) / 3)
  }
}

/// How many people it takes to find a difference that was estimated.
package enum PeopleNeeded: Hashable, Sendable {
  /// No difference was found: the 95 % interval of the estimate includes none, so that no number of people follows.
  case noDifference
  /// That many by the estimate, and by the ends of its 95 % interval; `atMost` is absent above ``SampleSize/largest``.
  case people(Int, atLeast: Int, atMost: Int?)
}
