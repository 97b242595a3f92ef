/// What the names of the columns of a file, and its values by themselves, show of their units.
struct MotionUnitEvidence: Hashable, Sendable {
  /// Whether the names state units.
  let statesAcceleration: Bool
  let statesRotationRate: Bool
  /// How many of our units one of each axis is: as the names say, or as the values alone show beyond doubt.
  private(set) var acceleration: SIMD3<Double>?
  private(set) var rotationRate: SIMD3<Double>?
  /// What the values look like.
  private(set) var looks = MotionLooks()

  /// What names state, in our units; `rotationRate` is `nil` without such columns.
  init(acceleration: SIMD3<Double>?, rotationRate: SIMD3<Double>??) {
    statesAcceleration = acceleration != nil
    statesRotationRate = (rotationRate ?? nil) != nil
    self.acceleration = acceleration
    self.rotationRate = rotationRate ?? nil
  }

  /// Looks at the rows of trials, in the units of the file, and decides what they alone show.
  ///
  /// - Returns: what contradicts the names of the columns.
  /// - Throws: `MotionLooks.Problem` for accelerations that are in no unit those of a person.
  mutating func settle(by trials: [[SIMD8<Float>]]) throws(MotionLooks.Problem) -> [String] {
    try settle(by: MotionLooks(trials, acceleration: acceleration, rotationRate: rotationRate))
  }

  /// Decides what rows alone show, by their looks in the units that are known.
  ///
  /// - Returns: what contradicts the names of the columns.
  /// - Throws: `MotionLooks.Problem` for accelerations that are in no unit those of a person.
  mutating func settle(by looks: MotionLooks) throws(MotionLooks.Problem) -> [String] {
    self.looks = looks
    var said: [String] = []
    if rotationRate == .one, looks.hasFastTurns {
      rotationRate = SIMD3(repeating: MotionColumnName.radiansPerDegree)
      said.append("the names of the columns say rotation in rad/s, which looks like °/s and is read so")
    }
    let mean = looks.meanLength
    if let stated = acceleration {
      if mean > MotionLimits.largestMean {
        let named = MotionLooks.AccelerationUnit.allCases.first { SIMD3(repeating: $0.gravities) == stated }
        guard let named, let unit = MotionLooks.unit(ofMean: mean / named.gravities), unit != named else {
          throw .acceleration(mean: mean, unit: "g")
        }
        acceleration = SIMD3(repeating: unit.gravities)
        said.insert(
          "the names of the columns say acceleration in \(named.text), which looks like \(unit.text) and is read so",
          at: 0)
      }
    } else {
      switch MotionLooks.unit(ofMean: mean) {
      case .gravities, .metric: break
      case .thousandths: acceleration = SIMD3(repeating: MotionLooks.AccelerationUnit.thousandths.gravities)
      case nil: throw .acceleration(mean: mean, unit: nil)
      }
    }
    return said
  }
}

/// In which units a single recording has motion, decided as for every file of `coach motion`: by the names of its columns, and by its
/// values where these state none or cannot be right.
package struct MotionRecordingUnits: Hashable, Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  package let acceleration: SIMD3<Double>
  /// Radians in one unit of each axis of rotation.
  package let rotationRate: SIMD3<Double>
  /// What was guessed, for no name states it: `acceleration in g`.
  package let guesses: [String]
  /// What contradicts the names, as sentences.
  package let contradictions: [String]
  /// Why its accelerations are in no unit those of a person, so that they cannot be used; `nil` where they can.
  package let problem: String?

  /// The units of a recording whose rows are so long.
  package init(_ rows: MotionLengths) {
    var evidence = MotionUnitEvidence(acceleration: rows.acceleration ?? .one, rotationRate: rows.rotationRate)
    do throws(MotionLooks.Problem) {
      contradictions = try evidence.settle(by: MotionLooks(rows))
      problem = nil
    } catch {
      // Other streams of the recording are of use all the same.
      (contradictions, problem) = ([], error.text)
    }
    let units = MotionUnits.units(of: [(evidence, hasRotationRate: rows.rotationRate != nil)])[0]
    self.acceleration = units.acceleration
    self.rotationRate = units.rotationRate
    // Of what cannot be used no unit is guessed.
    guesses = problem == nil ? units.guesses : units.guesses.filter { !$0.hasPrefix(MotionUnits.accelerationGuess) }
  }
}

