/// How metres that a file states for its parts add up.
enum StatedMeters {
  /// From where on a number has no millionths to round to.
  private static let firstCoarse = 1e9

  /// Metres of two parts together, to the millionth: sums of decimals have tails, such as 12008.083008000001.
  static func sum(_ meters: Double, _ more: Double) -> Double {
    let sum = meters + more
    return sum.magnitude < firstCoarse ? (sum * 1e6).rounded() / 1e6 : sum
  }

  /// Those of all parts; those of one are as they are stated, and of none there is no sum.
  static func sum(_ parts: [Double]) -> Double? {
    parts.first.map { parts.dropFirst().reduce($0, sum) }
  }
}
