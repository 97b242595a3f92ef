import Foundation
import StrategyStudy
import TestSupport
import Testing
import ZoneEngine

@Suite("Normal numbers by counter")
struct NormalSequenceTests {
  @Test("Moments and tails are those of the normal distribution")
  func moments() {
    let sequence = NormalSequence(CounterRandom(seed: 5, 7))
    let pairs = 500_000
    var (sum, squares, cubes, fourths, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var beyond = [0, 0, 0]
    for place in 0..<UInt64(pairs) {
      let (first, second) = sequence.pair(at: place)
      product += first * second
      for z in [first, second] {
        sum += z
        squares += z * z
        cubes += z * z * z
        fourths += z * z * z * z
        for limit in 1...3 where z.magnitude > Double(limit) { beyond[limit - 1] += 1 }
      }
    }
    let count = Double(2 * pairs)
    // Five standard errors each: 1, √2, √15 and √96 over the root of the number.
    let error = 5 / count.squareRoot()
    #expect((sum / count).magnitude < error)
    #expect((squares / count - 1).magnitude < error * 1.42)
    #expect((cubes / count).magnitude < error * 3.9)
    #expect((fourths / count - 3).magnitude < error * 9.8)
    #expect((product / Double(pairs)).magnitude < error * 1.42)
    for (limit, share) in [0.317_310_5, 0.045_500_3, 0.002_699_8].enumerated() {
      let deviation = (share * (1 - share)).squareRoot()
      #expect((Double(beyond[limit]) / count - share).magnitude < error * deviation, "beyond \(limit + 1)")
    }
  }

  @Test("Correlated noise has its deviation and its time constant, and a longer series begins with the shorter")
  func correlated() {
    let sequence = NormalSequence(CounterRandom(seed: 3, 1))
    var long: [Double] = []
    var short: [Double] = []
    sequence.fillCorrelated(&long, count: 400_000, standardDeviation: 2.2, timeConstant: 20)
    sequence.fillCorrelated(&short, count: 1_001, standardDeviation: 2.2, timeConstant: 20)
    #expect(Array(long.prefix(1_001)) == short)
    let variance = long.reduce(0) { $0 + $1 * $1 } / Double(long.count)
    #expect((variance.squareRoot() - 2.2).magnitude < 0.06)
    let lagged = zip(long, long.dropFirst(20)).reduce(0) { $0 + $1.0 * $1.1 } / Double(long.count - 20)
    #expect((lagged / variance - exp(-1)).magnitude < 0.04)
    sequence.fillCorrelated(&short, count: 10, standardDeviation: 0, timeConstant: 20)
    #expect(short == Array(repeating: 0, count: 10))
  }

  @Test("Elementary functions agree with those of the C library")
  func elementary() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let x = Foundation.exp(random.unit() * 1_400 - 700)
      #expect((PortableMath.log(x) - Foundation.log(x)).magnitude <= 4e-16 * max(1, Foundation.log(x).magnitude))
      let y = random.unit() * 1_400 - 700
      #expect((PortableMath.exp(y) / Foundation.exp(y) - 1).magnitude < 1e-15, "\(y)")
    }
    #expect(PortableMath.log(1) == 0)
    #expect(PortableMath.exp(0) == 1)
    #expect(PortableMath.exp(-800) == 0)
    #expect(PortableMath.exp(800) == .infinity)
    #expect((PortableMath.power(2, 10) - 1_024).magnitude < 1e-11)
  }
}
