import TestSupport
import Testing

@testable import ZoneEngine

@Suite("Which altitudes count")
struct AltitudeChoiceTests {
  private typealias Use = AltitudeChoice.Use

  @Test("are those of positions alone, or of a barometer alone")
  func alone() {
    for isBarometer in [false, true] {
      var choice = AltitudeChoice()
      let uses = (0..<5).map { choice.admit(ofBarometer: isBarometer, at: .seconds($0 * 20)) }
      #expect(uses == [Use](repeating: .goOn, count: 5))
    }
  }

  @Test(
    "are those of the barometer from its first one on, and of positions again when it is silent; nothing joins the two")
  func both() {
    var choice = AltitudeChoice()
    #expect(choice.admit(ofBarometer: false, at: .seconds(0)) == .goOn)
    #expect(choice.admit(ofBarometer: true, at: .seconds(1)) == .beginAnew)
    #expect(choice.admit(ofBarometer: false, at: .seconds(2)) == .leaveOut)
    #expect(choice.admit(ofBarometer: true, at: .seconds(3)) == .goOn)
    #expect(choice.admit(ofBarometer: false, at: .seconds(33)) == .leaveOut)
    #expect(choice.admit(ofBarometer: false, at: .seconds(34)) == .beginAnew)
    #expect(choice.admit(ofBarometer: false, at: .seconds(35)) == .goOn)
    #expect(choice.admit(ofBarometer: true, at: .seconds(36)) == .beginAnew)
  }
}

@Suite("Which altitudes of a recording count")
struct RecordedAltitudeChoiceTests {
  private typealias Use = AltitudeChoice.Use

  private struct Altitude {
    let second: Int
    let meters: Double
    let besidePosition: Bool

    init(_ second: Int, _ meters: Double, _ besidePosition: Bool) {
      (self.second, self.meters, self.besidePosition) = (second, meters, besidePosition)
    }
  }

  /// What becomes of altitudes.
  private static func uses(_ altitudes: [Altitude]) -> [Use] {
    var choice = AltitudeChoice()
    var course = AltitudeCourse()
    return altitudes.map { altitude in
      let time = SessionTime.seconds(altitude.second)
      let use = choice.admit(altitude.meters, besidePosition: altitude.besidePosition, at: time, after: course)
      if use == .beginAnew { course.interrupt() }
      if use != .leaveOut { _ = course.admit(altitude.meters, at: time) }
      return use
    }
  }

  @Test("are all of them, where single points have no position")
  func holes() {
    let altitudes = (0..<600).map { Altitude($0, 400 + Double($0) / 2, $0 % 7 != 3) }
    #expect(Self.uses(altitudes) == [Use](repeating: .goOn, count: 600))
  }

  @Test("go on over a step that one device may make, which is some metres and what is climbed in the time")
  func steps() {
    let limits: [(seconds: Int, meters: Double)] = [(0, 3), (1, 5), (35, 73)]
    for (seconds, farthest) in limits {
      for sign in [1.0, -1] {
        for first in [true, false] {
          func use(_ step: Double) -> Use? {
            Self.uses([Altitude(0, 100, first), Altitude(seconds, 100 + sign * step, !first)]).last
          }
          #expect(use(farthest) == .goOn, "\(seconds) s, \(sign), \(first)")
          #expect(use(farthest + 0.1) != .goOn, "\(seconds) s, \(sign), \(first)")
        }
      }
    }
  }

  @Test("are joined by their course only where a position and none follow each other: elsewhere it changes nothing")
  func course() {
    var alike = AltitudeChoice()
    #expect(!alike.asksForCourse(besidePosition: true))
    _ = alike.admit(100, besidePosition: true, at: .zero, after: AltitudeCourse())
    #expect(!alike.asksForCourse(besidePosition: true))
    #expect(alike.asksForCourse(besidePosition: false))

    var dice = SplitMix64(seed: 14)
    for round in 0..<200 {
      var (whole, asked) = (AltitudeChoice(), AltitudeChoice())
      var course = AltitudeCourse()
      for index in 0..<60 {
        let time = SessionTime.seconds(index * (round % 3 == 0 ? 17 : 1))
        let besidePosition = Bool.random(using: &dice)
        let meters = Double.random(in: 100...(round % 2 == 0 ? 103 : 130), using: &dice)
        let needed = asked.asksForCourse(besidePosition: besidePosition) ? course : AltitudeCourse()
        let use = whole.admit(meters, besidePosition: besidePosition, at: time, after: course)
        #expect(asked.admit(meters, besidePosition: besidePosition, at: time, after: needed) == use)
        #expect(asked == whole, "round \(round), altitude \(index)")
        if use == .beginAnew { course.interrupt() }
        if use != .leaveOut { _ = course.admit(meters, at: time) }
      }
    }
  }

