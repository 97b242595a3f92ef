/// How the course of an estimate changes with rise, drift, time constant and delay, in this order.
struct ResponseSlopes {
  private static let numbers = 4

  private let parts: [(columns: ResponseColumns, slopes: [[Double]])]
  private let count: Int

  init(_ stretches: [HeartRateResponse.Stretch], of estimate: HeartRateResponse.Estimate) {
    let (constant, delay) = (estimate.timeConstant, estimate.delay)
    let step = 0.01 * constant
    let earlier = max(0, delay - 1)
    parts = stretches.map { stretch in
      func cost(_ constant: Double, _ delay: Int) -> [Double] {
        ResponseColumns(stretch, timeConstant: constant, delay: delay).cost
      }
      func slope(_ above: [Double], _ below: [Double], _ distance: Double) -> [Double] {
        above.indices.map { estimate.rise * (above[$0] - below[$0]) / distance }
      }
      let here = ResponseColumns(stretch, timeConstant: constant, delay: delay)
      return (
        here,
        [
          here.cost, here.minutes,
          slope(cost(constant + step, delay), cost(constant - step, delay), 2 * step),
          slope(cost(constant, delay + 1), cost(constant, earlier), Double(delay + 1 - earlier)),
        ]
      )
    }
    count = parts.reduce(0) { $0 + $1.columns.heartRate.count }
  }

  /// The sums of products of the slopes beside level and start, in units of the innovation.
  func information(_ noise: ResponseNoise) -> SquareMatrix { products(noise) { $0.slopes }.matrix }

  /// Minus twice the logarithm of the restricted likelihood of a noise, less a constant; `nil` where the slopes cannot be distinguished.
  func restrictedDeviance(_ noise: ResponseNoise) -> Double? {
    var (matrix, sums) = products(noise) { $0.slopes + [$0.columns.heartRate] }
    var logarithms = 0.0
    for pivot in 0..<Self.numbers {
      guard matrix[pivot, pivot] > 0 else { return nil }
      logarithms += PortableMath.log(matrix[pivot, pivot])
      for row in (pivot + 1)..<matrix.size {
        let factor = matrix[row, pivot] / matrix[pivot, pivot]
        for column in pivot..<matrix.size { matrix[row, column] -= factor * matrix[pivot, column] }
      }
    }
    // What is left of the squares of the heart rate.
    let squares = matrix[Self.numbers, Self.numbers]
    guard squares > 0 else { return nil }
    return Double(count - sums.directions - Self.numbers) * PortableMath.log(noise.innovation) + sums.logarithms
      + sums.directionLogarithms + logarithms + squares / noise.innovation
  }

  private func products(
    _ noise: ResponseNoise, of columns: ((columns: ResponseColumns, slopes: [[Double]])) -> [[Double]]
  ) -> (matrix: SquareMatrix, sums: ResponseSums) {
    var matrix = SquareMatrix(size: parts.first.map { columns($0).count } ?? 0)
    var sums = ResponseSums()
    for part in parts {
      let (left, determinants) = part.columns.left(of: columns(part), noise)
      sums.add(determinants)
      for row in left.indices {
        for column in left.indices { matrix[row, column] += left[row].dot(left[column]) }
      }
    }
    return (matrix, sums)
  }
}
