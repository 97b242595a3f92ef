import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

private func nanoseconds(_ text: String) -> Int64? { WallClockTimeText(iso8601: text)?.time.nanoseconds }

@Suite("Wall-clock time")
struct WallClockTimeTests {
  static let seven: Int64 = 1_795_158_000_000_000_000

  @Test(
    "Every accepted way to write an instant gives that instant",
    arguments: [
      "2026-11-20T07:00:00Z", "2026-11-20 07:00:00Z", "2026-11-20t07:00:00z", "2026-11-20T07:00:00.000Z",
      "2026-11-20T07:00:00,000000000Z", "2026-11-20T07:00:00.0000000001Z", "2026-11-20T07:00:00+00:00",
      "2026-11-20T07:00:00+0000", "2026-11-20T07:00:00+00", "2026-11-20T07:00:00-00:00", "2026-11-20T09:00:00+02",
      "2026-11-20T09:00:00+0200", "2026-11-20 09:00:00 +0200", "2026-11-20T09:00:00+02:00", "2026-11-20T02:30:00-04:30",
      "2026-11-21T06:59:00+23:59", "2026-11-20T07:00:00", "2026-11-20 07:00:00",
    ])
  func accepted(text: String) { #expect(nanoseconds(text) == Self.seven) }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "2026-11-20", "2026-11-20T", "2026-11-20T07:00", "2026-11-20T07:00Z", "20261120T070000Z",
      "2026-11-20X07:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T07:60:00Z", "2026-11-20T07:00:61Z", "2026-02-29T07:00:00Z",
      "2026-13-01T07:00:00Z", "2026-00-01T07:00:00Z", "2026-01-00T07:00:00Z", "2026-04-31T07:00:00Z",
      "2026-11-20T07:00:00.Z", "2026-11-20T07:00:00.5.5Z", "2026-11-20T07:00:00ZZ", "2026-11-20T07:00:00 ",
      "2026-11-20T07:00:00+", "2026-11-20T07:00:00+2", "2026-11-20T07:00:00+020", "2026-11-20T07:00:00+02:0",
      "2026-11-20T07:00:00+24:00", "2026-11-20T07:00:00+02:60", "2026-11-20T07:00:00+02:00Z", "1677-12-31T00:00:00Z",
      "2201-01-01T00:00:00Z", " 2026-11-20T07:00:00Z", "2026-11-20T07:00:00 UTC", "2026/11/20T07:00:00Z",
      "+2026-11-20T07:00:00Z", "2026-11-20T7:00:00Z", "２026-11-20T07:00:00Z",
    ])
  func refused(text: String) { #expect(WallClockTimeText(iso8601: text) == nil) }

  @Test("The offset is stated, and that there is none")
  func offset() {
    #expect(WallClockTimeText(iso8601: "2026-11-20T07:00:00")?.utcOffsetSeconds == nil)
    #expect(WallClockTimeText(iso8601: "2026-11-20T07:00:00Z")?.utcOffsetSeconds == 0)
    #expect(WallClockTimeText(iso8601: "2026-11-20T07:00:00-03:30")?.utcOffsetSeconds == -12_600)
  }

  @Test("Decimals are kept to the nanosecond and rounded beyond it")
  func decimals() {
    #expect(nanoseconds("2026-11-20T07:00:00.5Z") == Self.seven + 500_000_000)
    #expect(nanoseconds("2026-11-20T07:00:00.123456789Z") == Self.seven + 123_456_789)
    #expect(nanoseconds("2026-11-20T07:00:00.1234567895Z") == Self.seven + 123_456_790)
    #expect(nanoseconds("2026-11-20T07:00:00.12345678949Z") == Self.seven + 123_456_789)
    #expect(nanoseconds("2026-11-20T06:59:59.9999999999Z") == Self.seven)
  }

  @Test("A leap second is the end of the second before it")
  func leapSecond() {
    #expect(WallClockTimeText(iso8601: "2016-12-31T23:59:60Z")?.time.description == "2016-12-31T23:59:59.999999999Z")
    #expect(WallClockTimeText(iso8601: "2016-12-31T23:59:60.25Z")?.time.description == "2016-12-31T23:59:59.999999999Z")
  }

  @Test(
    "Times one after the other are written as each alone, in one second and in others", arguments: [1, 2] as [UInt64])
  func manyTimes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var seconds = SecondText()
    var time = Self.seven
    for _ in 0..<5_000 {
      switch random.int(0...9) {
      case 0: time = Int64(bitPattern: random.next())
      case 1: time = [Int64.min, .max, 0, -1, 7_258_118_400_000_000_000][random.int(0...4)]
      default: time &+= [Int64(random.int(0...400)), 1_000_000, 10_000_000, -333_333_333][random.int(0...3)]
      }
      var (text, expected): ([UInt8], [UInt8]) = ([7], [7])
      var row = RowText()
      seconds.append(WallClockTime(nanoseconds: time), &row, to: &text)
      row.flush(to: &text)
      WallClockTime(nanoseconds: time).appendISO8601(to: &expected)
      #expect(text == expected, "seed \(seed), \(time)")
    }
  }

  @Test("Times are written in UTC with the decimals they need")
  func formatting() {
    #expect(WallClockTime(nanoseconds: Self.seven).description == "2026-11-20T07:00:00Z")
    #expect(WallClockTime(nanoseconds: Self.seven + 120_000_000).description == "2026-11-20T07:00:00.12Z")
    #expect(WallClockTime(nanoseconds: Self.seven + 1).description == "2026-11-20T07:00:00.000000001Z")
    #expect(WallClockTime(nanoseconds: Self.seven + 999).compactDescription == "20261120T070000Z")
    #expect(WallClockTime(nanoseconds: 0).description == "1970-01-01T00:00:00Z")
    #expect(WallClockTime(nanoseconds: -1).description == "1969-12-31T23:59:59.999999999Z")
    #expect(WallClockTime(nanoseconds: .max).description == "2262-04-11T23:47:16.854775807Z")
    #expect(WallClockTime(nanoseconds: .min).description == "1677-09-21T00:12:43.145224192Z")
    #expect(WallClockTime(nanoseconds: .max).compactDescription == "22620411T234716Z")
  }

  @Test("Random instants survive their text", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let first: Int64 = -9_214_560_000_000_000_000
    let last: Int64 = 7_289_654_399_999_999_999
    for _ in 0..<20_000 {
      var value = Int64.random(in: first...last, using: &generator)
      let precision = [1, 1_000, 1_000_000, 1_000_000_000].randomElement(using: &generator) ?? 1
      value -= value % Int64(precision)
      let text = WallClockTime(nanoseconds: value).description
      #expect(nanoseconds(text) == value, "seed \(seed): \(text)")
    }
  }

  @Test("Every day from 1600 to 2200 follows the one before it")
  func everyDay() throws {
    let firstDay = try #require(CivilDate(year: 1600, month: 1, day: 1))
    var year = 1600
    var month = 1
    var day = 1
    var number = firstDay.daysSinceEpoch
    while year <= 2200 {
      let date = try #require(CivilDate(daysSinceEpoch: number))
      guard date.year == year, date.month == month, date.day == day, date.daysSinceEpoch == number else {
        Issue.record("day \(number) is \(date)")
        return
      }
      number += 1
      day += 1
      if day > CivilDate.days(inMonth: month, year: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(CivilDate(daysSinceEpoch: number) == nil)
    #expect(CivilDate(daysSinceEpoch: firstDay.daysSinceEpoch - 1) == nil)
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSinceEpoch == 0)
    #expect(CivilDate(year: 2000, month: 2, day: 29)?.daysSinceEpoch == 11_016)
  }

  @Test("Dates are exactly YYYY-MM-DD and exist")
  func dates() {
    #expect(CivilDate(iso8601: "2024-02-29")?.description == "2024-02-29")
    for text in [
      "2023-02-29", "1900-02-29", "2100-02-29", "2026-1-01", "2026-01-1", "20260101", "2026-01-01 ", "", "1599-12-31",
      "2201-01-01", "2026-06-31", "2026-01-32", "2026-01-01T", "abcd-ef-gh",
    ] { #expect(CivilDate(iso8601: text) == nil, "\(text)") }
    #expect(CivilDate(iso8601: "2000-02-29") != nil)
    #expect(CivilDate(iso8601: "1600-02-29") != nil)
  }

  @Test("Age counts birthdays")
  func age() throws {
    let birth = try #require(CivilDate(iso8601: "2000-02-29"))
    func age(_ text: String) -> Int? { CivilDate(iso8601: text).flatMap { birth.age(on: $0) } }
    #expect(age("2000-02-28") == nil)
    #expect(age("2000-02-29") == 0)
    #expect(age("2001-02-28") == 0)
    #expect(age("2001-03-01") == 1)
    #expect(age("2024-02-28") == 23)
    #expect(age("2024-02-29") == 24)
  }

  @Test(
    "A phone writes ISO 8601, or twelve hours with AM and PM, any space before them and its zone behind them",
    arguments: [
      ("2026-11-20 08:00:00 +0100", "2026-11-20T07:00:00Z", 3_600),
      ("2026-11-20 7:00:00 AM", "2026-11-20T07:00:00Z", nil),
      ("2026-11-20 8:00:00 AM +0100", "2026-11-20T07:00:00Z", 3_600),
      ("2026-11-19 11:00:00 PM -0800", "2026-11-20T07:00:00Z", -28_800),
      ("2026-11-20 12:30:00\u{202F}PM +0530", "2026-11-20T07:00:00Z", 19_800),
      ("2026-11-20 12:00:00\u{A0}am -0700", "2026-11-20T07:00:00Z", -25_200),
      ("2026-11-20 13:00:00 PM +0000", nil, nil),
      ("2026-11-20 7:00:00 +0000", nil, nil), ("2026-13-20 7:00:00 AM +0000", nil, nil),
      ("2026-11-20T7:00:00 AM +0000", nil, nil), ("2026-11-20 7:00:00 AM +9900", nil, nil), ("2026-11-20", nil, nil),
      ("2026-11-20 " + String(repeating: "\u{202F}", count: 100), nil, nil), ("", nil, nil),
    ])
  func ofPhone(text: String, instant: String?, offset: Int?) {
    let read = WallClockTimeText(ofPhone: text.utf8.span)
    #expect(read?.time.description == instant, "\(text)")
    #expect(read?.utcOffsetSeconds == offset, "\(text)")
  }

  @Test("The day depends on the offset of the place")
  func civilDate() {
    let time = WallClockTime(nanoseconds: Self.seven)
    #expect(time.civilDate(utcOffsetSeconds: 0)?.description == "2026-11-20")
    #expect(time.civilDate(utcOffsetSeconds: -8 * 3600)?.description == "2026-11-19")
    #expect(WallClockTime(nanoseconds: -1).civilDate(utcOffsetSeconds: 0)?.description == "1969-12-31")
  }

  @Test("The machine's clock is somewhere after 2020, and sums beyond the range are refused")
  func arithmetic() {
    #expect(SystemWallClock.now().nanoseconds > 1_577_836_800_000_000_000)
    #expect(WallClockTime(nanoseconds: .max).adding(nanoseconds: 1) == nil)
    #expect(WallClockTime(nanoseconds: .min).nanoseconds(since: WallClockTime(nanoseconds: 1)) == nil)
    #expect(WallClockTime(secondsSinceEpoch: .max) == nil)
    #expect(WallClockTime(secondsSinceEpoch: 5)?.nanoseconds(since: WallClockTime(nanoseconds: 0)) == 5_000_000_000)
  }
}
