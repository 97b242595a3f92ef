internal import LiveCoaching
internal import TextFormats

/// Decides about requests: whether they are whole, where they lead, and whether who asks may.
struct ServiceRouter: HTTPHandler {
  /// How many bytes request line and headers have at most.
  static let headerLimit = 8 << 10

  let service: Service

  func admit(_ head: HTTPHead) -> HTTPAdmission { admit(head, hasLooked: false) }

  func admit(_ head: HTTPHead, _ memory: HTTPMemory) -> HTTPAdmission {
    if let last = memory.value as? AdmittedHead, let again = last.admit(head) { return .taken(again) }
    let admission = admit(head)
    if case .taken(let taken) = admission, let request = taken as? AdmittedRequest {
      memory.value = AdmittedHead(request)
    }
    return admission
  }

  /// - Parameters:
  ///   - hasLooked: whether it was looked at what other processes have changed, because the secret is not known.
  ///   - isConfirmed: whether that was looked at because other instances may have revoked it.
  private func admit(_ head: HTTPHead, hasLooked: Bool, isConfirmed: Bool = false) -> HTTPAdmission {
    let begin = MonotonicClock.now
    var pattern = ""
    var access: RouteAccess?
    var unknown: String?
    do throws(ServiceProblem) {
      try requireWhole(head)
      let (route, values) = try route(of: head)
      pattern = route.pattern
      access = route.access
      // What another instance has revoked is dead here at once.
      if service.sessions.fleet != nil, !hasLooked, !isConfirmed, route.access.isOfSecret,
        service.access.isAnySecret(of: route.access, head, values)
      {
        return .undecided { await admitLooking(head, route.access) }
      }
      let caller: Caller?
      do throws(ServiceProblem) {
        caller = try service.access.caller(of: route.access, head, values)
      } catch {
        if !hasLooked { unknown = service.access.unknownSecret(of: route.access, head, values) }
        throw error
      }
      let query = try query(of: head, route)
      try requireHeaders(of: head, route)
      try requireBody(of: head, route)
      return .taken(
        AdmittedRequest(self, head, AdmittedPlace(route, values, caller), query: query, since: begin))
    } catch {
      if let unknown {
        return .undecided {
          await service.access.look(for: unknown, from: service.address(of: head))
          return admit(head, hasLooked: true)
        }
      }
      if error.code == .forbidden { noteRefusal(head, pattern) }
      return .refused(finish(refusal(error, head, access), head, pattern, begin))
    }
  }

  /// What whoever may not gets: a browser that was to show a page is led to where people sign in.
  func refusal(_ problem: ServiceProblem, _ head: HTTPHead, _ access: RouteAccess?) -> HTTPResponse {
    let isSignIn = access == .page && problem.code == .unauthorized && !PageAnswer.wantsJSON(head)
    return isSignIn ? toSignIn(head) : Self.response(to: problem, head, access)
  }

  func beginTurn() { service.sessions.registry.beginGathering() }

  func endTurn() { service.sessions.registry.takeGathered() }

  func farewell(_ head: HTTPHead) -> HTTPResponse {
    // Apps take any answer for a delivery; they come again only when there is none.
    refusedForNow(head, .unavailable("the service is stopping"))
  }

  func full(_ head: HTTPHead) -> HTTPResponse {
    refusedForNow(head, .unavailable("too much is being sent at once", retryAfterSeconds: 10))
  }

  func refusedForNow(_ head: HTTPHead, _ problem: ServiceProblem) -> HTTPResponse {
    guard case .route(let route, _) = service.routes.match(head.method, head.path) else {
      return Self.response(to: problem, head, nil)
    }
    let response = route.access == .key ? HTTPResponse.close : Self.response(to: problem, head, route.access)
    return finish(response, head, route.pattern, MonotonicClock.now)
  }

  /// Looks what other instances have changed, and decides then. While the database is away, who was known a short time ago reads what
  /// needs no database.
  private func admitLooking(_ head: HTTPHead, _ access: RouteAccess) async -> HTTPAdmission {
    if let problem = await look(head, access) { return .refused(refusedForNow(head, problem)) }
    return admit(head, hasLooked: false, isConfirmed: true)
  }

