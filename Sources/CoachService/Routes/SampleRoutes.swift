internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What is sent to a live session: lines of samples and commands.
enum SampleRoutes {
  /// How many bytes of lines are taken at once.
  static let sampleBytes = 256 << 10

  static let samples = Route(
    .post, "/v1/sessions/{id}/samples", .scopes([.send]),
    "Takes lines of samples and commands; what came of them is in the answer, and on the disk.",
    parameters: [
      QueryParameter(
        "batch",
        #"{"type":"string","pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]{1,200}$","examples":["2026-11-20-17"]}"#,
        "a name for these lines; the same name again answers the same, and counts once")
    ],
    body: RouteBody(
      ["application/x-ndjson", "application/json"], limit: sampleBytes,
      example: #"{"type":"heartRate","time":"2026-11-20T07:00:00Z","beatsPerMinute":142}"# + "\n"),
    directly: takeDirectly, isAskedOften: true,
    answers: [
      RouteAnswer(
        200, "application/json",
        "What was taken; `nextLine`, where it is there, is the first line to be sent again, in another request.",
        schema: AnswerSchemas.taken,
        example: #"{"version":1,"type":"taken","accepted":1,"rejected":[],"events":[],"lastEvent":0}"#)
    ]
  ) { call in
    guard let sent = try SentLines(call) else { return try await call.answerLinesAgain() }
    try sent.count(in: call)
    let report = try await call.service.sessions.take(
      sent.bytes, batch: sent.batch, for: sent.session, by: call.requireCaller(), now: call.now)
    sent.charge(report, in: call)
    return try await answer(report, sent.session, call)
  }

  /// Hands the lines over; what came of them is answered where it becomes known, mostly that they were taken and nothing else.
  private static let takeDirectly: Route.Direct = { call, reply in
    guard let sent = try SentLines(call), !sent.session.isOver else { return false }
    try sent.count(in: call)
    let session = sent.session
    try call.service.sessions.take(
      sent.bytes, batch: sent.batch, for: session, by: sent.sender, now: call.now
    ) { report in
      if let lines = TakenLines(report) {
        call.service.metrics.count(samples: report.lineCount, cues: 0)
        return reply.deliver(.taken(lines))
      }
      sent.charge(report, in: call)
      Task {
        do {
          try await call.service.sessions.conclude(report, session)
          reply.deliver(.response(try await answer(report, session, call)))
        } catch {
          reply.deliver(.response(ServiceProblem(describing: error).response))
        }
      }
    }
    return true
  }

  private static func answer(
    _ report: LiveReport, _ session: HostedSession, _ call: ServiceCall
  ) async throws -> HTTPResponse {
    .json(200, try await TakenRecord.bytes(report, session, in: call.service.settings.dataFolder))
  }

  /// Lines that somebody sends to a session in memory.
  private struct SentLines: Sendable {
    let session: HostedSession
    /// The identity of who sends them.
    let sender: String
    let batch: String?
    let bytes: [UInt8]

    /// What a request sends; `nil` where no such session is in memory.
    init?(_ call: ServiceCall) throws(ServiceProblem) {
      guard let sender = call.place.caller?.id else { throw ServiceProblem(.unauthorized, "expected a token") }
      guard let session = call.place.session(in: call.service.sessions) else { return nil }
      self.session = session
      self.sender = sender
      batch = try call.batchName()
      bytes = call.request.body
    }

    /// Counts them among those that the sender may send.
    func count(in call: ServiceCall) throws(ServiceProblem) {
      try call.service.access.requireSamples(bytes.span.filledLineCount, of: sender, call.place.finding)
    }

    /// Counts the records that came of them among those, too, where they are more than the lines.
    func charge(_ report: LiveReport, in call: ServiceCall) {
      call.service.access.charge(
        records: report.events.count, ofLines: report.lineCount, to: sender, call.place.finding)
    }
  }
}

extension ServiceCall {
  /// The name of the lines; `nil` where they have none.
  fileprivate func batchName() throws(ServiceProblem) -> String? {
    guard let batch = parameter("batch") else { return nil }
    guard (1...200).contains(batch.unicodeScalars.count), !batch.hasControlScalars else {
      throw ServiceProblem.parameter("batch", expected: "a text of 1 to 200 characters without control characters")
    }
    return batch
  }

  /// The answer that lines got before the session of the path was over, which is in memory nowhere: after a takeover the log that
  /// instances share says what it was.
  ///
  /// - Throws: `ServiceProblem` for lines that were not answered, since the session is over.
  fileprivate func answerLinesAgain() async throws -> HTTPResponse {
    let over = try await gone()
    guard over.code == .sessionEnded, let batch = try batchName() else { throw over }
    try service.access.requireSamples(request.body.span.filledLineCount, of: requireCaller().id, place.finding)
    let id = value("id")
    guard let report = try await service.sessions.report(ofRepeated: request.body, batch: batch, ofEnded: id) else {
      throw over
    }
    if report.isOfOtherLines { throw ServiceProblem.differentLines }
    guard let outcome = report.repeated else { throw over }
    let records = try SessionRecordFile.records(
      SessionFolder.path(of: id, in: service.settings.dataFolder), after: outcome.recordBefore,
      through: outcome.lastRecord)
    return .json(200, try TakenRecord.bytes(ofRepeated: outcome, records))
  }
}
