import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

private func seconds(_ text: String) -> Double? {
  TimeOfDayText(text.utf8.span).map { Double($0.nanoseconds) / 1e9 }
}

private func date(_ text: String) -> String? { CivilDate(written: text.utf8.span).map { "\($0)" } }

private func time(_ text: String) -> String? { WallClockTime(written: text.utf8.span).map { "\($0)" } }

@Suite("Times of day and dates as people write them")
struct TimeOfDayTextTests {
  @Test(
    "A time of day has hours and minutes, and may have seconds and a half of the day",
    arguments: [
      ("7:21", 26_460), ("07:21", 26_460), ("0:00", 0), ("00:00:00", 0), ("23:59:59", 86_399), ("7:21:05.5", 26_465.5),
      ("7:21:00 AM", 26_460), ("7:21:00 PM", 69_660), ("7:21pm", 69_660), ("12:00:00 AM", 0), ("12:00 PM", 43_200),
      ("12:59:59 am", 3_599),
    ])
  func timesOfDay(text: String, expected: Double) { #expect(seconds(text) == expected) }

  @Test(
    "What is no time of day is refused",
    arguments: [
      "", ":", "7", "7:2", "7:215", "24:00", "7:60", "7:21:60", "7:21:5", "007:21", "-7:21", "7:21:", "7:21:00,5",
      "0:30 AM", "13:00 PM", "7:21 XM", "7:21:00  AM", "7:21 A", "AM", " AM", "m", "a:bc", "7:21:1e1", "7:21:00.5x",
    ])
  func refused(text: String) { #expect(seconds(text) == nil) }

  @Test("It says whether seconds and a half of the day are written")
  func parts() {
    let short = TimeOfDayText("7:21".utf8.span)
    let long = TimeOfDayText("7:21:00 AM".utf8.span)
    #expect(short?.hasSeconds == false)
    #expect(short?.hasHalfOfDay == false)
    #expect(long?.hasSeconds == true)
    #expect(long?.hasHalfOfDay == true)
  }

  @Test("A date is written from the year or, with slashes, in the order of the United States")
  func dates() {
    for text in ["2016-04-12", "2016/04/12", "2016/4/12", "2016-4-12", "4/12/2016", "04/12/2016"] {
      #expect(date(text) == "2016-04-12", "\(text)")
    }
    for text in [
      "", "2016", "2016-04", "2016-04-12-", "2016-04/12", "4-12-2016", "13/1/2016", "2/30/2016", "2016-02-30",
      "4/12/16",
      "20160412", "2016-004-12", "4/012/2016", "4//2016", "/4/2016", "2016-04-12 ", "1500-01-01", "2016.04.12", "a/b/c",
    ] {
      #expect(date(text) == nil, "\(text)")
    }
  }

  @Test("A date with a time of day is taken for UTC")
  func both() {
    #expect(time("4/12/2016 7:21:00 AM") == "2016-04-12T07:21:00Z")
    #expect(time("4/12/2016 7:21:00 PM") == "2016-04-12T19:21:00Z")
    #expect(time("4/12/2016 19:21") == "2016-04-12T19:21:00Z")
    #expect(time("2016-04-12T07:21") == "2016-04-12T07:21:00Z")
    #expect(time("2016-04-12 07:21:00.25") == "2016-04-12T07:21:00.25Z")
    for text in ["4/12/2016", "7:21", " 7:21", "4/12/2016 ", "4/12/2016  7:21", "1677-12-31 07:21", "4/12/2016 7:21 Z"]
    {
      #expect(time(text) == nil, "\(text)")
    }
  }

  @Test("Every time of day is read back from both ways to write it", arguments: 1...5 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let second = random.int(0...86_399)
      let (hour, rest) = second.quotientAndRemainder(dividingBy: 3600)
      func two(_ value: Int) -> String { (value < 10 ? "0" : "") + "\(value)" }
      let tail = ":\(two(rest / 60)):\(two(rest % 60))"
      #expect(seconds("\(hour)\(tail)") == Double(second), "seed \(seed)")
      #expect(seconds("\(two(hour))\(tail)") == Double(second), "seed \(seed)")
      let half = "\(hour % 12 == 0 ? 12 : hour % 12)\(tail) \(hour < 12 ? "AM" : "PM")"
      #expect(seconds(half) == Double(second), "seed \(seed): \(half)")
    }
  }
}
