internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Tokens: secrets that let somebody in. None can give more than it has itself.
enum TokenRoutes {
  static let all = [list, create, show, revoke]

  private static let example =
    #"{"version":1,"type":"token","tokenID":"4f3a0b1c4f3a0b1c","scopes":["send","watch"],"person":"ann","createdAt":"2026-11-20T07:00:00Z","expiresAt":"2027-02-18T07:00:00Z"}"#
  private static let newExample = example.replacing(
    #""scopes""#, with: #""token":"coach_…","scopes""#)

  static let list = Route(
    .get, "/v1/tokens", .scopes([.manage]), "The tokens that hold, without their secrets.",
    answers: [
      RouteAnswer(
        200, "application/json", "The tokens.", schema: AnswerSchemas.tokens,
        example: #"{"version":1,"type":"tokens","tokens":[\#(example)]}"#)
    ]
  ) { call in
    let grants = try await call.tokens()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "tokens")
      writer.array("tokens") { writer in for grant in grants { grant.writeObject(to: &writer) } }
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let create = Route(
    .post, "/v1/tokens", .scopes([.manage]),
    "Makes a token, which allows no more than who asks; its secret is shown once.",
    body: RouteBody(
      ["application/json"], limit: 4 << 10, schema: ServiceSchemas.token,
      example: #"{"scopes":["send","watch"],"person":"ann","days":90}"#),
    answers: [
      RouteAnswer(
        201, "application/json", "The token, with its secret.", schema: AnswerSchemas.newToken, example: newExample)
    ]
  ) { call in
    let caller = try call.requireCaller()
    let body = try call.object { (reader) throws(JSONError) in try TokenBody(members: &reader) }
    let made = IssuedSecret.token(
      body.scopes, person: body.person ?? caller.person, session: body.session ?? caller.session,
      group: body.group ?? caller.group, days: body.days, now: call.now)
    guard caller.covers(made.grant.caller) else {
      throw ServiceProblem(
        .forbidden, "a token gives no more than it has itself: expected its scopes, person and session")
    }
    // A session or a group of somebody else is like one that is not there, as is one that the new token would not see. It has the
    // session of who asks where it names none, which need not be of the person that it names.
    if let id = made.grant.caller.session, body.session != nil || body.person != nil,
      try await !call.hasSession(id, for: made.grant.caller)
    {
      var problem = ServiceProblem.notFound
      problem.pointer = body.session == nil ? "/person" : "/session"
      throw problem
    }
    if let id = made.grant.caller.group {
      guard let group = try await call.service.store.group(id), group.audience(of: caller) == .everybody,
        group.isSeen(by: made.grant.caller)
      else {
        var problem = ServiceProblem.notFound
        problem.pointer = "/group"
        throw problem
      }
    }
    try await call.service.store.add(made.grant, by: caller)
    try await call.service.access.refresh(always: true)
    call.service.audit.note(.tokenCreated, by: caller, subject: made.grant.caller.id, at: call.now)
    var writer = JSONWriter()
    made.write(to: &writer)
    return .json(201, writer.bytes, [HTTPField("Location", "/v1/tokens/\(made.grant.caller.id)")])
  }

  static let show = Route(
    .get, "/v1/tokens/{id}", .scopes([.manage]), "A token that holds, without its secret.",
    answers: [RouteAnswer(200, "application/json", "The token.", schema: AnswerSchemas.token, example: example)]
  ) { call in
    let id = call.value("id")
    guard let grant = try await call.tokens().first(where: { $0.caller.id == id }) else {
      throw ServiceProblem.notFound
    }
    var writer = JSONWriter()
    grant.writeObject(to: &writer)
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let revoke = Route(
    .delete, "/v1/tokens/{id}", .scopes([.manage]), "Lets nobody in any more with a token.",
    answers: [RouteAnswer(204, nil, "It does not hold any more.")]
  ) { call in
    let caller = try call.requireCaller()
    let id = call.value("id")
    let grants = try await call.service.store.grants()
    guard grants.contains(where: { $0.caller.id == id && $0.caller.kind == .token && caller.covers($0.caller) }) else {
      throw ServiceProblem.notFound
    }
    do {
      try await call.service.store.revoke(id, .token)
    } catch ServiceStoreError.missing {
      throw ServiceProblem.notFound
    }
    try await call.service.access.refresh(always: true)
    call.service.audit.note(.tokenRevoked, by: caller, subject: id, at: call.now)
    return HTTPResponse(204)
  }
}

extension ServiceCall {
  /// The tokens that hold and allow no more than who asks.
  fileprivate func tokens() async throws -> [AccessGrant] {
    let caller = try requireCaller()
    return try await service.store.grants().filter { grant in
      grant.caller.kind == .token && caller.covers(grant.caller) && now < grant.expiresAt
    }
  }

  /// Whether a session is there, live or over, for a token that allows no more than who asks.
  fileprivate func hasSession(_ id: String, for caller: Caller) async throws -> Bool {
    if service.sessions.session(id, for: caller) != nil { return true }
    let row =
      try await caller.person == nil ? service.store.session(id) : service.store.openSession(id)
    if let row { return caller.mayUse(person: row.person, maker: row.maker) }
    if service.settings.fleet != nil { try await service.sessions.bringHistory() }
    if let own = caller.person { return try await service.history.session(exactly: id, ofPersonNamed: own) != nil }
    return try await visibleSession(id) != nil
  }
}

extension Caller {
  /// Whether somebody else may do nothing that this one may not.
  func covers(_ other: Caller) -> Bool {
    func isWithin(_ own: String?, _ theirs: String?) -> Bool {
      own.map { own in theirs.map(own.hasBytes) ?? false } ?? true
    }
    return other.scopes.isSubset(of: scopes) && isWithin(person, other.person) && isWithin(session, other.session)
      && isWithin(group, other.group)
  }
}
