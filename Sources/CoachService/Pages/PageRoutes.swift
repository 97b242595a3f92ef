internal import ReportPages
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// The pages, and what they are made of.
enum PageRoutes {
  static let all = [start, send, live, history, session, asset, manifest, worker]

  private static let html = RouteAnswer(200, "text/html", "The page.")

  static let start = Route(.get, "/", .page, "What there is to do.", history: .always, answers: [html]) { call in
    try await StartPage.response(call)
  }

  static let send = Route(.get, "/send", .page, "The browser as the sensor of a run.", answers: [html]) { call in
    try await SendPage.response(call)
  }

  static let live = Route(.get, "/live/{id}", .page, "A live run on another screen.", answers: [html]) { call in
    let caller = try call.requireCaller()
    if let session = call.service.sessions.session(call.value("id"), for: caller), !session.isOver {
      return await LivePage.response(session, call)
    }
    guard let entry = try await call.closedSession(call.value("id"), caller) else {
      // The folder of one that is over may not be written for long: the screen shows how it stands.
      guard let session = call.liveSession else { return PageRoutes.nothing(call) }
      return await LivePage.response(session, call)
    }
    return .seeOther("/sessions/" + entry.sessionID.encodingPercents)
  }

  static let history = Route(
    .get, "/history", .page, "The weeks, the trends, and the runs.", history: .always, answers: [html]
  ) { call in
    try await HistoryPage.response(call)
  }

  private static let beside = QueryParameter(
    "beside", #"{"type":"string"}"#, "a run that is drawn on the same axes")

  static let session = Route(
    .get, "/sessions/{id}", .page, "The report of a run.", parameters: [beside], history: .always, answers: [html]
  ) { call in
    let caller = try call.requireCaller()
    let id = call.value("id")
    if let live = call.service.sessions.session(id, for: caller), !live.isOver {
      return .seeOther("/live/" + id.encodingPercents)
    }
    guard let entry = try await call.closedSession(id, caller),
      var report = try await call.service.history.report(of: entry, hidingEndsWithin: nil)
    else { return PageRoutes.nothing(call) }
    var links = [("/", "Start"), ("/send", "Run"), ("/history", "History"), ("/groups", "Groups")]
    var other: SessionReport?
    if let name = call.parameter("beside") {
      guard let entry = try await call.closedSession(name, caller) else {
        return PageRoutes.nothing(call)
      }
      other = try await call.service.history.report(of: entry, hidingEndsWithin: nil)
      links.append(("/sessions/" + id.encodingPercents, "This run alone"))
    } else if let earlier = try await call.runBefore(entry) {
      let path = "/sessions/\(id.encodingPercents)?beside=\(earlier.sessionID.encodingPercents)"
      links.append((path, "Beside the run before"))
    }
    report.units = await call.units(of: caller.person ?? entry.person)
    let hosting = PageHosting(
      stylesheet: PageAsset.reportStyle.path, script: PageAsset.reading.path, icon: PageAsset.icon.path, links: links)
    return PageAnswer.html(
      SessionPage(report, beside: other, hasTrack: true, hosting: hosting).bytes, call.stayingSignedIn)
  }

  static let asset = Route(
    .get, "/assets/{name}", .signIn, "A script, a style sheet or a picture of the pages.",
    answers: [RouteAnswer(200, "text/javascript", "A script."), RouteAnswer(200, "text/css", "A style sheet.")]
  ) { call in
    guard let asset = PageAsset.all.first(where: { $0.name == call.value("name") }) else {
      throw ServiceProblem.notFound
    }
    return asset.response
  }

  static let manifest = Route(
    .get, "/manifest.webmanifest", .signIn, "What a browser needs to install the pages.",
    answers: [RouteAnswer(200, "application/manifest+json", "The manifest.")]
  ) { _ in HTTPResponse(type: "application/manifest+json", PageShell.manifest) }

  static let worker = Route(
    .get, "/service-worker.js", .signIn, "The worker that keeps the shell of the pages.",
    answers: [RouteAnswer(200, "text/javascript", "The script.")]
  ) { _ in
    // A worker obeys the policy that it came with.
    HTTPResponse(
      type: "text/javascript; charset=utf-8", Array(PageShell.worker.utf8),
      [HTTPField("Cache-Control", "no-cache"), HTTPField("Content-Security-Policy", PageAnswer.policy)])
  }

  /// There is nothing of that name for whoever asks, in words for people.
  static func nothing(_ call: ServiceCall) -> HTTPResponse {
    if PageAnswer.wantsJSON(call.request.head) { return ServiceProblem.notFound.response }
    return PageAnswer.html(
      PageFrame(title: "Not found", call).text(
        "<h1>There is no such run</h1><p><a href=\"/history\">The runs that there are</a></p>"), status: 404)
  }
}

extension ServiceCall {
  /// The run before another one of the same person and activity, if who asks may see it.
  fileprivate func runBefore(_ entry: SessionEntry) async throws -> SessionEntry? {
    var filter = History.Filter()
    filter.person = entry.person
    filter.until = entry.start
    filter.includesSimulated = false
    // Among the last few, so that it costs little.
    filter.limit = 20
    let earlier = try await service.history.sessions(filter).first {
      $0.activity == entry.activity && $0.person == entry.person
    }
    guard let earlier, try await maySee(earlier) else { return nil }
    return earlier
  }

  /// A session of the history that is theirs to see; one that is being closed is waited for.
  fileprivate func closedSession(_ id: String, _ caller: Caller) async throws -> SessionEntry? {
    for _ in 0..<50 {
      let isClosing = service.sessions.session(id, for: caller).map { $0.endedAt == nil } ?? false
      if let entry = try await visibleSession(id) { return entry }
      guard isClosing else { return nil }
      try await Task.sleep(nanoseconds: 100_000_000)
    }
    return nil
  }
}
