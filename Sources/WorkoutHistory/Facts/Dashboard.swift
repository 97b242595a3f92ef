package import TextFormats
internal import WorkoutSession

/// The latest workout, and what the last days came to.
package struct Dashboard: Sendable {
  /// How many days there are, today included.
  package static let dayCount = 7

  /// A day and what its sessions came to.
  package struct Day: Sendable {
    /// The day.
    package let day: CivilDate
    /// The totals of the sessions that began on it.
    package let totals: PeriodTotals
  }

  /// The person that it is about; absent for everybody.
  package let person: String?
  /// The newest session; absent when there is none.
  package let latest: SessionEntry?
  /// The days, the oldest first, today last.
  package let days: [Day]
  /// All of the days together.
  package let total: PeriodTotals

  /// Writes the record as one line.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "dashboard")
      if let latest {
        writer.key("latest")
        latest.writeObject(to: &writer)
      }
      writer.array("days") { writer in
        for day in days {
          writer.object { writer in
            writer.member("date", "\(day.day)")
            day.totals.writeMembers(to: &writer)
          }
        }
      }
      writer.object("total") { total.writeMembers(to: &$0) }
    }
    writer.endLine()
  }
}

/// A week and what its sessions came to.
package struct WeekTotals: Sendable {
  /// The Monday that it begins with.
  package let monday: CivilDate
  /// The totals of the sessions that began in it.
  package let totals: PeriodTotals

  /// Writes the record of the week as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      let (year, week) = monday.isoWeek
      writer.member("version", SessionRecords.version)
      writer.member("type", "week")
      writer.member("week", "\(year)-W" + (week < 10 ? "0" : "") + "\(week)")
      writer.member("from", "\(monday)")
      totals.writeMembers(to: &writer)
    }
  }
}

extension HistoryWorker {
  /// The latest workout up to today and the last days on a clock, those in which no person was measured only when they are asked for.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func dashboard(
    _ clock: LocalClock, person: String?, includesSimulated: Bool = false
  ) throws -> Dashboard {
    var filter = Filter()
    filter.person = person
    filter.includesSimulated = includesSimulated
    let keys = try keysValue(ofPersonNamed: person)
    let latest = try latest(filter, of: clock)
    var days: [Dashboard.Day] = []
    var total = PeriodTotals()
    if latest != nil, let today = clock.today {
      for back in (0..<Dashboard.dayCount).reversed() {
        guard let day = today.adding(days: -back), let span = clock.instants(of: day...day) else { continue }
        days.append(
          Dashboard.Day(day: day, totals: try totals(in: span, person: keys, includesSimulated: includesSimulated)))
      }
      if let first = days.first?.day, let span = clock.instants(of: first...today) {
        total = try totals(in: span, person: keys, includesSimulated: includesSimulated)
      }
    }
    return Dashboard(person: person, latest: latest, days: days, total: total)
  }

  /// The last weeks of ISO 8601 on a clock, the oldest first, the current one last; those before the first session are
  /// left out. Sessions in which no person was measured count only when they are asked for.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func weeks(
    _ count: Int, _ clock: LocalClock, person: String?, includesSimulated: Bool = false
  ) throws -> [WeekTotals] {
    guard let today = clock.today, let monday = today.adding(days: -today.weekday) else { return [] }
    let keys = try keysValue(ofPersonNamed: person)
    var weeks: [WeekTotals] = []
    for back in (0..<count).reversed() {
      guard let start = monday.adding(days: -7 * back), let end = start.adding(days: 6),
        let span = clock.instants(of: start...end)
      else { continue }
      let totals = try totals(in: span, person: keys, includesSimulated: includesSimulated)
      if weeks.isEmpty, totals.sessions == 0 { continue }
      weeks.append(WeekTotals(monday: start, totals: totals))
    }
    return weeks
  }
}
