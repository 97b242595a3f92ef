internal import TextFormats

/// Whether the service lives, and whether it can take something.
enum HealthRoutes {
  static let all = [health, readiness]

  private static func record(_ type: String) -> [UInt8] { Array("{\"version\":1,\"type\":\"\(type)\"}\n".utf8) }

  static let health = Route(
    .get, "/healthz", .everybody, "Whether the service lives.",
    answers: [
      RouteAnswer(
        200, "application/json", "It does.", schema: AnswerSchemas.alive, example: #"{"version":1,"type":"alive"}"#)
    ]
  ) { _ in .json(200, record("alive")) }

  static let readiness = Route(
    .get, "/readyz", .everybody,
    "Whether the service can take something: not while it stops, nor when the disk is full, behind or cannot be written, or the database away.",
    answers: [
      RouteAnswer(
        200, "application/json", "It can.", schema: AnswerSchemas.ready, example: #"{"version":1,"type":"ready"}"#)
    ]
  ) { call in
    if call.service.isStopping { throw ServiceProblem.unavailable("the service is stopping", retryAfterSeconds: 5) }
    // Before somebody sends something in vain, too.
    if call.service.sessions.isUnavailable || call.service.sessions.isDiskFull {
      throw ServiceProblem.unavailable(call.service.sessions.unavailability, retryAfterSeconds: 5)
    }
    if call.service.sessions.refusesNewSessions {
      throw ServiceProblem.unavailable(
        "nothing new can be kept now: the folders of the service cannot be changed", retryAfterSeconds: 5)
    }
    return .json(200, record("ready"))
  }
}
