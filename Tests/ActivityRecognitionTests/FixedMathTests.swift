import Glibc
import TestSupport
import Testing

@testable import ActivityRecognition

@Suite("Elementary functions of IEEE operations alone")
struct FixedMathTests {
  @Test("They agree with the C library's to a few units of the last place", arguments: [1 as UInt64, 2])
  func agreement(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func close(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 4e-15 * max(1, abs(b)) }
    for _ in 0..<300 {
      let x = (random.unit() - 0.5) * 40
      #expect(close(FixedMath.exp(x / 2) / exp(x / 2), 1), "seed \(seed): exp of \(x / 2)")
      #expect(close(FixedMath.log(abs(x) + 1e-9), log(abs(x) + 1e-9)), "seed \(seed): log of \(abs(x) + 1e-9)")
      let wave = FixedMath.cosineAndSine(radians: x)
      #expect(abs(wave.cosine - cos(x)) < 1e-14, "seed \(seed): cosine of \(x)")
      #expect(abs(wave.sine - sin(x)) < 1e-14, "seed \(seed): sine of \(x)")
      let y = (random.unit() - 0.5) * 40
      #expect(close(FixedMath.angle(y: y, x: x), atan2(y, x)), "seed \(seed): angle of \(y), \(x)")
      #expect(abs(FixedMath.arccosine(x / 20) - acos(x / 20)) < 1e-14, "seed \(seed): arccosine of \(x / 20)")
    }
  }

  @Test("Numbers by chance have the means and spreads that they should")
  func random() {
    var random = SeededRandom(seed: 1)
    let normal = (0..<4_000).map { _ in random.normal() }
    let mean = normal.reduce(0, +) / 4_000
    #expect(abs(mean) < 0.05)
    #expect(abs(normal.reduce(0) { $0 + $1 * $1 } / 4_000 - 1) < 0.08)
    let beta = (0..<2_000).map { _ in random.beta(shape: 0.2) }
    // The variance of a beta distribution with both parameters a is 1 / (4 (2 a + 1)).
    #expect(abs(beta.reduce(0, +) / 2_000 - 0.5) < 0.04)
    #expect(abs(beta.reduce(0) { $0 + ($1 - 0.5) * ($1 - 0.5) } / 2_000 - 1 / 5.6) < 0.02)
  }
}
