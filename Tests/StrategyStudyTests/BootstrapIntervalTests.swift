import StrategyStudy
import TestSupport
import Testing

@Suite("Bootstrap over units")
struct BootstrapIntervalTests {
  @Test("The interval of a mean covers about 95 % of true means")
  func coverage() throws {
    var covered = 0
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      // A sum of twelve uniform numbers is close to normal; its mean is 6.
      let values = (0..<40).map { _ in (0..<12).map { _ in random.unit() }.reduce(0, +) }
      let interval = try #require(Bootstrap.meanInterval(of: values, resamples: 600, seed: seed))
      if interval.lower <= 6, interval.upper >= 6 { covered += 1 }
    }
    // The percentile interval is a little narrow at n = 40; four standard errors around 93.5 %.
    #expect((354...394).contains(covered), "\(covered) of 400")
  }

  @Test("Equal values give a point, one unit gives none, and the same seed the same interval")
  func edges() {
    #expect(Bootstrap.meanInterval(of: [0, 0, 0], seed: 1) == ConfidenceInterval(lower: 0, upper: 0))
    #expect(Bootstrap.meanInterval(of: [3], seed: 1) == nil)
    #expect(Bootstrap.meanInterval(of: [], seed: 1) == nil)
    let values = (0..<30).map { Double($0 * $0) / 7 }
    #expect(Bootstrap.meanInterval(of: values, seed: 1) == Bootstrap.meanInterval(of: values, seed: 1))
    #expect(Bootstrap.meanInterval(of: values, seed: 1) != Bootstrap.meanInterval(of: values, seed: 2))
  }

  @Test("Quantiles interpolate as R's type 7")
  func quantiles() {
    let values = [1.0, 2, 4, 8]
    #expect(Bootstrap.quantile(0, ofSorted: values) == 1)
    #expect(Bootstrap.quantile(1, ofSorted: values) == 8)
    #expect(Bootstrap.quantile(0.5, ofSorted: values) == 3)
    #expect(Bootstrap.quantile(0.25, ofSorted: values) == 1.75)
  }
}
