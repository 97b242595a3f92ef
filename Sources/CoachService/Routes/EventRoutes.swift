internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// The records of a session: as a stream, or for whoever asks again and again.
enum EventRoutes {
  private static let numbered = NumberedEvents(of: "record", next: "one", largest: Int(Int32.max))

  static let events = Route(
    .get, "/v1/sessions/{id}/events", .scopes([.watch]), "The records of a session, as they come.",
    parameters: numbered.parameters, headers: numbered.headers, isAskedOften: true,
    answers: [
      RouteAnswer(200, "text/event-stream", "Server-sent events."),
      RouteAnswer(
        200, "application/x-ndjson", "The records, one a line; asked for by Accept.", schema: EventSchemas.event),
      RouteAnswer(204, nil, "The session is over, and no event follows the last that is known."),
    ]
  ) { call in
    let caller = try call.requireCaller()
    let id = call.value("id")
    let after = try call.lastKnown(of: EventRoutes.numbered) ?? 0
    let wait = try call.secondsToWait()
    let kind = try call.accepted(["text/event-stream", "application/x-ndjson"])
    guard let session = call.service.sessions.session(id, for: caller) else {
      let records = try await call.closedRecords(of: id, after: after)
      return kind == "text/event-stream" ? .events(ofOver: records) : .lines(records)
    }
    if kind == "application/x-ndjson" {
      return .lines(try await call.polling(seconds: wait) { try await session.records(after: after, $0) })
    }
    // Once it is closed the history has all of it, also where another instance closed it.
    if session.endedAt != nil {
      if let records = try? await call.closedRecords(of: id, after: after) { return .events(ofOver: records) }
      // One that ended before it began has none, and is nowhere.
      if await session.running.session?.start == nil { return .events(ofOver: []) }
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

  /// The records of a session that is over, as events. Where there are none the status asks a reader not to come back (WHATWG HTML, section
  /// 9.2.2): else a browser would ask for ever.
  fileprivate static func events(ofOver records: [LiveRecord]) -> HTTPResponse {
    records.isEmpty
      ? HTTPResponse(204) : HTTPResponse(type: "text/event-stream", ServerSentEvent.bytes(ofOver: records))
  }
}

extension ServiceCall {
  /// The records of a session that is over, after one.
  fileprivate func closedRecords(of id: String, after: Int) async throws -> [LiveRecord] {
    guard try await isOver(id) else { throw ServiceProblem.notFound }
    return try SessionRecordFile.records(
      SessionFolder.path(of: id, in: service.settings.dataFolder), after: after, atMost: RecordPage.mostBytes)
  }
}
