/// What a file of motion holds, on the grid, in the file's own units.
package struct MotionFile: Sendable {
  /// The file, as errors name it.
  package let source: String
  /// Its trials, in order.
  package internal(set) var recordings: [MotionRecording] = []
  /// The names of its labels, by the numbers that the recordings have.
  package internal(set) var labels: [String] = []
  /// What was odd.
  package internal(set) var notices: [MotionNotice] = []
  /// The names of the columns, which files of one kind share.
  let header: [String]
  let columns: MotionColumns
  /// The sum of the lengths of the accelerations, and of how many.
  var accelerationSum = 0.0
  var accelerationCount = 0
  /// The fastest turn.
  var fastestTurn = 0.0

  init(source: String, header: [String], columns: MotionColumns) {
    self.source = source
    self.header = header
    self.columns = columns
  }
}

/// Something odd about a file that can be used all the same.
package struct MotionNotice: Hashable, Sendable {
  /// What is odd, and where.
  package let text: String
  /// The file.
  package let source: String

  /// A notice.
  package init(text: String, source: String) {
    self.text = text
    self.source = source
  }

  /// Lines that say it of all files: what many have in common stands there once.
  package static func lines(_ notices: [MotionNotice]) -> [String] {
    var order: [String] = []
    var sources: [String: [String]] = [:]
    for notice in notices {
      if sources[notice.text] == nil { order.append(notice.text) }
      if sources[notice.text]?.last != notice.source { sources[notice.text, default: []].append(notice.source) }
    }
    return order.map { text in
      let names = sources[text] ?? []
      return names.count > 1 ? "\(names.count) files, first \(names[0]): \(text)" : "\(names.first ?? ""): \(text)"
    }
  }
}

/// In which units motion is: as the names of columns say, else as the values of all files with the same columns look beside
/// ``MotionLimits``.
struct MotionUnits: Hashable, Sendable {
  /// Multiples of standard gravity in one unit of acceleration.
  let acceleration: Double
  /// Radians in one unit of rotation.
  let rotationRate: Double
  /// What was guessed, in words; `nil` when the names say it all.
  let guess: String?

  /// The units of files with the same columns.
  init(of files: [MotionFile]) {
    var guesses: [String] = []
    let columns = files.first?.columns
    if let stated = columns?.acceleration.factor {
      acceleration = stated
    } else {
      let mean =
        files.reduce(0) { $0 + $1.accelerationSum } / Double(max(1, files.reduce(0) { $0 + $1.accelerationCount }))
      let isMetric = mean > MotionLimits.largestMean
      acceleration = isMetric ? MotionColumnName.gravitiesPerMeter : 1
      guesses.append("acceleration in \(isMetric ? "m/s²" : "g")")
    }
    if let stated = columns?.rotationRate?.factor {
      rotationRate = stated
    } else {
      let isInDegrees = files.contains { $0.fastestTurn > MotionLimits.fastestTurn }
      rotationRate = isInDegrees ? MotionColumnName.radiansPerDegree : 1
      if files.contains(where: { $0.recordings.contains(where: \.hasRotationRate) }) {
        guesses.append("rotation in \(isInDegrees ? "°/s" : "rad/s")")
      }
    }
    guess =
      guesses.isEmpty ? nil : "the names of the columns have no unit, taken for " + guesses.joined(separator: ", ")
  }
}
