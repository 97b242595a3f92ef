/// A day of the proleptic Gregorian calendar in the years 1600…2200.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year, 1600…2200.
  package let year: Int
  /// The month, 1…12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// The years that a date can have.
  package static let years = 1600...2200

  /// Creates a date; `nil` when the calendar has no such day or the year is outside of 1600…2200.
  package init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date that is a number of days after 1970-01-01; `nil` outside of the years 1600…2200.
  ///
  /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  package init?(daysSinceEpoch: Int) {
    guard daysSinceEpoch.magnitude < 1_000_000 else { return nil }
    // 400-year eras that begin on 1 March; the year 0000-03-01 is 719,468 days before the epoch.
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// Reads exactly `YYYY-MM-DD`; `nil` for anything else and for a day that does not exist.
  package init?(iso8601 bytes: Span<UInt8>) {
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let century = bytes.twoDigits(at: 0), let yearOfCentury = bytes.twoDigits(at: 2),
      let month = bytes.twoDigits(at: 5), let day = bytes.twoDigits(at: 8)
    else { return nil }
    self.init(year: century * 100 + yearOfCentury, month: month, day: day)
  }

  /// Reads exactly `YYYY-MM-DD`; `nil` for anything else and for a day that does not exist.
  package init?(iso8601 text: String) { self.init(iso8601: text.utf8.span) }

  /// The number of days since 1970-01-01, negative before it.
  ///
  /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  package var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Whether a year has a 29 February.
  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days in a month, 1…12.
  package static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The age in whole years on a date of somebody born on this date; `nil` before the birth.
  ///
  /// Somebody born on 29 February is a year older on 1 March of a year without that day.
  package func age(on date: CivilDate) -> Int? {
    guard date >= self else { return nil }
    let hadBirthday = (date.month, date.day) >= (month, day)
    return date.year - year - (hadBirthday ? 0 : 1)
  }

  /// Whether one day comes before another.
  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// `YYYY-MM-DD`.
  package var description: String {
    var text: [UInt8] = []
    append(to: &text, separator: UInt8(ascii: "-"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends year, month and day, with `separator` between them if there is one.
  package func append(to buffer: inout [UInt8], separator: UInt8?) {
    DecimalFormat.append(magnitude: UInt64(year), minimumDigits: 4, to: &buffer)
    if let separator { buffer.append(separator) }
    DecimalFormat.append(magnitude: UInt64(month), minimumDigits: 2, to: &buffer)
    if let separator { buffer.append(separator) }
    DecimalFormat.append(magnitude: UInt64(day), minimumDigits: 2, to: &buffer)
  }
}

extension Span where Element == UInt8 {
  /// The number that the two digits at `index` and after it stand for; `nil` when they are not digits.
  ///
  /// - Precondition: both are inside the span.
  @inline(__always)
  func twoDigits(at index: Int) -> Int? {
    let tens = self[index] &- 48
    let ones = self[index + 1] &- 48
    guard tens < 10, ones < 10 else { return nil }
    return Int(tens) * 10 + Int(ones)
  }
}
