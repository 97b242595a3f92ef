import Foundation
import TestSupport
import Testing

@testable import ZoneEngine

@Suite("A pair of filters of the adaptive strategy")
struct AdaptiveFilterTests {
  private let aim = 122.0...134.0

  /// A heart of 40 s, seen every 5 s, on its way to a level.
  private func follow(_ filter: inout AdaptiveFilter, from start: Double, to end: Double, seconds: Int) {
    filter.begin(start)
    for second in stride(from: 5, through: seconds, by: 5) {
      filter.predict(5, aim: aim)
      filter.update(end + (start - end) * exp(-Double(second) / 40))
    }
  }

  /// Somebody who follows most cues, and somebody who follows three of ten.
  private func pair(steers: Bool = false, relapse: Double? = nil, middleBPM: Double) -> AdaptiveFilter {
    func habit(_ follows: Double) -> AdaptiveHabit {
      AdaptiveHabit(timeConstant: 40, relapseSeconds: relapse, steers: steers, follows: follows)
    }
    return AdaptiveFilter((habit(0.85), habit(0.3)), .anybody, middleBPM: middleBPM)
  }

  @Test("foresees a heart that follows as it assumes")
  func foresees() {
    var filter = pair(middleBPM: 128)
    follow(&filter, from: 80, to: 165, seconds: 60)
    // 165 − 85·exp(−(60 + 30)/40) = 156.0 after another 30 s; two standard deviations of the readings are allowed for.
    #expect(abs(filter.expected(aim: aim).soon[0] - 156.0) < 4)
    #expect(filter.distances(of: 165 - 85 * exp(-60 / 40.0))[0] < 1)
  }

  @Test("expects more of a cue from somebody who follows most of them")
  func compliance() {
    var filter = pair(middleBPM: 150)
    follow(&filter, from: 150, to: 150, seconds: 300)
    let before = filter.expected(aim: aim).later
    filter.pending = -1
    let fallen = before - filter.expected(aim: aim).later
    // 11 bpm where it is followed, of which 1 − exp(−60/40) = 0.777 have come: 7.3 and 2.6.
    #expect(abs(fallen[0] - 7.3) < 0.5)
    #expect(abs(fallen[1] - 2.6) < 0.5)
  }

  @Test("expects those who steer by themselves to come back")
  func steering() {
    var (steers, keeps) = (pair(steers: true, middleBPM: 150), pair(middleBPM: 150))
    follow(&keeps, from: 150, to: 150, seconds: 10)
    follow(&steers, from: 150, to: 150, seconds: 10)
    #expect(steers.expected(aim: aim).later[0] < keeps.expected(aim: aim).later[0] - 5)
    let bought = [keeps, steers].map { $0.outlook(0, direction: -1).gains(118.5...137.5, aim: aim)[0] }
    #expect(bought[0] > bought[1])
  }

  @Test("knows the same of a spacing whether it is new or was kept")
  func spacing() {
    var (kept, fresh) = (pair(relapse: 230, middleBPM: 128), pair(relapse: 230, middleBPM: 128))
    // What another spacing leaves behind, a second of no time takes nothing from.
    for seconds in [7.0, 7, 3, 7] { kept.predict(seconds, aim: aim) }
    for seconds in [7.0, 7, 3, 7] {
      fresh.predict(0, aim: aim)
      fresh.predict(seconds, aim: aim)
    }
    #expect(kept.expected(aim: aim).soon == fresh.expected(aim: aim).soon)
    #expect(kept.expected(aim: aim).later == fresh.expected(aim: aim).later)
  }

  @Test("counts no more seconds than there are, whatever the numbers", arguments: 1...200)
  func seconds(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    for pair in 0..<6 {
      let habits = (AdaptiveHabit.all[2 * pair], AdaptiveHabit.all[2 * pair + 1])
      var filter = AdaptiveFilter(habits, .anybody, middleBPM: 128)
      filter.begin(Double(generator.int(30...230)))
      for _ in 0..<60 {
        filter.predict(Double(generator.pick([1, 5, 60])), aim: aim)
        filter.update(Double(generator.int(30...230)))
        filter.pending = generator.pick([-1, 0, 0, 0, 1])
      }
      let outlook = filter.outlook(generator.int(0...1), direction: generator.pick([-1, 1]))
      let gains = outlook.gains(118.5...137.5, aim: aim)
      for row in gains.indices { #expect(abs(gains[row]) <= 286, "seed \(seed)") }
      #expect(filter.distances(of: 128)[0].isFinite, "seed \(seed)")
      #expect(filter.distances(of: 128)[1].isFinite, "seed \(seed)")
    }
  }

  @Test("assumes shares of people that come to all of them")
  func shares() {
    #expect(AdaptiveHabit.all.count == 12)
    #expect(abs(AdaptiveHabit.all.map(RunnerPrior.anybody.share).reduce(0, +) - 1) < 1e-12)
  }

  @Test("pairs those who differ in the share of cues that they follow alone")
  func pairs() {
    for pair in 0..<6 {
      let (first, second) = (AdaptiveHabit.all[2 * pair], AdaptiveHabit.all[2 * pair + 1])
      #expect(first.timeConstant == second.timeConstant)
      #expect(first.relapseSeconds == second.relapseSeconds)
      #expect(first.steers == second.steers)
      #expect(first.follows > second.follows)
    }
  }
}
