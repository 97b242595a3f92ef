/// How often windows of one label were taken for each.
package struct ConfusionCounts: Hashable, Sendable {
  /// Rows are the true labels, columns what was recognised.
  package private(set) var counts: [[Int]]

  /// No window, of so many labels.
  package init(labels: Int) { counts = Array(repeating: Array(repeating: 0, count: labels), count: labels) }

  /// Counts a window.
  package mutating func add(_ label: Int, taken guess: Int) { counts[label][guess] += 1 }

  /// Joins two counts.
  package static func += (left: inout ConfusionCounts, right: ConfusionCounts) {
    for row in left.counts.indices {
      for column in left.counts.indices { left.counts[row][column] += right.counts[row][column] }
    }
  }

  /// How many windows there are.
  package var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// The part of windows that were recognised; 0 without windows.
  package var accuracy: Double {
    total > 0 ? Double(counts.indices.reduce(0) { $0 + counts[$1][$1] }) / Double(total) : 0
  }

  /// F1 of each label; absent where no window has it.
  package var f1: [Double?] {
    counts.indices.map { label in
      let occurring = counts[label].reduce(0, +)
      guard occurring > 0 else { return nil }
      let taken = counts.reduce(0) { $0 + $1[label] }
      return 2 * Double(counts[label][label]) / Double(occurring + taken)
    }
  }

  /// The mean of F1 over the labels that occur; 0 without windows.
  package var macroF1: Double {
    let values = f1.compactMap(\.self)
    return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }
}
