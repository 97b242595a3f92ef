@testable import CoachService
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The cookies of a browser.
private struct CookieJar {
  private(set) var cookies: [String: String] = [:]

  /// As they are sent.
  var headers: [HTTPField] {
    cookies.isEmpty
      ? [] : [HTTPField("Cookie", cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "; "))]
  }

  /// How many attempts are kept.
  var attemptCount: Int { cookies.keys.count { $0.hasPrefix("coach-begun-") } }

  /// Takes what an answer gives and takes away.
  mutating func take(_ response: HTTPResponse) {
    for field in response.headers where field.name == "Set-Cookie" {
      let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      cookies[String(pair[0])] = field.value.contains("Max-Age=0") ? nil : String(pair[1])
    }
  }
}

extension OpenIDBrowser {
  /// Begins in a tab of a browser; the query that the provider gets.
  fileprivate func begin(_ path: String = "/auth/oidc", _ jar: inout CookieJar) async throws -> [String: String] {
    let answer = await harness.send("GET", path, headers: jar.headers)
    jar.take(answer)
    return try query(of: answer)
  }

  fileprivate func query(of answer: HTTPResponse) throws -> [String: String] {
    try #require(answer.status == 303, "\(answer.text)")
    let parts = try #require(answer.header("Location")).split(separator: "?", maxSplits: 1)
    return FakeProvider.fields(String(try #require(parts.last)))
  }

  /// Comes back in a tab of a browser.
  fileprivate func comeBack(_ query: [String: String], _ jar: inout CookieJar) async -> HTTPResponse {
    give(query)
    let answer = await harness.send(
      "GET", "/auth/oidc/callback?code=c0de&state=\(query["state"] ?? "")", headers: jar.headers)
    jar.take(answer)
    return answer
  }
}

@Suite("Signing in with a provider in several tabs, and going on where somebody was")
struct OpenIDTabTests {
  @Test("Tabs of a browser that sign in at once do not disturb each other, in whatever order they come back")
  func tabs() async throws {
    for isReversed in [false, true] {
      let browser = try await OpenIDBrowser(ScratchFolder())
      _ = try await browser.map("sub", "248289", "ann")
      var jar = CookieJar()
      // Both ask before the first answer is there.
      let answers = [
        await browser.harness.send("GET", "/auth/oidc"), await browser.harness.send("GET", "/auth/oidc"),
      ]
      var queries = try answers.map { answer in
        jar.take(answer)
        return try browser.query(of: answer)
      }
      // And a third one after that.
      queries.append(try await browser.begin("/auth/oidc", &jar))
      #expect(jar.attemptCount == 3)
      if isReversed { queries.reverse() }
      for (place, query) in queries.enumerated() {
        let answer = await browser.comeBack(query, &jar)
        #expect(answer.status == 303, "\(answer.text)")
        #expect(jar.attemptCount == 2 - place)
        #expect(await browser.harness.send("GET", "/", headers: jar.headers).text.contains("<bdi>ann</bdi>"))
      }
      #expect(await browser.comeBack(queries[0], &jar).status == 401)
      await browser.harness.service.close()
    }
  }

  @Test("An attempt that fails, and one that somebody else has begun, leave the other tabs what they keep")
  func failures() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    var (jar, other) = (CookieJar(), CookieJar())
    let (first, second) = (try await browser.begin("/auth/oidc", &jar), try await browser.begin("/auth/oidc", &jar))
    let foreign = try await browser.begin("/auth/oidc", &other)
    let number = try #require(OpenIDAttempt.number(ofState: first["state"] ?? ""))
    for state in [foreign["state"] ?? "", "made-up.\(number)", "made-up", ".", "-\(number)", "x.-\(number)"] {
      #expect(await browser.comeBack(["state": state], &jar).status == 401)
      #expect(jar.attemptCount == 2, "\(state)")
    }
    browser.provider.state.withLock { $0.tokenStatus = 400 }
    #expect(await browser.comeBack(first, &jar).status == 401)
    browser.provider.state.withLock { $0.tokenStatus = 200 }
    #expect(jar.attemptCount == 1)
    #expect(await browser.comeBack(second, &jar).status == 303)
    #expect(jar.attemptCount == 0)
    await browser.harness.service.close()
  }

  @Test("A browser keeps a few attempts, however many it begins, and the newest hold")
  func bounds() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    var jar = CookieJar()
    var queries: [[String: String]] = []
    let page = "/history?" + String(repeating: "x", count: PagePath.longest - 9)
    for _ in 0..<30 { queries.append(try await browser.begin("/auth/oidc?page=" + page.encodingPercents, &jar)) }
    #expect(jar.attemptCount == OpenIDAttempt.mostOfBrowser)
    #expect((jar.headers.first?.value.utf8.count ?? 0) < ServiceRouter.headerLimit / 2)
    #expect(await browser.comeBack(queries[0], &jar).status == 401)
    for query in queries.suffix(OpenIDAttempt.mostOfBrowser) {
      let answer = await browser.comeBack(query, &jar)
      #expect(answer.status == 303)
      #expect(answer.header("Location") == page)
    }
    await browser.harness.service.close()
  }

