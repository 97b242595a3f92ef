import Testing
import WorkoutSession

@testable import Recordings

@Suite("Rows of motion by which units are judged")
struct MotionRowsTests {
  private static func axes(_ value: Double) -> Axes { Axes(x: value, y: value + 1, z: value + 2) }

  private static func rows(_ readings: [(acceleration: Double?, turn: Double?)]) -> [SIMD8<Float>] {
    var rows = MotionRows()
    for reading in readings {
      rows.admit(
        MotionReading(
          acceleration: reading.acceleration.map(axes), rotationRate: reading.turn.map(axes), magneticField: nil))
    }
    return rows.samples
  }

  @Test("Accelerations and turns stand beside each other, each without the rows that have none of it")
  func beside() {
    let both = Self.rows([(1, 10), (nil, 20), (2, nil), (3, 30)])
    #expect(
      both == [
        SIMD8(1, 2, 3, 10, 11, 12, 0, 0), SIMD8(2, 3, 4, 20, 21, 22, 0, 0), SIMD8(3, 4, 5, 30, 31, 32, 0, 0),
      ])
  }

  @Test("What is missing is no number; without any acceleration it is 0")
  func missing() throws {
    let turns = Self.rows([(nil, 10), (nil, 20)])
    #expect(turns == [SIMD8(0, 0, 0, 10, 11, 12, 0, 0), SIMD8(0, 0, 0, 20, 21, 22, 0, 0)])
    let late = Self.rows([(nil, 10), (nil, 20), (1, nil)])
    #expect(late.count == 2)
    #expect(late[0] == SIMD8(1, 2, 3, 10, 11, 12, 0, 0))
    let last = try #require(late.last)
    #expect((0..<3).allSatisfy { last[$0].isNaN })
    #expect(last[3] == 20)
    let accelerations = Self.rows([(1, nil)])
    let first = try #require(accelerations.first)
    #expect((3..<6).allSatisfy { first[$0].isNaN })
    #expect(Self.rows([]).isEmpty)
  }
}
