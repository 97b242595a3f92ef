internal import LiveCoaching
internal import SessionStore
internal import TextFormats
package import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// Live sessions: to begin them, to send to them, to see what comes of it.
enum SessionRoutes {
  static let all = [begin, samples, commands, events]

  /// How many bytes of lines are taken at once.
  static let sampleBytes = 256 << 10
  /// How many streams somebody has at most.
  static let streamsPerCaller = 8

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
        201, "application/json", "The session.",
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
    return .json(201, writer.bytes, [HTTPField("Location", "/v1/sessions/\(id)")])
  }

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
    directly: takeDirectly,
    answers: [
      RouteAnswer(
        200, "application/json",
        "What was taken; `nextLine`, where it is there, is the first line to be sent again, in another request.",
        example: #"{"version":1,"type":"taken","accepted":1,"rejected":[],"events":[],"lastEvent":0}"#)
    ]
  ) { call in
    guard let sent = try SentLines(call) else { throw try await call.gone() }
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
      batch = call.parameter("batch")
      if let batch, !(1...200).contains(batch.unicodeScalars.count) || batch.hasControlScalars {
        throw ServiceProblem.parameter("batch", expected: "a text of 1 to 200 characters without control characters")
      }
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

  static let commands = Route(
    .post, "/v1/sessions/{id}/commands", .scopes([.send, .manage]), "Carries out one command.",
    body: RouteBody(
      ["application/json"], limit: 16 << 10, schema: ServiceSchemas.command,
      example: #"{"type":"command","id":"1","command":"pause"}"#),
    answers: [
      RouteAnswer(
        200, "application/json", "What came of it.",
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

  static let events = Route(
    .get, "/v1/sessions/{id}/events", .scopes([.watch]), "The records of a session, as they come.",
    parameters: [
      QueryParameter(
        "after", #"{"type":"integer","minimum":0,"maximum":2147483647}"#, "the number of the last record that is known"),
      QueryParameter(
        "wait", #"{"type":"integer","minimum":0,"maximum":60}"#, "how many seconds to wait for one, of long polling"),
    ],
    headers: [
      QueryParameter(
        "Last-Event-ID", #"{"type":"string","pattern":"^[0-9]{1,9}$"}"#,
        "the number of the last record that is known, as a browser sends it; `after` goes before it")
    ],
    answers: [
      RouteAnswer(200, "text/event-stream", "Server-sent events."),
      RouteAnswer(200, "application/x-ndjson", "The records, one a line; asked for by Accept."),
      RouteAnswer(204, nil, "The session is over, and no event follows the last that is known."),
    ]
  ) { call in
    let caller = try call.requireCaller()
    let id = call.value("id")
    let after = try call.integer("after", 0...Int(Int32.max)) ?? (try call.lastEventID()) ?? 0
    let wait = try call.integer("wait", 0...60) ?? 0
    let kind = try call.accepted(["text/event-stream", "application/x-ndjson"])
    guard let session = call.service.sessions.session(id, for: caller) else {
      let records = try await call.closedRecords(of: id, after: after)
      return kind == "text/event-stream" ? .events(ofOver: records) : .lines(records)
    }
    if kind == "application/x-ndjson" {
      return .lines(try await call.polling(seconds: wait) { try await session.records(after: after, $0) })
    }
    // Once it is closed the history has all of it, also where another instance closed it.
    if session.endedAt != nil, let records = try? await call.closedRecords(of: id, after: after) {
      return .events(ofOver: records)
    }
    let place = try call.takeStreamPlace()
    defer { place.release() }
    let client = StreamClient(caller, call.request.departure)
    let stream = EventStream(session, for: client, await call.watch(of: session))
    try await stream.begin(after: after, in: call.service.sessions, place: place)
    return HTTPResponse(
      200, [HTTPField("Content-Type", kind), HTTPField("X-Accel-Buffering", "no")], .stream(stream.buffer))
  }
}

extension HTTPResponse {
  /// Records, one a line.
  fileprivate static func lines(_ records: [LiveRecord]) -> HTTPResponse {
    HTTPResponse(type: "application/x-ndjson", records.flatMap(\.line))
  }

  /// The records of a session that is over, as events. Where there are none a reader is told not to come back (WHATWG HTML, section
  /// 9.2.2): else a browser would ask for ever.
  fileprivate static func events(ofOver records: [LiveRecord]) -> HTTPResponse {
    records.isEmpty
      ? HTTPResponse(204) : HTTPResponse(type: "text/event-stream", ServerSentEvent.bytes(ofOver: records))
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

  /// Takes a place for another stream of who asks, or for another request that waits. Whoever calls gives it back in the end, which
  /// does nothing when a stream has it by then.
  ///
  /// - Throws: `ServiceProblem` when they have too many.
  func takeStreamPlace() throws(ServiceProblem) -> StreamPlace {
    let caller = try requireCaller()
    let (places, most) = (service.sessions.streamPlaces, SessionRoutes.streamsPerCaller)
    if let place = places.take(for: caller, atMost: most) { return place }
    service.sessions.streams.endLeft(of: caller)
    service.sessions.polls.endLeft(of: caller)
    service.boards.streams.endLeft(of: caller)
    if let place = places.take(for: caller, atMost: most) { return place }
    throw .tooMany("\(most) streams are open: expected one of them to end", retryAfterSeconds: 5)
  }

  /// Answers a request that may wait for an event: as long as it does it counts among the streams of who asks.
  ///
  /// - Parameter seconds: how long it waits at most; not at all for 0.
  /// - Throws: `ServiceProblem` when they have too many, or what `body` throws.
  func polling<Answer>(seconds: Int, _ body: (LongPoll?) async throws -> Answer) async throws -> Answer {
    guard seconds > 0 else { return try await body(nil) }
    let place = try takeStreamPlace()
    defer { place.release() }
    let poll = LongPoll(StreamClient(try requireCaller(), request.departure), seconds: seconds)
    service.sessions.polls.add(poll, in: place)
    defer { service.sessions.polls.remove(poll) }
    // A service that stops has ended all that were known.
    if service.isStopping { poll.end() }
    return try await body(poll)
  }

  /// The number after which a reader goes on that comes back.
  ///
  /// - Throws: `ServiceProblem` for what is no number of a record.
  func lastEventID() throws(ServiceProblem) -> Int? {
    guard let text = request.head.value(of: "Last-Event-ID") else { return nil }
    guard text.isDigits, let number = Int(text) else {
      throw ServiceProblem(.impossible, "Last-Event-ID: expected the number of a record")
    }
    return number
  }

  /// The one of some media types that the sender wants most.
  ///
  /// - Throws: `ServiceProblem` when none is.
  package func accepted(_ types: [String]) throws(ServiceProblem) -> String {
    try AcceptedTypes(request.head).required(of: types)
  }

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

  /// Why a session takes nothing: it is over, or there is none for who asks.
  fileprivate func gone() async throws -> ServiceProblem {
    guard try await isOver(value("id")) else { return .notFound }
    return ServiceProblem(.sessionEnded, "the session is over: expected a live one")
  }

  private func isOver(_ id: String) async throws -> Bool {
    try await visibleSession(id) != nil
  }

  /// The records of a session that is over, after one.
  fileprivate func closedRecords(of id: String, after: Int) async throws -> [LiveRecord] {
    guard try await isOver(id) else { throw ServiceProblem.notFound }
    return try SessionRecordFile.records(
      SessionFolder.path(of: id, in: service.settings.dataFolder), after: after, atMost: RecordPage.mostBytes)
  }
}

extension History {
  /// The session of a whole identity; `nil` when there is none.
  package func session(exactly id: String) async throws -> SessionEntry? {
    guard SessionFolder.isName(id) else { return nil }
    guard let entry = try await session(id), entry.sessionID == id else { return nil }
    return entry
  }
}
