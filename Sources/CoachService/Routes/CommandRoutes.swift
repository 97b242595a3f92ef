internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// A single command to a live session. It is answered again as it was, also when the session is over by then.
enum CommandRoutes {
  static let commands = Route(
    .post, "/v1/sessions/{id}/commands", .scopes([.send, .manage]), "Carries out one command.",
    body: RouteBody(
      ["application/json"], limit: 16 << 10, schema: ServiceSchemas.command,
      example: #"{"type":"command","id":"1","command":"pause"}"#),
    answers: [
      RouteAnswer(
        200, "application/json", "What came of it.", schema: EventSchemas.acknowledgement,
        example: #"{"version":1,"type":"acknowledgement","id":"1","accepted":true}"#)
    ]
  ) { call in
    let caller = try call.requireCaller()
    guard let session = call.service.sessions.session(call.value("id"), for: caller) else {
      let over = try await call.gone()
      guard over.code == .sessionEnded else { throw over }
      return try await call.answerAgain(nil)
    }
    let line = try call.commandLine()
    let report: LiveReport
    do {
      // A command with a time far from the last one makes records, too: whoever has some to make up for waits.
      try call.service.access.requireSamples(0, of: caller.id, call.place.finding)
      report = try await call.service.sessions.take(line, batch: nil, for: session, by: caller, now: call.now)
    } catch let problem as ServiceProblem where problem.code == .sessionEnded {
      // The command that has ended it may still wait for the disk.
      guard !call.service.sessions.isUnavailable else { throw ServiceProblem.unsettled }
      return try await call.answerAgain(session)
    }
    call.service.access.charge(
      records: report.events.count, ofLines: report.lineCount, to: caller.id, call.place.finding)
    for event in report.events {
      guard case .acknowledgement = event else { continue }
      var writer = JSONWriter()
      SessionRecords.write(event, to: &writer)
      return .json(200, writer.bytes)
    }
    if let bad = report.badLines.first { throw ServiceProblem(.impossible, bad.problem) }
    // It is answered with the samples before it, whose stamps nobody can believe; the same id gets that answer then.
    throw ServiceProblem.unavailable("the session has not begun: expected a sample with the time of now first")
  }
}

extension ServiceCall {
  /// The body as one line of a command.
  fileprivate func commandLine() throws(ServiceProblem) -> [UInt8] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(request.body.span)
      var reader = try JSONObjectReader(value)
      _ = try reader.optional("type", .word(["command": true]))
      _ = try reader.required("command", .nonEmptyString)
      for key in ["id", "issuedAt", "time", "atSeconds", "target", "strategy"] { reader.ignore(key) }
      try reader.finish()
    } catch {
      throw ServiceProblem(error)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "command")
      for member in value.members ?? [] where member.key != "type" { writer.member(JSONKey(member.key), member.value) }
    }
    return writer.bytes
  }

  /// Ends the live session of the path, whose model is nowhere, where that is asked for: nothing else can be done with it until an instance
  /// has its model.
  ///
  /// - Parameter problem: why it cannot go on.
  /// - Throws: `problem` where something else is asked for; for who would delete it what is said of any live session.
  func endWithoutModel(_ problem: ServiceProblem) async throws {
    if route === HistoryRoutes.delete {
      throw ServiceProblem(.conflict, "the session is live: expected one that is over, as after the command stop")
    }
    guard route === CommandRoutes.commands else { throw problem }
    let line = try commandLine()
    let command = try JSONValue.parse(line.span)
    guard command["command"]?.string == SessionCommand.stop.word, let id = command["id"]?.string else { throw problem }
    try await service.sessions.stopWithoutModel(value("id"), command: id)
  }

  /// The answer that a command got before the session of the path was over: a stop, say, whose answer was lost.
  ///
  /// - Parameter session: the session, where it is in memory: what its folder lacks is in the journal then.
  /// - Throws: `ServiceProblem` for a command that was not answered, since the session is over.
  fileprivate func answerAgain(_ session: HostedSession?) async throws -> HTTPResponse {
    _ = try commandLine()
    let id = try JSONValue.parse(request.body.span)["id"]
    var answer: JSONValue?
    func look(_ line: Span<UInt8>) {
      guard answer == nil, let record = try? JSONValue.parse(line), record["type"]?.string == "acknowledgement",
        record["id"] == id
      else { return }
      answer = record
    }
    if id?.string != nil {
      var last = 0
      while answer == nil, let session, session.endedAt == nil, let page = try await session.running.page(after: last) {
        await session.running.stopReading(page.reader)
        for record in page.known { look(Array(record.line).span) }
        guard page.isFull, let record = page.known.last else { break }
        last = record.number
      }
      // By now it may be whole.
      try SessionRecordFile.forEach(SessionFolder.path(of: value("id"), in: service.settings.dataFolder)) { _, line in
        look(line)
      }
    }
    guard let answer else { throw ServiceProblem(.sessionEnded, "the session is over: expected a live one") }
    var writer = JSONWriter()
    writer.object { writer in
      for member in answer.members ?? [] where member.key != "repeated" {
        writer.member(JSONKey(member.key), member.value)
      }
      writer.member("repeated", true)
    }
    writer.endLine()
    return .json(200, writer.bytes)
  }
}
