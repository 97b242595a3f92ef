import StrategyStudy
import Testing
import ZoneEngine

/// What an independent prototype with coaching rules of its own found for 500 to 1,000 runners, asked of the product's
/// engine: the orders, and the levels within a few points. Target Weight control, age 23, 25 min.
@Suite("The orders of the prototype")
struct PrototypeOrderTests {
  private static let behaviours = [
    "reflex", "relapse:tau=90", "relapse:tau=30", "anticipate:rho=1", "visible", "visible+anticipate:rho=1",
    "reflex:step=0.2",
  ]

  /// Percent in target by behaviour, for none, moment 2 min, period, as the prototype printed them for 500 runners.
  private static let levels: [Gait: [[Double]]] = [
    .walk: [
      [47.6, 67.2, 65.8], [47.6, 56.5, 55.4], [47.6, 51.4, 50.9], [47.6, 59, 65.6], [47.6, 74.4, 73.1],
      [47.6, 64.1, 72.4], [47.6, 62.9, 60.9],
    ],
    .run: [
      [41.1, 68.6, 71.3], [41.1, 46.1, 49.8], [41.1, 42.8, 44.3], [41.1, 51.7, 71.3], [41.1, 77.5, 75.6],
      [41.1, 61.7, 75.6], [41.1, 74.3, 71],
    ],
  ]

  @Test("With 400 runners the orders are the same and the levels near", arguments: Gait.allCases)
  func orders(gait: Gait) throws {
    let period = gait == .run ? "period:every=60,window=60" : "period:every=120,window=60"
    let study = try SmallStudy.make(
      gait: gait, arms: ["none", "moment:every=120", period], behaviours: Self.behaviours, runners: 400,
      seconds: 1_500, seed: 1)
    let results = StudyAnalysis.results(of: try SmallStudy.outcomes(study, threads: 2))
    let levels = try #require(Self.levels[gait])
    for (result, expected) in zip(results, levels) {
      let means = result.arms.map { 100 * $0.timeInTarget.mean }
      let name = "\(gait) \(study.behaviours[result.behaviour].text): \(means)"
      #expect(means[0] < means[1], "none is the worst: \(name)")
      #expect(means[0] < means[2], "none is the worst: \(name)")
      for (mean, level) in zip(means, expected) { #expect((mean - level).magnitude < 5, "\(name), not \(expected)") }
      let gap = try #require(result.contrasts.first { $0.contrast == StudyContrast(a: 2, b: 1) }).difference
      let expectedGap = expected[2] - expected[1]
      // Same sign wherever the prototype's gap was more than its own error.
      if expectedGap.magnitude >= 1.4 {
        #expect(gap.mean * expectedGap > 0, "\(name), not \(expected)")
        #expect(gap.confidence95.map { $0.lower * $0.upper > 0 } == true, "\(name)")
      }
    }
    func gap(_ behaviour: Int) -> Double {
      results[behaviour].arms[2].timeInTarget.mean - results[behaviour].arms[1].timeInTarget.mean
    }
    // Only who works for the checks makes a large difference between the strategies.
    for other in [0, 1, 2, 4, 6] {
      #expect(gap(3) > gap(other) + 0.05)
      #expect(gap(5) > gap(other) + 0.05)
    }
    // And it shows at the checks: above midway for moment, not for period.
    for behaviour in [3, 5] {
      #expect(try #require(results[behaviour].arms[1].checkMinusMidway).mean > 0.08)
      #expect(try #require(results[behaviour].arms[2].checkMinusMidway).mean < 0)
    }
    #expect(try #require(results[0].arms[1].checkMinusMidway).mean < 0)
    // 85 and 93 % of 500 runners, 88 and 93 % of 3,000.
    let limit = 100 * (results[0].limit.timeInTarget.mean)
    #expect((limit - (gait == .run ? 87.8 : 92.8)).magnitude < 2)
  }

  @Test("Single false readings cost moment more than period where people walk, as far as the filter lets them pass")
  func artifacts() throws {
    let study = try SmallStudy.make(
      gait: .walk, arms: ["none", "moment:every=120", "period:every=120,window=60"],
      behaviours: ["reflex", "reflex:artifact=0.1"], runners: 400, seconds: 1_500, seed: 1)
    let results = StudyAnalysis.results(of: try SmallStudy.outcomes(study, threads: 2))
    let losses = (1...2).map { results[0].arms[$0].timeInTarget.mean - results[1].arms[$0].timeInTarget.mean }
    #expect(losses[0] > losses[1])
    #expect(losses[0] > 0.005)
    // Without the filter the prototype lost 9 points.
    #expect(losses[0] < 0.06)
  }
}
