internal import ActivityRecognition
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// One hour of the history.
package struct HistoryHour: Hashable, Sendable {
  /// When it began.
  package let from: WallClockTime
  /// Whose it is; absent when nobody said who it was, or when it is of everybody.
  package internal(set) var person: String?
  /// Steps that were counted in it; absent without any step sample.
  package private(set) var steps: Int?
  /// How many accepted heart rates there were in it.
  package private(set) var heartRateCount: Int
  private var heartRateSum: Double
  /// What was done in it; absent where nothing was recognised or labelled.
  package private(set) var activities: ActivityMinutes?
  /// Whether labels say so, of one session at least.
  package private(set) var isLabelled: Bool
  /// How many of the sessions that recorded something in it came from where; those of unknown origin are in none.
  package private(set) var origins: [SessionOrigin: Int]

  /// The mean of the accepted heart rates in it, in beats per minute.
  package var meanHeartRate: Double? { heartRateCount > 0 ? heartRateSum / Double(heartRateCount) : nil }

  /// Creates an hour of one session; the heart rates are added up.
  init(
    from: WallClockTime, steps: Int?, heartRateSum: Double, heartRateCount: Int, activities: ActivityMinutes? = nil,
    isLabelled: Bool = false, origin: SessionOrigin? = nil
  ) {
    self.isLabelled = isLabelled
    origins = origin.map { [$0: 1] } ?? [:]
    self.activities = activities
    self.from = from
    self.steps = steps
    self.heartRateSum = heartRateSum
    self.heartRateCount = heartRateCount
  }

  /// Adds what another session recorded in the same hour.
  mutating func add(_ other: HistoryHour) {
    if let steps = other.steps { self.steps = (self.steps ?? 0) + steps }
    if let further = other.activities { activities = (activities ?? ActivityMinutes()) + further }
    isLabelled = isLabelled || other.isLabelled
    origins.merge(other.origins) { $0 + $1 }
    heartRateSum += other.heartRateSum
    heartRateCount += other.heartRateCount
  }

  /// Writes the record of the hour as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "hour")
      writer.member("person", person)
      writer.member("from", from)
      writer.member("steps", steps)
      writer.member("averageHeartRateBPM", meanHeartRate)
      writer.member("satMinutes", activities?.minutes(.sitting))
      writer.member("stoodMinutes", activities?.minutes(.standing))
      writer.member("walkedMinutes", activities?.minutes(.walking))
      writer.member("runMinutes", activities?.minutes(.running))
      writer.member("labelled", isLabelled ? true : nil)
      OriginRecords.write(origins, to: &writer)
    }
  }
}

extension [HistoryHour] {
  /// Steps of all hours; absent when none has any.
  package var steps: Int? { compactMap(\.steps).reduce(nil) { ($0 ?? 0) + $1 } }

  /// The mean of all accepted heart rates, in beats per minute.
  package var meanHeartRate: Double? {
    let count = reduce(0) { $0 + $1.heartRateCount }
    guard count > 0 else { return nil }
    return reduce(0) { $0 + ($1.meanHeartRate ?? 0) * Double($1.heartRateCount) } / Double(count)
  }

  /// What was done in all hours; absent when nothing was recognised in any.
  package var activities: ActivityMinutes? {
    compactMap(\.activities).reduce(nil) { ($0 ?? ActivityMinutes()) + $1 }
  }
}

extension [HistoryHour] {
  /// The hours in their order, those that begin at one instant added up.
  fileprivate var joinedHours: [HistoryHour] {
    reduce(into: []) { hours, hour in
      if hours.last?.from == hour.from {
        hours[hours.count - 1].add(hour)
      } else {
        hours.append(hour)
      }
    }
  }
}

extension HistoryWorker {
  /// What the sessions came to that begin in a span, those in which no person was measured only when they are asked for.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  /// - Complexity: O(number of sessions in the span).
  func totals(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) throws -> PeriodTotals {
    try totals(in: span, person: keysValue(ofPersonNamed: person), includesSimulated: includesSimulated)
  }

  /// The same with the keys of the person.
  func totals(
    in span: Range<WallClockTime>, person keys: DatabaseValue, includesSimulated: Bool
  ) throws -> PeriodTotals {
    var filter = Filter()
    filter.from = span.lowerBound
    filter.until = span.upperBound
    filter.includesSimulated = includesSimulated
    var totals = PeriodTotals()
    for session in try sessions(filter, person: keys).reversed() { totals.add(session) }
    let bands = try read(
      """
      SELECT name, SUM(duration_ns) FROM session JOIN band ON band.session = session.id
      WHERE \(filter.condition) GROUP BY name
      """,
      filter.values(person: keys)
    ) { (Band(name: $0.text(0)), $0.span(1)) }
    for case (let band?, let duration) in bands { totals.add(duration, in: band) }
    return totals
  }

