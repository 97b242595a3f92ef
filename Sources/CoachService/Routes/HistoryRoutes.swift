internal import ReportPages
internal import SessionStore
internal import TextFormats
internal import WorkoutExports
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// Sessions that are kept: the list, one of them in all its forms, and its end.
enum HistoryRoutes {
  static let all = [list, show, summary, series, report, export, delete]

  private static let date = ServiceSchemas.day
  private static let privacyRadius = QueryParameter(
    "privacy-radius", #"{"type":"number","minimum":0.001,"maximum":1000000}"#,
    "hides the positions within so many metres of both ends")
  private static let sessionExample =
    #"{"version":1,"type":"session","sessionID":"20261120T070000Z-running-4f3a0b1c","startTime":"2026-11-20T07:00:00Z","activity":"running","state":"live","activeSeconds":60,"strategy":"period"}"#
  private static let summaryExample =
    "{" + summaryMembers + "}"
  private static let detailExample =
    "{" + summaryMembers
    + #","utcOffsetSeconds":3600,"activity":"running","zoneModel":"percentOfMaximum","zones":[{"number":1,"name":"Low intensity","color":"cyan","lowerBPM":98,"upperBPM":118}]}"#
  private static let summaryMembers =
    #""version":1,"type":"summary","sessionID":"20261120T070000Z-running-4f3a0b1c","startTime":"2026-11-20T07:00:00Z","state":"complete","#
    + #""activeSeconds":60,"elapsedSeconds":60,"secondsInBand":{"below":0,"zone1":10,"zone2":50,"zone3":0,"zone4":0,"zone5":0,"aboveMaximum":0,"noData":0},"secondsInTarget":50,"compliance":0.83,"complianceOfActive":0.83,"cues":{"speedUp":1,"hold":0,"slowDown":0,"withheld":0},"samples":{"accepted":60,"rejected":0,"late":0,"duplicate":0}"#

