internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// People: their profiles, as by `coach profile`.
enum PeopleRoutes {
  static let all = [list, create, show, change, delete]

  private static let example =
    #"{"version":1,"type":"profile","id":"0123456789abcdef0123456789abcdef","name":"ann","birthDate":"1990-05-17","day":"2026-11-20","ageYears":36,"inForce":{},"sessions":0}"#

  static let list = Route(
    .get, "/v1/people", .scopes([.manage]), "The people, by their names.",
    history: .always,
    answers: [
      RouteAnswer(
        200, "application/json", "The people.", schema: AnswerSchemas.people,
        example: #"{"version":1,"type":"people","people":[\#(example)]}"#)
    ]
  ) { call in
    let caller = try call.peopleCaller()
    let store = try await call.service.profiles.current()
    let profiles = try await call.service.files.run { try store.profiles().readable }
    var records: [ProfileRecord] = []
    for profile in profiles where caller.acts(for: profile.name) {
      records.append(try await call.record(profile))
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "people")
      writer.array("people") { writer in for record in records { record.writeObject(to: &writer) } }
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let create = Route(
    .post, "/v1/people", .scopes([.manage]), "Keeps a person.",
    body: RouteBody(
      ["application/json"], limit: 16 << 10, schema: ServiceSchemas.newPerson,
      example: #"{"name":"ann","birthDate":"1990-05-17","weightKg":61.5}"#),
    answers: [RouteAnswer(201, "application/json", "The person.", schema: AnswerSchemas.person, example: example)]
  ) { call in
    let caller = try call.peopleCaller()
    let body = try call.object { (reader) throws(JSONError) in try NewPersonBody(members: &reader) }
    let (name, edit) = (body.name, body.edit)
    guard caller.acts(for: name) else { throw ServiceProblem.notFound }
    var profile = StoredProfile(id: ProfileID.drawn(), name: name)
    try edit.applied(to: &profile, today: try call.today())
    // Whoever deletes a person waits for this, or has ended the secrets of the person before: nobody is there again by one of them.
    let created = profile
    try await call.service.sessions.personTurns.sharing(name) {
      try await call.service.store.require(caller)
      try await call.service.profiles.create(created)
    }
    call.service.audit.note(.personChanged, by: caller, subject: profile.id?.description, at: call.now)
    return .json(201, try await call.body(profile), [HTTPField("Location", "/v1/people/\(name.encodingPercents)")])
  }

  static let show = Route(
    .get, "/v1/people/{name}", .scopes([.manage]), "A person, as known on a day.",
    parameters: [QueryParameter("on", ServiceSchemas.day, "the day, instead of today")],
    history: .always,
    answers: [RouteAnswer(200, "application/json", "The person.", schema: AnswerSchemas.person, example: example)]
  ) { call in
    let day = try call.day("on")
    return .json(200, try await call.body(call.knownProfile(), on: day))
  }

  static let change = Route(
    .patch, "/v1/people/{name}", .scopes([.manage]), "Writes down what is new of a person.",
    body: RouteBody(
      ["application/json", "application/merge-patch+json"], limit: 16 << 10, schema: ServiceSchemas.person,
      example: #"{"weightKg":60.5}"#),
    history: .always,
    answers: [RouteAnswer(200, "application/json", "The person.", schema: AnswerSchemas.person, example: example)]
  ) { call in
    let known = try await call.knownProfile()
    let edit = try call.object { (reader) throws(JSONError) in try ProfileEdit(members: &reader) }
    let today = try call.today()
    let profile = try await call.service.profiles.change(known) { try edit.applied(to: &$0, today: today) }
    call.service.audit.note(.personChanged, by: call.caller, subject: profile.id?.description, at: call.now)
    return .json(200, try await call.body(profile))
  }

  static let delete = Route(
    .delete, "/v1/people/{name}", .scopes([.manage]),
    "Deletes the profile of a person, whose tokens, keys, sign-ins and groups go with it; the sessions stay.",
    parameters: [
      QueryParameter(
        "all-data", #"{"enum":["true","false"]}"#,
        "true deletes all sessions too, and what else is known of the person")
    ],
    history: .always,
    answers: [RouteAnswer(204, nil, "It is gone.")]
  ) { call in
    let isAll = call.parameter("all-data")
    guard isAll == nil || isAll == "true" || isAll == "false" else {
      throw ServiceProblem.parameter("all-data", expected: "true or false")
    }
    if let fleet = call.service.settings.fleet, isAll == "true" {
      try await call.deleteAll(in: fleet)
      return HTTPResponse(204)
    }
    let profile = try await call.knownProfile()
    try await call.service.sessions.personTurns.deleting(profile.name) {
      if isAll == "true" { try await call.eraseAll(of: profile) } else { try await call.remove(profile) }
    }
    try await call.service.access.refresh(always: true)
    await call.service.boards.membersChanged(of: nil)
    call.service.audit.note(.personDeleted, by: call.caller, subject: profile.id?.description, at: call.now)
    return HTTPResponse(204)
  }
}

extension ServiceCall {
  /// Who asks about people: not somebody who may see one session or group only.
  fileprivate func peopleCaller() throws(ServiceProblem) -> Caller {
    let caller = try requireCaller()
    guard caller.session == nil, caller.group == nil else { throw .notFound }
    return caller
  }

  /// Deletes all data of the person of the path at every instance, profile or not. Of one of whom nothing is known, nothing is deleted.
  fileprivate func deleteAll(in fleet: ServiceFleet) async throws {
    let caller = try peopleCaller()
    let name = value("name")
    guard caller.acts(for: name), ProfileFileName.isName(name) else { throw ServiceProblem.notFound }
    guard try await !service.sessions.hasLiveAnywhere(person: name) else { throw Self.personIsLive }
    let keys = try await keysInFleet(ofPersonNamed: name)
    let (theirs, others) = try await sessionsInFleet(called: name, keys)
    // Secrets and groups go first, with the sessions in the database: then nobody begins another one meanwhile.
    let forgotten = try await fleet.work { _ in
      try fleet.forget(person: name, sessions: theirs, others: others, by: caller)
    }
    switch forgotten {
    case .gone: break
    case .unknown: throw ServiceProblem.notFound
    case .isLive: throw Self.personIsLive
    }
    if let keys { try await fleet.forgetName(of: keys) }
    // What went from the database goes from here with it, and nothing by the name, which may be that of sessions that stay.
    try await service.sessions.bringHistory()
    try await service.access.refresh(always: true)
    await service.boards.membersChanged(of: nil)
    service.audit.note(.personDeleted, by: caller, at: now)
  }

  /// Deletes all data of a person, in a service alone.
  ///
  /// - Parameter known: the profile that was theirs when they asked. Whoever has the name by now loses nothing.
  fileprivate func eraseAll(of known: StoredProfile) async throws {
    let name = known.name
    // Others may have been waited for.
    try await service.store.require(requireCaller())
    guard try await !service.sessions.hasLiveAnywhere(person: name) else { throw Self.personIsLive }
    let keys = try await service.history.keys(ofPersonNamed: name)
    let names = try await service.history.sessionNames(of: keys)
    _ = try await service.history.erase(personNamed: name, as: ProfileIdentity(known)) { _ in }
    await service.sessions.forget(names)
  }

  /// Removes the profile of a person and what was given to them; the sessions stay.
  ///
  /// - Parameter known: the profile that was theirs when they asked. Whoever has the name by now loses nothing.
  fileprivate func remove(_ known: StoredProfile) async throws {
    let name = known.name
    // Before, so that a deletion which is cut off leaves nothing to whoever is called so next; after, for what was made meanwhile.
    try await service.store.forgetAuthority(of: name, meant: ProfileIdentity(known), by: requireCaller())
    try await service.profiles.remove(known)
    service.sessions.orphan(person: name)
    try await service.store.forgetAuthority(of: name)
  }

  private static var personIsLive: ServiceProblem {
    ServiceProblem(.conflict, "a session of the person is live: expected all to be over")
  }

  /// What the sessions of a person say; `nil` where the profile cannot be read, which goes with all that has the name.
  private func keysInFleet(ofPersonNamed name: String) async throws -> PersonKeys? {
    do {
      return try await service.history.keys(ofPersonNamed: name)
    } catch is RecordingError {
      return nil
    }
  }

  /// The sessions of a person by the profile, as a service alone finds them, and those that the database has under the name and that are of
  /// another profile: whoever was called so before keeps them.
  private func sessionsInFleet(
    called name: String, _ keys: PersonKeys?
  ) async throws -> (theirs: [String], others: [String]) {
    guard let keys else { return ([], []) }
    let theirs = try await service.history.sessionNames(of: keys)
    let known = Set(theirs)
    var others: [String] = []
    for id in try await service.store.endedSessions(called: name) where !known.contains(id) {
      if try await service.history.session(exactly: id)?.profileID != nil { others.append(id) }
    }
    return (theirs, others)
  }

  fileprivate func today() throws(ServiceProblem) -> CivilDate {
    guard let today = SystemWallClock.day(at: now) else { throw .unavailable("the clock of this machine is not set") }
    return today
  }

  /// The profile of the path, where it is theirs.
  fileprivate func knownProfile() async throws -> StoredProfile {
    let caller = try peopleCaller()
    let name = value("name")
    guard caller.acts(for: name), ProfileFileName.isStoredName(name) else {
      throw ServiceProblem.notFound
    }
    let profile = try await service.profiles.profile(named: name)
    // It was read by its name: it was theirs where the name is theirs still.
    if caller.person != nil { try await service.store.require(caller) }
    return profile
  }

  fileprivate func record(_ profile: StoredProfile, on day: CivilDate? = nil) async throws -> ProfileRecord {
    var filter = History.Filter()
    filter.person = profile.name
    let sessions = try await service.history.sessions(filter, into: 0) { count, _ in count += 1 }
    return ProfileRecord(profile, on: try day ?? today(), sessions: sessions)
  }

  fileprivate func body(_ profile: StoredProfile, on day: CivilDate? = nil) async throws -> [UInt8] {
    var writer = JSONWriter()
    try await record(profile, on: day).writeObject(to: &writer)
    writer.endLine()
    return writer.bytes
  }
}
