/// How features are brought to a mean of 0 and a spread of 1 before a network gets them, and how far from 0 they may be.
package struct FeatureScale: Hashable, Sendable {
  /// The means.
  package let means: [Float]
  /// The standard deviations, above 0.
  package let spreads: [Float]
  /// The largest magnitude; what is beyond is brought to it.
  package let limit: Float

  /// The limit of features that were brought to a spread of 1.
  static let usualLimit: Float = 5
  /// The limit of those that are left as they are.
  static let noLimit: Float = 1e9

  /// A scale.
  ///
  /// - Precondition: there is a spread for each mean.
  package init(means: [Float], spreads: [Float], limit: Float) {
    precondition(means.count == spreads.count, "there is a spread for each mean")
    self.means = means
    self.spreads = spreads
    self.limit = limit
  }

  /// The scale that leaves features as they are.
  init(unchanged width: Int) {
    self.init(
      means: Array(repeating: 0, count: width), spreads: Array(repeating: 1, count: width), limit: Self.noLimit)
  }

  /// The scale of some rows of a table.
  init(of table: FeatureTable, rows: [Int]) {
    let width = table.width
    var sums = [Double](repeating: 0, count: width)
    var squares = sums
    unsafe table.values.withUnsafeBufferPointer { values in
      for row in rows {
        for column in 0..<width { unsafe sums[column] += Double(values[row * width + column]) }
      }
      let count = Double(max(1, rows.count))
      for column in 0..<width { sums[column] /= count }
      for row in rows {
        for column in 0..<width {
          let difference = unsafe Double(values[row * width + column]) - sums[column]
          squares[column] += difference * difference
        }
      }
    }
    let count = Double(max(1, rows.count))
    self.init(
      means: sums.map { Float($0) }, spreads: squares.map { Float(($0 / count).squareRoot() + 1e-6) },
      limit: Self.usualLimit)
  }
}

/// A scale where it can be worked with. Only one thread may use it at a time.
final class ScaleMemory {
  private let width: Int
  private let means: FloatBuffer
  private let factors: FloatBuffer
  private let limit: Float

  init(_ scale: FeatureScale) {
    width = scale.means.count
    means = FloatBuffer(rows: 1, width: width)
    factors = FloatBuffer(rows: 1, width: width)
    means.load(scale.means, width: width)
    factors.load(scale.spreads.map { 1 / $0 }, width: width)
    limit = scale.limit
  }

  /// Writes `share` times a scaled row into `target`, or adds it to what is there.
  func write(
    _ row: UnsafePointer<Float>, times share: Float, adding: Bool, into target: UnsafeMutablePointer<Float>
  ) {
    let (low, high) = (SIMD4<Float>(repeating: -limit), SIMD4<Float>(repeating: limit))
    let (means, factors) = unsafe (UnsafePointer(means[0]), UnsafePointer(factors[0]))
    var column = 0
    while column + 4 <= width {
      let raw = unsafe UnsafeRawPointer(row + column).loadUnaligned(as: SIMD4<Float>.self)
      var value = unsafe (raw - FloatKernels.four(means, column)) * FloatKernels.four(factors, column)
      value = value.replacing(with: low, where: value .< low).replacing(with: high, where: value .> high) * share
      if adding { unsafe value += FloatKernels.four(UnsafePointer(target), column) }
      unsafe FloatKernels.store(value, target, column)
      column += 4
    }
    while column < width {
      let scaled = unsafe (row[column] - means[column]) * factors[column]
      let value = (scaled < -limit ? -limit : scaled > limit ? limit : scaled) * share
      unsafe target[column] = adding ? target[column] + value : value
      column += 1
    }
  }
}
