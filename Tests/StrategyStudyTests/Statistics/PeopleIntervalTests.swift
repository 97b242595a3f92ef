import StrategyStudy
import TestSupport
import Testing

@Suite("Intervals over people")
struct PeopleIntervalTests {
  /// A number close to normal with mean 0 and variance 1, as a sum of twelve uniform ones.
  private static func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + random.unit() }
  }

  @Test(
    "hold their 95 % with few people whose effects are normal, where percentiles held 80", arguments: [3, 4, 6, 10, 40])
  func coverage(people: Int) throws {
    var covered = 0
    for seed in UInt64(0)..<2_000 {
      var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(people))
      let values = (0..<people).map { _ in Self.normal(&random) }
      let interval = try #require(Comparison.PersonMean(values)?.confidence)
      if interval.lower <= 0, interval.upper >= 0 { covered += 1 }
    }
    // Four standard errors around 95 % of 2,000 are 39.
    #expect((1_861...1_939).contains(covered), "\(covered) of 2000")
  }

  @Test("are not given for one or two people, who still have a mean")
  func few() throws {
    for values in [[3.0], [3, 5]] {
      let mean = try #require(Comparison.PersonMean(values))
      #expect(mean.confidence == nil)
      #expect(mean.probability == nil)
      #expect(mean.count == values.count)
    }
    #expect(Comparison.PersonMean([]) == nil)
  }

  @Test("are those of Student's t, and a point where people do not differ")
  func student() throws {
    let mean = try #require(Comparison.PersonMean([1, 2, 3, 4]))
    let interval = try #require(mean.confidence)
    // 2.5 ± 3.182446 · 1.290994 / 2.
    #expect(abs(interval.lower - 0.445_739) < 1e-5)
    #expect(abs(interval.upper - 4.554_261) < 1e-5)
    #expect(abs((mean.probability ?? 0) - 0.030_466) < 1e-5)
    let none = try #require(Comparison.PersonMean([0, 0, 0]))
    #expect(none.confidence == ConfidenceInterval(lower: 0, upper: 0))
    #expect(none.probability == 1)
    #expect(try #require(Comparison.PersonMean([2, 2, 2])).probability == nil)
  }

  @Test("Quantiles interpolate as R's type 7")
  func quantiles() {
    let values = [8.0, 1, 4, 2]
    #expect(values.quantile(0) == 1)
    #expect(values.quantile(1) == 8)
    #expect(values.quantile(0.5) == 3)
    #expect(values.quantile(0.25) == 1.75)
  }
}
