package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Fitness and form of somebody: days, weeks, the goal, and what the history suggests.
package struct FitnessReport: Sendable {
  /// Which load counts.
  package let method: LoadMethod
  /// Every day from the first session to today.
  package let days: [TrainingDay]
  /// Every week of ISO 8601 from that of the first session to the current one.
  package let weeks: [WeekIntensity]
  /// How many sessions have no load of the method, so that they count as none.
  package let withoutLoad: Int
  /// Weeks in a row; absent without any session.
  package let streak: WeekStreak?
  /// What the history says of the maximum and the threshold; nothing where the sessions are of several people.
  package let suggestions: [HeartRateSuggestion]
  /// What α1 says of the thresholds, in the newest session that says it.
  package let beatSuggestions: [BeatSuggestion]
}

extension HistoryWorker {
  /// Fitness and form by all sessions that a filter lets through, on the days of a clock; the goal is that of the
  /// person who is named, else of the one whom all of the sessions are of. What begins after today is left out: nothing follows from it
  /// for today.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` or `RecordingError` when the profile cannot.
  /// - Complexity: O(number of sessions).
  func fitness(_ asked: Filter, _ method: LoadMethod, _ clock: LocalClock) throws -> FitnessReport {
    var filter = asked
    filter.until = [asked.until, clock.endOfToday].compactMap(\.self).min()
    let values = filter.values(person: try keysValue(ofPersonNamed: filter.person))
    let sessions = try read(
      """
      SELECT id, start_ns, \(method.column), active_ns, distance_m, zone_model, \(PersonKeys.column)
      FROM session JOIN detail ON detail.session = session.id
      WHERE \(filter.condition) ORDER BY start_ns, id
      """, values
    ) { row in
      TrainedSession(
        id: row.text(0), start: WallClockTime(nanoseconds: row.int64(1)), load: row.double(2),
        active: row.span(3), meters: row.double(4) ?? 0,
        zoneModel: row.repeatedText(5) ?? "", person: row.repeatedText(6))
    }
    let dated = sessions.compactMap { session in clock.day(of: session.start).map { (day: $0, session: session) } }
    let days = TrainingDay.days(of: dated.map { ($0.day, $0.session.load ?? 0) }, until: clock.today)
    var weeks = Self.weeks(days)
    var places: [String: Int] = [:]
    for (day, session) in dated {
      guard let place = Self.place(of: day, in: weeks) else { continue }
      places[session.id] = place
      weeks[place].add(session)
    }
    let bands = try read(
      """
      SELECT band.session, name, duration_ns, zone_model FROM session JOIN band ON band.session = session.id
      WHERE \(filter.condition) AND duration_ns > 0
      """, values
    ) { row in
      (row.text(0), Band(name: row.repeatedText(1) ?? ""), row.span(2), row.repeatedText(3))
    }
    for (id, band, duration, model) in bands {
      guard let place = places[id], let band, let intensity = Intensity(band, ofModelNamed: model ?? "") else {
        continue
      }
      weeks[place].seconds[intensity.rawValue] += duration.seconds
    }
    let isOfOne = try peopleCount(filter) <= 1
    return FitnessReport(
      method: method, days: days, weeks: weeks, withoutLoad: sessions.count { $0.load == nil },
      streak: WeekStreak(weeks, goal: try goal(of: filter.person, sessions)),
      suggestions: try isOfOne ? HeartRateSuggestion.all(windows(filter, values, newest: sessions.last?.start)) : [],
      beatSuggestions: try isOfOne
        ? BeatSuggestion.newest(of: sessions.map { ($0.id, $0.start) }, in: dataFolder) : [])
  }

  /// What is known of a session.
  fileprivate struct TrainedSession {
    let id: String
    let start: WallClockTime
    let load: Double?
    let active: SessionTime
    let meters: Double
    let zoneModel: String
    /// See ``PersonKeys/column``.
    let person: String?
  }

  /// The weeks of some days, which follow each other.
  private static func weeks(_ days: [TrainingDay]) -> [WeekIntensity] {
    days.reduce(into: []) { weeks, day in
      guard let monday = day.day.adding(days: -day.day.weekday), weeks.last?.monday != monday else { return }
      weeks.append(WeekIntensity(monday: monday))
    }
  }

  private static func place(of day: CivilDate, in weeks: [WeekIntensity]) -> Int? {
    guard let first = weeks.first?.monday else { return nil }
    let place = (day.daysSinceEpoch - first.daysSinceEpoch) / 7
    return weeks.indices.contains(place) ? place : nil
  }

  /// The goal of the person who is named, else of the one whom all of the sessions are of.
  private func goal(of person: String?, _ sessions: [TrainedSession]) throws -> WeeklyGoal? {
    let store = ProfileStore(dataFolder: dataFolder)
    guard let person else {
      guard let key = sessions.first?.person, sessions.allSatisfy({ $0.person == key }) else { return nil }
      return try store.profiles().readable.first { PersonKeys($0).texts.contains(key) }?.weeklyGoal
    }
    guard try store.names().contains(person) else { return nil }
    return try store.profile(named: person).weeklyGoal
  }

  /// The highest heart rates of the year before the newest session.
  private func windows(
    _ filter: Filter, _ values: [DatabaseValue], newest: WallClockTime?
  ) throws -> [HeartRateSuggestion.Window] {
    guard let newest else { return [] }
    let year = Int64(HeartRateSuggestion.days) * 86_400_000_000_000
    let first = newest.adding(nanoseconds: -year)?.nanoseconds ?? .min
    return try read(
      """
      SELECT size, rank, at_s, id, start_ns FROM effort JOIN session ON session.id = effort.session
      WHERE kind = 'heartRate' AND start_ns >= ?4 AND \(filter.condition) ORDER BY start_ns, id
      """, values + [.integer(first)]
    ) { row in
      HeartRateSuggestion.Window(
        effort: BestEffort(
          .heartRate(seconds: Int(row.double(0) ?? 0)), rank: row.double(1) ?? 0, atSeconds: row.double(2) ?? 0),
        sessionID: row.text(3), start: WallClockTime(nanoseconds: row.int64(4)))
    }
  }
}

extension WeekIntensity {
  /// Takes what a session came to, but its intensities.
  fileprivate mutating func add(_ session: HistoryWorker.TrainedSession) {
    sessions += 1
    active += session.active
    meters += session.meters
    load += session.load ?? 0
    if Intensity(.below, ofModelNamed: session.zoneModel) == nil { unknown += 1 }
  }
}

extension History {
  /// Fitness and form by all sessions that a filter lets through, on the days of a clock; the goal is that of the
  /// person who is named, else of the one whom all of the sessions are of.
  ///
  /// - Throws: also `RecordingError` when the profile cannot be read.
  package func fitness(
    _ filter: Filter, _ method: LoadMethod, _ clock: LocalClock
  ) async throws -> FitnessReport {
    try await read { try $0.fitness(filter, method, clock) }
  }
}
