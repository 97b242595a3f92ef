internal import TextFormats

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
  /// Whether it is asked each second by everybody who runs or looks on: of a session that is live a service alone does not look first then what
  /// verbs of the terminal have changed.
  package let isAskedOften: Bool
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
    body: RouteBody? = nil, directly: Direct? = nil, isAskedOften: Bool = false, history: HistoryReading = .none,
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
    self.isAskedOften = isAskedOften
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
  /// What its JSON looks like, or each of its lines; absent for what is no JSON.
  package let schema: AnswerSchema?

  /// Creates an answer.
  package init(
    _ status: Int, _ mediaType: String?, _ summary: String, schema: AnswerSchema? = nil, example: String? = nil
  ) {
    self.schema = schema
    self.status = status
    self.mediaType = mediaType
    self.summary = summary
    self.example = example
  }
}