  /// The hours with readings that begin in a span, in order; an hour of several sessions is one, whosever they are.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func hours(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) throws -> [HistoryHour] {
    try hourRows(in: span, person: person, includesSimulated).map(\.hour).joinedHours
  }

  /// The same of each person for itself, in the order of their names; nobody in particular comes first. The label is what a table
  /// calls the person.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func hoursOfEach(
    in span: Range<WallClockTime>, person: String?, includesSimulated: Bool = false
  ) throws -> [(person: String?, label: String?, hours: [HistoryHour])] {
    let people = try people()
    let labels = try labels(of: people)
    let rows = try hourRows(in: span, person: person, includesSimulated)
    let byPerson = Dictionary(grouping: rows) { people.key(profileID: $0.profileID, name: $0.person) ?? "" }
    return byPerson.map { key, rows in
      let (profileID, recorded) = (rows.first?.profileID, rows.first?.person)
      let name = people.name(profileID: profileID, recordedAs: recorded)
      let mark = labels.mark(profileID: profileID, recordedAs: recorded, called: name)
      let hours = rows.map { row in
        var hour = row.hour
        hour.person = name
        return hour
      }
      return (key: key, name: name, label: PersonLabel.text(name, mark: mark), hours: hours.joinedHours)
    }
    .sorted { left, right in
      let (a, b) = (left.name ?? "", right.name ?? "")
      return a == b ? left.key < right.key : a.utf8.lexicographicallyPrecedes(b.utf8)
    }
    .map { ($0.name, $0.label, $0.hours) }
  }

  /// How many people the sessions of the index are of, nobody in particular counted as one.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func peopleCount(_ filter: Filter) throws -> Int {
    let people = try people()
    let keys = try read(
      "SELECT DISTINCT profile, person FROM session WHERE \(filter.condition)",
      filter.values(person: keysValue(ofPersonNamed: filter.person))
    ) { people.key(profileID: $0.optionalText(0).flatMap { ProfileID($0) }, name: $0.optionalText(1)) }
    return Set(keys).count
  }

  /// The hours with readings of one session, in order.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func hours(of sessionID: String) throws -> [HistoryHour] {
    try hourRows(where: "hour.session = ?1", [.text(sessionID)]).map(\.hour).joinedHours
  }

  /// What a session recorded in an hour, and whose it was.
  private typealias HourRow = (hour: HistoryHour, profileID: ProfileID?, person: String?)

  private func hourRows(
    in span: Range<WallClockTime>, person: String?, _ includesSimulated: Bool
  ) throws -> [HourRow] {
    try hourRows(
      where: "from_s > ?1 AND from_s <= ?2 AND \(Filter.personCondition) "
        + "AND \(Filter.originCondition(includesSimulated))",
      Self.hourLimits(span) + [try keysValue(ofPersonNamed: person)])
  }

  /// The seconds after which the hours of a span begin, and at which the last one may.
  static func hourLimits(_ span: Range<WallClockTime>) -> [DatabaseValue] {
    [.integer(lastSecond(before: span.lowerBound)), .integer(lastSecond(before: span.upperBound))]
  }

  private func hourRows(where condition: String, _ values: [DatabaseValue]) throws -> [HourRow] {
    let rows = try read(
      """
      SELECT from_s, hour.steps, heart_rate_sum, heart_rate_count, profile, person,
        sitting_ns, standing_ns, walking_ns, running_ns, origin, labelled
      FROM hour JOIN session ON session.id = hour.session
      WHERE \(condition) ORDER BY from_s, hour.session
      """, values
    ) { row -> HourRow? in
      WallClockTime(secondsSinceEpoch: row.int64(0)).map {
        let hour = HistoryHour(
          from: $0, steps: row.count(1), heartRateSum: row.double(2) ?? 0,
          heartRateCount: row.count(3) ?? 0,
          activities: ActivityMinutes(nanoseconds: (6...9).compactMap { row.optionalSpan($0)?.nanoseconds }),
          isLabelled: row.count(11) == 1, origin: row.optionalText(10).flatMap { SessionOrigin(rawValue: $0) })
        return (hour, row.optionalText(4).flatMap { ProfileID($0) }, row.optionalText(5))
      }
    }
    return rows.compactMap(\.self)
  }

  /// The last whole second of the Unix epoch that lies before an instant.
  private static func lastSecond(before time: WallClockTime) -> Int64 {
    let (seconds, rest) = WallClockTime.floor(Int(time.nanoseconds), by: 1_000_000_000)
    return Int64(rest > 0 ? seconds : seconds - 1)
  }

  /// The beginning of the newest hour with readings; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func newestHour(person: String?, includesSimulated: Bool = false) throws -> WallClockTime? {
    var filter = Filter()
    filter.includesSimulated = includesSimulated
    return try read(
      """
      SELECT from_s FROM hour JOIN session ON session.id = hour.session
      WHERE \(filter.condition)
      ORDER BY from_s DESC LIMIT 1
      """,
      filter.values(person: keysValue(ofPersonNamed: person))
    ) { WallClockTime(secondsSinceEpoch: $0.int64(0)) }.first ?? nil
  }
}
