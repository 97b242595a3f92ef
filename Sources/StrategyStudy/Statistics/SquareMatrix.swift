/// A small square matrix of doubles, row by row.
struct SquareMatrix: Sendable {
  let size: Int
  private(set) var values: [Double]

  /// A matrix of zeros.
  init(size: Int) {
    self.size = size
    values = Array(repeating: 0, count: size * size)
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[row * size + column] }
    set { values[row * size + column] = newValue }
  }

  /// Adds `weight` times the product of a vector with itself.
  mutating func add(_ weight: Double, outerProductOf vector: [Double]) {
    for row in 0..<size {
      for column in 0..<size { self[row, column] += weight * vector[row] * vector[column] }
    }
  }

  static func - (left: SquareMatrix, right: SquareMatrix) -> SquareMatrix {
    var result = left
    for index in result.values.indices { result.values[index] -= right.values[index] }
    return result
  }

  /// The solution x of `self · x = vector`, by elimination with the largest pivot; `nil` for a matrix that is singular in
  /// double precision.
  ///
  /// - Complexity: O(size³).
  func solution(of vector: [Double]) -> [Double]? {
    var matrix = self
    var right = vector
    let scale = values.reduce(0) { max($0, $1.magnitude) }
    for column in 0..<size {
      let pivot = (column..<size).max { matrix[$0, column].magnitude < matrix[$1, column].magnitude } ?? column
      guard matrix[pivot, column].magnitude > scale * 1e-12 else { return nil }
      if pivot != column {
        for other in 0..<size {
          (matrix[pivot, other], matrix[column, other]) = (matrix[column, other], matrix[pivot, other])
        }
        right.swapAt(pivot, column)
      }
      for row in (column + 1)..<max(size, column + 1) {
        let factor = matrix[row, column] / matrix[column, column]
        guard factor != 0 else { continue }
        for other in column..<size { matrix[row, other] -= factor * matrix[column, other] }
        right[row] -= factor * right[column]
      }
    }
    for row in (0..<size).reversed() {
      for other in (row + 1)..<max(size, row + 1) { right[row] -= matrix[row, other] * right[other] }
      right[row] /= matrix[row, row]
    }
    return right
  }
}
