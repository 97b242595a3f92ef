internal import TextFormats
internal import WorkoutSession

/// Where apps send that exist already, each in its own form, with a key of a person in the path.
enum SenderRoutes {
  static let all = [query, message]

  private static let answers = [
    RouteAnswer(
      200, "application/json", "What was taken; OwnTracks is answered by an empty array.",
      schema: AnswerSchemas.message,
      example: #"{"version":1,"type":"taken","accepted":1,"rejected":[]}"#)
  ]

  static let query = Route(
    .get, "/v1/in/{key}", .key, "Takes a position or a heart rate from the query, as OsmAnd and GPSLogger send it.",
    takesAnyParameters: true, answers: answers
  ) { try await $0.takeForeignMessage() }

  static let message = Route(
    .post, "/v1/in/{key}", .key,
    "Takes a message of Sensor Logger, HR Push, OwnTracks, Traccar Client, OsmAnd or GPSLogger, recognised by its content.",
    takesAnyParameters: true,
    body: RouteBody(
      [], limit: SenderMessage.longest,
      example:
        #"{"event":"heartRate","heartRate":85,"connected":true,"timestamp":"2026-11-20T07:00:00.000Z"}"#),
    answers: answers
  ) { try await $0.takeForeignMessage() }
}

extension ServiceCall {
  fileprivate func takeForeignMessage() async throws -> HTTPResponse {
    guard let grant = service.access.key(value("key")) else { throw ServiceProblem.notFound }
    guard request.head.method != HTTPMethod.head.rawValue else {
      try service.access.requireRate(of: grant.caller)
      return .json(200, [])
    }
    let message: SenderMessage
    do throws(SenderProblem) {
      message = try SenderMessage(body: request.body, query: query)
    } catch {
      try service.access.requireRate(of: grant.caller)
      throw ServiceProblem(.malformed, error.description)
    }
    guard message.sender != .healthAutoExport else {
      try service.access.requireRate(of: grant.caller)
      throw ServiceProblem(
        .impossible, "what Health Auto Export sends is a recording, and is not taken as a live run: expected samples")
    }
    do {
      let taken = try await take(message, with: grant)
      return message.sender == .ownTracks ? .json(200, Array("[]".utf8)) : .json(200, taken.bytes)
    } catch {
      let problem = ServiceProblem(describing: error)
      // It takes any status for a delivery, and sends again only when there is none.
      // A proxy asks the other instance, and the app sees the answer of that alone.
      let isHandedOn = problem.code == .misdirected && service.settings.isBehindProxy
      if message.sender == .ownTracks, problem.code.isPassing || problem.isOfKey, !isHandedOn { return .close }
      throw problem
    }
  }

  private func take(_ message: SenderMessage, with grant: AccessGrant) async throws -> SenderDesk.Taken {
    guard !service.isStopping else {
      throw ServiceProblem.unavailable("the service is stopping", retryAfterSeconds: 5)
    }
    try service.access.requireRate(of: grant.caller)
    try service.access.requireSamples(message.countedSamples, of: grant.caller.id)
    let asked = service.settings.isBehindProxy ? request.head.value(of: UnansweringInstance.header) : nil
    let unanswering = UnansweringInstance(asked) { [service] in service.isStopping }
    let taken = try await service.senders.take(
      message, with: grant, in: service.sessions, unanswering: unanswering, now: now)
    service.access.charge(records: taken.records, ofLines: message.countedSamples, to: grant.caller.id)
    return taken
  }
}

extension ServiceProblem {
  /// Whether no session can be begun with the request of the key, as before its person has a profile: the message itself was read.
  fileprivate var isOfKey: Bool { code == .impossible || code == .notFound }
}

extension ServiceProblem.Code {
  /// Whether the same request may be taken later.
  fileprivate var isPassing: Bool {
    switch self {
    case .unavailable, .tooManyRequests, .internalError, .conflict, .sessionEnded, .misdirected: true
    case .malformed, .unknownMember, .unknownParameter, .unknownHost, .unauthorized, .forbidden, .notFound,
      .methodNotAllowed, .notAcceptable, .differentBody, .tooLarge, .unsupportedMediaType, .impossible,
      .headersTooLarge:
      false
    }
  }
}

extension SenderDesk.Taken {
  /// The answer: a key only writes, so nothing of the session is in it.
  fileprivate var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      TakenRecord.writeParts(
        accepted: accepted, rejected.map { ($0.number, $0.problem) }, named: "entry", more: moreRejected, to: &writer)
    }
    writer.endLine()
    return writer.bytes
  }
}
