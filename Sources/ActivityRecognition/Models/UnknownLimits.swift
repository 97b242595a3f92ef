/// When a window is taken for none of the known activities: when no class is probable enough, or when the units before the classes
/// are far from what they are for every class.
///
/// Each class has limits of its own, for windows that are taken for it. With one limit for all, the activities that are easy to
/// classify, such as sitting still, would set it, and all of some people's running would be refused for being less sure.
///
/// The distance is Mahalanobis's with one covariance for all classes, to which a part of its mean variance is added. Source: Lee et
/// al. 2018, arXiv 1807.03888, equations 1 and 2. Leaving one class out, such measures find it with an AUROC of 0.64 to 0.95: an
/// unknown activity that resembles a known one is taken for it.
package struct UnknownLimits: Hashable, Sendable {
  /// The part of windows of people who were not learned that each limit takes for unknown.
  static let refusedPart = 0.025
  /// What is as probable as that is never refused for its probability: limits are set on few people, and somebody of whose running
  /// a model is less sure than of theirs still runs. Chosen on the people of `Benchmarks/motion-table`: with it none of 16 lost more
  /// than a fifth of an activity by their probabilities, with limits for all labels together two lost three quarters of their running.
  static let enoughProbability: Float = 0.6
  /// How much of the mean variance is added.
  private static let addedVariance = 0.05

  /// What the units are on the mean, a row a class.
  package let centres: [Float]
  /// The lower triangle that makes of a difference one whose length is the distance, row after row.
  package let whitening: [Float]
  /// The least probability of each class.
  package internal(set) var leastProbabilities: [Float]
  /// The largest distance of windows that are taken for each class, squared.
  package internal(set) var largestDistances: [Float]

  /// Limits.
  package init(centres: [Float], whitening: [Float], leastProbabilities: [Float], largestDistances: [Float]) {
    self.centres = centres
    self.whitening = whitening
    self.leastProbabilities = leastProbabilities
    self.largestDistances = largestDistances
  }

  /// Limits that refuse nothing, by which only distances that were measured already are judged.
  init(refusingNothingOf classes: Int) {
    self.init(
      centres: [], whitening: [], leastProbabilities: Array(repeating: 0, count: classes),
      largestDistances: Array(repeating: .greatestFiniteMagnitude, count: classes))
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
      whitening: Self.inverseOfRoot(covariance, width).map { Float($0) },
      leastProbabilities: Array(repeating: 0, count: classes),
      largestDistances: Array(repeating: .greatestFiniteMagnitude, count: classes))
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

  /// Whether a window that is taken for a class is of no known activity; so is one whose probability or distance is no number.
  package func isUnknown(_ label: Int, _ probability: Float, _ hidden: [Float]) -> Bool {
    isUnknown(label, probability, distance: distance(hidden))
  }

  /// The same by the squared distance of its units.
  func isUnknown(_ label: Int, _ probability: Float, distance: Float) -> Bool {
    !(probability >= leastProbabilities[label] && distance <= largestDistances[label])
  }

  /// For each class the limits that refuse at most ``refusedPart`` each of the windows that are taken for it; where none is, nothing
  /// is refused.
  ///
  /// - Parameter windows: for which class each is taken, how probable that is, and its squared distance.
  mutating func set(_ windows: [(label: Int, probability: Float, distance: Float)]) {
    for label in leastProbabilities.indices {
      let own = windows.filter { $0.label == label }
      guard !own.isEmpty else { continue }
      let place = Int(Self.refusedPart * Double(own.count))
      leastProbabilities[label] = min(own.map(\.probability).sorted()[place], Self.enoughProbability)
      largestDistances[label] = own.map(\.distance).sorted()[own.count - 1 - place]
    }
  }

  /// The same limits with those of further classes, of which nobody knows what they would refuse: they refuse what is refused for
  /// every other class.
  func limits(forClasses count: Int) -> (probabilities: [Float], distances: [Float]) {
    let further = max(0, count - leastProbabilities.count)
    return (
      leastProbabilities + Array(repeating: leastProbabilities.min() ?? 0, count: further),
      largestDistances + Array(repeating: largestDistances.max() ?? .greatestFiniteMagnitude, count: further)
    )
  }
}
