import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The status line")
struct StatusLineTests {
  static func played(until seconds: Int) throws -> TerminalFixture.Played {
    var request = TerminalFixture.request()
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "moment:every=120")
    var played = try TerminalFixture.Played(request, durationLimit: .seconds(1800))
    played.run(0..<seconds, TerminalFixture.heartRate)
    return played
  }

  @Test(
    "The steps go first, then the name of the zone, then fields from the right",
    arguments: [
      (200, "0:05:00  ♥ 112  Z1 Low intensity  check in 60 s  0:25:00 left  6:04 /km  854 steps"),
      (80, "0:05:00  ♥ 112  Z1 Low intensity  check in 60 s  0:25:00 left  6:04 /km"),
      (60, "0:05:00  ♥ 112  Z1  check in 60 s  0:25:00 left  6:04 /km"),
      (50, "0:05:00  ♥ 112  Z1  check in 60 s  0:25:00 left"),
      (40, "0:05:00  ♥ 112  Z1  check in 60 s"),
      (20, "0:05:00  ♥ 112  Z1"), (15, "0:05:00  ♥ 112"), (10, "0:05:00  …"),
    ])
  func widths(columns: Int, expected: String) throws {
    var played = try Self.played(until: 301)
    played.pipeline.advance(to: .seconds(300), into: &played.events)
    #expect(StatusLine(played.pipeline, activity: .running, units: .metric).line(width: columns).plain == expected)
  }

  @Test("A heart rate older than 15 s is none")
  func lost() throws {
    var played = try Self.played(until: 300)
    played.pipeline.advance(to: .seconds(314), into: &played.events)
    let before = StatusLine(played.pipeline, activity: .running, units: .metric).line(width: 40)
    #expect(before.plain == "0:05:14  ♥ 114  Z1  check in 46 s")
    played.pipeline.advance(to: .seconds(315), into: &played.events)
    let after = StatusLine(played.pipeline, activity: .running, units: .metric).line(width: 40)
    #expect(after.plain == "0:05:15  ♥ --  check in 45 s")
  }

  @Test("A pause is shown, and has neither a next check nor a pace")
  func paused() throws {
    var played = try Self.played(until: 300)
    played.pipeline.pause(at: .seconds(300), into: &played.events)
    #expect(
      StatusLine(played.pipeline, activity: .running, units: .metric).line(width: 80).plain
        == "0:05:00  ‖ paused  ♥ 114  Z1 Low intensity  0:25:00 left  840 steps")
  }

  @Test("Before the first reading there is only the time")
  func beginning() throws {
    let played = try TerminalFixture.Played(TerminalFixture.request())
    #expect(StatusLine(played.pipeline, activity: .running, units: .metric).line(width: 80).plain == "0:00:00  ♥ --")
  }

  @Test("It is never wider than the terminal", arguments: 0...120)
  func width(columns: Int) throws {
    #expect(
      StatusLine(try Self.played(until: 300).pipeline, activity: .running, units: .metric).line(width: columns).width
        <= columns)
  }
}
