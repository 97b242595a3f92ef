import Testing
import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("Quantities as text")
struct QuantityTextTests {
  @Test(
    "Times have hours, minutes and seconds",
    arguments: [(0, "0:00:00"), (120, "0:02:00"), (3723, "1:02:03"), (36_000, "10:00:00"), (-5, "0:00:00")])
  func clock(seconds: Int, expected: String) {
    #expect(QuantityText.clock(.seconds(seconds)) == expected)
  }

  @Test("A number with a sign has a minus sign as wide as a digit, and none where it rounds to nothing")
  func signed() {
    #expect(QuantityText.signed(-0.12, decimals: 2) == "−0.12")
    #expect(QuantityText.signed(-0.001, decimals: 2) == "0.00")
    #expect(QuantityText.signed(1.5, decimals: 2) == "1.50")
  }

  @Test("The longest span that there is has a text too")
  func longest() {
    #expect(QuantityText.wholeSeconds(.distantFuture) == 9_223_372_036)
    #expect(QuantityText.minutes(.distantFuture) == "153722867 min")
  }

  @Test("Instants are cut and spans are rounded to seconds")
  func fractions() throws {
    let time = try #require(SessionTime(seconds: 59.6))
    #expect(QuantityText.clock(time) == "0:00:59")
    #expect(QuantityText.clockRounded(time) == "0:01:00")
    #expect(QuantityText.seconds(time) == "60 s")
  }

  @Test(
    "The length of a step",
    arguments: [
      (1, "1 s"), (90, "90 s"), (120, "2 min"), (150, "0:02:30"), (300, "5 min"), (3600, "1 h"), (86_400, "24 h"),
      (9000, "2:30:00" as String),
    ])
  func length(seconds: Int, expected: String) {
    #expect(QuantityText.length(.seconds(seconds)) == expected)
  }

  @Test(
    "Shares never pretend to be nothing or all",
    arguments: [(0, "0 %"), (0.001, "<1 %"), (0.446, "45 %"), (0.999, ">99 %"), (1, "100 %")])
  func percent(fraction: Double, expected: String) {
    #expect(QuantityText.percent(fraction) == expected)
  }

  @Test("Pace and distance")
  func pace() {
    #expect(UnitSystem.metric.pace(secondsPerKilometer: 312.4) == "5:12 /km")
    #expect(UnitSystem.metric.pace(secondsPerKilometer: 4000) == nil)
    #expect(UnitSystem.metric.distance(meters: 840.2) == "840 m")
    #expect(UnitSystem.metric.distance(meters: 999.7) == "1.00 km")
    #expect(UnitSystem.metric.distance(meters: 4858) == "4.86 km")
  }

  @Test("Ranges with one limit or none")
  func range() {
    #expect(QuantityText.range(119, 137) == "119–137")
    #expect(QuantityText.range(nil, 145) == "to 145")
    #expect(QuantityText.range(168, nil) == "from 168")
    #expect(QuantityText.range(nil, nil) == "any")
  }
}
