internal import SessionStore
internal import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// What is looked for among the sessions of a filter; all of it has to hold.
package struct SessionSearch: Hashable, Sendable {
  /// Metres, both ends included; absent for any.
  package var meters: ClosedRange<Double>?
  /// A place and how far from it a session may have begun, in metres; absent for anywhere.
  package var near: Place?
  /// The activity.
  package var activity: String?
  /// A label on a stretch of the session.
  package var label: String?
  /// Tags, all of which it has to have, whatever their case.
  package var tags: [String] = []
  /// A text in the note, a tag, a label or the activity, whatever its case.
  package var text: String?

  /// Looks for nothing in particular.
  package init() {}

  /// Whether nothing in particular is looked for.
  package var isEmpty: Bool { self == SessionSearch() }

  /// Reads metres from and to, both with a unit, or so many metres within 5 %: `5km-10km`, `400m-2km`, `10km`, `3mi`; `nil` for
  /// anything else, and for a range that ends before it begins.
  package static func meters(_ text: String) -> ClosedRange<Double>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { length(String($0)) }
    guard let first = parts.first, let low = first, parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return low * 0.95...low * 1.05 }
    guard let high = parts[1], low <= high else { return nil }
    return low...high
  }

  /// Reads metres with a unit such as `300m`, `2km` or `1mi`; `nil` for anything else.
  package static func length(_ text: String) -> Double? {
    for (unit, size) in [("km", 1_000), ("mi", BestEffort.mile), ("m", 1)] where text.hasSuffix(unit) {
      guard let count = DecimalText.double(from: Array(text.utf8.dropLast(unit.utf8.count)).span) else { return nil }
      return count >= 0 && count.isFinite ? count * size : nil
    }
    return nil
  }

  /// Where somebody says that sessions began.
  package enum Origin: Hashable, Sendable {
    /// There.
    case coordinate(Coordinate)
    /// Where a session began, by what somebody calls it.
    case session(String)

    /// Reads degrees of latitude and longitude such as `46.77,23.6`, or else the name of a session; `nil` for degrees that no
    /// place has.
    package init?(_ text: String) {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let degrees = parts.map { DecimalText.double(from: Array($0.utf8).span) }
      guard degrees.count == 2 else {
        self = .session(text)
        return
      }
      guard let north = degrees[0], let east = degrees[1],
        let place = Coordinate(latitudeDegrees: north, longitudeDegrees: east)
      else { return nil }
      self = .coordinate(place)
    }
  }

  /// A place and how far from it.
  package struct Place: Hashable, Sendable {
    /// The place.
    package let coordinate: Coordinate
    /// Metres, the limit included.
    package let withinMeters: Double

    /// Creates a place.
    package init(_ coordinate: Coordinate, withinMeters: Double) {
      self.coordinate = coordinate
      self.withinMeters = withinMeters
    }
  }
}

extension HistoryWorker {
  /// The sessions that a filter lets through and of which all holds that is looked for, the newest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  /// - Complexity: O(number of sessions).
  func sessions(_ filter: Filter, _ search: SessionSearch) throws -> [SessionEntry] {
    var wanted: [Set<String>] = []
    if let near = search.near { wanted.append(try sessions(near: near)) }
    if let label = search.label { wanted.append(try names("SELECT session FROM label WHERE name = ?1", label)) }
    for tag in search.tags { wanted.append(try sessions(tagged: tag)) }
    if let text = search.text { wanted.append(try sessions(saying: text)) }
    return try sessions(filter, into: []) { (found: inout [SessionEntry], entry: consuming SessionEntry) in
      if let activity = search.activity, entry.activity.lowercased() != activity.lowercased() { return }
      if let meters = search.meters, !(entry.distanceMeters.map { meters.contains($0) } ?? false) { return }
      if wanted.allSatisfy({ $0.contains(entry.sessionID) }) { found.append(entry) }
    }
  }

  /// Where a session began; `nil` where that is not known.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func start(of sessionID: String) throws -> Coordinate? {
    try read("SELECT latitude, longitude FROM place WHERE session = ?1", [.text(sessionID)]) {
      Coordinate(latitudeDegrees: $0.double(0) ?? 0, longitudeDegrees: $0.double(1) ?? 0)
    }.first ?? nil
  }

  private func names(_ sql: String, _ value: String) throws -> Set<String> {
    Set(try read(sql, [.text(value)]) { $0.text(0) })
  }

  /// The sessions with a tag, whatever its case.
  private func sessions(tagged tag: String) throws -> Set<String> {
    let wanted = tag.lowercased()
    let found = try read("SELECT session, name FROM tag", []) { $0.text(1).lowercased() == wanted ? $0.text(0) : nil }
    return Set(found.compactMap(\.self))
  }

  private func sessions(near place: SessionSearch.Place) throws -> Set<String> {
    let found = try read("SELECT session, latitude, longitude FROM place", []) { row -> String? in
      let start = Coordinate(latitudeDegrees: row.double(1) ?? 0, longitudeDegrees: row.double(2) ?? 0)
      guard let start, Geodesic.distance(place.coordinate, start) <= place.withinMeters else { return nil }
      return row.text(0)
    }
    return Set(found.compactMap(\.self))
  }

  private func sessions(saying text: String) throws -> Set<String> {
    let words = text.lowercased()
    let found = try read(
      """
      SELECT session, words FROM note UNION ALL SELECT session, name FROM tag UNION ALL SELECT session, name FROM label
      UNION ALL SELECT id, activity FROM session
      """, []
    ) { row -> String? in
      (row.repeatedText(1) ?? "").lowercased().contains(words) ? row.text(0) : nil
    }
    return Set(found.compactMap(\.self))
  }
}

extension History {
  /// The sessions that a filter lets through and of which all holds that is looked for, the newest first.
  package func sessions(_ filter: Filter, _ search: SessionSearch) async throws -> [SessionEntry] {
    try await read { try $0.sessions(filter, search) }
  }

  /// Where a session began; `nil` where that is not known.
  package func start(of sessionID: String) async throws -> Coordinate? {
    try await read { try $0.start(of: sessionID) }
  }
}
