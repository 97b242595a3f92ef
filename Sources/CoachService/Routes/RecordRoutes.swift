internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// What a history comes to, over many sessions: records, and fitness and form.
enum RecordRoutes {
  static let all = [records, fitness]

  private static let person = QueryParameter(
    "person", ServiceSchemas.name,
    "whose they are; a token that is neither a person's nor the owner's has to name somebody")
  private static let includeSimulated = QueryParameter(
    "include-simulated", #"{"enum":["true","false"]}"#,
    "true takes sessions of virtual runners too, in which no person was measured")

  static let records = Route(
    .get, "/v1/records", .scopes([.watch]),
    "The best over each distance and time, by person and activity, as `coach history records` has them.",
    parameters: [
      person,
      QueryParameter("from", ServiceSchemas.day, "the day on which sessions begin at the earliest"),
      QueryParameter("to", ServiceSchemas.day, "the day on which they begin at the latest"),
      QueryParameter("activity", ServiceSchemas.activity, "only those of this activity"),
      includeSimulated,
    ],
    history: .always,
    answers: [
      RouteAnswer(
        200, "application/json",
        "The records: `distanceMeters` with `seconds`, `durationSeconds` with `meters` or a heart rate.",
        schema: AnswerSchemas.records,
        example:
          #"{"version":1,"type":"records","records":[{"version":1,"type":"record","person":"ann","activity":"running","distanceMeters":5000,"seconds":1475.2,"sessionID":"20261120T070000Z-running-4f3a0b1c","atSeconds":312}]}"#
      )
    ]
  ) { call in
    let filter = try await call.ofSomebody(days: true)
    let records = try await call.service.history.records(filter, activity: call.parameter("activity"))
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "records")
      writer.array("records") { writer in for record in records { record.writeObject(to: &writer) } }
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }

  static let fitness = Route(
    .get, "/v1/fitness", .scopes([.watch]),
    "Training load, fitness and form by day, how hard the weeks were, the weekly goal and what the history suggests, as "
      + "`coach history fitness` has them.",
    parameters: [
      person,
      QueryParameter(
        "load", #"{"enum":[\#(LoadMethod.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]}"#,
        "which training load counts; edwards when nothing is said"),
      QueryParameter(
        "days", #"{"type":"integer","minimum":1,"maximum":36500}"#, "only the last so many days, today included"),
      includeSimulated,
    ],
    history: .always,
    answers: [
      RouteAnswer(
        200, "application/json", "The report.", schema: AnswerSchemas.fitness,
        example:
          #"{"version":1,"type":"fitnessReport","loadMethod":"edwards","sessionsWithoutLoad":0,"days":[],"weeks":[],"suggestions":[]}"#
      )
    ]
  ) { call in
    let method = try call.loadMethod()
    let count = try call.integer("days", 1...36_500)
    let filter = try await call.ofSomebody(days: false)
    let clock = LocalClock.ofThisMachine()
    let report = try await call.service.history.fitness(filter, method, clock)
    let first = count.flatMap { count in clock.today.flatMap { $0.adding(days: 1 - count) } }
    var writer = JSONWriter()
    report.since(first).writeObject(to: &writer)
    writer.endLine()
    return .json(200, writer.bytes)
  }
}

extension ServiceCall {
  /// The sessions that are over of whom the query names, or of whoever asks.
  ///
  /// - Parameter days: whether the query may name days.
  /// - Throws: `ServiceProblem` for a value that cannot be, or what is not theirs to see.
  fileprivate func ofSomebody(days: Bool) async throws -> History.Filter {
    let caller = try requireCaller()
    // One session, or one group, is no history.
    guard caller.session == nil, caller.group == nil else { throw ServiceProblem.notFound }
    var filter = History.Filter()
    if days {
      let clock = LocalClock.ofThisMachine()
      filter.from = try start(of: day("from"), "from", clock)
      filter.until = try start(of: day("to").flatMap { $0.adding(days: 1) }, "to", clock)
    }
    switch parameter("include-simulated") {
    case nil, "false"?: filter.includesSimulated = false
    case "true"?: filter.includesSimulated = true
    default: throw ServiceProblem.parameter("include-simulated", expected: "true or false")
    }
    let named = parameter("person")
    if let own = caller.person {
      guard named == nil || named == own else { throw ServiceProblem.notFound }
      filter.person = own
    } else if let named {
      try await service.history.requirePerson(named: named)
      filter.person = named
    } else if !caller.isOwner {
      // Of what is nobody's each token sees its own alone, so that nothing may be added up.
      throw ServiceProblem(.forbidden, "expected person=NAME, or the token of a person or of the owner")
    }
    return filter
  }

  private func start(of day: CivilDate?, _ name: String, _ clock: LocalClock) throws(ServiceProblem) -> WallClockTime? {
    guard let day else { return nil }
    guard let time = clock.start(of: day) else { throw .parameter(name, expected: "a day from 1678 to 2200") }
    return time
  }

  fileprivate func loadMethod() throws(ServiceProblem) -> LoadMethod {
    guard let text = parameter("load") else { return .edwards }
    guard let method = LoadMethod(rawValue: text) else {
      throw .parameter("load", expected: LoadMethod.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return method
  }
}
