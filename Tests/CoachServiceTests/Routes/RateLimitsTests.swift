@testable import CoachService
import TestSupport
import Testing
import TextFormats

@Suite("How much may come of one who asks")
struct RateLimitsTests {
  private func time(_ seconds: Double) -> WallClockTime { WallClockTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test("Where the bucket stood changes nothing, over seeds", arguments: 1...4 as ClosedRange<UInt64>)
  func places(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (plain, placed) = (RateLimits(), RateLimits())
    var now = 0.0
    for _ in 0..<3_000 {
      let id = random.pick(["a", "b", "c"])
      now += random.pick([0, 0, 0.01, 0.2])
      let place = placed.place(of: id, now: time(now))
      if random.chance(0.5) {
        let expected = plain.takeRequest(of: id, now: time(now))
        let found = placed.takeRequest(of: id, at: place, now: time(now))
        #expect(found == expected, "seed \(seed)")
      } else {
        let count = random.int(1...4_000)
        let expected = plain.takeSamples(count, of: id, now: time(now))
        let found = placed.takeSamples(count, of: id, at: place, now: time(now))
        #expect(found == expected, "seed \(seed)")
      }
    }
  }

  @Test(
    "Who comes again after the seconds that were said is let in, and not a second sooner, over seeds",
    arguments: 1...4 as ClosedRange<UInt64>)
  func secondsToWait(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var refusals = 0
    for _ in 0..<500 {
      var limits = RateLimits()
      // What came before, and what came of it.
      for _ in 0..<random.int(1...6) { _ = limits.takeSamples(random.int(1...2_500), of: "a", now: time(0)) }
      if random.chance(0.5) { limits.charge(records: random.int(1...9_000), to: "a", now: time(0)) }
      let count = random.int(1...5_000)
      var tried = limits
      guard let seconds = tried.takeSamples(count, of: "a", now: time(0)) else { continue }
      refusals += 1
      #expect(seconds >= 1, "seed \(seed)")
      for second in [seconds - 1, seconds] where second > 0 {
        var later = limits
        let wait = later.takeSamples(count, of: "a", now: time(Double(second)))
        #expect((wait == nil) == (second == seconds), "seed \(seed): \(count) after \(second) s of \(seconds)")
      }
    }
    #expect(refusals > 50, "seed \(seed)")
  }

  @Test("A place of before all buckets were let go is nobody else's bucket")
  func emptied() {
    var limits = RateLimits()
    let place = limits.place(of: "first", now: time(0))
    for number in 0...RateLimits.most { _ = limits.place(of: "\(number)", now: time(0)) }
    let most = 2 * RateLimits.requestsPerSecond
    let taken = (0...most).map { _ in limits.takeRequest(of: "first", at: place, now: time(0)) }
    #expect(taken == (0...most).map { $0 < most })
    let other = limits.takeRequest(of: "\(RateLimits.most)", now: time(0))
    #expect(other)
  }
}
