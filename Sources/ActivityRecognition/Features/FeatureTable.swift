/// The features of many windows, a row each; and those of changed copies of them, some of which each network of an ensemble learns
/// beside the windows.
package struct FeatureTable: Sendable {
  /// How many numbers a row has.
  package let width: Int
  /// The rows, one after another.
  package private(set) var values: [Float] = []
  /// The number of the label of each row.
  package private(set) var labels: [Int] = []
  /// The number of the person of each row.
  package private(set) var persons: [Int] = []

  /// How many rows at the beginning every network learns: of the windows as they are.
  private let shared: Int
  /// How many of the rows after them each network has for itself.
  private let own: Int

  /// How many windows one piece of work has.
  private static let windowsAtOnce = 256

  /// How many rows there are.
  package var count: Int { labels.count }

  /// Computes the features of windows and of changed copies of each: first all windows, then the copies of all for the first
  /// network, then those for the second, and so on.
  ///
  /// - Parameter copies: how many copies of each window a network has.
  package init(
    _ corpus: MotionCorpus, _ windows: [MotionWindow], _ set: FeatureSet, _ shape: WindowShape, copies: Int = 0,
    networks: Int = 1, seed: UInt64 = 0, threads: Int, usesRotationRate: Bool = true
  ) {
    let width = set.count(shape)
    self.width = width
    (shared, own) = (windows.count, windows.count * copies)
    let atOnce = Self.windowsAtOnce
    let pieces = (windows.count + atOnce - 1) / atOnce
    let turns = copies * networks + 1
    // Every piece writes where its rows stand, so that they are in memory once.
    values = unsafe [Float](unsafeUninitializedCapacity: windows.count * turns * width) { memory, initialized in
      nonisolated(unsafe) let target = unsafe memory
      _ = OrderedWork.map(pieces * turns, threads: threads) { piece in
        let (copy, part) = (piece / pieces - 1, piece % pieces)
        let indices = part * atOnce..<min(windows.count, (part + 1) * atOnce)
        let extractor = FeatureExtractor(set, shape, usesRotationRate: usesRotationRate)
        var rows: [Float] = []
        rows.reserveCapacity(indices.count * width)
        for index in indices {
          let window = windows[index]
          let change = copy < 0 ? nil : WindowChange.copy(copy, of: copies, seed: seed, window: index)
          extractor.append(corpus.recordings[window.recording], at: window.start, changed: change, to: &rows)
        }
        let first = ((copy + 1) * windows.count + indices.lowerBound) * width
        _ = unsafe UnsafeMutableBufferPointer(rebasing: target[first..<first + rows.count]).initialize(from: rows)
      }
      initialized = windows.count * turns * width
    }
    for _ in 0..<turns {
      labels += windows.map(\.label)
      persons += windows.map(\.person)
    }
  }

  /// The number of the network that learns a row alone; absent of the rows that all learn.
  private func learner(of row: Int) -> Int? { row < shared || own == 0 ? nil : (row - shared) / own }

  /// Those of some rows that a network learns.
  func rows(_ rows: [Int], for network: Int) -> [Int] {
    rows.filter { row in learner(of: row).map { $0 == network } ?? true }
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
    (shared, own) = (labels.count, 0)
  }

  /// A row.
  subscript(row: Int) -> ArraySlice<Float> { values[row * width..<(row + 1) * width] }
}
