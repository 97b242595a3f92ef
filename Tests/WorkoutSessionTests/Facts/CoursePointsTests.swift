import TestSupport
import Testing

@testable import WorkoutSession

@Suite("Points of a course")
struct CoursePointsTests {
  @Test("come back as they were appended, whatever lies between them", arguments: 0..<20)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var points = CoursePoints()
    var expected: [CoursePoints.Point] = []
    var milliseconds: UInt32 = 0
    var length: UInt64 = 0
    for _ in 0..<400 {
      // Mostly a second, and a few metres; sometimes nothing, a limit of what is packed, or a long way.
      milliseconds +=
        [UInt32(1_000), 1_000, 873, 1_127, 0, 1_128, 250, 90_000, 5_000_000].randomElement(using: &random) ?? 0
      length +=
        [UInt64.random(in: 20_000..<40_000, using: &random), 0, 65_534, 65_535, 65_536, 4_000_000_000]
        .randomElement(using: &random) ?? 0
      let point = CoursePoints.Point(milliseconds: milliseconds, tenthMillimeters: length)
      points.append(point)
      expected.append(point)
    }
    var found: [CoursePoints.Point] = []
    points.forEach { found.append($0) }
    #expect(found == expected)
    #expect(points.count == expected.count)
    #expect(points.last == expected.last)
  }

  @Test("never fall, in time or in length")
  func neverFall() {
    var points = CoursePoints()
    points.append(CoursePoints.Point(milliseconds: 5_000, tenthMillimeters: 10_000))
    points.append(CoursePoints.Point(milliseconds: 4_000, tenthMillimeters: 9_000))
    var found: [CoursePoints.Point] = []
    points.forEach { found.append($0) }
    #expect(found == Array(repeating: CoursePoints.Point(milliseconds: 5_000, tenthMillimeters: 10_000), count: 2))
  }
}
