internal import ActivityRecognition
internal import TextFormats

/// The columns of a table by what they hold, where several may hold the same: one of them is read.
///
/// Without rows that is the first in the header; ``worse(of:_:_:from:isWhole:)`` says which others the first rows speak for. A position
/// and a sensor of motion are taken from columns that belong together, not axis by axis.
struct CSVRivalColumns: Sendable {
  /// Several columns, or several of a position or a sensor, that hold the same.
  private struct Choice: Sendable {
    let meaning: CSVColumns.Meaning
    /// The columns of each, in the order of the header.
    var candidates: [[Int]]
    /// What is read only where none of the others has a value.
    var otherwise: [[Int]] = []
  }

  /// The columns that are left out because they hold the same as one that is read.
  private(set) var leftOut: [Int] = []

  private var named: [CSVColumns.Meaning: [Int]] = [:]
  private var sensors: [MotionColumnName.Quantity: [[Int]]] = [:]

  /// Takes note of a column that is known.
  mutating func admit(_ index: Int, _ meaning: CSVColumns.Meaning, _ motion: MotionColumnName?) {
    if let motion {
      sensors[motion.quantity, default: [[], [], []]][motion.axis].append(index)
    } else {
      named[meaning.withoutUnit, default: []].append(index)
    }
  }

  /// Leaves out the columns that hold the same as one of those that are read.
  ///
  /// - Returns: The columns beside one that turned out to be of no use, which are of none either.
  mutating func leaveOutOthers(than read: Set<Int>) -> [Int] {
    var ofNoUse: [Int] = []
    for group in groups where group.count > 1 {
      let others = group.filter { !read.contains($0) }
      if others.count < group.count { leftOut += others } else { ofNoUse += others }
    }
    for group in sensors.values.joined() where group.contains(where: { read.contains($0) }) {
      leftOut += group.filter { !read.contains($0) }
    }
    leftOut.sort()
    return ofNoUse
  }

  /// The columns that hold the same; steps are the same however they are counted.
  private var groups: [[Int]] {
    var groups = named
    if let counts = groups.removeValue(forKey: .cumulativeSteps) { groups[.steps, default: []] += counts }
    return Array(groups.values)
  }

  /// The columns that are left out because others have more values in the whole rows of a text, from an index on; on a tie the first in
  /// the header is read.
  func worse(
    of columns: CSVColumns, _ delimiter: CSVDelimiter, _ text: Span<UInt8>, from start: Int, isWhole: Bool
  ) -> Set<Int> {
    let choices = choices
    var counts = choices.map { ($0.candidates + $0.otherwise).map { _ in 0 } }
    var row = CSVRow(delimiter: delimiter)
    // Both marks are taken for that of decimals: what counts is whether a number is there.
    row.allowsDecimalComma = true
    LineSplitter.forEachLine(ofWhole: text.extracting(start..<text.count), maximumLineBytes: .max) { line, place in
      guard place.isTerminated || isWhole, !line.isEmpty, (try? row.split(line)) != nil else { return }
      row.dropEmptyEnd(after: columns.names.count)
      guard row.count == columns.names.count else { return }
      for (place, choice) in choices.enumerated() {
        for (number, candidate) in (choice.candidates + choice.otherwise).enumerated() {
          var hasAll = true
          for column in candidate where !choice.meaning.hasValue(row, column, in: line) { hasAll = false }
          if hasAll { counts[place][number] += 1 }
        }
      }
    }
    var worse: Set<Int> = []
    for (choice, counts) in zip(choices, counts) {
      let all = choice.candidates + choice.otherwise
      var best = Self.firstOfMost(counts.prefix(choice.candidates.count))
      if counts[best] == 0, !choice.otherwise.isEmpty {
        let other = Self.firstOfMost(counts.suffix(choice.otherwise.count))
        if counts[other] > 0 { best = other }
      }
      worse.formUnion(all.joined())
      worse.subtract(all[best])
    }
    return worse
  }

  /// The index of the first of the largest counts.
  private static func firstOfMost(_ counts: ArraySlice<Int>) -> Int {
    counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? counts.startIndex
  }

  private var choices: [Choice] {
    var choices: [Choice] = []
    for (meaning, group) in named {
      switch meaning {
      case .longitude where named[.latitude] != nil, .cumulativeSteps where named[.steps] != nil: break
      case .latitude:
        choices.append(Choice(meaning: meaning, candidates: Self.together([group, named[.longitude] ?? []])))
      case .steps:
        let counts = (named[.cumulativeSteps] ?? []).map { [$0] }
        choices.append(Choice(meaning: meaning, candidates: group.map { [$0] }, otherwise: counts))
      default: choices.append(Choice(meaning: meaning, candidates: group.map { [$0] }))
      }
    }
    for (quantity, axes) in sensors where axes.allSatisfy({ !$0.isEmpty }) {
      let meaning: CSVColumns.Meaning = quantity == .magneticField ? .magneticField(axis: 0) : .acceleration(axis: 0)
      choices.append(Choice(meaning: meaning, candidates: Self.together(axes)))
    }
    return choices.filter { $0.candidates.count + $0.otherwise.count > 1 }
  }

  /// The first columns of all groups, the second ones and so on; the last of a group stands for those that it lacks.
  private static func together(_ groups: [[Int]]) -> [[Int]] {
    (0..<(groups.map(\.count).max() ?? 0)).map { place in groups.compactMap { $0.prefix(place + 1).last } }
  }
}

extension CSVColumns.Meaning {
  /// The same whatever the unit.
  var withoutUnit: Self {
    switch self {
    case .distance: .distance(factor: 1)
    case .speed: .speed(factor: 1)
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .heartRate, .steps,
      .cumulativeSteps, .cadence, .fractionalCadence, .latitude, .longitude, .altitude, .horizontalAccuracy,
      .verticalAccuracy, .acceleration, .gravity, .rotationRate, .magneticField, .label, .trial, .rrInterval,
      .direction:
      self
    }
  }

  /// Whether a field has a value of this, and not what stands for none.
  fileprivate func hasValue(_ row: CSVRow, _ column: Int, in line: Span<UInt8>) -> Bool {
    switch self {
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .label, .trial:
      !row.isMissing(column, in: line)
    case .heartRate: row.double(column, in: line).map { $0 > 0 && $0 != 255 } ?? false
    case .latitude, .longitude, .altitude, .acceleration, .gravity, .rotationRate, .magneticField:
      row.double(column, in: line) != nil
    case .steps, .cumulativeSteps, .cadence, .fractionalCadence, .distance, .speed, .horizontalAccuracy,
      .verticalAccuracy, .rrInterval, .direction:
      row.double(column, in: line).map { $0 >= 0 } ?? false
    }
  }
}

extension CSVColumns {
  /// What is said of the columns that are left out because others hold the same; `nil` where there are none.
  func leftOutWarning(at position: String) -> RecordingWarning? {
    guard let leftOut = rivals?.leftOut else { return nil }
    let listed = leftOut.prefix(20).map { String(names[$0].prefix(40)) }
    return RecordingWarning(
      kind: .doubledColumns, position: position, count: leftOut.count, detail: listed.joined(separator: ", "))
  }
}