  /// Looks what other instances, or verbs of the terminal beside a service alone, have changed until now.
  ///
  /// - Returns: why nobody can say; `nil` where what is in memory holds.
  func look(_ head: HTTPHead, _ access: RouteAccess) async -> ServiceProblem? {
    // Looked at before: a secret that is not known may be a new one, which only the store knows.
    let onlyReads = access.onlyReads(head.method) && service.access.known(head) != nil
    let isAlone = service.sessions.fleet == nil
    let confirmation =
      isAlone ? await service.access.confirmByFile() : await service.access.confirm(onlyReads: onlyReads)
    let isAdmitted =
      switch confirmation {
      case .now: true
      case .lately: onlyReads && service.access.known(head) != nil
      case .no: false
      }
    if isAdmitted { return nil }
    return isAlone
      ? .unavailable("what is kept cannot be used now", retryAfterSeconds: 5)
      : .unavailable("the database cannot be reached now")
  }

  /// Writes down who asked for what they may not, elsewhere: the thread of the connections does not wait for a disk.
  private func noteRefusal(_ head: HTTPHead, _ pattern: String) {
    let (caller, now) = (service.access.known(head), service.clock.now())
    guard let caller, service.refusals.admits(caller.id + " " + pattern, now) else { return }
    let service = service
    Task { try? await service.files.run { service.audit.note(.refused, by: caller, subject: pattern, at: now) } }
  }

  /// Answers a request on its route.
  func answer(_ call: ServiceCall) async -> HTTPResponse {
    do {
      if service.sessions.fleet != nil { try await reach(call) } else { try await waitForRecovery(call) }
      return try await call.route.handle(call)
    } catch var problem as ServiceProblem {
      if let instance = problem.instance {
        problem.headers.append(HTTPField("Location", instance + call.request.head.target.encodingBeyondASCII))
      }
      return Self.response(to: problem, call.request.head, call.route.access)
    } catch {
      return Self.response(to: ServiceProblem(describing: error), call.request.head, call.route.access)
    }
  }

  /// Makes sure that what a request names is answered here, or says where, at an instance of several.
  private func reach(_ call: ServiceCall) async throws {
    if call.sessionID != nil || call.readsHistory { await service.sessions.renewLeases() }
    if let caller = call.caller, let id = call.sessionID {
      do {
        try await service.sessions.reach(id, for: caller, repeats: call.parameter("batch") != nil)
      } catch let problem as ServiceProblem where problem == .modelMissing {
        try await call.endWithoutModel(problem)
      }
    }
    if call.readsHistory { try await service.sessions.bringHistory() }
  }

  /// Waits until what a request is about goes on after a start: the session that it names, all where it names none. What everybody may ask,
  /// such as whether the service lives, is about none.
  private func waitForRecovery(_ call: ServiceCall) async throws(ServiceProblem) {
    switch call.route.access {
    case .everybody, .signIn: break
    case .anybodyKnown, .scopes, .key, .page: try await service.sessions.recovery.wait(for: call.sessionID)
    }
  }

  /// Leads a browser to where people sign in, and has it keep which page it was to show.
  private func toSignIn(_ head: HTTPHead) -> HTTPResponse {
    let cookie = service.access.cookie.openedPage
    var headers: [HTTPField] = []
    // What is no page that is opened, such as what a worker of the pages asks for, is no place to go on.
    if head.method == HTTPMethod.get.rawValue, head.value(of: "Sec-Fetch-Dest").map({ $0 == "document" }) ?? true {
      if let page = service.page(head.target), !page.isStart {
        headers = [cookie.header(page.text)]
      } else if head.cookie(cookie.name) != nil {
        headers = [cookie.removal]
      }
    }
    return .seeOther("/auth/sign-in", headers)
  }

  /// A refusal as whoever asks can read it: a page for a browser that was to show one, else JSON.
  private static func response(to problem: ServiceProblem, _ head: HTTPHead, _ access: RouteAccess?) -> HTTPResponse {
    ProblemPage.isAsked(by: head, on: access) ? ProblemPage.response(problem, head) : problem.response
  }

