/// The clock on the wall of a place: what time it is, and which instants a day has there.
package struct LocalClock: Sendable {
  /// The time when the clock was looked at.
  package let now: WallClockTime
  /// How far the clock of the place is ahead of UTC at an instant, in seconds.
  private let offset: @Sendable (WallClockTime) -> Int

  /// A clock that shows `now`, at a place whose offset from UTC is given by `utcOffsetSeconds`.
  package init(now: WallClockTime, utcOffsetSeconds: @escaping @Sendable (WallClockTime) -> Int) {
    self.now = now
    offset = utcOffsetSeconds
  }

  /// The clock of this machine, as it is now.
  package static func ofThisMachine() -> LocalClock {
    LocalClock(now: SystemWallClock.now()) { SystemWallClock.utcOffsetSeconds(at: $0) }
  }

  /// How far the clock is ahead of UTC at an instant, in seconds.
  package func utcOffsetSeconds(at time: WallClockTime) -> Int { offset(time) }

  /// The day of an instant; `nil` after the year 2200.
  package func day(of time: WallClockTime) -> CivilDate? { time.civilDate(utcOffsetSeconds: offset(time)) }

  /// The day of ``now``.
  package var today: CivilDate? { day(of: now) }

  /// The first instant after today; `nil` when it cannot be computed.
  package var endOfToday: WallClockTime? { today.flatMap { $0.adding(days: 1) }.flatMap(start(of:)) }

  /// The first instant of a day, which is midnight unless the clock is set forward over it; `nil` before 1678.
  package func start(of day: CivilDate) -> WallClockTime? {
    let midnight = Int64(day.daysSinceEpoch) * 86_400
    let instants = [midnight - 86_400, midnight + 86_400].compactMap { around -> WallClockTime? in
      guard let around = WallClockTime(secondsSinceEpoch: around) else { return nil }
      return WallClockTime(secondsSinceEpoch: midnight - Int64(offset(around)))
    }.sorted()
    return instants.first { self.day(of: $0) == day } ?? instants.first
  }

  /// The instants of some days in a row, the end not included; `nil` when they cannot be computed.
  package func instants(of days: ClosedRange<CivilDate>) -> Range<WallClockTime>? {
    guard let from = start(of: days.lowerBound), let last = days.upperBound.adding(days: 1),
      let until = start(of: last), from <= until
    else { return nil }
    return from..<until
  }
}

extension CivilDate {
  /// The day some days later, or earlier for a negative number; `nil` outside of the years 1600…2200.
  package func adding(days: Int) -> CivilDate? { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

  /// The day of the week: 0 is Monday, 6 is Sunday.
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    WallClockTime.floor(daysSinceEpoch + 3, by: 7).remainder
  }

  /// The week of ISO 8601: the year and the week of the Thursday of its seven days.
  package var isoWeek: (year: Int, week: Int) {
    guard let thursday = adding(days: 3 - weekday),
      let newYear = CivilDate(year: thursday.year, month: 1, day: 1)
    else { return (year, 1) }
    return (thursday.year, (thursday.daysSinceEpoch - newYear.daysSinceEpoch) / 7 + 1)
  }
}
