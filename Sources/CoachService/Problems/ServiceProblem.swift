package import TextFormats

/// Why a request is refused: the body of its answer, as `application/problem+json` (RFC 9457).
package struct ServiceProblem: Error, Hashable, Sendable {
  /// The kinds of refusals, each with its status.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    case malformed, unknownMember, unknownParameter, unknownHost
    case unauthorized
    case forbidden
    case notFound
    case methodNotAllowed
    case notAcceptable
    case conflict, sessionEnded, differentBody
    case tooLarge
    case unsupportedMediaType
    case misdirected
    case impossible
    case tooManyRequests
    case headersTooLarge
    case internalError
    case unavailable

    /// The status of the answer.
    package var status: Int {
      switch self {
      case .malformed, .unknownMember, .unknownParameter, .unknownHost: 400
      case .unauthorized: 401
      case .forbidden: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .notAcceptable: 406
      case .conflict, .sessionEnded, .differentBody: 409
      case .tooLarge: 413
      case .unsupportedMediaType: 415
      case .misdirected: 421
      case .impossible: 422
      case .tooManyRequests: 429
      case .headersTooLarge: 431
      case .internalError: 500
      case .unavailable: 503
      }
    }

    /// The same words for every refusal of the kind.
    package var title: String {
      switch self {
      case .malformed: "Malformed request"
      case .unknownMember: "Unknown member"
      case .unknownParameter: "Unknown query parameter"
      case .unknownHost: "Unknown host"
      case .unauthorized: "No valid token"
      case .forbidden: "Not allowed"
      case .notFound: "Not found"
      case .methodNotAllowed: "Method not allowed"
      case .notAcceptable: "Not acceptable"
      case .conflict: "Conflict"
      case .sessionEnded: "The session is over"
      case .differentBody: "Same key, different body"
      case .tooLarge: "Body too large"
      case .unsupportedMediaType: "Unsupported media type"
      case .misdirected: "Another instance has it"
      case .impossible: "Impossible value"
      case .tooManyRequests: "Too many requests"
      case .headersTooLarge: "Headers too large"
      case .internalError: "Internal error"
      case .unavailable: "Unavailable"
      }
    }
  }

  /// The kind.
  package let code: Code
  /// What is wrong and what was expected; never a value of somebody's body.
  package let detail: String
  /// The member it concerns, as a JSON pointer.
  package var pointer: String?
  /// The query parameter it concerns.
  package var parameter: String?
  /// The URL of the instance that answers the request; absent for this one.
  package var instance: String?
  /// Headers that belong to it.
  package var headers: [HTTPField] = []

  /// Creates a refusal.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// There is nothing of that name for whoever asks: also when it is somebody else's.
  package static let notFound = ServiceProblem(
    .notFound, "there is nothing here: expected a path of /openapi.json, and an id of yours")

  /// There is nobody of that name for whoever asks, in a body or in a query: also when it is somebody else's name.
  package static func nobody(pointer: String? = nil, parameter: String? = nil) -> ServiceProblem {
    var problem = ServiceProblem(.notFound, "there is nobody of this name here: expected a person of GET /v1/people")
    problem.pointer = pointer
    problem.parameter = parameter
    return problem
  }

  /// Who asks is not signed in.
  package static func signIn(_ detail: String) -> ServiceProblem {
    var problem = ServiceProblem(.unauthorized, detail)
    problem.headers = [HTTPField("WWW-Authenticate", "Bearer realm=\"coach\"")]
    return problem
  }

  /// The secret of a request holds no longer: it was revoked while the request was answered, as when its person was deleted.
  static func revoked(_ caller: Caller) -> ServiceProblem {
    // A key is a part of the path.
    guard caller.kind != .key else { return .notFound }
    var problem = ServiceProblem(.unauthorized, "the token does not hold")
    problem.headers = [HTTPField("WWW-Authenticate", "Bearer realm=\"coach\", error=\"invalid_token\"")]
    return problem
  }

  /// The name of a request was used for another one.
  package static let differentBody = ServiceProblem(
    .differentBody, "Idempotency-Key: it was used with another body")

  /// The name of lines was used for other ones.
  package static let differentLines = {
    var problem = ServiceProblem(.differentBody, "batch: it was used with another body")
    problem.parameter = "batch"
    return problem
  }()

  /// Lines or a command were taken, and cannot be kept now: they may be later, and the same again, under the same name, has their answer
  /// then.
  static let unsettled = unavailable(
    "the disk or the database does not keep now what was sent, and may do so later: expected the same again; lines under "
      + "their name of batch, and commands, count once")

  /// Something cannot be taken now; the same request may be sent again after some seconds.
  package static func unavailable(_ detail: String, retryAfterSeconds: Int = 1) -> ServiceProblem {
    var problem = ServiceProblem(.unavailable, detail)
    problem.headers = [HTTPField("Retry-After", "\(retryAfterSeconds)")]
    return problem
  }

  /// Too much came at once; the same request may be sent again after some seconds.
  package static func tooMany(_ detail: String, retryAfterSeconds: Int) -> ServiceProblem {
    var problem = ServiceProblem(.tooManyRequests, detail)
    problem.headers = [HTTPField("Retry-After", "\(retryAfterSeconds)")]
    return problem
  }

  /// A query parameter with a value that cannot be.
  package static func parameter(_ name: String, expected: String) -> ServiceProblem {
    parameter(name, "\(name): expected \(expected)")
  }

  /// A query parameter with a value that cannot be, in words of its own.
  static func parameter(_ name: String, _ detail: String) -> ServiceProblem {
    var problem = ServiceProblem(.impossible, detail)
    problem.parameter = name
    return problem
  }

  /// A member with a value that cannot be.
  package static func member(_ pointer: String, _ detail: String) -> ServiceProblem {
    var problem = ServiceProblem(.impossible, detail)
    problem.pointer = pointer
    return problem
  }

  /// What is wrong with a JSON body: a body that is none, and a member that nobody knows, are malformed; a known member with
  /// a value that cannot be is understood, and impossible.
  package init(_ error: JSONError) {
    let pointer = error.path.pointer
    switch error.problem {
    case .unknownKey:
      self.init(.unknownMember, error.description)
      self.pointer = pointer
    case .wrongType, .notAllowed, .missingKey:
      self.init(.impossible, error.description)
      self.pointer = pointer
    case .endOfText, .unexpectedByte, .duplicateKey, .invalidUTF8, .loneSurrogate, .controlCharacter, .invalidEscape,
      .zerosInFront, .notFinite, .tooDeep, .tooLong:
      self.init(.malformed, error.description)
    }
  }

  /// The answer.
  package var response: HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "about:blank")
      writer.member("title", code.title)
      writer.member("status", code.status)
      writer.member("detail", detail)
      writer.member("code", code.rawValue)
      writer.member("pointer", pointer)
      writer.member("parameter", parameter)
    }
    writer.endLine()
    return HTTPResponse(code.status, type: "application/problem+json", writer.bytes, headers)
  }
}

extension JSONPath {
  /// The path as a JSON pointer (RFC 6901).
  package var pointer: String {
    components.map { component in
      switch component {
      case .index(let index): "/\(index)"
      case .key(let key):
        "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
      }
    }.joined()
  }
}