  @Test("go on over any step between two that both stand beside a position, or beside none")
  func alike() {
    for besidePosition in [true, false] {
      let altitudes = [Altitude(0, 100, besidePosition), Altitude(1, 900, besidePosition)]
      #expect(Self.uses(altitudes) == [.goOn, .goOn])
    }
  }

  @Test("are chosen by device as live ones are, where a step is none of one device")
  func apart() {
    let altitudes = [
      Altitude(0, 120, true), Altitude(1, 100, false), Altitude(2, 121, true), Altitude(3, 101, false),
      Altitude(4, 122, true), Altitude(33, 122, true), Altitude(34, 122, true), Altitude(35, 122, true),
      Altitude(36, 104, false),
    ]
    let uses: [Use] = [
      .goOn, .beginAnew, .leaveOut, .goOn, .leaveOut, .leaveOut, .beginAnew, .goOn, .beginAnew,
    ]
    #expect(Self.uses(altitudes) == uses)
  }

  @Test("stay apart until the barometer is silent, however much could have been climbed since, or until they meet")
  func silence() {
    let apart = (1...30).map { Altitude($0, 120, true) }
    let after = [Altitude(31, 120, true), Altitude(32, 118, false), Altitude(33, 118, true)]
    let uses = Self.uses([Altitude(0, 100, false)] + apart + after)
    #expect(uses == [.goOn] + [Use](repeating: .leaveOut, count: 30) + [.beginAnew, .goOn, .goOn])
    let meeting = [
      Altitude(0, 100, false), Altitude(1, 120, true), Altitude(2, 101, false), Altitude(3, 102, true),
    ]
    #expect(Self.uses(meeting) == [.goOn, .leaveOut, .goOn, .goOn])
  }

  @Test("go on after a pause, whatever they were before it")
  func pause() {
    var choice = AltitudeChoice()
    let none = AltitudeCourse()
    #expect(choice.admit(100, besidePosition: true, at: .seconds(0), after: none) == .goOn)
    #expect(choice.admit(500, besidePosition: false, at: .seconds(1), after: none) == .goOn)
    #expect(choice.admit(100, besidePosition: true, at: .seconds(2), after: none) == .goOn)
  }

  @Test("go on downhill and in a cable car, faster than anybody climbs, where single points have a position or none")
  func fast() {
    for speed in [-12.0, -6, 5, 12] {
      for seconds in [1, 3] {
        for isHole in [true, false] {
          let altitudes = (0..<100).map {
            Altitude(seconds * $0, 2_000 + speed * Double(seconds * $0), ($0 % 20 == 7) != isHole)
          }
          #expect(Self.uses(altitudes) == [Use](repeating: .goOn, count: 100), "\(speed) m/s, \(seconds) s, \(isHole)")
        }
      }
    }
  }

  @Test(
    "are distinguished where one sensor is twenty metres above the other, however fast they move",
    arguments: [-6.0, 0, 6])
  func apartAtSpeed(speed: Double) {
    let altitudes = (0..<60).map { second in
      Altitude(second, 2_000 + speed * Double(second) + (second % 2 == 0 ? 0 : 20), second % 2 == 0)
    }
    // The barometer, beside no position, counts from its first one on.
    var expected = (0..<60).map { second in second % 2 == 0 ? Use.leaveOut : .goOn }
    (expected[0], expected[1]) = (.goOn, .beginAnew)
    #expect(Self.uses(altitudes) == expected)
  }

  @Test("go on from where they were before a single glitch, and from a new level that stays")
  func glitch() {
    let glitch = [Altitude(0, 100, true), Altitude(1, 900, true), Altitude(2, 100, false), Altitude(3, 101, true)]
    #expect(Self.uses(glitch) == [Use](repeating: .goOn, count: 4))
    let level = [Altitude(0, 100, true), Altitude(1, 900, true), Altitude(2, 901, false), Altitude(3, 901, true)]
    #expect(Self.uses(level) == [Use](repeating: .goOn, count: 4))
  }
}

@Suite("The course of altitudes")
struct AltitudeCourseTests {
  /// The altitudes that count, in order.
  private static func counted(_ altitudes: [(second: Double, meters: Double)], interruptedAt: Set<Double> = [])
    -> [Double]
  {
    var course = AltitudeCourse()
    return altitudes.flatMap { altitude -> [Double] in
      if interruptedAt.contains(altitude.second) { course.interrupt() }
      let counted = course.admit(altitude.meters, at: SessionTime(seconds: altitude.second) ?? .zero)
      return counted.waited + [counted.now].compactMap(\.self)
    }
  }

  private static func everySecond(_ meters: [Double]) -> [(second: Double, meters: Double)] {
    meters.enumerated().map { (Double($0.offset), $0.element) }
  }

