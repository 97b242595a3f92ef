internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// Keys, with which apps of a person write.
enum KeyRoutes {
  static let all = [create, list, show, revoke]

  private static let record =
    #"{"version":1,"type":"key","keyID":"4f3a0b1c4f3a0b1c","person":"ann","createdAt":"2026-11-20T07:00:00Z","expiresAt":"2027-02-18T07:00:00Z"}"#

  static let create = Route(
    .post, "/v1/keys", .scopes([.manage]), "Makes a key of a person; its secret is in this answer and nowhere else.",
    body: RouteBody(
      ["application/json"], limit: 64 << 10,
      schema:
        #"{"type":"object","additionalProperties":false,"required":["person"],"description":"a token of a person needs not say whose key it is","properties":{"person":"#
        + ServiceSchemas.name + #","days":{"type":"integer","minimum":1,"maximum":3650},"request":"#
        + ServiceSchemas.orderOfKey + "}}",
      example: #"{"person":"ann","request":{"target":"z2"},"days":90}"#),
    answers: [
      RouteAnswer(
        201, "application/json", "The key, and the URL to type into an app.", schema: AnswerSchemas.newKey,
        example:
          #"{"version":1,"type":"key","keyID":"4f3a0b1c4f3a0b1c","key":"key_…","url":"https://coach.example.org/v1/in/key_…","person":"ann","createdAt":"2026-11-20T07:00:00Z","expiresAt":"2027-02-18T07:00:00Z"}"#
      )
    ]
  ) { call in
    let caller = try call.requireManager()
    let body = try call.object { (reader) throws(JSONError) in try KeyBody(members: &reader) }
    guard let person = body.person ?? caller.person else {
      throw ServiceProblem.member("/person", "person: expected the name of a person")
    }
    guard ProfileFileName.isName(person) else {
      throw ServiceProblem.member("/person", "person: expected the name of a person")
    }
    // A person of somebody else is like one that is not there.
    guard caller.mayUse(person: person, maker: nil) else { throw ServiceProblem.nobody(pointer: "/person") }
    if let other = body.request?.person, other != person {
      throw ServiceProblem.member("/request/person", "request: person: expected the person of the key")
    }
    try await call.requirePossible(body.request, of: person)
    let made = IssuedSecret.key(person, request: body.request?.text, days: body.days, now: call.now)
    try await call.service.store.add(made.grant, by: caller)
    try await call.service.access.refresh(always: true)
    call.service.audit.note(.keyCreated, by: caller, subject: made.grant.caller.id, at: call.now)
    var writer = JSONWriter()
    let folder = call.service.settings.dataFolder
    made.writeKey(
      url: call.service.url,
      warning: KeyRequest.problem(body.request, person: person, in: folder, now: call.now).map {
        "the key cannot begin a session yet: " + $0
      }, to: &writer)
    return .json(201, writer.bytes, [HTTPField("Location", "/v1/keys/\(made.grant.caller.id)")])
  }

  static let list = Route(
    .get, "/v1/keys", .scopes([.manage]), "The keys that were not revoked, without their secrets.",
    answers: [
      RouteAnswer(
        200, "application/json", "The keys, the oldest first.", schema: AnswerSchemas.keys,
        example: #"{"version":1,"type":"keys","keys":["# + record + "]}")
    ]
  ) { call in
    let keys = try await call.keys()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "keys")
      writer.array("keys") { writer in
        for key in keys { key.writeKeyObject(to: &writer) }
      }
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let show = Route(
    .get, "/v1/keys/{id}", .scopes([.manage]), "A key, without its secret.",
    answers: [RouteAnswer(200, "application/json", "The key.", schema: AnswerSchemas.key, example: record)]
  ) { call in
    let key = try await call.key()
    var writer = JSONWriter()
    key.writeKeyObject(to: &writer)
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let revoke = Route(
    .delete, "/v1/keys/{id}", .scopes([.manage]), "Takes nothing any more that comes with a key.",
    answers: [RouteAnswer(204, nil, "It is revoked.")]
  ) { call in
    let caller = try call.requireManager()
    let key = try await call.key()
    try await call.service.store.revoke(key.caller.id, .key)
    try await call.service.access.refresh(always: true)
    call.service.audit.note(.keyRevoked, by: caller, subject: key.caller.id, at: call.now)
    return HTTPResponse(204)
  }
}

extension ServiceCall {
  /// Who asks, where it is somebody who may hand out secrets: not a token for one session or group.
  fileprivate func requireManager() throws(ServiceProblem) -> Caller {
    let caller = try requireCaller()
    guard caller.session == nil, caller.group == nil else {
      throw ServiceProblem(.forbidden, "the token is for one session or group: expected one that may manage keys")
    }
    return caller
  }

  /// Makes sure that a session of a person could be begun with the request of a key: no app shows that it cannot, and some take the
  /// refusal of each message for its delivery.
  ///
  /// - Throws: `ServiceProblem` with the member that cannot be.
  fileprivate func requirePossible(_ request: KeyRequest?, of person: String) async throws {
    try await service.sessions.bringProfiles()
    guard let request,
      let problem = request.problem(
        person: person, in: service.settings.dataFolder, models: service.settings.models, now: now)
    else { return }
    var refusal = ServiceProblem(problem.code, "request: " + problem.detail)
    refusal.pointer = "/request" + (problem.pointer ?? "")
    refusal.headers = problem.headers
    throw refusal
  }

  /// The keys that are theirs to see who asks.
  fileprivate func keys() async throws -> [AccessGrant] {
    let caller = try requireManager()
    return try await service.store.grants().filter {
      $0.caller.kind == .key && caller.mayUse(person: $0.caller.person, maker: nil)
    }
  }

  /// The key of the path.
  fileprivate func key() async throws -> AccessGrant {
    let id = value("id")
    guard let key = try await keys().first(where: { $0.caller.id == id }) else { throw ServiceProblem.notFound }
    return key
  }
}
