/// Days and times of day as people read them.
package enum CalendarText {
  /// The days of a week in three letters, from Monday.
  package static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `2026-11-20 08:00` on a clock that is `utcOffsetSeconds` ahead of UTC.
  package static func minute(_ time: WallClockTime, utcOffsetSeconds: Int) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(32)
    append(minute: time, utcOffsetSeconds: utcOffsetSeconds, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the same.
  package static func append(minute time: WallClockTime, utcOffsetSeconds: Int, to bytes: inout [UInt8]) {
    let local = time.adding(nanoseconds: Int64(utcOffsetSeconds) * 1_000_000_000) ?? time
    let start = bytes.count
    local.appendISO8601(to: &bytes)
    bytes[start + 10] = UInt8(ascii: " ")
    bytes.removeLast(bytes.count - start - 16)
  }

  /// `08:00` on a clock that is `utcOffsetSeconds` ahead of UTC.
  package static func timeOfDay(_ time: WallClockTime, utcOffsetSeconds: Int) -> String {
    String(minute(time, utcOffsetSeconds: utcOffsetSeconds).suffix(5))
  }

  /// `UTC`, `UTC+1`, `UTC−3:30`.
  package static func offset(_ seconds: Int) -> String {
    guard seconds != 0 else { return "UTC" }
    let minutes = abs(seconds) / 60
    let rest = minutes % 60
    return "UTC" + (seconds < 0 ? "−" : "+") + "\(minutes / 60)"
      + (rest == 0 ? "" : ":" + (rest < 10 ? "0" : "") + "\(rest)")
  }

  /// `Fri`.
  package static func weekday(_ day: CivilDate) -> String { weekdays[day.weekday] }

  /// `Fri 20 November 2026`.
  package static func day(_ day: CivilDate) -> String {
    "\(weekday(day)) \(day.day) \(months[day.month - 1]) \(day.year)"
  }

  /// `Fri 20`.
  package static func shortDay(_ day: CivilDate) -> String {
    "\(weekday(day)) " + (day.day < 10 ? " " : "") + "\(day.day)"
  }

  /// `2026-W47`.
  package static func week(_ day: CivilDate) -> String {
    let (year, week) = day.isoWeek
    return "\(year)-W" + (week < 10 ? "0" : "") + "\(week)"
  }
}
