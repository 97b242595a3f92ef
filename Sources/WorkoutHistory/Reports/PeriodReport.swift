package import TextFormats
package import WorkoutSession

/// Everything that a report says of the sessions of some days.
package struct PeriodReport: Sendable {
  /// The most sessions that are shown with their course; the others get a line each.
  package static let largestDetailCount = 60

  /// How many days a calendar has at most.
  package static let largestCalendarDays = 371

  /// What a period is cut into.
  package enum Unit: Hashable, Sendable {
    /// Days, for a period of at most five weeks.
    case day
    /// Weeks of ISO 8601, for at most two years.
    case week
    /// Months.
    case month

    /// The unit for so many days.
    init(days: Int) { self = days <= 35 ? .day : days <= 731 ? .week : .month }
  }

  /// A day, a week or a month.
  package struct Bin: Sendable {
    /// Its first day in the period.
    package let first: CivilDate
    /// Its instants, by the clock of who reads.
    package let span: Range<WallClockTime>
    /// What the sessions came to that began in it.
    package let totals: PeriodTotals
    /// Their training load by Edwards; absent when none has any.
    package let edwards: Double?
  }

  /// A session of the period.
  package struct Session: Sendable {
    /// The session as a line of the history.
    package let entry: SessionEntry
    /// Its training load by Edwards; absent without a maximum.
    package let edwards: Double?
    /// All that the index keeps of it; absent beyond ``largestDetailCount``.
    package let detail: SessionDetail?
  }

  /// An hour of the day over all days of the period.
  package struct HourOfDay: Hashable, Sendable {
    /// The hour that the clock shows, 0…23.
    package let hour: Int
    /// Steps of all days; absent without any step sample.
    package let steps: Int?
    /// The mean of all accepted heart rates, in beats per minute.
    package let meanHeartRate: Double?
  }

  /// The days, both included.
  package let days: ClosedRange<CivilDate>
  /// The person that it is about; absent for everybody.
  package let person: String?
  /// How many people the sessions are of, nobody in particular counted as one.
  package let peopleCount: Int
  /// What the period is cut into.
  package let unit: Unit
  /// Its days, weeks or months, in order.
  package let bins: [Bin]
  /// The days on which sessions began, in order, the last ``largestCalendarDays`` of the period at most.
  package let diary: [Bin]
  /// All of them together.
  package let total: PeriodTotals
  /// The sessions, the oldest first.
  package let sessions: [Session]
  /// The hours of the day in which something was measured, in order.
  package let hoursOfDay: [HourOfDay]
  /// How many sessions of the period are left out because no person was measured in them.
  package let simulatedLeftOut: Int
  /// The units of who reads it; what it holds is metric.
  package var units = UnitSystem.metric
}

extension HistoryWorker {
  /// The report of the sessions that a filter lets through; days are those of a clock. Without a first day it begins with
  /// the first session, without a last one it ends today. `nil` when there is no session.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError`, `RecordingError` or `ZoneError` when the
  ///   manifest of a session cannot.
  func report(of filter: Filter, _ clock: LocalClock) throws -> PeriodReport? {
    let entries = try Array(sessions(filter).reversed())
    guard let oldest = entries.first, let newest = entries.last,
      let first = clock.day(of: filter.from ?? oldest.start),
      let last = try lastDay(filter, clock, newest: newest), first <= last, let span = clock.instants(of: first...last)
    else { return nil }
    let loads = try loads(filter)
    let unit = PeriodReport.Unit(days: last.daysSinceEpoch - first.daysSinceEpoch + 1)
    func bin(of days: ClosedRange<CivilDate>) throws -> PeriodReport.Bin? {
      try self.bin(of: days, filter, entries, loads, clock)
    }
    let bins = try unit.parts(of: first...last).compactMap(bin)
    let oldestDay = max(first, last.adding(days: 1 - PeriodReport.largestCalendarDays) ?? first)
    let days = Set(entries.compactMap { clock.day(of: $0.start) }).filter { $0 >= oldestDay && $0 <= last }.sorted()
    let diary = unit == .day ? bins.filter { $0.totals.sessions > 0 } : try days.compactMap { try bin(of: $0...$0) }
    let detailed = Set(entries.suffix(PeriodReport.largestDetailCount).map(\.sessionID))
    return PeriodReport(
      days: first...last, person: filter.person, peopleCount: try peopleCount(filter), unit: unit, bins: bins,
      diary: diary,
      total: try totals(in: span, person: filter.person, includesSimulated: filter.includesSimulated),
      sessions: try entries.map { entry in
        PeriodReport.Session(
          entry: entry, edwards: loads[entry.sessionID],
          detail: detailed.contains(entry.sessionID) ? try detail(of: entry) : nil)
      },
      hoursOfDay: try hoursOfDay(span, clock, filter),
      simulatedLeftOut: try simulatedLeftOut(filter))
  }

