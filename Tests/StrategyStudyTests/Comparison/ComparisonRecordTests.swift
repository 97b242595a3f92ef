import Foundation
@testable import StrategyStudy
import TestSupport
import Testing
import TextFormats
import ZoneEngine

@Suite("The record of a comparison: what many intervals at once mean")
struct ComparisonRecordTests {
  private func comparison(_ strategies: [String], people: UInt64) throws -> Comparison {
    let recordings = try (0..<people * 2).map { seed in
      var random = SplitMix64(seed: seed)
      return try ComparedRecording(
        .random(around: [125, 145], using: &random), of: "p\(seed % people)", target: "125-145", strategies)
    }
    return Comparison(recordings, strategies: try strategies.map { try FeedbackStrategy(specification: $0) })
  }

  private func object(_ comparison: Comparison) throws -> [String: Any] {
    var writer = JSONWriter()
    comparison.write(to: &writer)
    return try #require(try JSONSerialization.jsonObject(with: Data(writer.text.utf8)) as? [String: Any])
  }

  @Test("counts its intervals, says how each is made and of how many people, and what so many at once mean")
  func multiplicity() throws {
    let comparison = try comparison(["bangle-like", "zone-change", "trend", "moment:every=60"], people: 5)
    let record = try object(comparison)
    let contrasts = try #require(record["contrasts"] as? [[String: Any]])
    let withInterval = contrasts.filter { $0["confidence95"] != nil }
    #expect(withInterval.count > 20, "so many that one is expected to miss")
    for contrast in withInterval {
      #expect(contrast["method"] as? String == PeopleInterval.method, "\(contrast)")
      #expect(contrast["n"] is Int, "\(contrast)")
    }
    let intervals = try #require(record["intervals"] as? [String: Any])
    let ofMoments = (record["checkMinusMidway"] as? [String: Any])?["confidence95"] == nil ? 0 : 1
    #expect(intervals["count"] as? Int == withInterval.count + ofMoments)
    #expect(intervals["unit"] as? String == "person")
    #expect(intervals["method"] as? String == PeopleInterval.method)
    let words = try #require(intervals["multiplicity"] as? String)
    // 95 % of 100 are missed by 5: by one of 20.
    #expect(words.contains("misses its true value in 5 of 100 comparisons"), "\(words)")
    #expect(words.contains("of 20 one is expected to"), "\(words)")
    #expect(words.contains("pHolm is adjusted for all contrasts at once"), "\(words)")
  }

  @Test("adjusts every probability for all of its contrasts, as its words say")
  func adjusted() throws {
    let comparison = try comparison(["bangle-like", "zone-change", "trend"], people: 6)
    let known = comparison.contrasts.filter { $0.difference.probability != nil }
    #expect(known.count > 10)
    let sorted = try known.map { try #require($0.difference.probability) }.sorted()
    // By Holm: the smallest by the number of all, the next by one less, and none is less than the one before.
    var expected: [Double] = []
    for (rank, probability) in sorted.enumerated() {
      expected.append(max(expected.last ?? 0, min(1, probability * Double(sorted.count - rank))))
    }
    let found = try known.map { contrast in
      (try #require(contrast.difference.probability), try #require(contrast.adjustedProbability))
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    for (pair, expected) in zip(found, expected) { #expect(abs(pair.1 - expected) < 1e-12, "\(pair)") }
  }

  @Test("of too few people has no interval, counts none, and says the same of those that there might be")
  func few() throws {
    let record = try object(try comparison(["bangle-like", "zone-change"], people: 2))
    let intervals = try #require(record["intervals"] as? [String: Any])
    #expect(intervals["count"] as? Int == 0)
    #expect(intervals["multiplicity"] is String)
    #expect((record["contrasts"] as? [[String: Any]])?.contains { $0["confidence95"] != nil } == false)
  }
}
