package import TextFormats
package import WorkoutSession

/// The best that somebody has over a distance or a time in an activity.
package struct HistoryRecord: Hashable, Sendable {
  /// Whose it is; absent when nobody said who it was.
  package let person: String?
  /// What a table calls the person: it distinguishes people of one name.
  package let personLabel: String?
  /// What the person did.
  package let activity: String
  /// What it is.
  package let effort: BestEffort
  /// The session that has it, the first of several that are as good.
  package let sessionID: String
  /// When that session began.
  package let start: WallClockTime
  /// How far the clock of its place was ahead of UTC.
  package let utcOffsetSeconds: Int

  /// Writes the record as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "record")
      switch effort.span {
      case .distance(let meters):
        writer.member("distanceMeters", meters)
        writer.member("seconds", effort.value)
      case .duration(let seconds):
        writer.member("durationSeconds", seconds)
        writer.member("meters", effort.value)
      case .heartRate(let seconds):
        writer.member("durationSeconds", seconds)
        writer.member("averageHeartRateBPM", effort.value)
      }
      writer.member("sessionID", sessionID)
      writer.member("atSeconds", effort.atSeconds)
      writer.member("startTime", start)
      writer.member("activity", activity)
      writer.member("person", person)
    }
  }
}

/// An effort that beats the one which was the best before.
package struct BeatenRecord: Hashable, Sendable {
  /// The effort.
  package let effort: BestEffort
  /// The best until then.
  package let before: BestEffort

  /// Creates one from its parts.
  package init(_ effort: BestEffort, before: BestEffort) {
    self.effort = effort
    self.before = before
  }
}

/// A record that a session has just brought.
package struct NewRecord: Hashable, Sendable {
  /// Whose it is.
  package let person: String?
  /// In what.
  package let activity: String
  /// What is better now.
  package let record: BeatenRecord

  fileprivate func isOfSame(as other: NewRecord) -> Bool {
    person == other.person && activity == other.activity && record.effort.span == other.record.effort.span
  }
}

extension BestEffort.Span {
  /// How the index names it.
  var column: (kind: String, size: Double) {
    switch self {
    case .distance(let meters): ("distance", meters)
    case .duration(let seconds): ("duration", Double(seconds))
    case .heartRate(let seconds): ("heartRate", Double(seconds))
    }
  }

  /// The span that the index names so; `nil` for anything else.
  init?(kind: String, size: Double) {
    switch kind {
    case "distance": self = .distance(meters: size)
    case "duration": self = .duration(seconds: Int(size))
    case "heartRate": self = .heartRate(seconds: Int(size))
    default: return nil
    }
  }

  /// Whether it is one that records are kept of.
  var isRecord: Bool { self != .heartRate(seconds: BestEffort.peakSeconds) }
}

extension [HistoryRecord] {
  /// In the order in which they are listed: people by their names, nobody in particular first, activities, spans.
  fileprivate var listed: [HistoryRecord] {
    sorted { left, right in
      let (a, b) = (left.person ?? "", right.person ?? "")
      if a != b { return a.utf8.lexicographicallyPrecedes(b.utf8) }
      let (labelA, labelB) = (left.personLabel ?? "", right.personLabel ?? "")
      if labelA != labelB { return labelA.utf8.lexicographicallyPrecedes(labelB.utf8) }
      if left.activity != right.activity { return left.activity.utf8.lexicographicallyPrecedes(right.activity.utf8) }
      return left.effort.span.place < right.effort.span.place
    }
  }
}

extension BestEffort.Span {
  /// The place among all: distances, times, heart rates, the shorter first.
  fileprivate var place: (Int, Double) {
    switch self {
    case .distance(let meters): (0, meters)
    case .duration(let seconds): (1, Double(seconds))
    case .heartRate(let seconds): (2, Double(seconds))
    }
  }
}

