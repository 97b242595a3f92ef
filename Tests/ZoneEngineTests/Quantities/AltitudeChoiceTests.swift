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
    var last: (meters: Double, time: SessionTime)?
    return altitudes.map { altitude in
      let time = SessionTime.seconds(altitude.second)
      let use = choice.admit(altitude.meters, besidePosition: altitude.besidePosition, at: time, after: last)
      if use != .leaveOut { last = (altitude.meters, time) }
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

  @Test("go on over any step between two that both stand beside a position, or beside none")
  func alike() {
    for besidePosition in [true, false] {
      let altitudes = [Altitude(0, 100, besidePosition), Altitude(1, 900, besidePosition)]
      #expect(Self.uses(altitudes) == [.goOn, .goOn])
    }
  }

  @Test("are told apart as live ones are, where a step is none of one device")
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
    #expect(choice.admit(100, besidePosition: true, at: .seconds(0), after: nil) == .goOn)
    #expect(choice.admit(500, besidePosition: false, at: .seconds(1), after: nil) == .goOn)
    #expect(choice.admit(100, besidePosition: true, at: .seconds(2), after: nil) == .goOn)
  }
}