  @Test("leaves out a lone jump that comes back, up or down, and nothing else")
  func loneJump() {
    for jump in [900.0, 7, -7, -400] {
      let meters = [100.0, 100, 101, 101 + jump, 101, 102]
      #expect(Self.counted(Self.everySecond(meters)) == [100, 100, 101, 101, 102], "\(jump)")
    }
    // Five metres in a second may be climbed.
    #expect(Self.counted(Self.everySecond([100, 105, 100])) == [100, 105, 100])
    #expect(Self.counted(Self.everySecond([100, .nan, 101, .infinity])) == [100, 101])
  }

  @Test("believes a new level once a second reading is there, and what lies between the old one and the jump")
  func newLevel() {
    #expect(Self.counted(Self.everySecond([100, 160, 161, 161])) == [100, 160, 161, 161])
    #expect(Self.counted(Self.everySecond([100, 106, 103])) == [100, 106, 103])
    #expect(Self.counted(Self.everySecond([100, 900, 500, 500])) == [100, 900, 500, 500])
  }

  @Test(
    "counts all of a way downhill or in a cable car, also where it begins and ends at once",
    arguments: [-14.0, -6, 5, 12])
  func fast(speed: Double) {
    let ride = (0...60).map { 2_000 + speed * Double($0) }
    let meters = [2_000, 2_000] + ride + [ride[60], ride[60]]
    #expect(Self.counted(Self.everySecond(meters)) == meters)
  }

  @Test("does not believe a jump that nothing follows before a stop, or at the end")
  func stop() {
    let meters = Self.everySecond([100, 100, 900, 100, 100, 900])
    #expect(Self.counted(meters, interruptedAt: [3]) == [100, 100, 100, 100])
  }

  @Test("believes what jumps to and fro, since none of that is a lone jump")
  func toAndFro() {
    let counted = Self.counted(Self.everySecond((0..<6).map { Double($0 % 2 * 8_000) }))
    // The one that came back counted already when the next one left again.
    #expect(counted == [0, 0, 8_000, 0, 0, 8_000, 0])
  }

  @Test("does not go on from a first one that was a glitch, once two others agree")
  func first() {
    func beginsAnew(_ meters: [Double]) -> [Bool] {
      var course = AltitudeCourse()
      return meters.enumerated().map { course.admit($0.element, at: .seconds($0.offset)).beginsAnew }
    }
    #expect(beginsAnew([900, 100, 101, 101]) == [false, false, true, false])
    #expect(Self.counted(Self.everySecond([900, 100, 101, 101])) == [900, 100, 101, 101])
    // One that comes back was right, and so is the begin of a way downhill.
    #expect(beginsAnew([100, 900, 100, 100]) == [false, false, false, false])
    #expect(beginsAnew([1_000, 988, 976, 964]) == [false, false, false, false])
    #expect(beginsAnew([100, 101, 900, 900]) == [false, false, false, false])
  }

  @Test("says of a new level whether nothing climbs as fast, so that nobody did, also of one after a silence")
  func leaps() {
    func leaps(_ altitudes: [(second: Double, meters: Double)]) -> [Int] {
      var course = AltitudeCourse()
      return altitudes.indices.filter { index in
        let time = SessionTime(seconds: altitudes[index].second) ?? .zero
        let counted = course.admit(altitudes[index].meters, at: time)
        return counted.waitedLeap || counted.nowLeaps
      }
    }
    for count in [2, 3, 10] {
      let level = [Double](repeating: 900, count: count)
      // There is a leap up to it, and one back.
      #expect(leaps(Self.everySecond([100, 100] + level + [101, 101])) == [3, 3 + count], "\(count)")
    }
    // From 15 m/s on.
    #expect(leaps(Self.everySecond([100, 100, 115, 115])) == [])
    #expect(leaps(Self.everySecond([100, 100, 115.1, 115])) == [3])
    #expect(leaps(Self.everySecond([2_000, 2_000, 1_985, 1_970, 1_955])) == [])
    #expect(leaps([(0, 100), (1, 100), (9, 221), (10, 221)]) == [2])
    #expect(leaps([(0, 100), (1, 100), (9, 219), (10, 219)]) == [])
    // Over a longer time than a reading holds nobody can say.
    #expect(leaps([(0, 100), (1, 100), (17, 900), (18, 900)]) == [])
    #expect(leaps(Self.everySecond([100, 100, 900, 100, 100])) == [])
    #expect(leaps(Self.everySecond([.nan, 100, 101])) == [])
  }

  @Test("believes every reading where they are far apart in time: somebody may have climbed and come back")
  func sparse() {
    let meters: [(second: Double, meters: Double)] = [
      (0, 1_000), (60, 1_300), (120, 1_000), (126, 1_080), (132, 1_000),
    ]
    #expect(Self.counted(meters) == meters.map(\.meters))
    // A jump and its way back lie within ten seconds.
    #expect(Self.counted([(0, 100), (5, 200), (10, 100)]) == [100, 100])
    #expect(Self.counted([(0, 100), (5, 200), (11, 100)]) == [100, 200, 100])
  }
}
