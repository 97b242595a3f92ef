package import ZoneEngine

/// Standard normal numbers that are a function of a key and a counter, like the uniform ones they are made of.
///
/// Source: Box & Muller 1958, *A note on the generation of random normal deviates*, 10.1214/aoms/1177706645. The largest
/// magnitude is 8.57, which a true normal number exceeds once in 10¹⁷.
package struct NormalSequence: Sendable {
  private let uniform: CounterRandom

  /// The numbers made of a uniform sequence.
  package init(_ uniform: CounterRandom) { self.uniform = uniform }

  /// The two numbers at a place of the sequence; they do not depend on each other.
  @inline(__always)
  package func pair(at counter: UInt64) -> (Double, Double) {
    // In 0 < u ≤ 1, so that the logarithm is a number.
    let u = Double((uniform.bits(at: 2 &* counter) >> 11) + 1) * 0x1p-53
    let radius = (-2 * PortableMath.log(u)).squareRoot()
    let (sine, cosine) = PortableMath.sineAndCosine(turns: uniform.unit(at: 2 &* counter &+ 1))
    return (radius * cosine, radius * sine)
  }

  /// Fills a series with independent numbers of a standard deviation.
  package func fill(_ series: inout [Double], count: Int, standardDeviation: Double) {
    if series.count != count { series = Array(repeating: 0, count: count) }
    var values = series.mutableSpan
    guard standardDeviation > 0 else {
      for index in values.indices { values[index] = 0 }
      return
    }
    for index in stride(from: 0, to: count - 1, by: 2) {
      let (first, second) = pair(at: UInt64(truncatingIfNeeded: index / 2))
      values[index] = first * standardDeviation
      values[index + 1] = second * standardDeviation
    }
    if count % 2 == 1 { values[count - 1] = pair(at: UInt64(count / 2)).0 * standardDeviation }
  }

  /// Fills a series, one value a second, with a stationary Ornstein–Uhlenbeck process: noise whose correlation falls to
  /// 1/e in `timeConstant` seconds. A longer series begins with the shorter one.
  ///
  /// Source: Uhlenbeck & Ornstein 1930, 10.1103/PhysRev.36.823; exact discretisation x′ = a·x + √(1 − a²)·n, a = e^(−1/τ).
  package func fillCorrelated(
    _ series: inout [Double], count: Int, standardDeviation: Double, timeConstant: Double
  ) {
    fill(&series, count: count, standardDeviation: standardDeviation)
    guard standardDeviation > 0, timeConstant > 0 else { return }
    let kept = PortableMath.exp(-1 / timeConstant)
    let fresh = (1 - kept * kept).squareRoot()
    var value = 0.0
    var values = series.mutableSpan
    for second in values.indices {
      value = second == 0 ? values[0] : kept * value + fresh * values[second]
      values[second] = value
    }
  }
}
