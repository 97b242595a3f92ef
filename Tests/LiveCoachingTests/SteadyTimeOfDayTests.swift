@testable import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The time of day of a session")
struct SteadyTimeOfDayTests {
  private static let hour: Int64 = 3_600_000_000_000

  private func expect(
    _ clock: inout SteadyTimeOfDay, _ now: WallClockTime, _ machine: Int64, is expected: WallClockTime, isSetAnew: Bool,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let found = clock.time(now, machine)
    #expect(found.time == expected, sourceLocation: place)
    #expect(found.isSetAnew == isSetAnew, sourceLocation: place)
  }

  @Test("Until a session has begun its time is the machine's; a clock set after that changes nothing, noted once")
  func setClock() {
    var clock = SteadyTimeOfDay()
    let machine: Int64 = 1_000
    #expect(clock.ahead(of: machine) == machine)
    #expect(clock.ahead(of: machine + Self.hour) == machine + Self.hour)
    expect(&clock, .morning(), machine, is: .morning(), isSetAnew: false)
    #expect(!clock.isAnchored)
    clock.anchor(at: .morning(), machine)
    #expect(clock.isAnchored)
    #expect(clock.ahead(of: machine + Self.hour) == machine)
    expect(&clock, .morning(3_601), machine + Self.hour, is: .morning(1), isSetAnew: true)
    #expect(clock.setBy == Self.hour)
    expect(&clock, .morning(3_602), machine + Self.hour, is: .morning(2), isSetAnew: false)
    expect(&clock, .morning(-3_597), machine - Self.hour, is: .morning(3), isSetAnew: true)
    #expect(clock.setBy == -Self.hour)
    // Set back to what it was: nothing is to be taken off any more.
    expect(&clock, .morning(4), machine, is: .morning(4), isSetAnew: false)
    clock.anchor(at: .morning(5), machine + Self.hour)
    #expect(clock.ahead(of: machine) == machine, "it goes on as it began")
  }

  @Test("A session of another process goes on as that had it, by the steady clock from when its newest arrival is over")
  func earlier() {
    var clock = SteadyTimeOfDay()
    clock.noteEarlier(arrival: .morning(50))
    clock.noteEarlier(arrival: .morning(20))
    clock.noteEarlier(setBy: Self.hour)
    let machine: Int64 = 7_000 + Self.hour
    #expect(clock.ahead(of: machine) == 7_000)
    expect(&clock, .morning(3_600), machine, is: .morning(), isSetAnew: false)
    clock.anchor(at: .morning(49), machine)
    #expect(!clock.isAnchored)
    clock.anchor(at: .morning(50), machine)
    #expect(clock.isAnchored)
    #expect(clock.ahead(of: 0) == 7_000)
  }
}
