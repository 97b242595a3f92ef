internal import ReportPages
internal import TextFormats

/// A refusal as a page, for somebody whose browser was led to a path that has no page for them.
enum ProblemPage {
  /// Whether a browser asks, and for a page: programs, and all of `/v1`, have a refusal as JSON.
  ///
  /// - Parameter access: who may ask on the route; `nil` where there is none.
  static func isAsked(by head: HTTPHead, on access: RouteAccess?) -> Bool {
    switch access {
    case .page, .signIn: break
    case nil: if head.path == "/v1" || head.path.hasPrefix("/v1/") { return false }
    case .everybody, .anybodyKnown, .scopes, .key: return false
    }
    return head.value(of: "Accept")?.lowercased().contains("text/html") ?? false
  }

  /// The page.
  static func response(_ problem: ServiceProblem, _ head: HTTPHead) -> HTTPResponse {
    switch problem.code {
    case .unknownHost: return unknownHost(problem)
    case .notFound:
      return framed(problem, head, "There is no such page", "<p>Nothing is at this address.</p>")
    case .malformed, .unknownMember, .unknownParameter, .unauthorized, .forbidden, .methodNotAllowed, .notAcceptable,
      .conflict, .sessionEnded, .differentBody, .tooLarge, .unsupportedMediaType, .misdirected, .impossible,
      .tooManyRequests, .headersTooLarge, .internalError, .unavailable:
      let words = problem.detail.prefix(1).uppercased() + problem.detail.dropFirst()
      return framed(problem, head, problem.code.title, "<p>\(PageAnswer.escaped(words)).</p>")
    }
  }

  private static func framed(
    _ problem: ServiceProblem, _ head: HTTPHead, _ title: String, _ words: String
  ) -> HTTPResponse {
    // Who is signed in is not looked up: the page is the same for everybody.
    PageAnswer.html(
      PageFrame(title: title, path: head.path).text(
        "<h1>\(PageAnswer.escaped(title))</h1>\(words)<p><a href=\"/\">To the first page</a></p>"),
      problem.headers, status: problem.code.status)
  }

  // MARK: - A name that the service does not have

  private static let style =
    PageStyles.colors
      + """
      :root{color-scheme:light dark}
      body{margin:0 auto;max-width:46rem;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}

      """

  private static let policy: String = {
    var hash = SHA256()
    hash.update(Array(style.utf8).span)
    return "default-src 'none'; style-src 'sha256-\(Base64.text(hash.finish(), .standard))'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }()

  /// Under such a name nothing else is answered: the page has its style in itself, and leads nowhere.
  private static func unknownHost(_ problem: ServiceProblem) -> HTTPResponse {
    let text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Another name · coach</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      <h1>coach does not have this name</h1>
      <p>It answers to <code>localhost</code> on the machine on which it runs, and to the name with which it was started
      (<code>--public-url</code>). Open it by one of them.</p>
      </main>
      </body>
      </html>

      """
    return HTTPResponse(
      problem.code.status, type: "text/html; charset=utf-8", Array(text.utf8),
      [HTTPField("Content-Security-Policy", policy)] + problem.headers)
  }
}