  /// The last weeks of ISO 8601 on a clock, the current one last, as a report by weeks without the course of a session and the
  /// hours of the day: little is read for it. Weeks before the first session of them are left out. `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func weeksReport(_ count: Int, of filter: Filter, _ clock: LocalClock) throws -> PeriodReport? {
    guard let today = clock.today,
      let earliest = PeriodReport.Unit.week.start(of: today).adding(days: -7 * (count - 1)), earliest <= today,
      let asked = clock.instants(of: earliest...today)
    else { return nil }
    var filter = filter
    (filter.from, filter.until) = (asked.lowerBound, asked.upperBound)
    let entries = try Array(sessions(filter).reversed())
    guard let oldest = entries.first, let day = clock.day(of: oldest.start) else { return nil }
    let days = PeriodReport.Unit.week.start(of: day)...today
    guard let span = clock.instants(of: days) else { return nil }
    let loads = try loads(filter)
    return PeriodReport(
      days: days, person: filter.person, peopleCount: try peopleCount(filter), unit: .week,
      bins: try PeriodReport.Unit.week.parts(of: days).compactMap { try bin(of: $0, filter, entries, loads, clock) },
      diary: [],
      total: try totals(in: span, person: filter.person, includesSimulated: filter.includesSimulated),
      sessions: entries.map { PeriodReport.Session(entry: $0, edwards: loads[$0.sessionID], detail: nil) },
      hoursOfDay: [], simulatedLeftOut: try simulatedLeftOut(filter))
  }

  /// What the sessions of a filter came to on some days; `nil` for days that the clock cannot have.
  private func bin(
    of days: ClosedRange<CivilDate>, _ filter: Filter, _ entries: [SessionEntry], _ loads: [String: Double],
    _ clock: LocalClock
  ) throws -> PeriodReport.Bin? {
    guard let span = clock.instants(of: days) else { return nil }
    return PeriodReport.Bin(
      first: days.lowerBound, span: span,
      totals: try totals(in: span, person: filter.person, includesSimulated: filter.includesSimulated),
      edwards: entries.filter { span.contains($0.start) }.compactMap { loads[$0.sessionID] }
        .reduce(nil) { ($0 ?? 0) + $1 })
  }

  private func lastDay(_ filter: Filter, _ clock: LocalClock, newest: SessionEntry) throws -> CivilDate? {
    guard let until = filter.until else { return clock.day(of: max(clock.now, newest.start)) }
    return until.adding(nanoseconds: -1).flatMap(clock.day(of:))
  }

  private func hoursOfDay(
    _ span: Range<WallClockTime>, _ clock: LocalClock, _ filter: Filter
  ) throws -> [PeriodReport.HourOfDay] {
    var hoursOfDay = [[HistoryHour]](repeating: [], count: 24)
    for hour in try hours(in: span, person: filter.person, includesSimulated: filter.includesSimulated) {
      let local = hour.from.wholeSeconds + clock.utcOffsetSeconds(at: hour.from)
      hoursOfDay[WallClockTime.floor(local, by: 86_400).remainder / 3_600].append(hour)
    }
    return hoursOfDay.enumerated().filter { !$1.isEmpty }.map { index, hours in
      PeriodReport.HourOfDay(hour: index, steps: hours.steps, meanHeartRate: hours.meanHeartRate)
    }
  }

  /// The training loads by Edwards of the sessions that a filter lets through, by their identities.
  private func loads(_ filter: Filter) throws -> [String: Double] {
    let rows = try read(
      """
      SELECT session.id, edwards FROM session JOIN detail ON detail.session = session.id
      WHERE edwards IS NOT NULL AND \(filter.condition)
      """,
      filter.values(person: try keysValue(ofPersonNamed: filter.person))
    ) { (id: $0.text(0), edwards: $0.double(1)) }
    return Dictionary(rows.compactMap { row in row.edwards.map { (row.id, $0) } }, uniquingKeysWith: { $1 })
  }
}

extension PeriodReport.Unit {
  /// The units of some days, those at their ends as far as they belong to them.
  fileprivate func parts(of days: ClosedRange<CivilDate>) -> [ClosedRange<CivilDate>] {
    starts(in: days).compactMap { start in
      let from = max(start, days.lowerBound)
      guard let next = next(after: start).adding(days: -1), from <= min(next, days.upperBound) else { return nil }
      return from...min(next, days.upperBound)
    }
  }

  /// The first days of the units that have a day in common with some days; the first one may begin before them.
  private func starts(in days: ClosedRange<CivilDate>) -> [CivilDate] {
    var starts = [start(of: days.lowerBound)]
    while let last = starts.last, case let next = next(after: last), next > last, next <= days.upperBound {
      starts.append(next)
    }
    return starts
  }

  /// The first day of the unit that a day belongs to.
  fileprivate func start(of day: CivilDate) -> CivilDate {
    switch self {
    case .day: day
    case .week: day.adding(days: -day.weekday) ?? day
    case .month: CivilDate(year: day.year, month: day.month, day: 1) ?? day
    }
  }

  /// The first day of the unit after the one that begins with a day; the same day at the end of the calendar.
  private func next(after start: CivilDate) -> CivilDate {
    let length =
      switch self {
      case .day: 1
      case .week: 7
      case .month: CivilDate.days(inMonth: start.month, year: start.year)
      }
    return start.adding(days: length) ?? start
  }
}
