internal import TextFormats

/// What a file of motion holds, on the grid, in the file's own units.
package struct MotionFile: Sendable {
  /// The file, as errors name it.
  package let source: String
  /// The folder by which it is told whose the file is: the one in which it lies, by one spelling for all files, or that in which its
  /// session lies.
  package var folder: String
  /// Whether it is what a session kept of its motion, in a folder of its own.
  package var isOfSession = false
  /// Its trials, in order.
  package internal(set) var recordings: [MotionRecording] = []
  /// The names of its labels, by the numbers that the recordings have.
  package internal(set) var labels: [String] = []
  /// What was odd.
  package internal(set) var notices: [MotionNotice] = []
  /// The names of the columns, which files of one kind share.
  let header: [String]
  let columns: MotionColumns
  /// What the names of the columns and the values show of their units.
  var units: MotionUnitEvidence

  init(source: String, header: [String], columns: MotionColumns) {
    self.source = source
    folder = FileSystem.folder(of: source)
    self.header = header
    self.columns = columns
    units = MotionUnitEvidence(
      acceleration: columns.acceleration.factors, rotationRate: columns.rotationRate.map(\.factors))
  }
}

extension MotionFile {
  /// What copies of a recording have in common, by which they are looked for.
  package struct Outline: Hashable, Sendable {
    fileprivate let counts: [Int]
    fileprivate let firsts: [SIMD8<Float>]
    fileprivate let lasts: [SIMD8<Float>]
  }

  /// How many samples its trials have, the first and the last of each.
  package var outline: Outline {
    Outline(
      counts: recordings.map(\.samples.count), firsts: recordings.compactMap(\.samples.first),
      lasts: recordings.compactMap(\.samples.last))
  }

  /// Whether another file holds the same motion, sample by sample, whatever it is called and whatever its labels are.
  package func hasSamples(of other: MotionFile) -> Bool {
    recordings.count == other.recordings.count
      && zip(recordings, other.recordings).allSatisfy { $0.samples == $1.samples }
  }
}

/// Something odd about a file that can be used all the same.
package struct MotionNotice: Hashable, Sendable {
  /// Rows or gaps of a file that are alike.
  struct Count: Hashable, Sendable {
    let number: Int
    /// What is counted, of one: `row`.
    let noun: String
  }

  /// How many of what are odd; `nil` where nothing is counted.
  let count: Count?
  /// What is odd.
  let problem: String
  /// Where in the file, such as `, first in line 5`, as it is reported of the first of several files.
  let position: String
  /// The file.
  package let source: String

  /// A notice of something that is not counted.
  package init(text: String, source: String) {
    self.init(nil, problem: text, source: source)
  }

  /// A notice of so many; what is odd stands behind the noun.
  init(_ count: Count?, problem: String, position: String = "", source: String) {
    (self.count, self.problem, self.position, self.source) = (count, problem, position, source)
  }

  /// What is odd, and where.
  package var text: String { text(numbers: count.map { $0.number...$0.number }) }

  private func text(numbers: ClosedRange<Int>?) -> String {
    guard let count, let numbers else { return problem + position }
    let isRange = numbers.lowerBound < numbers.upperBound
    let number = isRange ? "\(numbers.lowerBound) to \(numbers.upperBound)" : "\(numbers.lowerBound)"
    return "\(number) \(count.noun)\(numbers.upperBound == 1 ? "" : "s") \(problem)\(position)"
  }

  /// Lines that say it of all files: what many have in common stands there once, with how many of it they have at least and at most.
  package static func lines(_ notices: [MotionNotice]) -> [String] {
    var order: [Kind] = []
    var alike: [Kind: [MotionNotice]] = [:]
    for notice in notices {
      let kind = Kind(noun: notice.count?.noun, problem: notice.problem)
      if alike[kind] == nil { order.append(kind) }
      if alike[kind]?.last != notice { alike[kind, default: []].append(notice) }
    }
    return order.compactMap { alike[$0] }.flatMap(Self.lines(alike:))
  }

  /// What notices have in common that one line says.
  private struct Kind: Hashable {
    let noun: String?
    let problem: String
  }

  private static func lines(alike notices: [MotionNotice]) -> [String] {
    var names: [String] = []
    for notice in notices where names.last != notice.source { names.append(notice.source) }
    guard names.count > 1 else { return notices.map { "\($0.source): \($0.text)" } }
    let numbers = notices.compactMap(\.count?.number)
    let range = numbers.min().flatMap { fewest in numbers.max().map { fewest...$0 } }
    return ["\(names.count) files, first \(names[0]): \(notices[0].text(numbers: range))"]
  }
}
