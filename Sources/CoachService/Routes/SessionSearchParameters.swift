internal import WorkoutHistory
internal import ZoneEngine

/// The parameters by which sessions are looked for, as `coach history find` has them.
enum SessionSearchParameters {
  /// How far from a place a session may have begun when nothing is said, in metres.
  static let usualMeters = 300.0
  /// How far at most.
  static let largestMeters = 1_000_000.0

  private static let words = #"{"type":"string","minLength":1,"maxLength":200}"#

  static let all = [
    QueryParameter(
      "distance", #"{"type":"string","pattern":"^[1-9][0-9]{0,2}(km|mi)$","examples":["10km"]}"#,
      "only sessions of that distance within 5 %; or from and to, such as 5km-10km and 400m-2km"),
    QueryParameter(
      "near",
      #"{"type":"string","pattern":"^-?[1-8]?[0-9](\\.[0-9]{1,6})?,-?(1[0-7][0-9]|[1-9]?[0-9])(\\.[0-9]{1,6})?$","examples":["46.77,23.6"]}"#,
      "only sessions that began near this place, in degrees, or near where this session began"),
    QueryParameter(
      "within", #"{"type":"number","minimum":1,"maximum":1000000}"#,
      "how many metres from `near` a session may have begun, 300 when nothing is said; it does nothing without `near`"),
    QueryParameter("activity", ServiceSchemas.activity, "only sessions of this activity"),
    QueryParameter("labelled", words, "only sessions with this label on a stretch"),
    QueryParameter("tag", words, "only sessions with this tag"),
    QueryParameter("text", words, "only sessions whose note, tags, labels or activity hold this text"),
  ]
}

extension ServiceCall {
  /// What the query looks for among sessions that are over.
  ///
  /// - Throws: `ServiceProblem` for a value that cannot be, or a session that is not theirs to see.
  func sessionSearch() async throws -> SessionSearch {
    var search = SessionSearch()
    if let text = parameter("distance") {
      guard let meters = SessionSearch.meters(text) else {
        throw ServiceProblem.parameter(
          "distance", expected: "a distance with a unit such as 10km, or two such as 5km-10km")
      }
      search.meters = meters
    }
    search.activity = parameter("activity")
    search.label = parameter("labelled")
    search.tags = parameter("tag").map { [$0] } ?? []
    search.text = parameter("text")
    let within = try withinMeters()
    if let text = parameter("near") { search.near = .init(try await place(near: text), withinMeters: within) }
    return search
  }

  private func withinMeters() throws(ServiceProblem) -> Double {
    guard let text = parameter("within") else { return SessionSearchParameters.usualMeters }
    guard let meters = Double(text), (1...SessionSearchParameters.largestMeters).contains(meters) else {
      throw .parameter("within", expected: "metres from 1 to 1000000")
    }
    return meters
  }

  /// A place in degrees, or where a session of theirs began.
  private func place(near text: String) async throws -> Coordinate {
    switch SessionSearch.Origin(text) {
    case .coordinate(let place)?: return place
    case .session(let id)?:
      // Of a session of somebody else it is not even said that it is there.
      if try await visibleSession(id) != nil,
        let start = try await service.history.start(of: id)
      {
        return start
      }
    case nil: break
    }
    throw ServiceProblem.parameter(
      "near", expected: "degrees such as 46.77,23.6, or a session that says where it began")
  }
}
