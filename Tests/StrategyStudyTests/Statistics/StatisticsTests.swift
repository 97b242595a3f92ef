import StrategyStudy
import Testing

@Suite("Statistics of studies")
struct StatisticsTests {
  @Test("Quantiles of Student's t are those of the tables")
  func quantiles() {
    let table: [(degrees: Double, alpha: Double, t: Double)] = [
      (1, 0.05, 12.706), (2, 0.05, 4.303), (5, 0.05, 2.571), (10, 0.05, 2.228), (10, 0.01, 3.169), (30, 0.05, 2.042),
      (60, 0.1, 1.671), (120, 0.05, 1.980), (120, 0.001, 3.373), (1_000_000, 0.05, 1.960),
    ]
    for row in table {
      let student = StudentT(degreesOfFreedom: row.degrees)
      #expect((student.twoSidedQuantile(row.alpha) - row.t).magnitude < 6e-4, "\(row)")
      #expect((student.twoSidedProbability(row.t) - row.alpha).magnitude < row.alpha * 2e-3, "\(row)")
    }
    // One degree of freedom is Cauchy's distribution, two have a formula too.
    #expect((StudentT(degreesOfFreedom: 1).twoSidedProbability(1) - 0.5).magnitude < 1e-14)
    #expect((StudentT(degreesOfFreedom: 2).twoSidedProbability(2) - (1 - 2 / 6.0.squareRoot())).magnitude < 1e-14)
    #expect(StudentT(degreesOfFreedom: 5).twoSidedProbability(0) == 1)
    #expect(StudentT(degreesOfFreedom: 5).twoSidedProbability(.infinity) == 0)
    // scipy.stats.t.sf(40, 999)·2 is 1.9e-212: far tails are no zero.
    #expect(StudentT(degreesOfFreedom: 999).twoSidedProbability(40) > 0)
  }

  @Test("Mean, deviation, interval and test of five differences are those of a textbook calculation")
  func moments() throws {
    let moments = try #require(SampleMoments([1.0, 2, 3, 4, 5]))
    #expect(moments.mean == 3)
    #expect(moments.count == 5)
    #expect((try #require(moments.standardDeviation) - 2.5.squareRoot()).magnitude < 1e-15)
    let interval = try #require(moments.confidence95)
    // 3 ± 2.776445 · √(2.5 / 5)
    #expect((interval.lower - 1.036_757).magnitude < 1e-5)
    #expect((interval.upper - 4.963_243).magnitude < 1e-5)
    // t = 4.242641 with 4 degrees of freedom.
    #expect((try #require(moments.probabilityOfZero) - 0.013_236).magnitude < 1e-5)
  }

  @Test("Where nobody differs the mean is certain, and one person says nothing of how people differ")
  func edges() throws {
    let zeros = try #require(SampleMoments([0.0, 0, 0]))
    #expect(zeros.mean == 0)
    #expect(zeros.probabilityOfZero == 1)
    #expect(zeros.confidence95 == ConfidenceInterval(lower: 0, upper: 0))
    #expect(try #require(SampleMoments([0.5, 0.5])).probabilityOfZero == 0)
    let one = try #require(SampleMoments([7.0]))
    #expect(one.mean == 7)
    #expect(one.confidence95 == nil)
    #expect(one.probabilityOfZero == nil)
    #expect(SampleMoments([Double]()) == nil)
  }

