@testable import LiveCoaching
import TestSupport
import Testing

@Suite("Due times")
struct DueTimesTests {
  @Test("come in order, whatever the order in which they were put in", arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var times = DueTimes()
    var expected: [Int64] = []
    for number in 0..<300 {
      let time = Int64(random.int(0...1_000))
      expected.append(time)
      times.insert(SessionNumber(value: UInt64(number)), at: time)
      guard random.int(0...3) == 0 else { continue }
      let now = Int64(random.int(0...1_000))
      while let (_, time) = times.removeFirst(until: now) {
        let least = expected.min()
        #expect(time == least, "seed \(seed)")
        expected.remove(at: expected.firstIndex(of: time) ?? 0)
      }
      #expect(expected.allSatisfy { $0 > now }, "seed \(seed)")
    }
    #expect(times.count == expected.count, "seed \(seed)")
    #expect(times.earliest == expected.min(), "seed \(seed)")
  }
}