/// In which units motion is: as the names of columns say, else as the values of all files with the same columns look beside
/// ``MotionLimits``, and a file that can be in no such unit by itself.
struct MotionUnits: Hashable, Sendable {
  /// Multiples of standard gravity in one unit of each axis of acceleration.
  let acceleration: SIMD3<Double>
  /// Radians in one unit of each axis of rotation.
  let rotationRate: SIMD3<Double>
  /// What was guessed, in words; none when the names say it all.
  let guesses: [String]
  /// Whether other files with the same columns are in other units.
  let isAlone: Bool

  /// How what is guessed of accelerations begins.
  static let accelerationGuess = "acceleration in "

  /// What was guessed, in a sentence; `nil` when the names say it all.
  var guess: String? {
    guard !guesses.isEmpty else { return nil }
    let others = isAlone ? ", unlike in other files with these columns" : ""
    return "the names of the columns have no unit, taken for " + guesses.joined(separator: ", ") + others
  }

  /// That accelerations in these units are too short to have gravity in them; `nil` where they are not.
  func gravityText(_ evidence: MotionUnitEvidence) -> String? {
    // What names state is looked at in our units.
    let mean = evidence.looks.meanLength * (evidence.statesAcceleration ? 1 : acceleration[0])
    guard mean < MotionLimits.smallestMean else { return nil }
    return "an acceleration of \((mean * 100).rounded() / 100) g in the mean, so that it has no gravity in it, "
      + "or another unit: what is recognised in it, and its steps, may be wrong"
  }

  /// The units of each of files with the same columns.
  static func units(of files: [MotionFile]) -> [MotionUnits] {
    units(of: files.map { ($0.units, hasRotationRate: $0.recordings.contains(where: \.hasRotationRate)) })
  }

  /// The same by what is known of their units, and whether they have turning rates.
  static func units(of files: [(MotionUnitEvidence, hasRotationRate: Bool)]) -> [MotionUnits] {
    let hasRotationRate = files.contains { $0.hasRotationRate }
    let files = files.map { $0.0 }
    let isMetric = isMetric(files.filter { $0.acceleration == nil }.map(\.looks))
    let isInDegrees = files.contains { $0.rotationRate == nil && $0.looks.hasFastTurns }
    return files.map { file in
      var guesses: [String] = []
      var isAlone = false
      var (acceleration, rotationRate) = (file.acceleration ?? .one, file.rotationRate ?? .one)
      if !file.statesAcceleration {
        var unit = isMetric ? MotionLooks.AccelerationUnit.metric : .gravities
        if file.acceleration != nil {
          unit = .thousandths
          isAlone = files.contains { $0.acceleration == nil }
        } else if isMetric, file.looks.isPlainlyInGravities {
          (unit, isAlone) = (.gravities, true)
        } else if !isMetric, file.looks.meanLength > MotionLimits.largestMean {
          (unit, isAlone) = (.metric, true)
        }
        acceleration = SIMD3(repeating: unit.gravities)
        guesses.append(accelerationGuess + unit.text)
      }
      if !file.statesRotationRate {
        let isAloneInRadians = isInDegrees && file.looks.isPlainlyInRadians
        let inDegrees = isInDegrees && !isAloneInRadians
        if inDegrees { rotationRate = SIMD3(repeating: MotionColumnName.radiansPerDegree) }
        if isAloneInRadians { isAlone = true }
        if hasRotationRate { guesses.append("rotation in \(inDegrees ? "°/s" : "rad/s")") }
      }
      return MotionUnits(
        acceleration: acceleration, rotationRate: rotationRate, guesses: guesses, isAlone: isAlone)
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