  @Test("Holm multiplies the smallest by the number of tests, the next by one less, and never goes back")
  func holm() {
    let adjusted = HolmAdjustment.adjusted([0.01, 0.04, 0.03, 0.005]).map { $0 ?? -1 }
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
      #expect((value - expected).magnitude < 1e-12)
    }
    #expect(HolmAdjustment.adjusted([0.9, nil, 0.8]) == [1, nil, 1])
    #expect(HolmAdjustment.adjusted([]) == [])
    #expect(HolmAdjustment.adjusted([0.02]) == [0.02])
  }

  @Test("Sample sizes of the paired t test are those of Cohen's tables and of G*Power")
  func sampleSize() {
    let table: [(effect: Double, power: Double, alpha: Double, people: Int)] = [
      (0.2, 0.8, 0.05, 199), (0.5, 0.8, 0.05, 34), (0.8, 0.8, 0.05, 15), (1, 0.8, 0.05, 10), (0.5, 0.9, 0.05, 44),
      (0.5, 0.8, 0.01, 51), (0.5, 0.95, 0.05, 54),
    ]
    for row in table {
      #expect(
        SampleSize.people(effect: row.effect, spread: 1, power: row.power, alpha: row.alpha) == row.people, "\(row)")
    }
    // A difference of 10 points that spreads by 20 is d = 0.5; the sign does not matter.
    #expect(SampleSize.people(effect: -10, spread: 20, power: 0.8, alpha: 0.05) == 34)
    #expect((SampleSize.power(people: 34, effect: 0.5, spread: 1, alpha: 0.05) - 0.807_778).magnitude < 1e-4)
    // Without an effect a test finds one as often as it errs.
    #expect((SampleSize.power(people: 20, effect: 0, spread: 1, alpha: 0.05) - 0.05).magnitude < 1e-5)
    #expect(SampleSize.people(effect: 1e-6, spread: 1, power: 0.8, alpha: 0.05) == nil)
    #expect(SampleSize.people(effect: 1e6, spread: 1, power: 0.8, alpha: 0.05) == 2)
  }

  @Test("No number of people follows from a difference that was not found, and one that was has those of its interval")
  func peopleNeeded() {
    func needed(_ effect: Double, _ half: Double?) -> PeopleNeeded {
      SampleSize.people(
        effect: effect, confidence95: half.map { ConfidenceInterval(lower: effect - $0, upper: effect + $0) },
        spread: 20, power: 0.8, alpha: 0.05)
    }
    #expect(needed(-0.7, 1.1) == .noDifference)
    #expect(needed(0.7, 0.7) == .noDifference)
    #expect(needed(10, nil) == .noDifference)
    let expected = [10, 15, 5].map { SampleSize.people(effect: $0, spread: 20, power: 0.8, alpha: 0.05) }
    #expect(expected[0] == 34)
    for effect in [10.0, -10] {
      guard case .people(let people, let fewest, let most) = needed(effect, 5) else {
        Issue.record("\(effect) ± 5 was found")
        continue
      }
      #expect([people, fewest, most] == expected)
    }
    guard case .people(_, _, let most) = needed(10, 9.999_999) else {
      Issue.record("it was found")
      return
    }
    #expect(most == nil, "more than \(SampleSize.largest)")
  }

  @Test("Every arm stands once on every day and follows every other equally often", arguments: 2...9)
  func counterbalanced(arms: Int) {
    let block = arms % 2 == 0 ? arms : 2 * arms
    let plan = CounterbalancedOrder(arms: arms, people: 3 * block, seed: 5)
    #expect(plan.blockSize == block)
    #expect(plan.isBalanced)
    for start in [0, block, 2 * block] {
      let orders = plan.orders[start..<start + block]
      for day in 0..<arms {
        for arm in 0..<arms { #expect(orders.count { $0[day] == arm } == block / arms) }
      }
      for first in 0..<arms {
        for second in 0..<arms where second != first {
          let follows = orders.count { order in zip(order, order.dropFirst()).contains { $0 == (first, second) } }
          #expect(follows == (arms % 2 == 0 ? 1 : 2))
        }
      }
    }
    #expect(!CounterbalancedOrder(arms: arms, people: block + 1, seed: 5).isBalanced)
    #expect(CounterbalancedOrder(arms: arms, people: block + 1, seed: 5).orders == Array(plan.orders.prefix(block + 1)))
  }

  @Test("Another seed gives another order, the same seed the same")
  func seeds() {
    let plans = (UInt64(0)..<20).map { CounterbalancedOrder(arms: 4, people: 8, seed: $0).orders }
    #expect(Set(plans).count > 15)
    #expect(plans[3] == CounterbalancedOrder(arms: 4, people: 8, seed: 3).orders)
  }
}
