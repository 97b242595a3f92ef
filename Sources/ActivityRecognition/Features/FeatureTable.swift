/// The features of many windows, a row each.
package struct FeatureTable: Sendable {
  /// How many numbers a row has.
  package let width: Int
  /// The rows, one after another.
  package private(set) var values: [Float] = []
  /// The number of the label of each row.
  package private(set) var labels: [Int] = []
  /// The number of the person of each row.
  package private(set) var persons: [Int] = []

  /// How many windows one piece of work has.
  private static let windowsAtOnce = 256

  /// How many rows there are.
  package var count: Int { labels.count }

  /// Computes the features of windows and of so many changed copies of each: first all windows, then the copies of all.
  package init(
    _ corpus: MotionCorpus, _ windows: [MotionWindow], _ set: FeatureSet, _ shape: WindowShape, copies: Int,
    seed: UInt64,
    threads: Int, usesRotationRate: Bool = true
  ) {
    width = set.count(shape)
    let atOnce = Self.windowsAtOnce
    let pieces = (windows.count + atOnce - 1) / atOnce
    let computed = OrderedWork.map(pieces * (copies + 1), threads: threads) { piece in
      let (copy, part) = (piece / max(1, pieces) - 1, piece % max(1, pieces))
      let extractor = FeatureExtractor(set, shape, usesRotationRate: usesRotationRate)
      var rows: [Float] = []
      rows.reserveCapacity(atOnce * set.count(shape))
      for index in part * atOnce..<min(windows.count, (part + 1) * atOnce) {
        let window = windows[index]
        let change = copy < 0 ? nil : WindowChange.copies(copies, seed: seed, window: index)[copy]
        extractor.append(corpus.recordings[window.recording], at: window.start, changed: change, to: &rows)
      }
      return rows
    }
    values.reserveCapacity(windows.count * (copies + 1) * width)
    for rows in computed { values += rows }
    for _ in 0...copies {
      labels += windows.map(\.label)
      persons += windows.map(\.person)
    }
  }

  /// A table of rows that are there.
  ///
  /// - Precondition: there are `width` values for each label.
  package init(width: Int, values: [Float], labels: [Int], persons: [Int]) {
    precondition(values.count == width * labels.count && persons.count == labels.count, "every row is whole")
    self.width = width
    self.values = values
    self.labels = labels
    self.persons = persons
  }

  /// A row.
  subscript(row: Int) -> ArraySlice<Float> { values[row * width..<(row + 1) * width] }
}
