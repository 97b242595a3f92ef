internal import TextFormats
internal import WorkoutSession

/// Groups: who made one changes it, each member joins and leaves by their own will, and the board shows what they share.
enum GroupRoutes {
  static let all = [list, create, show, delete, join, leave, events]

  private static let example =
    #"{"version":1,"type":"group","groupID":"4f3a0b1c4f3a0b1c","name":"tuesday","members":[{"person":"ann","shares":["heartRate"]}]}"#
  private static let board =
    #"{"version":1,"type":"board","number":1795158000000,"groupID":"4f3a0b1c4f3a0b1c","name":"tuesday","members":[{"person":"ann","shares":["heartRate"],"state":"live","need":"slowDown","activeSeconds":754,"signal":"live","targetLowerBPM":119,"targetUpperBPM":137,"compliance":0.62,"heartRateBPM":146,"heartRateAgeSeconds":0.8,"band":"zone3","zoneLabel":"3","zoneName":"Aerobic","cue":{"action":"slowDown","ageSeconds":12,"message":"Slow down: 146 bpm, above 119–137."}}]}"#

  static let list = Route(
    .get, "/v1/groups", .scopes([.manage]), "The groups that are yours, and those that you have joined.",
    answers: [
      RouteAnswer(
        200, "application/json", "The groups, the oldest first; of those that you have joined, yourself alone.",
        schema: AnswerSchemas.groups,
        example: #"{"version":1,"type":"groups","groups":[\#(example)]}"#)
    ]
  ) { call in
    let groups = try await call.groups()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "groups")
      writer.array("groups") { writer in
        for (group, audience) in groups { group.writeObject(for: audience, to: &writer) }
      }
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let create = Route(
    .post, "/v1/groups", .scopes([.manage]), "Makes a group, which nobody is in yet; it is yours.",
    body: RouteBody(
      ["application/json"], limit: 4 << 10, schema: ServiceSchemas.group, example: #"{"name":"tuesday"}"#),
    answers: [
      RouteAnswer(
        201, "application/json", "The group.", schema: AnswerSchemas.group,
        example: #"{"version":1,"type":"group","groupID":"4f3a0b1c4f3a0b1c","name":"tuesday","members":[]}"#)
    ]
  ) { call in
    let caller = try call.requireCaller()
    let name = try call.object { (reader) throws(JSONError) in try reader.required("name", RunnerGroup.nameField) }
    guard caller.session == nil, caller.group == nil else {
      throw ServiceProblem(.forbidden, "the token is for one session or group: expected one that may make groups")
    }
    let group = RunnerGroup(
      id: AccessSecret.makeID(), name: name, maker: caller.id, person: caller.person, createdAt: call.now)
    try await call.admitting { try await call.service.store.add(group, by: caller) }
    call.service.audit.note(.groupCreated, by: caller, subject: group.id, at: call.now)
    return .json(
      201, GroupRoutes.body(group, .everybody), [HTTPField("Location", "/v1/groups/\(group.id)")])
  }

  static let show = Route(
    .get, "/v1/groups/{id}", .scopes([.manage]), "A group, with what each member shares.",
    answers: [
      RouteAnswer(
        200, "application/json", "The group; for somebody who has joined, themselves alone.",
        schema: AnswerSchemas.group,
        example: example)
    ]
  ) { call in
    let (group, audience) = try await call.group()
    return .json(200, body(group, audience))
  }

  static let delete = Route(
    .delete, "/v1/groups/{id}", .scopes([.manage]), "Ends a group of yours: its streams end, and nobody is in it.",
    answers: [RouteAnswer(204, nil, "It is gone.")]
  ) { call in
    let id = try await call.idOfOwnGroup()
    try await call.service.store.remove(group: id)
    await call.service.boards.membersChanged(of: id)
    call.service.audit.note(.groupDeleted, by: call.caller, subject: id, at: call.now)
    return HTTPResponse(204)
  }

  static let join = Route(
    .put, "/v1/groups/{id}/members/{name}", .scopes([.manage]),
    "Joins a group, or changes what is shared with those who watch it; nobody can do so for somebody else.",
    body: RouteBody(
      ["application/json"], limit: 4 << 10, schema: ServiceSchemas.shares, example: #"{"shares":["heartRate"]}"#),
    answers: [
      RouteAnswer(
        200, "application/json", "The group, as the member sees it.", schema: AnswerSchemas.group, example: example)
    ]
  ) { call in
    let caller = try call.requireCaller()
    let name = call.value("name")
    let shares = try call.object { (reader) throws(JSONError) in try reader.required("shares", GroupShare.field) }
    try await call.requireConsent(of: name)
    let member = GroupMember(person: name, shares: Set(shares))
    let id = call.value("id")
    let isNew = try await call.admitting { try await call.service.store.join(id, member, by: caller, at: call.now) }
    await call.service.boards.membersChanged(of: id)
    call.service.audit.note(isNew ? .memberJoined : .memberChanged, by: caller, subject: id, at: call.now)
    guard let group = try await call.service.store.group(id) else { throw ServiceProblem.notFound }
    return .json(200, body(group, .only(name)))
  }

  static let leave = Route(
    .delete, "/v1/groups/{id}/members/{name}", .scopes([.manage]),
    "Leaves a group, or takes somebody out of a group of yours: no board shows them any more.",
    answers: [RouteAnswer(204, nil, "They are no member.")]
  ) { call in
    let caller = try call.requireCaller()
    let name = call.value("name")
    let (group, audience) = try await call.group()
    guard group.belongs(to: caller) || audience == .only(name), try await call.service.store.leave(group.id, name)
    else { throw ServiceProblem.notFound }
    await call.service.boards.membersChanged(of: group.id)
    call.service.audit.note(.memberLeft, by: caller, subject: group.id, at: call.now)
    return HTTPResponse(204)
  }

  static let events = Route(
    .get, "/v1/groups/{id}/events", .scopes([.watch]),
    "The board of a group: each event is all of it, once a second while somebody runs, and at once when somebody leaves.",
    parameters: numbered.parameters, headers: numbered.headers,
    answers: [
      RouteAnswer(200, "text/event-stream", "Server-sent events."),
      RouteAnswer(
        200, "application/x-ndjson", "The board as a line, where it has another number; asked for by Accept.",
        schema: AnswerSchemas.board,
        example: board + "\n"),
    ]
  ) { call in
    let caller = try call.requireCaller()
    let after = try call.lastKnown(of: GroupRoutes.numbered)
    let wait = try call.secondsToWait()
    let kind = try call.accepted(["text/event-stream", "application/x-ndjson"])
    let (boards, last) = (call.service.boards, after.map { Int64($0) })
    let units = await call.units(of: caller.person)
    guard kind == "text/event-stream" else {
      let line = try await call.polling(seconds: wait) { poll in
        try await boards.poll(call.value("id"), for: caller, in: units, after: last, poll) {
          !call.service.isStopping && call.service.access.holds(caller)
        }
      }
      return HTTPResponse(type: kind, line)
    }
    let place = try call.takeStreamPlace()
    defer { place.release() }
    let client = StreamClient(caller, call.request.departure)
    guard
      let stream = try await boards.stream(of: call.value("id"), for: client, in: units, after: last, place: place)
    else { throw ServiceProblem.notFound }
    return HTTPResponse(
      200, [HTTPField("Content-Type", kind), HTTPField("X-Accel-Buffering", "no")], .stream(stream))
  }

  /// The largest number is the largest that every program reads exactly.
  private static let numbered = NumberedEvents(of: "board", next: "another", largest: 9_007_199_254_740_991)

  private static func body(_ group: RunnerGroup, _ audience: RunnerGroup.Audience) -> [UInt8] {
    var writer = JSONWriter()
    group.writeObject(for: audience, to: &writer)
    writer.endLine()
    return writer.bytes
  }
}

extension ServiceCall {
  /// The groups that are somebody's to see, with whom they see of each.
  func groups() async throws -> [(RunnerGroup, RunnerGroup.Audience)] {
    let caller = try requireCaller()
    guard caller.group == nil else { return [] }
    return try await service.store.groups().compactMap { group in group.audience(of: caller).map { (group, $0) } }
  }

  /// The group of the path, with whom of it who asks sees.
  ///
  /// - Throws: `ServiceProblem` when it is not there for them.
  func group() async throws -> (RunnerGroup, RunnerGroup.Audience) {
    let caller = try requireCaller()
    // Who may watch one group changes nothing, and sees its board alone.
    guard caller.group == nil, let group = try await service.store.group(value("id")),
      let audience = group.audience(of: caller)
    else { throw ServiceProblem.notFound }
    return (group, audience)
  }

  /// The identity of the group, where it belongs to who asks.
  ///
  /// It is a function of its own because Swift 6.3.1 cannot optimise it as a part of what a route does.
  ///
  /// - Throws: `ServiceProblem` where it does not.
  @inline(never)
  fileprivate func idOfOwnGroup() async throws -> String {
    let (group, _) = try await group()
    guard group.belongs(to: try requireCaller()) else { throw ServiceProblem.notFound }
    return group.id
  }

  /// Makes sure that somebody asks for themselves.
  ///
  /// - Throws: `ServiceProblem` when it is somebody else.
  fileprivate func requireConsent(of name: String) async throws {
    let caller = try requireCaller()
    guard caller.session == nil, caller.group == nil, caller.acts(for: name) else {
      throw ServiceProblem.notFound
    }
    guard caller.person == nil else { return }
    // The owner sees all groups, and can still put nobody into one.
    _ = try await group()
    throw ServiceProblem(
      .forbidden, "nobody joins a group but by their own will: expected a token or a sign-in of that person")
  }

  /// Changes groups; a limit that is reached is a conflict.
  fileprivate func admitting<Value>(_ change: () async throws -> Value) async throws -> Value {
    do {
      return try await change()
    } catch let refusal as ServiceStore.GroupRefusal {
      switch refusal {
      case .missing: throw ServiceProblem.notFound
      case .full(let limit, let what):
        throw ServiceProblem(.conflict, "\(limit) \(what) already: expected fewer")
      }
    }
  }
}
