/// Probabilities of several tests, adjusted so that one false finding among all of them is as rare as in one test.
///
/// Source: Holm 1979, *A simple sequentially rejective multiple test procedure*, Scand J Statist 6:65.
package enum HolmAdjustment {
  /// The adjusted probabilities, in the order of the given ones; absent ones do not count.
  package static func adjusted(_ probabilities: [Double?]) -> [Double?] {
    let known = probabilities.indices.filter { probabilities[$0] != nil }
      .sorted { (probabilities[$0] ?? 1, $0) < (probabilities[$1] ?? 1, $1) }
    var result = probabilities
    var highest = 0.0
    for (rank, index) in known.enumerated() {
      highest = max(highest, min(1, (probabilities[index] ?? 1) * Double(known.count - rank)))
      result[index] = highest
    }
    return result
  }
}
