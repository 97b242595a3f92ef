package import TextFormats

/// A request on its route: what a handler has in hand. It is a class, since whatever waits for an answer holds it.
package final class ServiceCall: Sendable {
  /// The service.
  package let service: Service
  /// The request.
  package let request: HTTPRequest
  /// The query, decoded.
  package let query: [HTTPField]
  /// The time of the request.
  package let now: WallClockTime
  let place: AdmittedPlace

  init(service: Service, _ place: AdmittedPlace, request: HTTPRequest, query: [HTTPField], now: WallClockTime) {
    self.service = service
    self.place = place
    self.request = request
    self.query = query
    self.now = now
  }

  /// The route.
  package var route: Route { place.route }
  /// What stands in the braces of the path, decoded.
  package var values: PathValues { place.values }
  /// Who asks; absent where everybody may.
  package var caller: Caller? { place.caller }

  /// The session that the path names; `nil` where it names none.
  var sessionID: String? {
    Self.ofSessions.contains { route.pattern.hasPrefix($0) } ? values["id"] : nil
  }

  private static let ofSessions = ["/v1/sessions/{id}", "/live/{id}", "/sessions/{id}"]

  /// Whether the answer needs a history that is that of all instances.
  var readsHistory: Bool {
    switch route.history {
    case .none: false
    case .always: true
    case .ofClosedSession: liveSession == nil
    }
  }

  /// The session of the path, where it is live here and theirs to see.
  var liveSession: HostedSession? {
    guard let id = sessionID, let caller, let session = service.sessions.session(id, for: caller),
      session.endedAt == nil
    else { return nil }
    return session
  }

  /// A part of the path.
  package func value(_ name: String) -> String { values[name] ?? "" }

  /// A query parameter; `nil` when it is not there.
  package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// A query parameter that is a whole number.
  ///
  /// - Throws: `ServiceProblem` when it is none, or out of range.
  package func integer(_ name: String, _ range: ClosedRange<Int>) throws(ServiceProblem) -> Int? {
    guard let text = parameter(name) else { return nil }
    guard text.utf8.first != UInt8(ascii: "+"), let value = Int(text), range.contains(value) else {
      throw .parameter(name, expected: "a whole number in \(range.lowerBound)…\(range.upperBound)")
    }
    return value
  }

  /// Who asks.
  ///
  /// - Throws: `ServiceProblem` when that is not known.
  package func requireCaller() throws(ServiceProblem) -> Caller {
    guard let caller else { throw ServiceProblem(.unauthorized, "expected a token") }
    return caller
  }

  /// Reads the JSON object of the body, every member of it.
  ///
  /// - Throws: `ServiceProblem` with the member that is wrong.
  package func object<Value>(
    _ read: (inout JSONObjectReader) throws(JSONError) -> Value
  ) throws(ServiceProblem) -> Value {
    try JSONBody.read(request.body, read)
  }
}
