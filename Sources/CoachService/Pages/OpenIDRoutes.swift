internal import TextFormats

/// Signing in to the pages with a provider of OpenID Connect.
enum OpenIDRoutes {
  static let all = [begin, callback]

  /// What leads to the provider, and from there to a page.
  static func button(_ provider: OpenIDSignIn, to page: PagePath?) -> String {
    """
    <p><a class="button large" href="\(path(to: page))">Sign in with <bdi>\(PageAnswer.escaped(provider.name))</bdi></a></p>
    """
  }

  private static let beginPath = "/auth/oidc"

  private static func path(to page: PagePath?) -> String {
    beginPath + (page.map { "?page=" + $0.text.encodingPercents } ?? "")
  }

  private static let html = RouteAnswer(200, "text/html", "The page.")

  static let begin = Route(
    .get, beginPath, .signIn, "Goes to the provider to sign in there.",
    parameters: [
      QueryParameter(
        "page", #"{"type":"string"}"#,
        "the path of the page where it goes on; that which was opened when nothing is said")
    ],
    answers: [RouteAnswer(303, nil, "To the provider.")]
  ) { call in
    guard let provider = call.service.openID else { throw ServiceProblem.notFound }
    let page = try call.pageToGoOn()
    // The provider sends back to one address, where the cookie has to be.
    if let address = call.addressOfService { return .seeOther(address + path(to: page)) }
    let cookies = call.service.access.cookie.attempts
    do {
      try await call.service.signIns.requireFewFailures(of: call.clientAddress, call.now)
      let claims = Set(try await call.service.store.identities(of: provider.issuer).map(\.claim))
      let (url, attempt) = try await provider.begin(
        claims: claims, from: call.clientAddress, besides: cookies.numbers(of: call.request.head), now: call.now)
      return .seeOther(url, [cookies.header(attempt, openedPage: page?.text)])
    } catch {
      return try call.notSignedIn(error)
    }
  }

  static let callback = Route(
    .get, OpenIDSignIn.callbackPath, .signIn, "Takes what the provider sends back with the browser: signs in.",
    takesAnyParameters: true, answers: [RouteAnswer(303, nil, "Signed in.")]
  ) { call in
    guard let provider = call.service.openID else { throw ServiceProblem.notFound }
    guard call.request.head.method == HTTPMethod.get.rawValue else { return HTTPResponse(200) }
    let head = call.request.head
    let cookie = call.service.access.cookie
    let answer = OpenIDAnswer(call.query)
    let kept = answer.state.flatMap { cookie.attempts.kept(by: head, of: $0) }
    let removals = cookie.attempts.removals(of: answer.state, in: head)
    // A page of others can have a browser ask for this, as an image, say: without the cookie of an attempt, which a provider's answer
    // has and a program that guesses does not.
    let isFromPage = head.value(of: "Sec-Fetch-Site") == "cross-site" || answer.state == nil
    do {
      let secret = try await call.service.signIns.signIn(
        answer, provider, browser: kept?.secret, isOfAttempt: cookie.attempts.areAny(in: head) || !isFromPage,
        replacing: call.caller, from: call.clientAddress, now: call.now)
      return call.signedIn(secret, to: call.service.page(kept?.openedPage), removals)
    } catch {
      var response = try call.notSignedIn(error)
      response.headers += removals
      return response
    }
  }
}

extension ServiceCall {
  /// Sends a browser on that is signed in by a secret: to a page, else to the first one.
  func signedIn(_ secret: String, to page: PagePath?, _ removals: [HTTPField]) -> HTTPResponse {
    let cookie = service.access.cookie
    var headers = [cookie.header(secret)] + removals
    if request.head.cookie(cookie.openedPage.name) != nil { headers.append(cookie.openedPage.removal) }
    return .seeOther(page?.text ?? "/", headers)
  }

  /// The page where it goes on, by the query, else that which was opened.
  fileprivate func pageToGoOn() throws(ServiceProblem) -> PagePath? {
    guard let text = parameter("page") else { return openedPage }
    guard let page = service.page(text) else {
      throw .parameter("page", expected: "the path of a page of this service")
    }
    return page
  }

  /// The address of the service, where the browser has come by another name of this machine.
  fileprivate var addressOfService: String? {
    guard let host = request.head.host, let own = URLParts.host(of: service.url),
      let asked = URLParts.host(of: "http://" + host), own != asked, HostList.isLoopback(own),
      HostList.isLoopback(asked)
    else { return nil }
    return service.url
  }

  /// The one page that says that nobody was signed in, and what helps.
  fileprivate func notSignedIn(_ error: any Error) throws -> HTTPResponse {
    let problem: ServiceProblem
    let words: String
    switch error {
    case OpenIDProblem.refused(.unmapped), OpenIDProblem.refused(.ambiguous):
      problem = ServiceProblem(
        .forbidden, "the provider has signed somebody in whom the owner of this service has not named")
      words = """
        The provider knows you, this service does not. Its owner decides who comes in, with
        <code>coach identity add</code> on the machine that runs it.
        """
    case OpenIDProblem.refused(let refusal):
      problem = .signIn("the answer of the provider is not accepted: \(refusal.rawValue)")
      words = "What came back from the provider is not accepted, or took longer than ten minutes. Begin again."
    case OpenIDProblem.unavailable(let detail):
      problem = .unavailable(detail, retryAfterSeconds: 30)
      words = "The provider cannot be asked now. A link of <code>coach token link</code> signs in without it."
    case let other as ServiceProblem where other.code == .tooManyRequests:
      problem = other
      words = "Too many attempts from this address have failed. Wait a minute."
    default: throw error
    }
    guard !PageAnswer.wantsJSON(request.head) else { throw problem }
    return PageAnswer.html(
      PageFrame(title: "Not signed in", self).text(
        "<h1>Not signed in</h1><p>\(words)</p><p><a href=\"/auth/sign-in\">To the beginning</a></p>"),
      problem.headers, status: problem.code.status)
  }
}