extension HistoryWorker {
  /// The records of each person in each activity, among the sessions that a filter lets through.
  ///
  /// - Parameter activity: only those of this activity; absent for all.
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  /// - Complexity: O(number of efforts).
  func records(_ filter: Filter, activity: String?) throws -> [HistoryRecord] {
    let people = try people()
    let labels = try labels(of: people)
    let values = filter.values(person: try keysValue(ofPersonNamed: filter.person))
    let condition = "\(filter.condition) AND (?4 IS NULL OR activity = ?4)"
    /// The best of one text that sessions say of their person.
    struct Best {
      let owner: DatabaseValue
      let key: String?
      let name: String?
      let label: String?
      let activity: String
      let span: BestEffort.Span
      let rank: Double
    }
    let found = try read(
      """
      SELECT \(PersonKeys.column), profile, person, activity, kind, size, MIN(rank)
      FROM effort JOIN session ON session.id = effort.session
      WHERE \(condition) GROUP BY \(PersonKeys.column), activity, kind, size
      """, values + [.optional(activity)]
    ) { row -> Best? in
      guard let span = BestEffort.Span(kind: row.text(4), size: row.double(5) ?? 0), span.isRecord else { return nil }
      let (profileID, person) = (row.optionalText(1).flatMap { ProfileID($0) }, row.optionalText(2))
      let name = people.name(profileID: profileID, recordedAs: person)
      let mark = labels.mark(profileID: profileID, recordedAs: person, called: name)
      return Best(
        owner: .optional(row.optionalText(0)), key: people.key(profileID: profileID, name: person), name: name,
        label: PersonLabel.text(name, mark: mark), activity: row.text(3), span: span, rank: row.double(6) ?? 0)
    }.compactMap(\.self)
    struct Place: Hashable {
      let key: String?
      let activity: String
      let span: BestEffort.Span
    }
    let byPlace = Dictionary(grouping: found) { Place(key: $0.key, activity: $0.activity, span: $0.span) }
    return try byPlace.compactMap { place, all -> HistoryRecord? in
      guard let rank = all.map(\.rank).min() else { return nil }
      let (kind, size) = place.span.column
      let holders = try all.filter { $0.rank == rank }.flatMap { best in
        try read(
          """
          SELECT id, start_ns, utc_offset_s, at_s FROM effort JOIN session ON session.id = effort.session
          WHERE \(filter.condition) AND kind = ?4 AND size = ?5 AND rank = ?6 AND activity = ?7
            AND \(PersonKeys.column) IS ?8
          ORDER BY start_ns, id LIMIT 1
          """, values + [.text(kind), .real(size), .real(rank), .text(place.activity), best.owner]
        ) { row in
          HistoryRecord(
            person: best.name, personLabel: best.label, activity: place.activity,
            effort: BestEffort(place.span, rank: rank, atSeconds: row.double(3) ?? 0), sessionID: row.text(0),
            start: WallClockTime(nanoseconds: row.int64(1)), utcOffsetSeconds: row.utcOffsetSeconds(2))
        }
      }
      return holders.min { ($0.start, $0.sessionID) < ($1.start, $1.sessionID) }
    }.listed
  }

  /// The records of sessions that have just come, which beat all others of the same person and activity; of several that do
  /// the best.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func newRecords(of sessionIDs: [String]) throws -> [NewRecord] {
    var best: [NewRecord] = []
    for sessionID in sessionIDs {
      guard let entry = try session(sessionID) else { continue }
      for record in try beatenRecords(of: entry, owner: owner(of: entry), besides: sessionIDs) {
        let new = NewRecord(person: entry.person, activity: entry.activity, record: record)
        if let place = best.firstIndex(where: { $0.isOfSame(as: new) }) {
          if new.record.effort.rank < best[place].record.effort.rank { best[place] = new }
        } else {
          best.append(new)
        }
      }
    }
    return best
  }

  /// The efforts of a session that beat the best of all other sessions of the same person and activity in which somebody was
  /// measured, besides some; the owner is null for nobody in particular. What nobody had before beats nothing.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func beatenRecords(
    of entry: SessionEntry, owner: DatabaseValue, besides others: [String]
  ) throws -> [BeatenRecord] {
    guard entry.origin != .simulated else { return [] }
    let isTheirs =
      owner == .null ? "\(PersonKeys.column) IS ?3" : "\(PersonKeys.column) IN (SELECT value FROM json_each(?3))"
    return try read(
      """
      SELECT kind, size, rank, at_s, (
        SELECT other.rank FROM effort AS other JOIN session ON session.id = other.session
        WHERE other.kind = effort.kind AND other.size = effort.size AND session.id <> ?1 AND activity = ?2
          AND \(isTheirs) AND \(Filter.originCondition(false)) AND session.id NOT IN (SELECT value FROM json_each(?4))
        ORDER BY other.rank LIMIT 1
      ) AS earlier
      FROM effort WHERE session = ?1 AND rank < earlier ORDER BY position
      """, [.text(entry.sessionID), .text(entry.activity), owner, PersonKeys(others).value]
    ) { row -> BeatenRecord? in
      guard let span = BestEffort.Span(kind: row.text(0), size: row.double(1) ?? 0), span.isRecord,
        let rank = row.double(2), let earlier = row.double(4)
      else { return nil }
      return BeatenRecord(
        BestEffort(span, rank: rank, atSeconds: row.double(3) ?? 0),
        before: BestEffort(span, rank: earlier, atSeconds: 0))
    }.compactMap(\.self)
  }
}

extension History {
  /// The records of each person in each activity, among the sessions that a filter lets through.
  ///
  /// - Parameter activity: only those of this activity; absent for all.
  package func records(_ filter: Filter, activity: String?) async throws -> [HistoryRecord] {
    try await read { try $0.records(filter, activity: activity) }
  }

  /// How many sessions that have just come are asked at most which records they bring; more of them are a history of their own.
  package static let mostNewRecords = 64

  /// The records of sessions that have just come, which beat all others of the same person and activity; none for more than
  /// ``mostNewRecords``.
  package func newRecords(of sessionIDs: [String]) async throws -> [NewRecord] {
    guard sessionIDs.count <= Self.mostNewRecords else { return [] }
    return try await read { try $0.newRecords(of: sessionIDs) }
  }
}
