import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("The clock of a place")
struct LocalClockTests {
  private func time(_ text: String) throws -> WallClockTime { try #require(WallClockTimeText(iso8601: text)?.time) }
  private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

  /// A place whose offset changes once.
  private func clock(_ change: String, before: Int, after: Int) throws -> LocalClock {
    let change = try time(change)
    return LocalClock(now: change) { $0 < change ? before : after }
  }

  @Test("A day begins at midnight of the place, and has 23 or 25 hours when the clock is changed")
  func midnight() throws {
    // Berlin, 2026-03-29 and 2026-10-25.
    let spring = try clock("2026-03-29T01:00:00Z", before: 3_600, after: 7_200)
    let short = try #require(spring.instants(of: day("2026-03-29")...day("2026-03-29")))
    #expect(short == (try time("2026-03-28T23:00:00Z")..<time("2026-03-29T22:00:00Z")))
    let autumn = try clock("2026-10-25T01:00:00Z", before: 7_200, after: 3_600)
    let long = try #require(autumn.instants(of: day("2026-10-25")...day("2026-10-25")))
    #expect(long == (try time("2026-10-24T22:00:00Z")..<time("2026-10-25T23:00:00Z")))
  }

  @Test("A midnight that the clock jumps over or shows twice")
  func changeAtMidnight() throws {
    // From 00:00 to 01:00: the day begins at 01:00. From 00:00 back to 23:00: at the second midnight.
    let forward = try clock("2018-11-04T03:00:00Z", before: -10_800, after: -7_200)
    #expect(forward.start(of: try day("2018-11-04")) == (try time("2018-11-04T03:00:00Z")))
    let back = try clock("2018-02-18T02:00:00Z", before: -7_200, after: -10_800)
    #expect(back.start(of: try day("2018-02-18")) == (try time("2018-02-18T03:00:00Z")))
    // From 01:00 back to 00:00: at the first of two midnights.
    let twice = try clock("2018-02-18T03:00:00Z", before: -7_200, after: -10_800)
    #expect(twice.start(of: try day("2018-02-18")) == (try time("2018-02-18T02:00:00Z")))
  }

  @Test("Days follow each other without a hole, and every instant is in the day that the clock shows")
  func days() throws {
    var random = SplitMix64(seed: 20)
    for _ in 0..<2_000 {
      let change = WallClockTime(nanoseconds: Int64(random.int(0...2_000_000_000)) * 1_000_000_000)
      let before = random.int(-47...56) * 900
      let after = before + random.int(-1...1) * 3_600
      let clock = LocalClock(now: change) { $0 < change ? before : after }
      let instant = try #require(
        change.adding(nanoseconds: Int64(random.int(-200_000...200_000)) * 1_000_000_000 + 1))
      let day = try #require(clock.day(of: instant))
      let span = try #require(clock.instants(of: day...day))
      // Of a midnight that is shown twice only the hour between belongs to the day before as well.
      #expect(span.contains(instant) || abs(instant.nanoseconds - change.nanoseconds) <= 3_600_000_000_000)
      #expect(clock.start(of: try #require(day.adding(days: 1))) == span.upperBound)
    }
  }

  @Test("The weeks of ISO 8601 at the turn of the year")
  func weeks() throws {
    let known = [
      ("2026-11-20", 2026, 47, 4), ("2021-01-03", 2020, 53, 6), ("2021-01-04", 2021, 1, 0), ("2018-12-31", 2019, 1, 0),
      ("2017-01-01", 2016, 52, 6), ("2024-12-30", 2025, 1, 0), ("1970-01-01", 1970, 1, 3), ("1969-12-28", 1969, 52, 6),
    ]
    for (text, year, week, weekday) in known {
      let day = try day(text)
      #expect(day.isoWeek.year == year, "\(text)")
      #expect(day.isoWeek.week == week, "\(text)")
      #expect(day.weekday == weekday, "\(text)")
    }
  }
}
