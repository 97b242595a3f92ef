import TestSupport
import Testing
import ZoneEngine

@Suite("Random numbers by counter")
struct CounterRandomTests {
  @Test("The sequence of a key is that of SplitMix64 from there")
  func reference() {
    for seed in UInt64(0)..<20 {
      let random = CounterRandom(seed: seed, 7, 9)
      var reference = SplitMix64(seed: random.key)
      for counter in UInt64(0)..<100 { #expect(random.bits(at: counter) == reference.next()) }
    }
  }

  @Test("Seeds and words give sequences of their own, and uniform numbers have the moments of uniform ones")
  func independence() {
    var keys: Set<UInt64> = []
    for seed in UInt64(0)..<50 {
      for word in UInt64(0)..<50 { keys.insert(CounterRandom(seed: seed, word).key) }
      keys.insert(CounterRandom(seed: seed).key)
    }
    #expect(keys.count == 50 * 51)
    #expect(CounterRandom(seed: 1, 2, 3).key != CounterRandom(seed: 1, 3, 2).key)
    let count = 100_000
    var (sum, squares, lagged, before) = (0.0, 0.0, 0.0, 0.5)
    for counter in 0..<count {
      let value = CounterRandom(seed: 3, 1).unit(at: UInt64(counter))
      #expect(value >= 0)
      #expect(value < 1)
      sum += value
      squares += value * value
      lagged += (value - 0.5) * (before - 0.5)
      before = value
    }
    let mean = sum / Double(count)
    // Four standard errors.
    #expect(abs(mean - 0.5) < 4 * 0.2887 / Double(count).squareRoot())
    #expect(abs(squares / Double(count) - 1.0 / 3) < 4 * 0.298 / Double(count).squareRoot())
    #expect(abs(lagged / Double(count)) < 4 / 12.0 / Double(count).squareRoot())
  }
}
