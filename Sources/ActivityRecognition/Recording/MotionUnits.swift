/// In which units motion is: as the names of columns say, else as the values of all files with the same columns look beside
/// ``MotionLimits``, and a file that can be in no such unit by itself.
struct MotionUnits: Hashable, Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  let acceleration: SIMD3<Double>
  /// Radians in one unit of each axis of rotation.
  let rotationRate: SIMD3<Double>
  /// What was guessed, in words; `nil` when the names say it all.
  let guess: String?

  /// The units of each of files with the same columns.
  static func units(of files: [MotionFile]) -> [MotionUnits] {
    let isMetric = isMetric(files.filter { $0.accelerationFactors == nil }.map(\.looks))
    let isInDegrees = files.contains { $0.rotationFactors == nil && $0.looks.hasFastTurns }
    let hasRotationRate = files.contains { $0.recordings.contains(where: \.hasRotationRate) }
    return files.map { file in
      var guesses: [String] = []
      var isAlone = false
      var (acceleration, rotationRate) = (file.accelerationFactors ?? .one, file.rotationFactors ?? .one)
      if file.columns.acceleration.factors == nil {
        var unit = isMetric ? MotionLooks.AccelerationUnit.metric : .gravities
        if file.accelerationFactors != nil {
          unit = .thousandths
          isAlone = files.contains { $0.accelerationFactors == nil }
        } else if isMetric, file.looks.isPlainlyInGravities {
          (unit, isAlone) = (.gravities, true)
        } else if !isMetric, file.looks.meanLength > MotionLimits.largestMean {
          (unit, isAlone) = (.metric, true)
        }
        acceleration = SIMD3(repeating: unit.gravities)
        guesses.append("acceleration in \(unit.text)")
      }
      if file.columns.rotationRate?.factors == nil {
        let isAloneInRadians = isInDegrees && file.looks.isPlainlyInRadians
        let inDegrees = isInDegrees && !isAloneInRadians
        if inDegrees { rotationRate = SIMD3(repeating: MotionColumnName.radiansPerDegree) }
        if isAloneInRadians { isAlone = true }
        if hasRotationRate { guesses.append("rotation in \(inDegrees ? "°/s" : "rad/s")") }
      }
      let others = isAlone ? ", unlike in other files with these columns" : ""
      let guess =
        guesses.isEmpty
        ? nil : "the names of the columns have no unit, taken for " + guesses.joined(separator: ", ") + others
      return MotionUnits(acceleration: acceleration, rotationRate: rotationRate, guess: guess)
    }
  }

  /// Whether accelerations are in m/s²: their mean length is, or that of a file, where none is plainly in g.
  private static func isMetric(_ looks: [MotionLooks]) -> Bool {
    let count = looks.reduce(0) { $0 + $1.accelerationCount }
    let mean = looks.reduce(0) { $0 + $1.accelerationSum } / Double(max(1, count))
    return mean > MotionLimits.largestMean
      || looks.contains { $0.meanLength > MotionLimits.largestMean } && !looks.contains(where: \.isPlainlyInGravities)
  }
}
