/// How long the accelerations and the turning rates of one recording are, row after row: all that its units are judged by, in eight bytes
/// a row.
///
/// They stand beside each other as they came, each without the rows that have none of it, in our units where the names of columns
/// state units, else in those of the file.
package struct MotionLengths: Sendable {
  /// The most of each that are taken, the first ones: three hours at 100 Hz, and 8 MB.
  package static let most = 1_000_000

  /// How many of our units one of each axis of acceleration is, as the names of the columns state.
  package let acceleration: SIMD3<Double>??
  /// The same of turning rates.
  package let rotationRate: SIMD3<Double>??
  private let accelerationFactors: SIMD3<Float>
  private let turnFactors: SIMD3<Float>
  private var accelerations: [Float] = []
  private var turns: [Float] = []

  /// Of no rows.
  ///
  /// - Parameters:
  ///   - acceleration: how many of our units one of each axis is, by the names of columns, see ``MotionColumnName/factors(_:_:_:)``;
  ///     `nil` without such columns.
  ///   - rotationRate: the same of turning rates.
  package init(acceleration: SIMD3<Double>??, rotationRate: SIMD3<Double>??) {
    (self.acceleration, self.rotationRate) = (acceleration, rotationRate)
    accelerationFactors = SIMD3<Float>((acceleration ?? .one) ?? .one)
    turnFactors = SIMD3<Float>((rotationRate ?? .one) ?? .one)
  }

  /// Takes an acceleration along x, y and z, in the units of the file.
  package mutating func admit(acceleration: SIMD3<Float>) {
    guard accelerations.count < Self.most else { return }
    accelerations.append(acceleration.length(accelerationFactors))
  }

  /// Takes a turning rate about x, y and z, in the units of the file.
  package mutating func admit(rotationRate: SIMD3<Float>) {
    guard turns.count < Self.most else { return }
    turns.append(rotationRate.length(turnFactors))
  }
}

extension MotionLengths: RandomAccessCollection {
  /// The length of an acceleration, and that of the turning rate beside it. What is missing is no number; without any acceleration
  /// all are 0.
  package struct Row: Hashable, Sendable {
    let acceleration: Float
    let turn: Float
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { Swift.max(accelerations.count, turns.count) }

  package subscript(index: Int) -> Row {
    Row(
      acceleration: index < accelerations.count ? accelerations[index] : accelerations.isEmpty ? 0 : .nan,
      turn: index < turns.count ? turns[index] : .nan)
  }
}

extension SIMD3<Float> {
  /// How long it is, each axis multiplied by a factor before.
  @inline(__always)
  func length(_ factors: SIMD3<Float>) -> Float {
    let values = self * factors
    let squares = values * values
    return (squares[0] + squares[1] + squares[2]).squareRoot()
  }
}
