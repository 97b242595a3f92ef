/// The functions that distributions are made of, from ``PortableMath`` alone.
enum SpecialFunctions {
  /// The logarithm of the gamma function for a number above zero.
  ///
  /// Source: Stirling's series with five terms, after the argument was raised over 12.
  static func logGamma(_ x: Double) -> Double {
    var shift = 0.0
    var z = x
    while z < 12 {
      shift += PortableMath.log(z)
      z += 1
    }
    let inverse = 1 / z
    let square = inverse * inverse
    var series = 1.0 / 1188
    series = series * square - 1.0 / 1680
    series = series * square + 1.0 / 1260
    series = series * square - 1.0 / 360
    series = (series * square + 1.0 / 12) * inverse
    return (z - 0.5) * PortableMath.log(z) - z + 0.918_938_533_204_672_7 + series - shift
  }

  /// The regularised incomplete beta function for shapes above zero and 0…1.
  ///
  /// Source: the continued fraction of Didonato & Morris 1992, 10.1145/131766.131776, by the method of Lentz.
  static func incompleteBeta(_ a: Double, _ b: Double, _ x: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    guard x <= (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(b, a, 1 - x) }
    let front = PortableMath.exp(
      a * PortableMath.log(x) + b * PortableMath.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b))
    let tiny = 1e-300
    var c = 1.0
    var d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d.magnitude < tiny ? tiny : d)
    var fraction = d
    for step in 1...10_000 {
      let m = Double(step)
      for numerator in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 + numerator * d
        d = 1 / (d.magnitude < tiny ? tiny : d)
        c = 1 + numerator / c
        if c.magnitude < tiny { c = tiny }
        fraction *= c * d
      }
      if (c * d - 1).magnitude < 1e-15 { break }
    }
    return front * fraction / a
  }

  /// The probability that a standard normal number is not over `x`.
  ///
  /// Source: the series and the continued fraction of the error function, Abramowitz & Stegun 1964, 7.1.6 and 7.1.14.
  static func normalProbability(_ x: Double) -> Double {
    let z = x.magnitude
    guard z < 38 else { return x < 0 ? 0 : 1 }
    let density = PortableMath.exp(-z * z / 2) * 0.398_942_280_401_432_7
    let tail: Double
    if z < 3 {
      var term = z
      var sum = z
      var divisor = 1.0
      while term > 1e-17 * sum, divisor < 400 {
        divisor += 2
        term *= z * z / divisor
        sum += term
      }
      tail = 0.5 - density * sum
    } else {
      var fraction = z
      for step in stride(from: 120.0, to: 0, by: -1) { fraction = z + step / fraction }
      tail = density / fraction
    }
    return x < 0 ? tail : 1 - tail
  }
}
