import Testing
import TestSupport

@testable import ActivityRecognition

@Suite("Lengths of motion by which units are judged")
struct MotionLengthsTests {
  private typealias Reading = (acceleration: Double?, turn: Double?)

  private static func axes(_ value: Double) -> SIMD3<Float> {
    SIMD3(Float(value), Float(value + 1), Float(value + 2))
  }

  private static func lengths(
    _ readings: [Reading], acceleration: SIMD3<Double>?? = .some(nil), rotationRate: SIMD3<Double>?? = .some(nil)
  ) -> MotionLengths {
    var lengths = MotionLengths(acceleration: acceleration, rotationRate: rotationRate)
    for reading in readings {
      if let value = reading.acceleration { lengths.admit(acceleration: axes(value)) }
      if let value = reading.turn { lengths.admit(rotationRate: axes(value)) }
    }
    return lengths
  }

  /// The rows themselves: accelerations and turns beside each other, each without the rows that have none of it.
  private static func rows(_ readings: [Reading]) -> [SIMD8<Float>] {
    let accelerations = readings.compactMap(\.acceleration).map(axes)
    let turns = readings.compactMap(\.turn).map(axes)
    return (0..<max(accelerations.count, turns.count)).map { index in
      let missing = SIMD3<Float>(repeating: .nan)
      let a = index < accelerations.count ? accelerations[index] : accelerations.isEmpty ? .zero : missing
      let g = index < turns.count ? turns[index] : missing
      return SIMD8(a[0], a[1], a[2], g[0], g[1], g[2], 0, 0)
    }
  }

  private static func length(_ value: Double) -> Float {
    let axes = axes(value)
    return (axes * axes).sum().squareRoot()
  }

  @Test("Accelerations and turns stand beside each other, each without the rows that have none of it")
  func beside() {
    let both = Self.lengths([(1, 10), (nil, 20), (2, nil), (3, 30)])
    #expect(both.map(\.acceleration) == [Self.length(1), Self.length(2), Self.length(3)])
    #expect(both.map(\.turn) == [Self.length(10), Self.length(20), Self.length(30)])
  }

  @Test("What is missing is no number; without any acceleration it is 0")
  func missing() throws {
    let turns = Self.lengths([(nil, 10), (nil, 20)])
    #expect(turns.map(\.acceleration) == [0, 0])
    #expect(turns.map(\.turn) == [Self.length(10), Self.length(20)])
    let late = Self.lengths([(nil, 10), (nil, 20), (1, nil)])
    #expect(late.count == 2)
    #expect(late.first?.acceleration == Self.length(1))
    let last = try #require(late.last)
    #expect(last.acceleration.isNaN)
    #expect(last.turn == Self.length(20))
    let first = try #require(Self.lengths([(1, nil)]).first)
    #expect(first.turn.isNaN)
    #expect(Self.lengths([]).isEmpty)
  }

  @Test("A row takes eight bytes, and the first million counts")
  func bounded() {
    #expect(MemoryLayout<MotionLengths.Row>.stride == 8)
    var lengths = MotionLengths(acceleration: .some(nil), rotationRate: nil)
    for _ in 0..<MotionLengths.most { lengths.admit(acceleration: .one) }
    lengths.admit(acceleration: .zero)
    #expect(lengths.count == MotionLengths.most)
    #expect(lengths.last?.acceleration == Float(3).squareRoot())
  }

  @Test("Lengths look as the rows themselves do", arguments: [1, 2, 3, 40, 9_999, 20_000, 45_678] as [Int])
  func looks(count: Int) {
    for seed in UInt64(1)...6 {
      var dice = SplitMix64(seed: seed &+ UInt64(count))
      let readings: [Reading] = (0..<count).map { _ in
        // Of some seeds one of the two is missing here and there, or always; now and then something is a glitch.
        let scale = Double.random(in: 0...1, using: &dice) < 0.001 ? 500.0 : 1
        let acceleration: Double? =
          seed == 5 || seed == 2 && Bool.random(using: &dice) ? nil : scale * Double.random(in: -9...9, using: &dice)
        let turn: Double? =
          seed == 6 || seed == 3 && Bool.random(using: &dice)
          ? nil : Double.random(in: seed == 4 ? -90...90 : -3...3, using: &dice)
        return (acceleration, turn)
      }
      for (stated, statedTurn) in [(nil, nil), (SIMD3(0.1, 0.1, 0.2), SIMD3(repeating: 0.017))]
        as [(SIMD3<Double>?, SIMD3<Double>?)]
      {
        let lengths = Self.lengths(readings, acceleration: .some(stated), rotationRate: .some(statedTurn))
        let looks = MotionLooks([Self.rows(readings)], acceleration: stated, rotationRate: statedTurn)
        #expect(MotionLooks(lengths) == looks, "seed \(seed), \(count) rows")
      }
    }
  }
}