  @Test("An attempt of the one cookie that instances of before give is ended all the same")
  func formerCookie() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    let (query, cookie) = try await browser.begin()
    let secret = try #require(cookie.value.split(separator: "=").last)
    browser.give(query)
    #expect(await browser.comeBack(query, HTTPField("Cookie", "coach-begun=\(secret)")).status == 303)
    await browser.harness.service.close()
  }

  @Test("Who opened a page and had to sign in goes on there, in each tab on its own, by a provider and by a link")
  func openedPage() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    var jar = CookieJar()
    let pages = ["/join/0123456789abcdef", "/board/0123456789abcdef?view=wall"]
    var queries: [[String: String]] = []
    for page in pages {
      let opened = await browser.harness.send("GET", page, headers: jar.headers)
      #expect(opened.header("Location") == "/auth/sign-in")
      jar.take(opened)
      let text = await browser.harness.send("GET", "/auth/sign-in", headers: jar.headers).text
      let path = "/auth/oidc?page=" + page.encodingPercents
      #expect(text.contains("href=\"\(path)\""), "\(text)")
      let other = await browser.harness.send("GET", path, headers: [HTTPField("Host", "localhost:8080")])
      #expect(other.header("Location") == "http://127.0.0.1:8080" + path)
      queries.append(try await browser.begin(path, &jar))
    }
    for (page, query) in zip(pages, queries).reversed() {
      #expect(await browser.comeBack(query, &jar).header("Location") == page)
    }
    #expect(jar.cookies["coach-opened"] == nil)
    // Nobody has looked at the page with the button.
    jar = CookieJar()
    jar.take(await browser.harness.send("GET", "/send"))
    let query = try await browser.begin("/auth/oidc", &jar)
    #expect(await browser.comeBack(query, &jar).header("Location") == "/send")
    jar = CookieJar()
    jar.take(await browser.harness.send("GET", pages[1]))
    let link = try await browser.harness.link(person: "ann")
    let answer = await browser.harness.send("POST", "/auth/link/\(link.secret)", headers: jar.headers)
    #expect(answer.header("Location") == pages[1])
    jar.take(answer)
    #expect(jar.cookies.count == 1)
    await browser.harness.service.close()
  }

  @Test("The first page, a part of a page, a program and a page of somebody else leave no page to go on")
  func noPage() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    let send = browser.harness
    var jar = CookieJar()
    for (method, path, headers) in [
      ("GET", "/", []), ("GET", "/send", [HTTPField("Sec-Fetch-Dest", "empty")]),
      ("GET", "/send", [HTTPField("Sec-Fetch-Dest", "image")]), ("HEAD", "/send", []),
      ("POST", "/auth/sign-out", []), ("GET", "/send", [HTTPField("Accept", "application/json")]),
      ("GET", "/history?" + String(repeating: "x", count: PagePath.longest), []),
    ] as [(String, String, [HTTPField])] {
      let answer = await send.send(method, path, headers: headers)
      #expect(answer.header("Set-Cookie") == nil, "\(method) \(path)")
    }
    jar.take(await send.send("GET", "/send"))
    #expect(jar.cookies.count == 1)
    jar.take(await send.send("GET", "/", headers: jar.headers))
    #expect(jar.cookies.isEmpty)
    await send.service.close()
  }

  @Test(
    "Nothing but a page of this service is one to go on, in whatever spelling a browser takes for another host",
    arguments: [
      "//evil.example", "/\\evil.example", "\\\\evil.example", "/\\/evil.example", "///evil.example",
      "https://evil.example", "https://evil.example/send", "http:evil.example", "javascript:alert(1)",
      "data:text/html,x", "evil.example", "", " /send", "/send ", "/\t/evil.example", "/\n/evil.example",
      "/send\r\nSet-Cookie: a=b",
      "/%2Fevil.example", "%2F%2Fevil.example", "/%5Cevil.example", "/send#@evil.example", "/send@evil.example",
      "//evil.example/send", "/.//evil.example", "/send/..//evil.example", "/@evil.example", "?x=//evil.example",
      "/auth/sign-in", "/auth/sign-out", "/auth/oidc", "/auth/link/x", "/v1/sessions", "/healthz", "/nothing", "/sénd",
      "/send/", "http://127.0.0.1:8080/send",
    ])
  func foreignPages(_ text: String) async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    #expect(PagePath(text, browser.harness.service.routes) == nil)
    let asked = await browser.harness.send("GET", "/auth/oidc?page=" + text.encodingPercents)
    #expect(asked.status == 422, "\(asked.text)")
    #expect(asked.header("Location") == nil)
    // Whatever wrote the cookies.
    let planted = AccessSecret.base64URL(Array(text.utf8))
    let opened = HTTPField("Cookie", "coach-opened=" + planted)
    let page = await browser.harness.send("GET", "/auth/sign-in", headers: [opened]).text
    #expect(page.contains(#"href="/auth/oidc""#))
    let begun = await browser.harness.send("GET", "/auth/oidc", headers: [opened])
    let query = try browser.query(of: begun)
    let cookie = try #require(ServiceHarness.cookie(of: begun))
    browser.give(query)
    let answer = await browser.comeBack(query, HTTPField("Cookie", cookie.value + "." + planted))
    #expect(answer.status == 303)
    #expect(answer.header("Location") == "/")
    let link = try await browser.harness.link()
    let linked = await browser.harness.send("POST", "/auth/link/\(link.secret)", headers: [opened])
    #expect(linked.header("Location") == "/")
    await browser.harness.service.close()
  }

  @Test("The cookies are bound to the host over TLS, and kept from scripts")
  func attributes() {
    let cookie = SignInCookie(isSecure: true)
    let end = "; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"
    #expect(cookie.openedPage.header("/send").value == "__Host-coach-opened=L3NlbmQ" + end)
    let attempt = OpenIDAttempt(number: 5, until: 1_000_000_000)
    #expect(attempt.number == 5)
    #expect(attempt.expires <= 1_000_000_000)
    let header = cookie.attempts.header(attempt, openedPage: "/send").value
    #expect(header == "__Host-coach-begun-5=\(attempt.browser).L3NlbmQ" + end)
  }
}
