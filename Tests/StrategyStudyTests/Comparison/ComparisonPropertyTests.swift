@testable import StrategyStudy
import TestSupport
import Testing
import TextFormats
import ZoneEngine

@Suite("Comparisons, from seeds")
struct ComparisonPropertyTests {
  @Test("Every count is that of a calculation by brute force", arguments: [UInt64(0), 1, 2, 3])
  func reference(block: UInt64) throws {
    var excursions = 0
    var returning = 0
    for seed in (block * 60)..<(block * 60 + 60) {
      var random = SplitMix64(seed: seed)
      let lower = random.int(100...150)
      let upper = lower + random.int(4...20)
      let timeline = Timeline.random(around: [lower, upper], using: &random)
      let every = random.pick([5, 10, 30, 60])
      let isMoment = random.chance(0.5)
      let expected = ReferenceComparison(
        timeline, lower, upper, isMoment ? .moment(every: every) : .period(every: every, window: 30))
      let specification = isMoment ? "moment:every=\(every)" : "period:every=\(every),window=30"
      let tally = StrategyTally(HeartRateTrack(timeline), try .compared("\(lower)-\(upper)", specification))
      #expect(abs(tally.active.seconds - expected.active) < 1e-6, "seed \(seed)")
      #expect(tally.cues == expected.cues.count, "seed \(seed)")
      #expect(tally.directional == expected.directionalCount, "seed \(seed)")
      #expect((tally.withMedian, tally.spurious) == expected.spurious, "seed \(seed)")
      #expect((tally.withSlope, tally.returning) == expected.returning, "seed \(seed)")
      #expect(tally.reversals == expected.reversals, "seed \(seed)")
      #expect(tally.excursions == expected.excursions.count, "seed \(seed)")
      #expect(tally.latencies == expected.latencies, "seed \(seed)")
      #expect(
        Dictionary(uniqueKeysWithValues: tally.withheld.map { ($0.rawValue, $1) }) == expected.withheld, "seed \(seed)")
      excursions += tally.excursions
      returning += tally.returning
    }
    // The seeds hold what they are for.
    #expect(excursions > 20)
    #expect(returning > 0)
  }

  @Test("A strategy against itself differs by exactly 0 in every metric, with an interval of exactly 0")
  func itself() throws {
    let strategies = ["bangle-like", "zone-change", "bangle-like", "zone-change"]
    let comparison = try comparison(strategies, seeds: 0..<12)
    let same = comparison.contrasts.filter { ($0.a, $0.b) == (0, 2) || ($0.a, $0.b) == (1, 3) }
    #expect(Set(same.map(\.metric)) == Set(ComparisonMetric.allCases))
    #expect(same.count == 16)
    for contrast in same {
      #expect(contrast.difference.mean == 0)
      #expect(contrast.difference.confidence == ConfidenceInterval(lower: 0, upper: 0))
    }
    #expect(comparison.contrasts.contains { ($0.a, $0.b) == (0, 1) && $0.difference.mean != 0 })
  }

  @Test("The order of the recordings does not matter, and everybody's counts add up to those of all")
  func order() throws {
    let strategies = ["runnerup-like", "trend", "suunto-like"]
    let recordings = try recordings(strategies, seeds: 0..<15)
    let specifications = try strategies.map { try FeedbackStrategy(specification: $0) }
    let comparison = Comparison(recordings, strategies: specifications)
    var random = SplitMix64(seed: 1)
    for _ in 0..<5 {
      let other = Comparison(recordings.shuffled(using: &random), strategies: specifications)
      #expect(record(other) == record(comparison))
    }
    for row in comparison.rows {
      #expect(row.perPerson.reduce(StrategyTally(), +) == row.overall)
      #expect(row.perPerson.map(\.cues).reduce(0, +) == row.overall.cues)
    }
    #expect(comparison.people.map(\.name) == ["p0", "p1", "p2"])
    #expect(comparison.recordings == 15)
  }

  @Test("With one person there is a difference and no interval")
  func onePerson() throws {
    let strategies = ["bangle-like", "suunto-like"]
    let one = Comparison(
      [try ComparedRecording(oneExcursion(), of: "a", target: "120-140", strategies)],
      strategies: try strategies.map { try FeedbackStrategy(specification: $0) })
    let cues = try #require(one.contrasts.first { $0.metric == .cuesPerHour })
    #expect(cues.difference.confidence == nil)
    #expect(cues.difference.count == 1)
    #expect(cues.difference.mean > 0)
    #expect(!record(one).contains("confidence95"))
  }

  private func recordings(_ strategies: [String], seeds: Range<UInt64>) throws -> [ComparedRecording] {
    try seeds.map { seed in
      var random = SplitMix64(seed: seed)
      return try ComparedRecording(
        .random(around: [125, 145], using: &random), of: "p\(seed % 3)", target: "125-145", strategies)
    }
  }

  private func comparison(_ strategies: [String], seeds: Range<UInt64>) throws -> Comparison {
    Comparison(
      try recordings(strategies, seeds: seeds),
      strategies: try strategies.map { try FeedbackStrategy(specification: $0) })
  }

  private func record(_ comparison: Comparison) -> String {
    var writer = JSONWriter()
    comparison.write(to: &writer)
    return writer.text
  }
}
