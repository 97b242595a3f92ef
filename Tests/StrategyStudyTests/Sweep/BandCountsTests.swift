@testable import StrategyStudy
import TestSupport
import Testing
import ZoneEngine

@Suite("Seconds in bands, by processors of all kinds")
struct BandCountsTests {
  @Test(
    "Windows and what leads in them are the same however many numbers are worked on at once",
    arguments: 1...60 as ClosedRange<UInt64>)
  func everyWidth(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let zones = try SessionSweepPropertyTests.zones(using: &random)
    let limits = zones.zones.compactMap { $0.lowerBPM ?? $0.upperBPM }
    let session = RandomSeconds(around: limits, longest: 700, using: &random)
    let held = HeldSeconds(try #require(SecondTrack(session.readings, endSeconds: session.endSeconds)))
    let target = SessionSweepPropertyTests.target(in: zones, using: &random)
    let scale = try #require(try BandScale(target, in: zones))
    let rowSeconds = random.pick([1, 1, 7, 16, 30, 60, 64, 65, 150])
    let longest = random.pick([60, 255, 256, BandCounts.longestWindow])
    func counted(_ width: Int, for longest: Int = BandCounts.longestWindow) -> BandCounts {
      var counts = BandCounts(rowSeconds: rowSeconds, longestWindow: longest, vectorWidth: width)
      counts.count(held, by: scale)
      return counts
    }
    let narrow = counted(4)
    let last = held.endSeconds / rowSeconds
    for width in [4, 8, 16] where width <= BandCounts.widestVector {
      let wide = counted(width, for: longest)
      for _ in 0..<100 {
        let start = random.int(0...last)
        let end = random.int(start...min(last, start + longest / rowSeconds))
        let (from, until) = (start * rowSeconds, end * rowSeconds)
        let words: Comment = "\(width) numbers, \(from) to \(until) s"
        let (expected, window) = (narrow.window(from: from, until: until), wide.window(from: from, until: until))
        #expect(window.low == expected.low, words)
        #expect(window.high == expected.high, words)
        let seconds = (0..<16).map { expected[$0] }
        #expect(seconds.reduce(0, +) == until - from, words)
        let most = seconds.dropFirst().max() ?? 0
        let next = seconds.dropFirst().sorted().dropLast().last ?? 0
        for leader in [wide.leader(from: from, until: until), narrow.leader(from: from, until: until)] {
          #expect(leader.seconds == most, words)
          #expect(leader.lead == most - next, words)
          if most > next { #expect(seconds[Int(leader.lane)] == most, words) }
        }
      }
    }
  }
}

@Suite("Whole numbers by which many others are divided")
struct WholeDivisorTests {
  @Test("Quotients are those of a division, up to 32 bits")
  func quotients() {
    var random = SplitMix64(seed: 5)
    let largest = Int(UInt32.max)
    var divisors = [1, 2, 3, 5, 7, 10, 60, 64, 641, 65_535, 65_536, 6_700_417, largest - 1, largest, 1 << 31]
    for _ in 0..<300 { divisors.append(random.int(1...1 << random.int(1...31))) }
    for divisor in divisors {
      let whole = WholeDivisor(divisor)
      var dividends = [0, 1, divisor - 1, divisor, min(largest, 2 * divisor - 1), min(largest, 2 * divisor), largest]
      dividends += [largest / divisor * divisor, max(0, largest / divisor * divisor - 1)]
      for _ in 0..<50 { dividends.append(random.int(0...largest)) }
      for dividend in dividends {
        #expect(whole.quotient(dividend) == dividend / divisor, "\(dividend) by \(divisor)")
        guard dividend + divisor - 1 <= largest else { continue }
        #expect(whole.quotientRoundedUp(dividend) == (dividend + divisor - 1) / divisor, "\(dividend) by \(divisor)")
      }
    }
  }
}
