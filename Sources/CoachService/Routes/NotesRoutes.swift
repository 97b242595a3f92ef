internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory

/// What somebody writes down about a session that is over: a note and tags. No log of a sensor is touched.
enum NotesRoutes {
  static let all = [show, write]

  private static let example =
    #"{"version":1,"type":"notes","sessionID":"20261120T070000Z-running-4f3a0b1c","note":"windy along the river","tags":["race"]}"#
  private static let schema =
    #"{"type":"object","additionalProperties":false,"properties":{"note":{"type":"string","minLength":1,"maxLength":\#(SessionNotes.mostCharacters),"pattern":"^[ -~]*$","description":"any script, on several lines"},"tags":{"type":"array","maxItems":\#(SessionNotes.mostTags),"items":{"type":"string","pattern":"^[A-Za-z0-9_][A-Za-z0-9_-]{0,\#(SessionNotes.longestTag - 1)}$","description":"letters and digits of any script, hyphens, underscores"}}}}"#

  static let show = Route(
    .get, "/v1/sessions/{id}/notes", .scopes([.watch]), "What is written down about a session that is over.",
    history: .ofClosedSession,
    answers: [
      RouteAnswer(200, "application/json", "The note and the tags.", schema: AnswerSchemas.notes, example: example)
    ]
  ) { call in
    let entry = try await call.closedSession()
    let folder = SessionFolder.path(of: entry.sessionID, in: call.service.settings.dataFolder)
    let notes = try await call.service.files.run { try SessionNotes.read(in: folder) }
    return .json(200, bytes(of: notes, entry.sessionID))
  }

  static let write = Route(
    .put, "/v1/sessions/{id}/notes", .scopes([.manage]),
    "Writes down a note and tags about a session that is over, in the place of what was there; what is left out goes.",
    body: RouteBody(
      ["application/json"], limit: 16 << 10, schema: schema,
      example: #"{"note":"windy along the river","tags":["race"]}"#),
    history: .ofClosedSession,
    answers: [
      RouteAnswer(200, "application/json", "What is written down now.", schema: AnswerSchemas.notes, example: example)
    ]
  ) { call in
    let entry = try await call.closedSession()
    let written = try call.object { (reader) throws(JSONError) in try SessionNotes(members: &reader) }
    return .json(200, bytes(of: try await call.write(written, about: entry.sessionID), entry.sessionID))
  }

  private static func bytes(of notes: SessionNotes, _ sessionID: String) -> [UInt8] {
    var writer = JSONWriter()
    notes.writeObject(of: sessionID, to: &writer)
    writer.endLine()
    return writer.bytes
  }
}

extension ServiceCall {
  /// Writes something down about a session, where all instances find it; what is written down then.
  fileprivate func write(_ written: SessionNotes, about sessionID: String) async throws -> SessionNotes {
    guard let fleet = service.settings.fleet else {
      return try await service.history.editNotes(of: sessionID) { $0 = written }
    }
    let kept = try await fleet.work { store in try store.editNotes(of: sessionID) { $0 = written } }
    guard let kept else { throw ServiceProblem.notFound }
    // What is in the database by now comes here as to every instance.
    try await service.sessions.bringHistory()
    return kept
  }
}
