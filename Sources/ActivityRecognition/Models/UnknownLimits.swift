/// When a window is taken for none of the known activities: when no class is probable enough, or when the units before the classes
/// are far from what they are for every class.
///
/// The distance is Mahalanobis's with one covariance for all classes, to which a part of its mean variance is added. Source: Lee et
/// al. 2018, arXiv 1807.03888, equations 1 and 2. Leaving one class out, such measures find it with an AUROC of 0.64 to 0.95: an
/// unknown activity that resembles a known one is taken for it.
package struct UnknownLimits: Hashable, Sendable {
  /// The part of windows of people who were not learned that each limit takes for unknown.
  static let refusedPart = 0.025
  /// How much of the mean variance is added.
  private static let addedVariance = 0.05

  /// What the units are on the mean, a row a class.
  package let centres: [Float]
  /// The lower triangle that makes of a difference one whose length is the distance, row after row.
  package let whitening: [Float]
  /// The least probability of a known activity.
  package internal(set) var leastProbability: Float
  /// The largest distance of a known activity, squared.
  package internal(set) var largestDistance: Float

  /// Limits.
  package init(centres: [Float], whitening: [Float], leastProbability: Float, largestDistance: Float) {
    self.centres = centres
    self.whitening = whitening
    self.leastProbability = leastProbability
    self.largestDistance = largestDistance
  }

  /// How many numbers the triangle of so many units has.
  static func triangle(_ width: Int) -> Int { width * (width + 1) / 2 }

  /// Limits that refuse nothing, from the units of windows that were learned.
  ///
  /// - Parameter absent: a class of which there is no window, which nothing is near to.
  init(hidden: [[Float]], labels: [Int], classes: Int, without absent: Int? = nil) {
    let width = hidden.first?.count ?? 0
    var sums = [[Double]](repeating: Array(repeating: 0, count: width), count: classes)
    var counts = [Double](repeating: 0, count: classes)
    for (units, label) in zip(hidden, labels) {
      counts[label] += 1
      for unit in 0..<width { sums[label][unit] += Double(units[unit]) }
    }
    let means = zip(sums, counts).map { sum, count in sum.map { count > 0 ? $0 / count : 0 } }
    var covariance = [Double](repeating: 0, count: width * width)
    for (units, label) in zip(hidden, labels) {
      let difference = (0..<width).map { Double(units[$0]) - means[label][$0] }
      for row in 0..<width where difference[row] != 0 {
        for column in 0...row { covariance[row * width + column] += difference[row] * difference[column] }
      }
    }
    let count = Double(max(1, hidden.count))
    var trace = 0.0
    for index in covariance.indices { covariance[index] /= count }
    for unit in 0..<width { trace += covariance[unit * width + unit] }
    let added = Self.addedVariance * trace / Double(max(1, width)) + 1e-9
    for unit in 0..<width { covariance[unit * width + unit] += added }
    self.init(
      centres: means.indices.filter { $0 != absent }.flatMap { means[$0] }.map { Float($0) },
      whitening: Self.inverseOfRoot(covariance, width).map { Float($0) }, leastProbability: 0,
      largestDistance: .greatestFiniteMagnitude)
  }

  /// The inverse of the lower triangle L with L·Lᵀ = the matrix, whose lower triangle counts. Source: Cholesky 1910.
  private static func inverseOfRoot(_ matrix: [Double], _ width: Int) -> [Double] {
    var root = matrix
    for column in 0..<width {
      var diagonal = root[column * width + column]
      for k in 0..<column { diagonal -= root[column * width + k] * root[column * width + k] }
      let pivot = max(diagonal, 1e-12).squareRoot()
      root[column * width + column] = pivot
      for row in column + 1..<max(width, column + 1) {
        var value = root[row * width + column]
        for k in 0..<column { value -= root[row * width + k] * root[column * width + k] }
        root[row * width + column] = value / pivot
      }
    }
    var inverse = [Double](repeating: 0, count: width * width)
    for column in 0..<width {
      for row in column..<width {
        var value = row == column ? 1.0 : 0
        for k in column..<row { value -= root[row * width + k] * inverse[k * width + column] }
        inverse[row * width + column] = value / root[row * width + row]
      }
    }
    return (0..<width).flatMap { row in (0...row).map { inverse[row * width + $0] } }
  }

  /// The squared distance of units to the nearest class.
  package func distance(_ hidden: [Float]) -> Float {
    let width = hidden.count
    var nearest = Float.greatestFiniteMagnitude
    for label in 0..<(width > 0 ? centres.count / width : 0) {
      let difference = (0..<width).map { hidden[$0] - centres[label * width + $0] }
      var (sum, place): (Float, Int) = (0, 0)
      for row in 0..<width {
        var value: Float = 0
        for column in 0...row { value += whitening[place + column] * difference[column] }
        place += row + 1
        sum += value * value
        if sum >= nearest { break }
      }
      nearest = min(nearest, sum)
    }
    return nearest
  }

  /// Whether a window is of no known activity.
  package func isUnknown(_ probability: Float, _ hidden: [Float]) -> Bool {
    probability < leastProbability || distance(hidden) > largestDistance
  }

  /// The limits that refuse ``refusedPart`` of windows each.
  mutating func set(probabilities: [Float], distances: [Float]) {
    guard !probabilities.isEmpty else { return }
    let place = Int(Self.refusedPart * Double(probabilities.count))
    leastProbability = probabilities.sorted()[place]
    largestDistance = distances.sorted()[distances.count - 1 - place]
  }
}
