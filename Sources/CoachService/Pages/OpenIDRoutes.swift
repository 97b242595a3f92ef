/// Signing in to the pages with a provider of OpenID Connect.
enum OpenIDRoutes {
  static let all = [begin, callback]

  /// What leads to the provider.
  static func button(_ provider: OpenIDSignIn) -> String {
    """
    <p><a class="button large" href="\(beginPath)">Sign in with <bdi>\(PageAnswer.escaped(provider.name))</bdi></a></p>
    """
  }

  private static let beginPath = "/auth/oidc"
  private static let html = RouteAnswer(200, "text/html", "The page.")

  static let begin = Route(
    .get, beginPath, .signIn, "Goes to the provider to sign in there.",
    answers: [RouteAnswer(303, nil, "To the provider.")]
  ) { call in
    guard let provider = call.service.openID else { throw ServiceProblem.notFound }
    // The provider sends back to one address, where the cookie has to be.
    if let address = call.addressOfService { return .seeOther(address + beginPath) }
    do {
      try await call.service.signIns.requireFewFailures(of: call.clientAddress, call.now)
      let claims = Set(try await call.service.store.identities(of: provider.issuer).map(\.claim))
      let (url, secret) = try await provider.begin(claims: claims, from: call.clientAddress, now: call.now)
      return .seeOther(url, [call.service.access.cookie.attempt.header(secret)])
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
    let cookie = call.service.access.cookie
    let browser = call.request.head.cookie(cookie.attempt.name)
    let answer = OpenIDAnswer(call.query)
    // A page of others can have a browser ask for this, as an image, say: without the cookie of an attempt, which a provider's answer
    // has and a program that guesses does not.
    let isFromPage = call.request.head.value(of: "Sec-Fetch-Site") == "cross-site" || answer.state == nil
    do {
      let secret = try await call.service.signIns.signIn(
        answer, provider, browser: browser, isOfAttempt: browser != nil || !isFromPage, replacing: call.caller,
        from: call.clientAddress, now: call.now)
      return .seeOther("/", [cookie.header(secret), cookie.attempt.removal])
    } catch {
      var response = try call.notSignedIn(error)
      response.headers.append(cookie.attempt.removal)
      return response
    }
  }
}

extension ServiceCall {
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
