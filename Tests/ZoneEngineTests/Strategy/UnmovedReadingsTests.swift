import TestSupport
import Testing

@testable import ZoneEngine

@Suite("A heart rate that need not be observed")
struct UnmovedReadingsTests {
  @Test("leaves the next check of zone-change what it would be if it were", arguments: 0..<200)
  func nextCheck(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let strategy = FeedbackStrategy.zoneChange(
      try ZoneChangeStrategy(
        dwell: .seconds(generator.int(0...6)), marginBPM: generator.int(0...4),
        reminder: .seconds(generator.pick([0, 20])), grace: .seconds(generator.pick([0, 5])),
        median: .seconds(generator.pick([0, 0, 0, 5])), saysHold: generator.chance(0.5)))
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
    let targets: [ResolvedTarget?] = [
      nil, try ResolvedTarget(.between(118, 122), in: zones), try ResolvedTarget(.zone(5), in: zones),
      try ResolvedTarget(.zone(1), in: zones),
    ]
    var target = targets[generator.int(0...3)]
    var window = HeldWindow(window: .seconds(30))
    var (fed, spared) = (NextCheck(strategy, longestSilence: nil), NextCheck(strategy, longestSilence: nil))
    var (bpm, sparedCount) = (120, 0)
    for second in 0..<2_000 {
      let now = SessionTime.seconds(second)
      switch generator.int(0...60) {
      case 0:
        fed.lose()
        spared.lose()
      case 1:
        target = targets[generator.int(0...3)]
        fed.restart(at: now, longestSilence: nil)
        spared.restart(at: now, longestSilence: nil)
      case 2: bpm = generator.int(60...200)
      default: break
      }
      if let due = fed.due, due <= now {
        let outcome = generator.pick([Decision.Outcome.cue(.hold), .withheld(.returning), .withheld(.warmUp)])
        let retry = generator.chance(0.3) ? now + .seconds(5) : nil
        fed.pass(outcome, at: now, retry: retry)
        spared.pass(outcome, at: now, retry: retry)
      }
      bpm = min(max(bpm + generator.int(-2...2), 100), 200)
      fed.observe(bpm, target: target, window: window, until: now, at: now)
      if spared.isUnmoved(by: bpm) {
        sparedCount += 1
      } else {
        spared.observe(bpm, target: target, window: window, until: now, at: now)
      }
      window.hold(Int16(bpm), from: now)
      #expect(fed.due == spared.due, "at \(second) s")
      #expect(fed.changes?.side == spared.changes?.side, "at \(second) s")
    }
    guard case .zoneChange(let change) = strategy, change.median == .zero else {
      #expect(sparedCount == 0)
      return
    }
    #expect(sparedCount > 100)
  }

  @Test("leaves a ceiling what it would be if it were", arguments: 0..<100)
  func ceiling(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let ceiling = try SafetyCeiling(beatsPerMinute: 180, after: .seconds(generator.int(1...10)))
    var (fed, spared) = (CeilingWatch(ceiling), CeilingWatch(ceiling))
    var (bpm, sparedCount) = (178, 0)
    for second in 0..<2_000 {
      let now = SessionTime.seconds(second)
      if generator.int(0...60) == 0 {
        fed.lose()
        spared.lose()
      }
      if let due = fed.due, due <= now {
        let sounds = (fed.sound(at: now), spared.sound(at: now))
        #expect(sounds.0 == sounds.1)
      }
      bpm = min(max(bpm + generator.int(-2...2), 172), 190)
      fed.observe(bpm, at: now)
      if bpm <= spared.unmovedUpTo { sparedCount += 1 } else { spared.observe(bpm, at: now) }
      #expect(fed.due == spared.due, "at \(second) s")
      #expect(fed.isSounding(at: now) == spared.isSounding(at: now), "at \(second) s")
    }
    #expect(sparedCount > 100)
  }
}