  static let list = Route(
    .get, "/v1/sessions", .scopes([.watch]),
    "The sessions, live ones too, the newest first; where something is looked for, those that are over.",
    parameters: SessionSearchParameters.all + [
      QueryParameter("person", ServiceSchemas.name, "whose they are"),
      QueryParameter("from", date, "the day on which they begin at the earliest, by the clock of the service"),
      QueryParameter("to", date, "the day on which they begin at the latest"),
      QueryParameter("state", #"{"enum":["live","complete","recovered"]}"#, "how they stand, or came to an end"),
      QueryParameter(
        "limit", #"{"type":"integer","minimum":1,"maximum":\#(SessionListing.largestLimit)}"#,
        "how many there are at most; \(SessionListing.usualLimit) when nothing is said"),
      QueryParameter("cursor", ServiceSchemas.cursor, "what `next` was of the page before"),
    ],
    history: .always,
    answers: [
      RouteAnswer(
        200, "application/json", "A page of them; `next` is there when the list goes on.",
        schema: AnswerSchemas.sessions,
        example: #"{"version":1,"type":"sessions","sessions":[\#(sessionExample)]}"#)
    ]
  ) { call in .json(200, try await SessionListing(call).bytes()) }

  static let show = Route(
    .get, "/v1/sessions/{id}", .scopes([.watch]),
    "Everything that is known of a session; of a live one its summary so far.",
    history: .ofClosedSession,
    answers: [
      RouteAnswer(
        200, "application/json", "The summary with what belongs to it.", schema: EventSchemas.detail,
        example: detailExample)
    ]
  ) { call in
    var writer = JSONWriter()
    if let live = try await call.liveListing() {
      live.writeSummary(withFacts: true, to: &writer)
    } else {
      guard let detail = try await call.service.history.detailWithLaps(of: call.closedSession()) else {
        throw ServiceProblem.notFound
      }
      try detail.write(to: &writer)
    }
    return .json(200, writer.bytes)
  }

  static let summary = Route(
    .get, "/v1/sessions/{id}/summary", .scopes([.watch]), "The summary of a session; of a live one so far.",
    history: .ofClosedSession,
    answers: [
      RouteAnswer(
        200, "application/json", "The summary.", schema: EventSchemas.summary, example: summaryExample)
    ]
  ) { call in
    var writer = JSONWriter()
    if let live = try await call.liveListing() {
      live.writeSummary(withFacts: false, to: &writer)
    } else {
      let entry = try await call.closedSession()
      let folder = SessionFolder.path(of: entry.sessionID, in: call.service.settings.dataFolder)
      guard let content = try SessionSummaryFile.read(in: folder) else { throw ServiceProblem.notFound }
      writer.value(try JSONValue.parse(content.text.span))
      writer.endLine()
    }
    return .json(200, writer.bytes)
  }

  static let series = Route(
    .get, "/v1/sessions/{id}/series", .scopes([.watch]), "The course of a session that is over, as a table.",
    parameters: [
      QueryParameter(
        "columns",
        #"{"type":"string","pattern":"^(\#(columnNames))(,(\#(columnNames)))*$"}"#,
        "what it holds beside the time: some of "
          + SessionSeries.Column.allCases.map(\.rawValue).joined(separator: ", ")
          + "; what is named twice is there once"),
      QueryParameter(
        "every", #"{"type":"integer","minimum":1,"maximum":3600}"#, "how many seconds lie between two rows, 1 as a rule"
      ),
    ],
    history: .ofClosedSession,
    answers: [
      RouteAnswer(
        200, "application/json", "The table.", schema: AnswerSchemas.series,
        example:
          #"{"version":1,"type":"series","sessionID":"20261120T070000Z-running-4f3a0b1c","everySeconds":1,"columns":["atSeconds","heartRateBPM"],"rows":[[0,null],[1,142]]}"#
      )
    ]
  ) { call in
    let columns = try call.columns()
    let every = try call.integer("every", 1...3_600) ?? 1
    let entry = try await call.closedSession()
    guard entry.elapsed.seconds / Double(every) < Double(SessionSeries.largestRowCount) else {
      throw ServiceProblem.parameter("every", expected: "more, for at most \(SessionSeries.largestRowCount) rows")
    }
    let made = try await call.service.history.series(of: entry.sessionID, columns, everySeconds: every)
    guard let made else { throw ServiceProblem.notFound }
    var writer = JSONWriter()
    made.write(of: entry.sessionID, to: &writer)
    return .json(200, writer.bytes)
  }

  private static let columnNames = SessionSeries.Column.allCases.map(\.rawValue).joined(separator: "|")

  static let report = Route(
    .get, "/v1/sessions/{id}/report.html", .scopes([.watch]), "The report of a session that is over, as a page.",
    parameters: [privacyRadius],
    history: .ofClosedSession,
    answers: [RouteAnswer(200, "text/html", "The page: no script, and nothing from elsewhere.")]
  ) { call in
    let radius = try call.privacyRadius()
    let entry = try await call.closedSession()
    guard let report = try await call.service.history.report(of: entry, hidingEndsWithin: radius) else {
      throw ServiceProblem.notFound
    }
    return HTTPResponse(
      type: "text/html; charset=utf-8", SessionPage(report, hasTrack: true, isRead: false).bytes,
      [
        HTTPField(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox")
      ])
  }

  static let export = Route(
    .get, "/v1/sessions/{id}/export", .scopes([.watch]), "A session that is over, as a file for other programs.",
    parameters: [
      QueryParameter(
        "as", #"{"enum":[\#(ExportChoice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]}"#,
        "the format", isRequired: true),
      privacyRadius,
    ],
    history: .ofClosedSession,
    answers: ExportChoice.mediaTypes.map {
      RouteAnswer(
        200, $0, "The file; the header \(lossHeader) says what is not in it, as `coach export` does.",
        schema: $0 == "application/json" ? AnswerSchemas.workout : nil)
    }
  ) { call in
    guard let format = call.parameter("as").flatMap({ ExportChoice(rawValue: $0) }) else {
      throw ServiceProblem.parameter("as", expected: "one of " + ExportChoice.words)
    }
    _ = try call.accepted([format.mediaType])
    let radius = try call.privacyRadius()
    let entry = try await call.closedSession()
    let made: SessionExport?
    do {
      made = try await call.service.history.exported(entry, as: format, hidingEndsWithin: radius)
    } catch let error as ExportError {
      throw ServiceProblem(.impossible, "\(error)")
    }
    guard let made else { throw ServiceProblem.notFound }
    call.service.audit.note(.exported, by: call.caller, subject: entry.sessionID, at: call.now)
    return HTTPResponse(
      200,
      [
        HTTPField("Content-Type", format.mediaType),
        HTTPField("Content-Disposition", "attachment; filename*=UTF-8''" + made.name.encodingPercents),
        HTTPField(lossHeader, sentences: made.losses.isEmpty ? ["none"] : made.losses),
      ], .stream(FileStream(made.file)))
  }

  /// What says of an export what is not in it.
  static let lossHeader = "Coach-Export-Losses"

  static let delete = Route(
    .delete, "/v1/sessions/{id}", .scopes([.manage]), "Deletes a session that is over, for good.",
    history: .ofClosedSession,
    answers: [RouteAnswer(204, nil, "It is gone.")]
  ) { call in
    let entry = try await call.closedSession()
    try await call.service.history.delete(entry.sessionID)
    await call.service.sessions.forget([entry.sessionID])
    try await call.service.access.refresh(always: true)
    call.service.audit.note(.deleted, by: call.caller, subject: entry.sessionID, at: call.now)
    return HTTPResponse(204)
  }
}

extension ExportChoice {
  /// Every media type, once.
  fileprivate static var mediaTypes: [String] {
    allCases.map(\.mediaType).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension ServiceCall {
  /// Whether a session of the history is theirs to see.
  func maySee(_ entry: SessionEntry) async throws -> Bool {
    guard let caller, caller.session.map({ $0 == entry.sessionID }) ?? true else { return false }
    // Of nobody's sessions it is known who began them.
    let maker = entry.person == nil && !caller.isOwner ? try await service.store.session(entry.sessionID)?.maker : nil
    return caller.mayUse(person: entry.person, maker: maker)
  }

  /// The session of the history with a whole identity, where it is theirs to see. One of somebody else is like one that is not
  /// there, and takes as long: the index is asked for both at once. Whose it is its profile says, so that it is not that of whoever
  /// is called the same later.
  func visibleSession(_ id: String) async throws -> SessionEntry? {
    guard let caller, caller.group == nil, caller.session.map({ $0 == id }) ?? true else { return nil }
    if let own = caller.person { return try await service.history.session(exactly: id, ofPersonNamed: own) }
    guard let entry = try await service.history.session(exactly: id), try await maySee(entry) else { return nil }
    return entry
  }

  /// What is listed of the live session of the path; `nil` when there is none for who asks.
  fileprivate func liveListing() async throws -> LiveListing? {
    guard let session = service.sessions.session(value("id"), for: try requireCaller()) else { return nil }
    return await LiveListing(session)
  }

  /// The session of the path, which is over.
  ///
  /// - Throws: `ServiceProblem` when there is none for who asks, or it is live.
  func closedSession() async throws -> SessionEntry {
    if let session = liveSession {
      guard !session.isOver else {
        throw ServiceProblem.unavailable(
          "the session is over, and its folder is not whole yet: expected the same request again", retryAfterSeconds: 2)
      }
      throw ServiceProblem(.conflict, "the session is live: expected one that is over")
    }
    guard let entry = try await visibleSession(value("id")) else {
      throw ServiceProblem.notFound
    }
    return entry
  }

  fileprivate func columns() throws(ServiceProblem) -> [SessionSeries.Column] {
    guard let text = parameter("columns") else { return SessionSeries.Column.usual }
    var columns: [SessionSeries.Column] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let column = SessionSeries.Column(rawValue: String(word)) else {
        let names = SessionSeries.Column.allCases.map(\.rawValue)
        throw .parameter("columns", expected: "some of " + names.joined(separator: ", "))
      }
      if !columns.contains(column) { columns.append(column) }
    }
    return columns
  }

  fileprivate func privacyRadius() throws(ServiceProblem) -> PrivacyRadius? {
    guard let text = parameter("privacy-radius") else { return nil }
    guard let meters = Double(text), (0.001...1_000_000).contains(meters), let radius = PrivacyRadius(meters: meters)
    else { throw .parameter("privacy-radius", expected: "metres from 0.001 to 1000000") }
    return radius
  }
}
