/// A day of the Gregorian calendar, written `YYYY-MM-DD`.
struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year, 1900 to 2199.
  let year: Int

  /// The month, 1 to 12.
  let month: Int

  /// The day of the month, 1 to 31.
  let day: Int

  /// The day, or nothing when the calendar has no such day or the year is outside of 1900 to 2199.
  init?(year: Int, month: Int, day: Int) {
    guard (1900...2199).contains(year), (1...12).contains(month) else { return nil }
    guard (1...Self.daysInMonth(month, of: year)).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads exactly ten characters, `YYYY-MM-DD`.
  ///
  /// - Throws: `ValueProblem` when the text is no such day.
  init(reading text: String) throws(ValueProblem) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isDigits = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    guard isDigits, parts.map(\.utf8.count) == [4, 2, 2],
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CalendarDate(year: year, month: month, day: day)
    else { throw ValueProblem(expected: "a day as YYYY-MM-DD, from 1900-01-01 to 2199-12-31") }
    self = date
  }

  var description: String {
    "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  static func < (first: CalendarDate, second: CalendarDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    switch month {
    case 2: return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}
