internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Live sessions: to begin them, to send to them, to see what comes of it.
enum SessionRoutes {
  static let all = [begin, SampleRoutes.samples, CommandRoutes.commands, EventRoutes.events]

  private static let example =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"period","every":60,"window":60}}"#

  static let begin = Route(
    .post, "/v1/sessions", .scopes([.manage, .send]), "Begins a session, which waits for its first sample.",
    headers: [
      QueryParameter(
        "Idempotency-Key", #"{"type":"string","pattern":"^[!-~]([ -~]{0,198}[!-~])?$"}"#,
        "a name for the request, 1 to 200 bytes: the same again is answered with the same session")
    ],
    body: RouteBody(["application/json"], limit: 64 << 10, schema: ServiceSchemas.order, example: example),
    answers: [
      RouteAnswer(
        201, "application/json", "The session.", schema: AnswerSchemas.created,
        example: #"{"version":1,"type":"created","sessionID":"20261120T070000Z-running-4f3a0b1c"}"#)
    ]
  ) { call in
    let caller = try call.requireCaller()
    guard let day = SystemWallClock.day(at: call.now) else {
      throw ServiceProblem.unavailable("the clock of this machine is not set")
    }
    let key = try call.idempotencyKey().map { (name: $0, body: AccessSecret.digest(of: call.request.body)) }
    // Whatever is wrong with the body, the name was used with another one.
    if let key, let before = try await call.service.store.beginning(of: key.name, body: key.body, by: caller.id) {
      guard case .repeated(let id) = before else { throw ServiceProblem.differentBody }
      return created(try await call.service.sessions.begun(id))
    }
    var isPersonRequired = false
    let order = try call.object { (reader) throws(JSONError) in
      isPersonRequired = reader.has("person")
      return try SessionOrder(typed: &reader, person: caller.person, day: day)
    }
    // A person of somebody else is like one that is not there.
    if let own = caller.person, order.person != own { throw ServiceProblem.nobody(pointer: "/person") }
    guard caller.session == nil, caller.group == nil else {
      throw ServiceProblem(.forbidden, "the token is for one session or group: expected one that may begin sessions")
    }
    let id = try await call.service.sessions.begin(
      order, by: caller, isPersonRequired: isPersonRequired, key: key, isOfSecret: true, now: call.now)
    return created(id)
  }

  private static func created(_ id: String) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "created")
      writer.member("sessionID", id)
    }
    writer.endLine()
    return .json(201, writer.bytes, [HTTPField("Location", "/v1/sessions/\(id.encodingPercents)")])
  }
}

extension ServiceCall {
  /// What a sender calls its request; `nil` where it calls it nothing.
  fileprivate func idempotencyKey() throws(ServiceProblem) -> String? {
    guard let key = request.head.value(of: "Idempotency-Key") else { return nil }
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw ServiceProblem(.impossible, "Idempotency-Key: expected 1 to 200 characters of ASCII")
    }
    return key
  }

  /// Why a session takes nothing: it is over, or there is none for who asks.
  func gone() async throws -> ServiceProblem {
    let id = value("id")
    if try await !isOver(id), try await !endedUnbegun(id) { return .notFound }
    return ServiceProblem(.sessionEnded, "the session is over: expected a live one")
  }

  func isOver(_ id: String) async throws -> Bool {
    try await visibleSession(id) != nil
  }

  /// Whether a session of theirs ended before it began: there is nothing of it in the history.
  private func endedUnbegun(_ id: String) async throws -> Bool {
    guard SessionFolder.isName(id), try await service.history.session(exactly: id) == nil else { return false }
    return try await service.store.endedSession(id, of: requireCaller()) != nil
  }
}
