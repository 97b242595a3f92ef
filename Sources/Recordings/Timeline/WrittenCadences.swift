internal import WorkoutSession

/// The cadences of an activity as a file writes them: strides of one leg, or steps of both feet, as some programs do.
///
/// One number does not show which of the two it is: 112 are the steps of a walk, or the strides of a sprint. All of them together
/// do. They are steps where several in a row are more than anybody keeps up in strides, and not just a few of all: a runner who
/// sprints makes more than 120 strides a minute too, for some seconds. Above 150 they are strides of nobody.
struct WrittenCadences {
  /// What is above may be steps; above twice that it is steps whatever the others are.
  private static let possibleSteps = RecordedSport.mostStrides.nextUp...2 * RecordedSport.mostStrides
  /// How many of those in a row show that all are steps, and which part of all above 0 they are at least.
  private static let fewestInRow = 3
  private static let leastShare = 0.1
  /// How many in a row above what nobody makes in strides show it too, where most of all are more than the strides of a runner: else they
  /// are a sensor's error.
  private static let mostStridesOfAnybody = 150.0
  private static let fewestImpossible = 5
  private static let usualSteps = 98.0

  /// The first points from which on cadences are twice what is written, or are what is written; in order, empty where the file
  /// does not say.
  private var spans: [(first: Int, areDoubled: Bool)] = []

  /// Takes note that the cadences from a point on are twice what is written, or are what is written.
  mutating func areDoubled(_ areDoubled: Bool, from first: Int) { spans.append((first, areDoubled)) }

  /// Makes the cadences of all points steps of both feet.
  ///
  /// - Precondition: the points are in the order of the file.
  /// - Complexity: O(n) where a cadence was taken for steps, else O(1).
  func settle(_ points: inout [RecordedPoint]) {
    guard spans.contains(where: { !$0.areDoubled }), areSteps(points) else { return }
    forEachSpan(of: points.count) { range, areDoubled in
      guard areDoubled else { return }
      for index in range { points[index].cadence /= 2 }
    }
  }

  private func areSteps(_ points: [RecordedPoint]) -> Bool {
    var (count, slow, possible, row, longestRow, impossibleRow) = (0, 0, 0, 0, 0, 0)
    var hasImpossibleRow = false
    forEachSpan(of: points.count) { range, areDoubled in
      for index in range where !points[index].cadence.isNaN {
        let written = areDoubled ? points[index].cadence / 2 : points[index].cadence
        if written > 0 { count += 1 }
        if written > 0, written < Self.usualSteps { slow += 1 }
        guard Self.possibleSteps.contains(written) else {
          (row, impossibleRow) = (0, 0)
          continue
        }
        possible += 1
        row += 1
        longestRow = max(longestRow, row)
        impossibleRow = written > Self.mostStridesOfAnybody ? impossibleRow + 1 : 0
        hasImpossibleRow = hasImpossibleRow || impossibleRow >= Self.fewestImpossible
      }
    }
    return hasImpossibleRow && slow * 2 < count
      || longestRow >= Self.fewestInRow && Double(possible) >= Self.leastShare * Double(count)
  }

  private func forEachSpan(of count: Int, _ body: (Range<Int>, _ areDoubled: Bool) -> Void) {
    for (index, span) in spans.enumerated() {
      let end = index + 1 < spans.count ? spans[index + 1].first : count
      body(min(span.first, count)..<max(min(end, count), min(span.first, count)), span.areDoubled)
    }
  }
}
