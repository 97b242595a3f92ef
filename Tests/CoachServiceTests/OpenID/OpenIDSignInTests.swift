@testable import CoachService
import LiveCoaching
import SessionUpload
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Signing in with a provider")
struct OpenIDSignInTests {
  @Test(
    "Somebody whom the owner has named is signed in as that person, with a new cookie, by code, PKCE, state and nonce")
  func signIn() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    let (query, begun) = try await browser.begin()
    #expect(query["response_type"] == "code")
    #expect(query["scope"] == "openid")
    #expect(query["redirect_uri"] == "http://127.0.0.1:8080/auth/oidc/callback")
    #expect(query["code_challenge_method"] == "S256")
    browser.give(query)
    let old = try await browser.harness.signIn(person: "ben")
    let both = HTTPField("Cookie", begun.value + "; " + old.value)
    let answer = await browser.comeBack(query, both, more: "&iss=https%3A%2F%2Fid.example.org%2Frealm&session_state=x")
    #expect(answer.status == 303, "\(answer.text)")
    #expect(answer.header("Location") == "/")
    let cookie = try #require(ServiceHarness.cookie(of: answer))
    let page = await browser.harness.send("GET", "/", headers: [cookie])
    #expect(page.text.contains("<bdi>ann</bdi>"))
    #expect(await browser.harness.send("GET", "/", headers: [old]).status == 303)
    let verifier = try #require(browser.provider.form["code_verifier"])
    #expect(AccessSecret.base64URL(AccessSecret.digest(of: verifier)) == query["code_challenge"])
    #expect((43...128).contains(verifier.utf8.count))
    let sent = browser.provider.state.withLock { $0.requests.first { $0.body != nil } }
    #expect(sent?.headers.contains("authorization: Basic Y29hY2g6cyUzQWVjcmV0") == true)
    #expect(browser.provider.form["client_secret"] == nil)
    await browser.harness.service.close()
  }

  @Test("A state holds once, ten minutes, and in the browser that has begun; a code alone signs nobody in")
  func state() async throws {
    let clock = ManualClock(.morning(0))
    let browser = try await OpenIDBrowser(ScratchFolder(), clock: clock)
    _ = try await browser.map("sub", "248289", nil)
    var (query, cookie) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, cookie).status == 303)
    let again = await browser.comeBack(query, cookie)
    #expect(again.status == 401)
    #expect(again.header("Set-Cookie")?.contains("Max-Age=0") == true)
    (query, cookie) = try await browser.begin()
    let (_, other) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, other).status == 401)
    #expect(await browser.comeBack(query, cookie).status == 401)
    (query, _) = try await browser.begin()
    #expect(await browser.comeBack(query, nil).status == 401)
    #expect(await browser.comeBack([:], cookie).status == 401)
    (query, cookie) = try await browser.begin()
    clock.set(.morning(601))
    browser.give(query)
    #expect(await browser.comeBack(query, cookie).status == 401)
    await browser.harness.service.close()
  }

  @Test("Nobody comes in whom the owner has not named, and says so in one page; removing somebody signs them out")
  func mapping() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    var (query, cookie) = try await browser.begin()
    browser.give(query)
    let unknown = await browser.comeBack(query, cookie)
    #expect(unknown.status == 403)
    #expect(unknown.text.contains("coach identity add"))
    #expect(unknown.header("Set-Cookie")?.hasPrefix("coach-begun=;") == true)
    let mapped = try await browser.map("email", "ann@example.org", "ann")
    (query, cookie) = try await browser.begin()
    #expect(query["scope"] == "openid email")
    browser.give(query, more: #","email":"ann@example.org""#)
    #expect(await browser.comeBack(query, cookie).status == 403)
    (query, cookie) = try await browser.begin()
    browser.give(query, more: #","email":"ann@example.org","email_verified":true"#)
    let answer = await browser.comeBack(query, cookie)
    let signedIn = try #require(ServiceHarness.cookie(of: answer))
    #expect(await browser.harness.send("GET", "/", headers: [signedIn]).status == 200)
    try await browser.harness.service.store.removeIdentity(mapped.id)
    try await browser.harness.service.access.refresh(always: true)
    #expect(await browser.harness.send("GET", "/", headers: [signedIn]).status == 303)
    await browser.harness.service.close()
  }

  @Test("Somebody of another provider with the same claim is somebody else")
  func otherIssuer() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    let other = MappedIdentity(issuer: "https://id.example.org/other", claim: "sub", value: "248289", person: "ben")
    try await browser.harness.service.store.add(other, at: browser.harness.service.clock.now())
    var (query, cookie) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, cookie).status == 403)
    _ = try await browser.map("sub", "248289", "ann")
    (query, cookie) = try await browser.begin()
    browser.give(query)
    let answer = await browser.comeBack(query, cookie)
    let signedIn = try #require(ServiceHarness.cookie(of: answer), "\(answer.text)")
    #expect(await browser.harness.send("GET", "/", headers: [signedIn]).text.contains("<bdi>ann</bdi>"))
    await browser.harness.service.close()
  }

  @Test("Every value stands escaped in the address of the provider, so that none is another parameter or a fragment")
  func escapedValues() async throws {
    let issuer = try #require(OpenIDIssuer(FakeProvider.issuer))
    let name = "coach&scope=admin?x=1#top +é%26\r\nX-Any: y"
    let harness = try await ServiceHarness(ScratchFolder()) { settings in
      settings.fetching = FakeProvider()
      settings.openID = OpenIDSettings(issuer: issuer, clientID: name, clientSecret: nil)
    }
    let address = try #require(await harness.send("GET", "/auth/oidc").header("Location"))
    let parts = address.split(separator: "?", omittingEmptySubsequences: false)
    #expect(parts.count == 2)
    #expect(!address.contains("#"))
    let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    #expect(isPlain, "\(address)")
    let pairs = (parts.last ?? "").split(separator: "&").map {
      $0.split(separator: "=", omittingEmptySubsequences: false)
    }
    #expect(pairs.allSatisfy { $0.count == 2 })
    #expect(Set(pairs.compactMap(\.first)).count == pairs.count)
    let fields = FakeProvider.fields(String(parts.last ?? ""))
    #expect(fields["client_id"] == name)
    #expect(fields["scope"] == "openid")
    await harness.service.close()
  }

  @Test("Who is said to be two people is nobody")
  func ambiguity() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    _ = try await browser.map("hd", "example.org", nil)
    let (query, cookie) = try await browser.begin()
    browser.give(query, more: #","hd":"example.org""#)
    #expect(await browser.comeBack(query, cookie).status == 403)
    await browser.harness.service.close()
  }

  @Test("An answer of another provider, a refusal, a code that is not taken and a wrong nonce sign nobody in")
  func refusals() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    var (query, cookie) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, cookie, more: "&iss=https%3A%2F%2Fevil.example").status == 401)
    (query, cookie) = try await browser.begin()
    #expect(await browser.comeBack(query, cookie, more: "&error=access_denied").status == 401)
    (query, cookie) = try await browser.begin()
    #expect(await browser.comeBack(query, cookie, more: "&state=other").status == 401)
    (query, cookie) = try await browser.begin()
    browser.give(["nonce": "another"])
    #expect(await browser.comeBack(query, cookie).status == 401)
    browser.provider.state.withLock { $0.tokenStatus = 400 }
    (query, cookie) = try await browser.begin()
    #expect(await browser.comeBack(query, cookie).status == 401)
    let path = browser.harness.service.settings.dataFolder + "/" + AuditLog.fileName
    let audit = String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 16), as: UTF8.self)
    for reason in ["sender", "denied", "state", "nonce", "code"] {
      #expect(audit.contains(#""action":"signInRefused","reason":"\#(reason)""#), "\(reason): \(audit)")
    }
    #expect(!audit.contains("248289"))
    await browser.harness.service.close()
  }

  @Test("Ten answers that are refused within a minute close the way in for that address")
  func rateLimit() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    for _ in 0..<10 { #expect(await browser.comeBack(["state": "made-up"], nil).status == 401) }
    #expect(await browser.comeBack(["state": "made-up"], nil).status == 429)
    #expect(await browser.harness.send("GET", "/auth/oidc").status == 429)
    await browser.harness.service.close()
  }

  @Test("What a page of others has a browser send answers no attempt, and closes the way in for nobody")
  func driveBy() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    let image = [
      HTTPField("Sec-Fetch-Site", "cross-site"), HTTPField("Sec-Fetch-Mode", "no-cors"),
      HTTPField("Sec-Fetch-Dest", "image"),
    ]
    for query in ["error=x", "code=c&state=made-up"] {
      for headers in [image, query == "error=x" ? [] : image] {
        for _ in 0..<11 {
          let answer = await browser.harness.send("GET", "/auth/oidc/callback?" + query, headers: headers)
          #expect(answer.status == 401, "\(answer.text)")
        }
      }
    }
    let (query, cookie) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, cookie).status == 303)
    await browser.harness.service.close()
  }

  @Test("An answer that says twice whose it is is that of nobody")
  func issuerTwice() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    let (query, cookie) = try await browser.begin()
    browser.give(query)
    let own = "&iss=https%3A%2F%2Fid.example.org%2Frealm"
    #expect(await browser.comeBack(query, cookie, more: own + "&iss=https%3A%2F%2Fevil.example").status == 401)
    await browser.harness.service.close()
  }

  @Test("A provider that is away, is another one, or does not take PKCE is no failure of who signs in")
  func unavailable() async throws {
    for change in [
      { $0.isAway = true }, { $0.issuer = "https://evil.example" },
      { $0.configuration = #""code_challenge_methods_supported":["plain"]"# },
    ] as [@Sendable (inout FakeProvider.State) -> Void] {
      let browser = try await OpenIDBrowser(ScratchFolder())
      browser.provider.state.withLock { change(&$0) }
      for _ in 0..<11 { #expect(await browser.harness.send("GET", "/auth/oidc").status == 503) }
      await browser.harness.service.close()
    }
  }

  @Test("Keys are kept for an hour, and fetched again for a new name once a minute at most")
  func keys() async throws {
    let clock = ManualClock(.morning(0))
    let browser = try await OpenIDBrowser(ScratchFolder(), clock: clock)
    _ = try await browser.map("sub", "248289", "ann")
    let attempt = { (id: String) in
      let (query, cookie) = try await browser.begin()
      browser.give(query, id: id)
      return await browser.comeBack(query, cookie).status
    }
    #expect(try await attempt("one") == 303)
    #expect(try await attempt("one") == 303)
    #expect(browser.provider.count("/keys") == 1)
    for _ in 0..<3 { #expect(try await attempt("new") == 401) }
    #expect(browser.provider.count("/keys") == 1)
    clock.set(.morning(61))
    let key = try TokenSigner.rsa.publicKey("new")
    browser.provider.state.withLock { $0.keys = [key] }
    #expect(try await attempt("new") == 303)
    #expect(browser.provider.count("/keys") == 2)
    #expect(browser.provider.count("/.well-known/openid-configuration") == 1)
    await browser.harness.service.close()
  }

  @Test("A client without a secret says its name in the form")
  func publicClient() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder(), secret: nil)
    _ = try await browser.map("sub", "248289", "ann")
    let (query, cookie) = try await browser.begin()
    browser.give(query)
    #expect(await browser.comeBack(query, cookie).status == 303)
    #expect(browser.provider.form["client_id"] == "coach")
    await browser.harness.service.close()
  }

  @Test("Attempts of one address are few, and give way to each other alone")
  func attempts() throws {
    var attempts = OpenIDAttempts()
    let now = WallClockTime.morning(0)
    let own = attempts.begin(from: "192.0.2.1", besides: [], now: now)
    let first = attempts.begin(from: "192.0.2.2", besides: [], now: now)
    for _ in 0..<50 { _ = attempts.begin(from: "192.0.2.2", besides: [], now: now) }
    #expect(attempts.count == 1 + OpenIDAttempts.mostOfAddress)
    #expect(try attempts.take(own.state, browser: own.browser, now: now) == own)
    #expect(throws: OpenIDProblem.refused(.state)) {
      try attempts.take(first.state, browser: first.browser, now: now)
    }
  }

  @Test("An attempt that one instance has begun another one ends, once, for ten minutes, and for the browser of it")
  func otherInstance() throws {
    var (one, other) = (OpenIDAttempts(), OpenIDAttempts())
    let now = WallClockTime.morning(0)
    let (first, second) = (
      one.begin(from: "192.0.2.1", besides: [], now: now), one.begin(from: "192.0.2.1", besides: [], now: now)
    )
    for browser in [second.browser, nil, "", "begun_", first.state] {
      #expect(throws: OpenIDProblem.refused(.browser)) {
        try other.takeOfAnyInstance(first.state, browser: browser, now: now)
      }
    }
    let name = String(first.state.prefix { $0 != "." })
    for state in ["", ".", "state_x", first.nonce, name, name + ".x", name + "."] {
      #expect(throws: OpenIDProblem.refused(.state), "\(state)") {
        try other.takeOfAnyInstance(state, browser: first.browser, now: now)
      }
    }
    // An end that was moved belongs to no attempt.
    #expect(throws: OpenIDProblem.refused(.browser)) {
      try other.takeOfAnyInstance(name + ".\(first.expires + 1)", browser: first.browser, now: now)
    }
    #expect(try other.takeOfAnyInstance(first.state, browser: first.browser, now: now) == first)
    #expect(throws: OpenIDProblem.refused(.state)) {
      try other.takeOfAnyInstance(first.state, browser: first.browser, now: now)
    }
    #expect(throws: OpenIDProblem.refused(.state)) {
      try other.takeOfAnyInstance(second.state, browser: second.browser, now: .morning(600))
    }
    // At the instance that has begun it, it is used up by whatever comes with it.
    #expect(throws: OpenIDProblem.refused(.browser)) {
      try one.takeOfAnyInstance(second.state, browser: first.browser, now: now)
    }
    #expect(throws: OpenIDProblem.refused(.state)) {
      try one.takeOfAnyInstance(second.state, browser: second.browser, now: now)
    }
    // A service alone knows what it has begun itself.
    #expect(throws: OpenIDProblem.refused(.state)) {
      try other.take(second.state, browser: second.browser, now: now)
    }
  }

  @Test("The way to the provider is shown where there is one, and goes by the address that it sends back to")
  func page() async throws {
    let plain = try await ServiceHarness(ScratchFolder())
    #expect(await plain.send("GET", "/auth/oidc").status == 404)
    #expect(await plain.send("GET", "/auth/oidc/callback?code=x").status == 404)
    #expect(await plain.send("GET", "/auth/sign-in").text.contains("/auth/oidc") == false)
    await plain.service.close()
    let browser = try await OpenIDBrowser(ScratchFolder())
    let page = await browser.harness.send("GET", "/auth/sign-in")
    #expect(
      page.text.contains(#"<a class="button large" href="/auth/oidc">Sign in with <bdi>id.example.org</bdi></a>"#))
    let other = await browser.harness.send("GET", "/auth/oidc", headers: [HTTPField("Host", "localhost:8080")])
    #expect(other.header("Location") == "http://127.0.0.1:8080/auth/oidc")
    await browser.harness.service.close()
  }

  @Test(
    "Plain HTTP is for providers of this machine alone",
    arguments: [
      ("https://id.example.org", true), ("https://id.example.org/realm/", true), ("http://127.0.0.1:9400", true),
      ("http://localhost:9400", true), ("http://id.example.org", false), ("http://127.0.0.1.example.org", false),
      ("https://ann@id.example.org", false), ("https://id.example.org/#a", false), ("https://id.example.org/?a", false),
      ("id.example.org", false), ("https://", false), ("ftp://id.example.org", false),
    ])
  func issuers(_ text: String, _ isTaken: Bool) { #expect((OpenIDIssuer(text) != nil) == isTaken) }
}
