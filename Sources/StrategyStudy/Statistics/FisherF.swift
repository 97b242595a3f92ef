/// The F distribution, central and noncentral. Source: Abramowitz & Stegun 1964, 26.6.2 and 26.6.18 (from memory).
struct FisherF: Sendable {
  private let first: Double
  private let second: Double

  /// The distribution of two degrees of freedom, above zero.
  init(_ first: Double, _ second: Double) {
    precondition(first > 0 && second > 0, "an F distribution has degrees of freedom")
    self.first = first
    self.second = second
  }

  /// The probability of `ratio` or more.
  func upperProbability(_ ratio: Double) -> Double {
    guard ratio > 0 else { return 1 }
    return SpecialFunctions.incompleteBeta(second / 2, first / 2, second / (second + first * ratio))
  }

  /// The ratio that is exceeded with a probability in 0 < `probability` < 1.
  func upperQuantile(_ probability: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while upperProbability(high) > probability, high < 1e12 { (low, high) = (high, high * 2) }
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if upperProbability(middle) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability of `ratio` or more where the numerator has a noncentrality: a mean over Poisson's distribution.
  func upperProbability(_ ratio: Double, noncentrality: Double) -> Double {
    guard ratio > 0 else { return 1 }
    guard noncentrality > 0 else { return upperProbability(ratio) }
    let mean = noncentrality / 2
    let x = first * ratio / (first * ratio + second)
    let spread = 12 * mean.squareRoot() + 40
    var sum = 0.0
    for count in Int(max(0, mean - spread))...Int(mean + spread) {
      let k = Double(count)
      let weight = PortableMath.exp(k * PortableMath.log(mean) - mean - SpecialFunctions.logGamma(k + 1))
      sum += weight * SpecialFunctions.incompleteBeta(first / 2 + k, second / 2, x)
    }
    return max(0, min(1, 1 - sum))
  }
}
