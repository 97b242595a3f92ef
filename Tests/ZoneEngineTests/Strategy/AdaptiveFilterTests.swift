import Foundation
import TestSupport
import Testing

@testable import ZoneEngine

@Suite("A filter of the adaptive strategy")
struct AdaptiveFilterTests {
  private let aim = 122.0...134.0

  /// A heart of 40 s, seen every 5 s, on its way to a level.
  private func follow(_ filter: inout AdaptiveFilter, from start: Double, to end: Double, seconds: Int) {
    filter.begin(start)
    for second in stride(from: 5, through: seconds, by: 5) {
      filter.predict(5, aim: aim)
      _ = filter.update(end + (start - end) * exp(-Double(second) / 40))
    }
  }

  private func habit(steers: Bool = false, relapse: Double? = nil, follows: Double = 0.85) -> AdaptiveHabit {
    AdaptiveHabit(timeConstant: 40, relapseSeconds: relapse, steers: steers, follows: follows)
  }

  @Test("foresees a heart that follows as it assumes")
  func foresees() {
    var filter = AdaptiveFilter(habit(), .anybody, middleBPM: 128)
    follow(&filter, from: 80, to: 165, seconds: 60)
    // 165 − 85·exp(−(60 + 30)/40) = 156.0 after another 30 s; two standard deviations of the readings are allowed for.
    #expect(abs(filter.expected(in: 30, aim: aim) - 156.0) < 4)
    #expect(filter.distance(of: 165 - 85 * exp(-60 / 40.0)) < 1)
  }

  @Test("expects more of a cue from somebody who follows most of them")
  func compliance() {
    let expected = [0.85, 0.3].map { follows in
      var filter = AdaptiveFilter(habit(follows: follows), .anybody, middleBPM: 150)
      follow(&filter, from: 150, to: 150, seconds: 300)
      let before = filter.expected(in: 60, aim: aim)
      filter.pending = -1
      return before - filter.expected(in: 60, aim: aim)
    }
    // 11 bpm where it is followed, of which 1 − exp(−60/40) = 0.777 have come: 7.3 and 2.6.
    #expect(abs(expected[0] - 7.3) < 0.5)
    #expect(abs(expected[1] - 2.6) < 0.5)
  }

  @Test("expects those who steer by themselves to come back")
  func steering() {
    var steers = AdaptiveFilter(habit(steers: true), .anybody, middleBPM: 150)
    var keeps = AdaptiveFilter(habit(), .anybody, middleBPM: 150)
    follow(&keeps, from: 150, to: 150, seconds: 10)
    follow(&steers, from: 150, to: 150, seconds: 10)
    #expect(steers.expected(in: 60, aim: aim) < keeps.expected(in: 60, aim: aim) - 5)
    let target = 118.5...137.5
    let bought = [keeps, steers].map {
      $0.secondsInTarget(cues: 1, -1, target, aim: aim) - $0.secondsInTarget(cues: 0, -1, target, aim: aim)
    }
    #expect(bought[0] > bought[1])
  }

  @Test("counts no more seconds than there are, whatever the numbers", arguments: 1...200)
  func seconds(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    for habit in AdaptiveHabit.all {
      var filter = AdaptiveFilter(habit, .anybody, middleBPM: 128)
      filter.begin(Double(generator.int(30...230)))
      for _ in 0..<60 {
        filter.predict(Double(generator.pick([1, 5, 60])), aim: aim)
        _ = filter.update(Double(generator.int(30...230)))
        filter.pending = generator.pick([-1, 0, 0, 0, 1])
      }
      for cues in [0, 1, 8] {
        let seconds = filter.secondsInTarget(cues: cues, generator.pick([-1, 1]), 118.5...137.5, aim: aim)
        #expect(seconds >= -6, "seed \(seed)")
        #expect(seconds <= 280, "seed \(seed)")
      }
      #expect(filter.distance(of: 128).isFinite, "seed \(seed)")
    }
  }

  @Test("assumes shares of people that come to all of them")
  func shares() {
    #expect(AdaptiveHabit.all.count == 12)
    #expect(abs(AdaptiveHabit.all.map(RunnerPrior.anybody.share).reduce(0, +) - 1) < 1e-12)
  }
}
