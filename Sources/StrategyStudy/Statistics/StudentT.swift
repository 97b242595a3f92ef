/// Student's t distribution. Source: Student 1908, 10.1093/biomet/6.1.1.
package struct StudentT: Sendable {
  /// Degrees of freedom, above zero.
  package let degreesOfFreedom: Double

  /// The distribution of that many degrees of freedom.
  ///
  /// - Precondition: the number is above zero.
  package init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "a t distribution has degrees of freedom")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability of a magnitude of `t` or more.
  package func twoSidedProbability(_ t: Double) -> Double {
    guard t.isFinite else { return 0 }
    return SpecialFunctions.incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + t * t))
  }

  /// The t that is exceeded in magnitude with a probability of 0 < `probability` < 1; 1.96 for 0.05 and many degrees.
  package func twoSidedQuantile(_ probability: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while twoSidedProbability(high) > probability, high < 1e9 { (low, high) = (high, high * 2) }
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if twoSidedProbability(middle) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