  static func tooLarge(_ limit: Int) -> ServiceProblem {
    ServiceProblem(.tooLarge, limit == 0 ? "the route has no body" : "the body is larger than \(limit) bytes")
  }

  /// Adds what every answer has, and writes the line of the log.
  func finish(_ response: HTTPResponse, _ head: HTTPHead, _ pattern: String, _ begin: Int64) -> HTTPResponse {
    note(response.status, head, pattern, begin)
    return complete(response, isStrict: isStrict(head))
  }

  /// Writes the line of the log.
  func note(_ status: Int, _ head: HTTPHead, _ pattern: String, _ begin: Int64) {
    service.log.note(
      method: HTTPMethod(rawValue: head.method)?.rawValue ?? "other", pattern: pattern, status: status, since: begin)
  }

  /// Whether whoever asks by this name has to ask by TLS from now on.
  func isStrict(_ head: HTTPHead) -> Bool {
    guard let name = service.strictHost, let host = head.host else { return false }
    return HostList.name(of: host.lowercased()) == name
  }

  /// Adds what every answer has.
  func complete(_ response: HTTPResponse, isStrict: Bool) -> HTTPResponse {
    var response = response
    response.headers.reserveCapacity(response.headers.count + Self.usualHeaders.count + 2)
    for field in Self.usualHeaders where !response.headers.contains(where: { $0.name == field.name }) {
      response.headers.append(field)
    }
    if isStrict { response.headers.append(Self.strictTransport) }
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      response.headers.append(HTTPField("Cache-Control", "no-store"))
    }
    return response
  }

  /// A year, as `deploy/nginx.conf` says it too.
  private static let strictTransport = HTTPField(
    "Strict-Transport-Security", "max-age=31536000; includeSubDomains")

  private static let usualHeaders = [
    HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("Referrer-Policy", "no-referrer"),
    // Nothing that is no page is one, whatever a browser makes of it.
    HTTPField(
      "Content-Security-Policy", "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"),
  ]

  // MARK: - What is looked at before a body is read

  /// The headers that nobody sends twice but to be read in two ways.
  private static let onceSent: [UsualHeader] = [
    .host, .contentLength, .contentType, .authorization, .transferEncoding, .origin,
  ]

  private func requireWhole(_ head: HTTPHead) throws(ServiceProblem) {
    guard head.byteCount <= Self.headerLimit else {
      throw ServiceProblem(.headersTooLarge, "request line and headers are larger than \(Self.headerLimit) bytes")
    }
    if let header = head.repeated(of: Self.onceSent) {
      throw Self.ambiguous("\(header.name): expected it once")
    }
    if let text = head.value(of: .contentLength) {
      if head.value(of: .transferEncoding) != nil {
        throw Self.ambiguous("Content-Length and Transfer-Encoding: expected one of them")
      }
      guard text.isDigits else {
        throw Self.ambiguous("Content-Length: expected a whole number")
      }
    }
    // Of another coding the library waits for the end of the connection.
    if let coding = head.value(of: .transferEncoding), !coding.isEqual(withoutCase: "chunked") {
      throw Self.ambiguous("Transfer-Encoding: expected chunked")
    }
    for field in head.headers {
      guard !field.value.hasControlCharacters else {
        throw Self.ambiguous("a header has a control character")
      }
      // `Content-Length : 9` is a length to some programs, and nothing to others (RFC 9112, 5.1).
      guard field.name.isFieldName else {
        throw Self.ambiguous("the name of a header: expected letters, digits and hyphens, with the colon right behind")
      }
    }
    guard head.path.utf8.first == UInt8(ascii: "/"), head.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      head.path.decodingPercents(isForm: false) != nil
    else {
      throw ServiceProblem(
        .malformed, "the path: expected one of printable ASCII that begins with a slash, or the whole URL")
    }
    try service.hosts.require(head.host)
  }

  /// A head that another program may read differently, so that nobody can say where the next request begins: the connection ends.
  private static func ambiguous(_ detail: String) -> ServiceProblem {
    var problem = ServiceProblem(.malformed, detail)
    problem.headers = [HTTPField("Connection", "close")]
    return problem
  }

  private func route(of head: HTTPHead) throws(ServiceProblem) -> (Route, PathValues) {
    switch service.routes.match(head.method, head.path) {
    case .route(let route, let values): return (route, values)
    case .nothing: throw .notFound
    case .methods(let methods):
      var names: [String] = []
      for method in HTTPMethod.allCases where methods.contains(method) { names.append(method.rawValue) }
      if names.contains("GET") { names.append("HEAD") }
      var problem = ServiceProblem(.methodNotAllowed, "expected " + names.joined(separator: ", "))
      problem.headers = [HTTPField("Allow", names.joined(separator: ", "))]
      throw problem
    }
  }

  func query(of head: HTTPHead, _ route: Route) throws(ServiceProblem) -> [HTTPField] {
    if head.query.allSatisfy({ !$0.name.hasEscapes && !$0.value.hasEscapes }) {
      for place in head.query.indices { try requireParameter(head.query[place].name, head.query[..<place], route) }
      return head.query
    }
    var query: [HTTPField] = []
    for field in head.query {
      guard let name = field.name.decodingPercents(isForm: true), let value = field.value.decodingPercents(isForm: true)
      else { throw ServiceProblem(.malformed, "the query: expected percent escapes of UTF-8 without zero bytes") }
      try requireParameter(name, query[...], route)
      query.append(HTTPField(name, value))
    }
    return query
  }

  /// Makes sure that a route knows a parameter, which is not among those before it.
  private func requireParameter(
    _ name: String, _ before: ArraySlice<HTTPField>, _ route: Route
  ) throws(ServiceProblem) {
    guard !route.takesAnyParameters else { return }
    guard route.parameters.contains(where: { $0.name == name }) else {
      let known = route.parameters.map(\.name)
      var problem = ServiceProblem(
        .unknownParameter,
        "unknown query parameter: expected "
          + (known.isEmpty ? "none" : "one of " + known.joined(separator: ", "))
          + (Spelling.closest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""))
      problem.parameter = String(name.prefix(100))
      throw problem
    }
    guard !before.contains(where: { $0.name == name }) else {
      var problem = ServiceProblem(.malformed, "\(name): expected it once")
      problem.parameter = name
      throw problem
    }
  }

  /// Makes sure that what a route looks at is said once, and that its answer is one that the client takes.
  private func requireHeaders(of head: HTTPHead, _ route: Route) throws(ServiceProblem) {
    for header in route.headers where head.values(of: header.name).count > 1 {
      throw ServiceProblem(.malformed, "\(header.name): expected it once")
    }
    guard let types = route.acceptableTypes, head.value(of: "Accept") != nil else { return }
    _ = try AcceptedTypes(head).required(of: types)
  }

  private func requireBody(of head: HTTPHead, _ route: Route) throws(ServiceProblem) {
    guard let body = route.body else {
      if head.hasBody, head.contentLength.map({ $0 > 0 }) ?? true { throw Self.tooLarge(0) }
      return
    }
    if let length = head.contentLength, length > body.limit { throw Self.tooLarge(body.limit) }
    guard head.hasBody else { return }
    // What is a file may be packed, and says so by its own bytes.
    if body.limit <= HTTPBodyBudget.largestSmall, head.isPacked {
      var problem = ServiceProblem(.unsupportedMediaType, "Content-Encoding: expected none")
      problem.headers = [HTTPField("Accept-Encoding", "identity")]
      throw problem
    }
    guard !body.mediaTypes.isEmpty else { return }
    if let charset = head.charset, !["utf-8", "us-ascii"].contains(charset) {
      throw ServiceProblem(.unsupportedMediaType, "Content-Type: expected charset=utf-8")
    }
    guard let type = head.contentType, body.mediaTypes.contains(type) else {
      throw ServiceProblem(.unsupportedMediaType, "Content-Type: expected " + body.mediaTypes.joined(separator: " or "))
    }
  }
}
