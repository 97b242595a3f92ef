@testable import SessionStore
import TestSupport
import Testing
import ZoneEngine

@Suite("Statistics of intervals")
struct IntervalStatisticsTests {
  @Test("Quantiles are within 0.8 % of those of all intervals in order", arguments: UInt64(0)..<40)
  func quantiles(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scale = random.int(1...10)
    let values = (0..<random.int(1...3_000)).map { _ in
      let magnitude = random.int(0...scale)
      return Int64(random.int(0...9)) * [1, 100, 10_000, 1_000_000, 40_000_000, 1_000_000_000][min(5, magnitude)]
        + Int64(random.int(0...500_000))
    }
    var statistics = IntervalStatistics()
    for value in values { statistics.admit(SessionTime(nanoseconds: value)) }
    let sorted = values.sorted()
    for share in [0.01, 0.25, 0.5, 0.75, 0.95, 1] {
      let rank = max(1, Int((share * Double(values.count)).rounded(.up)))
      let expected = Double(sorted[rank - 1])
      let found = Double(try #require(statistics.quantile(share)).nanoseconds)
      #expect(abs(found - expected) <= expected / 127 + 1, "seed \(seed), \(share): \(found), expected \(expected)")
    }
    let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
    let variance =
      values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(max(1, values.count - 1))
    if values.count > 1 {
      let found = try #require(statistics.standardDeviationSeconds) * 1e9
      #expect(abs(found - variance.squareRoot()) <= 1e-6 * variance.squareRoot() + 1, "seed \(seed)")
    } else {
      #expect(statistics.standardDeviationSeconds == nil)
    }
  }

  @Test("A steady rate is reported exactly, and nothing is reported for no interval")
  func steady() {
    var statistics = IntervalStatistics()
    #expect(statistics.quantile(0.5) == nil)
    #expect(statistics.standardDeviationSeconds == nil)
    for _ in 0..<1_000 { statistics.admit(SessionTime(nanoseconds: 1_000_000_000 / 52)) }
    #expect(statistics.quantile(0.5) == SessionTime(nanoseconds: 1_000_000_000 / 52))
    #expect(statistics.quantile(0.95) == SessionTime(nanoseconds: 1_000_000_000 / 52))
    #expect(statistics.standardDeviationSeconds.map { $0 < 1e-12 } == true)
  }

  @Test("The memory depends on the size of the intervals only")
  func memory() {
    var statistics = IntervalStatistics()
    statistics.admit(.seconds(86_400))
    for _ in 0..<100_000 { statistics.admit(.seconds(1)) }
    #expect(statistics.count == 100_001)
    #expect(MemoryLayout<IntervalStatistics>.size <= 64)
  }
}
