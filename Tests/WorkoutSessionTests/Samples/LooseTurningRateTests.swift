import Testing
import ZoneEngine

@testable import WorkoutSession

@Suite("A turning rate in a sample of its own")
struct LooseTurningRateTests {
  private static let rate = Axes(x: 1, y: 2, z: 3)

  @Test("goes with the accelerations up to a tenth of a second after it, and with none before it")
  func age() {
    var loose = LooseTurningRate()
    #expect(loose.rate(beside: .zero) == nil)
    loose.take(Self.rate, at: .seconds(10))
    let after: [(nanoseconds: Int64, isBeside: Bool)] = [
      (-1, false), (0, true), (100_000_000, true), (100_000_001, false),
    ]
    for (nanoseconds, isBeside) in after {
      let found = loose.rate(beside: .seconds(10) + SessionTime(nanoseconds: nanoseconds))
      #expect(found == (isBeside ? Self.rate : nil), "\(nanoseconds) ns")
    }
    let newer = Axes(x: 4, y: 5, z: 6)
    loose.take(newer, at: .seconds(11))
    #expect(loose.rate(beside: .seconds(11)) == newer)
  }

  @Test("goes with nothing that is centuries apart")
  func centuries() {
    var loose = LooseTurningRate()
    loose.take(Self.rate, at: SessionTime(nanoseconds: .min))
    #expect(loose.rate(beside: SessionTime(nanoseconds: .max)) == nil)
    loose.take(Self.rate, at: SessionTime(nanoseconds: .max))
    #expect(loose.rate(beside: SessionTime(nanoseconds: .min)) == nil)
  }
}
