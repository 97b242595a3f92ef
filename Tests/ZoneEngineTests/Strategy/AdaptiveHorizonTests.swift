import TestSupport
import Testing

@testable import ZoneEngine

@Suite("The horizon of the adaptive strategy, in single precision")
struct AdaptiveHorizonTests {
  private let aim = 121.0...139.0

  private func outlook(of habit: AdaptiveHabit, using generator: inout SplitMix64) -> AdaptiveOutlook {
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double(generator.int(0...1_000_000)) / 1_000_000
    }
    return AdaptiveOutlook(
      weight: 1, follows: habit.follows, steers: habit.steers,
      left: AdaptiveDecay(AdaptiveOutlook.stepSeconds, of: habit), course: number(40...220), level: number(40...220),
      changed: number(-40...40), sway: number(-12...12), cue: number(-25...25), courseVariance: number(0...40),
      levelVariance: number(-1...400))
  }

  @Test("is nearer to what is exact than it says, and than a tenth of a second in the mean", arguments: 1...20)
  func near(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    var (largest, sum, count) = (0.0, 0.0, 0)
    for _ in 0..<60 {
      let pair = generator.int(0...5)
      let outlook = outlook(of: AdaptiveHabit.all[2 * pair], using: &generator)
      let horizon = AdaptiveHorizon.all[pair]
      try #require(horizon.isGood(for: outlook))
      let target = Double(generator.int(90...150)) - 0.5...Double(generator.int(151...180)) + 0.5
      let (quick, exact) = (horizon.gains(outlook, target, aim: aim), outlook.gains(target, aim: aim))
      for row in quick.indices {
        largest = max(largest, abs(quick[row] - exact[row]))
        sum += abs(quick[row] - exact[row])
        count += 1
      }
    }
    #expect(largest < AdaptiveHorizon.errorSeconds, "seed \(seed)")
    #expect(sum / Double(count) < 0.1, "seed \(seed)")
  }

  @Test("takes a series for the same as a longer one until a further cue is due", arguments: [0, 2])
  func shared(pair: Int) {
    var generator = SplitMix64(seed: 11)
    let before = outlook(of: AdaptiveHabit.all[2 * pair], using: &generator)
    // Known to a hair, and at the middle of the target for the first two cues alone: what more cues do shows at once.
    let known = AdaptiveOutlook(
      weight: 1, follows: 1, steers: before.steers, left: before.left, course: 150, level: 150, changed: 0, sway: 0,
      cue: -6, courseVariance: 0, levelVariance: 0)
    let gains = AdaptiveHorizon.all[pair].gains(known, 117.5...138.5, aim: aim)
    let exact = known.gains(117.5...138.5, aim: aim)
    for row in gains.indices { #expect(abs(gains[row] - exact[row]) < AdaptiveHorizon.errorSeconds, "series \(row)") }
    #expect(gains[0] < gains[1])
    #expect(gains[1] != gains[2])
    #expect(gains[2] != gains[3])
    #expect(gains[3] != gains[4])
  }

  @Test("is no good for numbers that are none of a heart")
  func numbers() {
    var generator = SplitMix64(seed: 7)
    let horizon = AdaptiveHorizon.all[0]
    let ordinary = outlook(of: AdaptiveHabit.all[0], using: &generator)
    #expect(horizon.isGood(for: ordinary))
    for number in [1e3, -1e6, .infinity, .nan] {
      let odd = AdaptiveOutlook(
        weight: 1, follows: 1, steers: false, left: ordinary.left, course: number, level: 130, changed: 0, sway: 0,
        cue: 11, courseVariance: 1, levelVariance: 1)
      #expect(!horizon.isGood(for: odd), "\(number)")
    }
  }

  @Test("decides as the exact seconds do, to the last bit of the price", arguments: 1...20)
  func decides(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed) &* 31)
    let target = 118.0...138.0
    var course = AdaptiveCourse(target)
    var bpm = Double(generator.int(80...170))
    var pace = Double(generator.int(100...175))
    for look in 0..<120 {
      pace += Double(generator.int(-30...30)) / 10
      bpm += (pace - bpm) * 0.12
      let now = SessionTime.seconds(5 * look)
      course.observe(Int(bpm.rounded()) + generator.int(-2...2), readAt: now, now: now, target: target)
      if generator.chance(0.1) { course.say(generator.pick([.speedUp, .slowDown])) }
      for direction in [-1.0, 1] {
        let gain = course.gain(direction, in: 117.5...138.5)
        #expect(course.buys(gain, direction, in: 117.5...138.5), "seed \(seed), look \(look)")
        #expect(!course.buys(gain.nextUp, direction, in: 117.5...138.5), "seed \(seed), look \(look)")
        #expect(course.buys(gain - 10, direction, in: 117.5...138.5), "seed \(seed), look \(look)")
        #expect(!course.buys(gain + 10, direction, in: 117.5...138.5), "seed \(seed), look \(look)")
      }
    }
  }
}
