internal import ZoneEngine

/// One hour of the history.
package struct HistoryHour: Hashable, Sendable {
  /// When it began.
  package let from: WallClockTime
  /// Steps that were told in it; absent without any step sample.
  package private(set) var steps: Int?
  /// How many accepted heart rates there were in it.
  package private(set) var heartRateCount: Int
  private var heartRateSum: Double

  /// The mean of the accepted heart rates in it, in beats per minute.
  package var meanHeartRate: Double? { heartRateCount > 0 ? heartRateSum / Double(heartRateCount) : nil }

  /// Creates an hour; the heart rates are added up.
  init(from: WallClockTime, steps: Int?, heartRateSum: Double, heartRateCount: Int) {
    self.from = from
    self.steps = steps
    self.heartRateSum = heartRateSum
    self.heartRateCount = heartRateCount
  }

  /// Adds what another session told of the same hour.
  mutating func add(_ other: HistoryHour) {
    if let steps = other.steps { self.steps = (self.steps ?? 0) + steps }
    heartRateSum += other.heartRateSum
    heartRateCount += other.heartRateCount
  }

  /// Writes the record of the hour as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "hour")
      writer.member("from", from)
      writer.member("steps", steps)
      writer.member("averageHeartRateBPM", meanHeartRate)
    }
  }
}

extension [HistoryHour] {
  /// Steps of all hours; absent when none tells any.
  package var steps: Int? { compactMap(\.steps).reduce(nil) { ($0 ?? 0) + $1 } }

  /// The mean of all accepted heart rates, in beats per minute.
  package var meanHeartRate: Double? {
    let count = reduce(0) { $0 + $1.heartRateCount }
    guard count > 0 else { return nil }
    return reduce(0) { $0 + ($1.meanHeartRate ?? 0) * Double($1.heartRateCount) } / Double(count)
  }
}

extension History {
  /// What the sessions came to that begin in a span.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  /// - Complexity: O(number of sessions in the span).
  package func totals(in span: Range<WallClockTime>, person: String?) throws -> PeriodTotals {
    try totals(in: span, person: keysValue(ofPersonNamed: person))
  }

  /// The same with the keys of the person.
  func totals(in span: Range<WallClockTime>, person keys: DatabaseValue) throws -> PeriodTotals {
    var filter = Filter()
    filter.from = span.lowerBound
    filter.until = span.upperBound
    var totals = PeriodTotals()
    for session in try sessions(filter, person: keys).reversed() { totals.add(session) }
    let bands = try read(
      """
      SELECT name, SUM(duration_ns) FROM session JOIN band ON band.session = session.id
      WHERE \(Filter.condition) GROUP BY name
      """,
      filter.values(person: keys)
    ) { (Band(name: $0.text(0)), SessionTime(nanoseconds: $0.int64(1))) }
    for case (let band?, let duration) in bands { totals.add(duration, in: band) }
    return totals
  }

  /// The hours with readings that begin in a span, in order; an hour of several sessions is one.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  package func hours(in span: Range<WallClockTime>, person: String?) throws -> [HistoryHour] {
    try hours(
      where: "from_s > ?1 AND from_s <= ?2 AND \(Filter.personCondition)",
      [
        .integer(Self.lastSecond(before: span.lowerBound)), .integer(Self.lastSecond(before: span.upperBound)),
        try keysValue(ofPersonNamed: person),
      ])
  }

  /// The hours with readings of one session, in order.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func hours(of sessionID: String) throws -> [HistoryHour] {
    try hours(where: "hour.session = ?1", [.text(sessionID)])
  }

  private func hours(where condition: String, _ values: [DatabaseValue]) throws -> [HistoryHour] {
    let rows = try read(
      """
      SELECT from_s, hour.steps, heart_rate_sum, heart_rate_count FROM hour JOIN session ON session.id = hour.session
      WHERE \(condition) ORDER BY from_s, hour.session
      """, values
    ) { row in
      WallClockTime(secondsSinceEpoch: row.int64(0)).map {
        HistoryHour(
          from: $0, steps: row.optionalInt64(1).map { Int($0) }, heartRateSum: row.double(2) ?? 0,
          heartRateCount: row.int(3))
      }
    }
    return rows.compactMap(\.self).reduce(into: []) { hours, hour in
      if hours.last?.from == hour.from {
        hours[hours.count - 1].add(hour)
      } else {
        hours.append(hour)
      }
    }
  }

  /// The last whole second of the Unix epoch that lies before an instant.
  private static func lastSecond(before time: WallClockTime) -> Int64 {
    let (seconds, rest) = WallClockTime.floor(Int(time.nanoseconds), by: 1_000_000_000)
    return Int64(rest > 0 ? seconds : seconds - 1)
  }

  /// The beginning of the newest hour with readings; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  package func newestHour(person: String?) throws -> WallClockTime? {
    try read(
      """
      SELECT from_s FROM hour JOIN session ON session.id = hour.session
      WHERE \(Filter.condition)
      ORDER BY from_s DESC LIMIT 1
      """,
      Filter().values(person: keysValue(ofPersonNamed: person))
    ) { WallClockTime(secondsSinceEpoch: $0.int64(0)) }.first ?? nil
  }
}
