package import TextFormats

/// Who may use a route.
package enum RouteAccess: Hashable, Sendable {
  /// Everybody.
  case everybody
  /// Who has any token, or a cookie.
  case anybodyKnown
  /// Who has one of these scopes.
  case scopes([Scope])
  /// Who has the key that stands in the path.
  case key
  /// Pages: who has a cookie; others are shown where to sign in.
  case page
  /// Pages of signing in, and the parts of pages: anybody may see them.
  case signIn
}

/// Whether a route needs a history that is that of all instances.
package enum HistoryReading: Hashable, Sendable {
  /// It reads none.
  case none
  /// Always.
  case always
  /// Where the session of the path is not live here: what is in memory is answered without the database.
  case ofClosedSession
}

/// What a query parameter may be, for the routing, for the description and for what reads it.
package struct QueryParameter: Hashable, Sendable {
  /// Its name.
  package let name: String
  /// Its schema, as JSON.
  package let schema: String
  /// What it is for.
  package let summary: String
  /// Whether it has to be there.
  package let isRequired: Bool
  /// Whether the description lists it; else its words name it, as where it goes with one of several bodies.
  package let isListed: Bool

  /// Creates a parameter.
  package init(
    _ name: String, _ schema: String, _ summary: String, isRequired: Bool = false, isListed: Bool = true
  ) {
    self.isListed = isListed
    self.name = name
    self.schema = schema
    self.summary = summary
    self.isRequired = isRequired
  }
}

/// What a body may be.
package struct RouteBody: Hashable, Sendable {
  /// The media types that are taken; none for any.
  package let mediaTypes: [String]
  /// The media types that the description lists, where any is taken.
  package let describedTypes: [String]
  /// How many bytes it has at most.
  package let limit: Int
  /// The schema of a JSON body, as JSON; absent for what is no JSON.
  package let schema: String?
  /// An example.
  package let example: String?

  /// Creates the rule of a body.
  package init(
    _ mediaTypes: [String], limit: Int, describedAs types: [String]? = nil, schema: String? = nil,
    example: String? = nil
  ) {
    describedTypes = types ?? mediaTypes
    self.mediaTypes = mediaTypes
    self.limit = limit
    self.schema = schema
    self.example = example
  }
}

/// One route: all that routing, the check of who may, the description and the tests know of it. It is a class, since each request
/// hands it on.
package final class Route: Sendable {
  /// The method.
  package let method: HTTPMethod
  /// The path; a part in braces stands for anything but a slash.
  package let pattern: String
  /// Who may use it.
  package let access: RouteAccess
  /// What it does, in one sentence.
  package let summary: String
  /// The query parameters that it knows.
  package let parameters: [QueryParameter]
  /// The headers that it knows beside those of every request, for the description.
  package let headers: [QueryParameter]
  /// Whether it takes any query parameters, which others name.
  package let takesAnyParameters: Bool
  /// Answers a request without a task for it, from whatever thread has the answer; `false`, with nothing done, where ``handle`` has to.
  /// Absent where that always has to.
  package let directly: Direct?
  /// Whether it needs a history that is that of all instances.
  package let history: HistoryReading
  /// Its body; absent for none.
  package let body: RouteBody?
  /// The answers that are no problems: their statuses, media types and an example.
  package let answers: [RouteAnswer]
  /// What answers without a task: it does not wait, and hands its answer over, once.
  package typealias Direct = @Sendable (ServiceCall, DirectReply) throws -> Bool

  /// Answers a request.
  package let handle: @Sendable (ServiceCall) async throws -> HTTPResponse

  /// Creates a route.
  package init(
    _ method: HTTPMethod, _ pattern: String, _ access: RouteAccess, _ summary: String,
    parameters: [QueryParameter] = [], headers: [QueryParameter] = [], takesAnyParameters: Bool = false,
    body: RouteBody? = nil, directly: Direct? = nil, history: HistoryReading = .none,
    answers: [RouteAnswer], handle: @escaping @Sendable (ServiceCall) async throws -> HTTPResponse
  ) {
    self.method = method
    self.pattern = pattern
    self.access = access
    self.summary = summary
    self.parameters = parameters
    self.headers = headers
    self.takesAnyParameters = takesAnyParameters
    self.directly = directly
    self.history = history
    self.body = body
    self.answers = answers
    self.handle = handle
  }

  /// The media types of its answers, of which a client has to take one; `nil` where that is not looked at, because there is no body,
  /// or the answer is a page or a part of one.
  var acceptableTypes: [String]? {
    switch access {
    case .page, .signIn: return nil
    case .everybody, .anybodyKnown, .scopes, .key:
      let types = answers.compactMap(\.mediaType).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      return types.isEmpty ? nil : types
    }
  }

  /// The parts of the path.
  var parts: [Substring] { pattern.split(separator: "/", omittingEmptySubsequences: false) }
}

/// An answer that is no problem.
package struct RouteAnswer: Hashable, Sendable {
  /// The status.
  package let status: Int
  /// The media type; absent where there is no body.
  package let mediaType: String?
  /// What it is.
  package let summary: String
  /// An example, as text; absent where there is none.
  package let example: String?
  /// Whether its JSON is a record of ours, with a version and a type.
  package let isRecord: Bool

  /// Creates an answer.
  package init(_ status: Int, _ mediaType: String?, _ summary: String, example: String? = nil, isRecord: Bool = true) {
    self.isRecord = isRecord
    self.status = status
    self.mediaType = mediaType
    self.summary = summary
    self.example = example
  }
}

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
    guard let value = Int(text), range.contains(value) else {
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
    try StrictBody.read(request.body, read)
  }
}
