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
