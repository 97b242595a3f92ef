/// Signing in to the pages and out again.
enum SignInRoutes {
  static let all = [page, link, use, signOut]

  private static let html = RouteAnswer(200, "text/html", "The page.")

  static let page = Route(.get, "/auth/sign-in", .signIn, "Says how to sign in.", answers: [html]) { call in
    PageAnswer.html(
      PageFrame(title: "Sign in", call).text(
        """
        <h1>Sign in</h1>
        \(call.service.openID.map { OpenIDRoutes.button($0, to: call.openedPage) } ?? "")
        <p>The pages of coach open by a link that works once. On the machine that runs the service:</p>
        <pre><code>coach token link</code></pre>
        <p>Open the address that it prints in this browser within ten minutes.
        <code>coach token link --person NAME</code> makes one for a single person, who then sees nobody else’s runs.</p>
        """))
  }

  static let link = Route(
    .get, "/auth/link/{secret}", .signIn, "Shows the button that uses a link up; a preview does not.", answers: [html]
  ) { call in
    PageAnswer.html(
      PageFrame(title: "Sign in", call).text(
        """
        <h1>Sign in to coach</h1>
        <p>This link signs this browser in, once. You stay signed in until you sign out, or for 12 hours without use.</p>
        <form method="post"><button class="large" type="submit">Sign in</button></form>
        """))
  }

  static let use = Route(
    .post, "/auth/link/{secret}", .signIn,
    "Uses a link up: signs in, and goes to the page that was opened before, else to the first.",
    body: RouteBody([], limit: 1 << 10), answers: [RouteAnswer(303, nil, "Signed in.")]
  ) { call in
    if call.request.head.value(of: .origin) != nil, !call.service.access.isFromOwnPage(call.request.head) {
      throw ServiceProblem(.forbidden, "Origin: expected that of this service")
    }
    do {
      let secret = try await call.service.signIns.signIn(
        link: call.value("secret"), replacing: call.caller, from: call.clientAddress, now: call.now)
      return call.signedIn(secret, to: call.openedPage, [])
    } catch let problem as ServiceProblem where !PageAnswer.wantsJSON(call.request.head) {
      let words =
        problem.code == .tooManyRequests
        ? "Too many attempts from this address have failed. Wait a minute, then open the link again."
        : "The link was used already, or is older than ten minutes. <code>coach token link</code> makes a new one."
      return PageAnswer.html(
        PageFrame(title: "Not signed in", call).text("<h1>Not signed in</h1><p>\(words)</p>"), problem.headers,
        status: problem.code.status)
    }
  }

  static let signOut = Route(
    .post, "/auth/sign-out", .page, "Signs out: the cookie holds no longer.",
    body: RouteBody([], limit: 1 << 10), answers: [RouteAnswer(303, nil, "Signed out.")]
  ) { call in
    try await call.service.signIns.signOut(call.requireCaller(), now: call.now)
    return .seeOther("/auth/sign-in", [call.service.access.cookie.removal])
  }
}
