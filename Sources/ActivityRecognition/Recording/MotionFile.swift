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

  /// Lines that say it of all files: what many have in common stands there once, with how many of it they have at least and at most.
  /// What else differs, such as the number of a line, is that of the first file.
  package static func lines(_ notices: [MotionNotice]) -> [String] {
    var order: [String] = []
    var alike: [String: [MotionNotice]] = [:]
    for notice in notices {
      let kind = notice.kind
      if alike[kind] == nil { order.append(kind) }
      if alike[kind]?.last != notice { alike[kind, default: []].append(notice) }
    }
    return order.compactMap { alike[$0] }.flatMap(Self.lines(alike:))
  }

  private static func lines(alike notices: [MotionNotice]) -> [String] {
    var names: [String] = []
    for notice in notices where names.last != notice.source { names.append(notice.source) }
    guard names.count > 1 else { return notices.map { "\($0.source): \($0.text)" } }
    let counts = notices.compactMap(\.count)
    var text = notices[0].text
    if let fewest = counts.min(), let most = counts.max(), fewest < most {
      text = "\(fewest) to \(most)" + notices[0].plural
    }
    return ["\(names.count) files, first \(names[0]): \(text)"]
  }

  /// The number with which the text begins.
  private var count: Int? { Int(text.prefix { $0 >= "0" && $0 <= "9" }) }

  /// The text behind that number, as of several.
  private var plural: String {
    let rest = String(text.drop { $0 >= "0" && $0 <= "9" })
    for word in [" row", " gap"] where rest.hasPrefix(word + " ") { return word + "s" + rest.dropFirst(word.count) }
    return rest
  }

  /// The text without the numbers in it, where it begins with one; else the text.
  private var kind: String { count == nil ? text : plural.filter { $0 < "0" || $0 > "9" } }
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
