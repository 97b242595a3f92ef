import StrategyStudy
import TestSupport
import Testing

@Suite("Differences from runner to runner")
struct DifferenceCountsTests {
  @Test("A difference belongs to the next whole point away from nothing")
  func edges() {
    var counts = DifferenceCounts()
    // 0, one second of 1,000, exactly 1 point, just over it, all of it, and the same the other way round.
    for first in [500, 501, 510, 511, 1_000] { counts.add((first, 1_000), (500, 1_000)) }
    for first in [499, 490, 489, 0] { counts.add((first, 1_000), (500, 1_000)) }
    #expect(counts.same == 1)
    #expect(counts.total == 9)
    #expect(counts.widestPoint == 50)
    #expect(counts.better[0] == 2)
    #expect(counts.better[1] == 1)
    #expect(counts.better[49] == 1)
    #expect(counts.worse[0] == 2)
    #expect(counts.worse[1] == 1)
    #expect(counts.worse[49] == 1)
    counts.add((1_129, 1_129), (0, 3_842))
    #expect(counts.better[99] == 1)
    #expect(counts.widestPoint == 100)
    var equal = DifferenceCounts()
    equal.add((1, 3), (500, 1_500))
    #expect(equal.same == 1)
    #expect(equal.widestPoint == 0)
  }

  @Test("Every runner is counted once, on the right side and in the right place", arguments: UInt64(0)..<50)
  func property(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var counts = DifferenceCounts()
    var expected = DifferenceCounts()
    var better = 0
    var points = [Int: Int]()
    for _ in 0..<200 {
      let (a, b) = (random.int(60...4_000), random.int(60...4_000))
      let (first, second) = (random.int(0...a), random.int(0...b))
      counts.add((first, a), (second, b))
      expected.add((second, b), (first, a))
      let difference = 100 * (Double(first) / Double(a) - Double(second) / Double(b))
      if difference > 0 { better += 1 }
      // Nearer to an edge than a double can resolve there is none of these.
      guard abs(difference - difference.rounded()) > 1e-9 else { continue }
      points[Int(difference.rounded(.awayFromZero)), default: 0] += 1
    }
    #expect(counts.total == 200, "seed \(seed)")
    #expect(counts.better.reduce(0, +) == better, "seed \(seed)")
    #expect(counts.better == expected.worse, "seed \(seed)")
    #expect(counts.worse == expected.better, "seed \(seed)")
    for (point, count) in points {
      let found = point > 0 ? counts.better[point - 1] : counts.worse[-point - 1]
      #expect(found >= count, "seed \(seed), point \(point)")
    }
  }

  @Test("A result counts its runners as its share says, and an arm against itself the same for all")
  func ofResults() throws {
    let study = try SmallStudy.make(arms: ["moment:every=60", "moment:every=60", "none"], runners: 30)
    for result in StudyAnalysis.results(of: try SmallStudy.outcomes(study)) {
      for contrast in result.contrasts {
        #expect(contrast.counts.total == 30)
        #expect(Double(contrast.counts.better.reduce(0, +)) / 30 == contrast.shareBetter)
      }
      #expect(result.contrasts[0].counts.same == 30)
      #expect(result.contrasts[0].difference.mean == 0)
    }
  }
}
