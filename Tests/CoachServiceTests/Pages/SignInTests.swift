@testable import CoachService
import LiveCoaching
import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Signing in to the pages")
struct SignInTests {
  private static let origin = HTTPField("Origin", "http://127.0.0.1:8080")
  private static let ours = [origin, HTTPField("X-Coach", "1")]

  @Test("A link shows a button as often as it is looked at, and signs in once")
  func onceOnly() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let link = try await harness.link()
    for _ in 0..<2 {
      let preview = await harness.send("GET", "/auth/link/\(link.secret)")
      #expect(preview.status == 200)
      #expect(preview.text.contains("<form method=\"post\">"))
      #expect(preview.header("Set-Cookie") == nil)
    }
    let first = await harness.send("POST", "/auth/link/\(link.secret)", headers: [Self.origin])
    #expect(first.status == 303)
    #expect(first.header("Location") == "/")
    let second = await harness.send("POST", "/auth/link/\(link.secret)", headers: [Self.origin])
    #expect(second.status == 401)
    #expect(second.header("Set-Cookie") == nil)
    await harness.service.close()
  }

  @Test("A link that is older than ten minutes does not hold")
  func expiry() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let link = try await harness.link()
    clock.set(.morning(601))
    #expect(await harness.send("POST", "/auth/link/\(link.secret)").status == 401)
    await harness.service.close()
  }

  @Test("The cookie is new at each sign-in, kept from scripts, and bound to the host over TLS")
  func cookie() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let first = await harness.send("POST", "/auth/link/\(try await harness.link().secret)")
    let header = try #require(first.header("Set-Cookie"))
    #expect(header.hasPrefix("coach=page_"))
    #expect(header.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"))
    let cookie = try #require(ServiceHarness.cookie(of: first))
    let second = await harness.send("POST", "/auth/link/\(try await harness.link().secret)", headers: [cookie])
    let renewed = try #require(ServiceHarness.cookie(of: second))
    #expect(renewed != cookie)
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 303)
    #expect(await harness.send("GET", "/", headers: [renewed]).status == 200)
    let secure = SignInCookie(isSecure: true).header("x").value
    #expect(secure == "__Host-coach=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure")
    await harness.service.close()
  }

  @Test("Behind a proxy only the cookie that is bound to the host is taken")
  func hostCookie() async throws {
    let harness = try await ServiceHarness(ScratchFolder()) { $0.isBehindProxy = true }
    let answer = await harness.send("POST", "/auth/link/\(try await harness.link().secret)")
    let cookie = try #require(ServiceHarness.cookie(of: answer))
    #expect(cookie.value.hasPrefix("__Host-coach=page_"))
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 200)
    let other = HTTPField("Cookie", cookie.value.replacing("__Host-", with: ""))
    #expect(await harness.send("GET", "/", headers: [other]).status == 303)
    await harness.service.close()
  }

  @Test("Whoever uses the pages stays signed in, also after a restart; twelve hours without use sign out")
  func idle() async throws {
    let clock = ManualClock(.morning(0))
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder, clock: clock)
    let cookie = try await harness.signIn()
    clock.set(.morning(40_000))
    let page = await harness.send("GET", "/", headers: [cookie])
    #expect(page.status == 200)
    #expect(ServiceHarness.cookie(of: page) == cookie)
    await harness.service.tick()
    await harness.service.close()
    harness = try await ServiceHarness(folder, clock: clock)
    clock.set(.morning(80_000))
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 200)
    clock.set(.morning(80_000 + 43_201))
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 303)
    await harness.service.close()
  }

  @Test("Nobody stays signed in for more than thirty days, however much the pages are used")
  func longest() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let cookie = try await harness.signIn()
    for step in 1..<72 {
      clock.set(.morning(Double(step) * 36_000))
      #expect(await harness.send("GET", "/", headers: [cookie]).status == 200)
    }
    clock.set(.morning(30 * 86_400))
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 303)
    await harness.service.close()
  }

  @Test("Signing out needs a page of this service, and the cookie holds no longer")
  func signOut() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let cookie = try await harness.signIn()
    #expect(await harness.send("POST", "/auth/sign-out", headers: [cookie]).status == 403)
    let answer = await harness.send("POST", "/auth/sign-out", headers: [cookie] + Self.ours)
    #expect(answer.status == 303)
    #expect(answer.header("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(await harness.send("GET", "/", headers: [cookie]).status == 303)
    await harness.service.close()
  }

  @Test("After ten attempts of an address that failed within a minute a good link waits, and is not spent")
  func failures() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let link = try await harness.link()
    for _ in 0..<10 { #expect(await harness.send("POST", "/auth/link/nothing").status == 401) }
    let refused = await harness.send("POST", "/auth/link/\(link.secret)")
    #expect(refused.status == 429)
    #expect(refused.header("Retry-After") == "60")
    clock.set(.morning(61))
    #expect(await harness.send("POST", "/auth/link/\(link.secret)").status == 303)
    await harness.service.close()
  }

  @Test("Attempts that failed before the clock was set back keep nobody out")
  func clockSetBack() async throws {
    let clock = ManualClock(.morning(3_600))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    for _ in 0..<10 { #expect(await harness.send("POST", "/auth/link/nothing").status == 401) }
    clock.setForward(seconds: -3_600)
    let link = try await harness.link()
    #expect(await harness.send("POST", "/auth/link/\(link.secret)").status == 303)
    await harness.service.close()
  }

  @Test(
    "Whoever opens the pages by a number of this machine, or by another name of its loopback, signs in and out there")
  func ownNumbers() async throws {
    for (host, others) in [
      ("192.168.1.5:8080", ["http://192.168.1.6:8080", "http://192.168.1.5:8081", "http://192.168.1.5"]),
      ("[fd00::5]:8080", ["http://[fd00::6]:8080", "https://[fd00::5]:8080"]),
      ("[::1]:8080", ["http://[::1]:9090", "http://evil.example:8080", "null"]),
    ] {
      let harness = try await ServiceHarness(ScratchFolder()) { $0.isReachable = true }
      let at = HTTPField("Host", host)
      let link = "/auth/link/\(try await harness.link().secret)"
      for other in others {
        let refused = await harness.send("POST", link, headers: [at, HTTPField("Origin", other)])
        #expect(refused.status == 403, "\(host): \(other)")
      }
      let own = HTTPField("Origin", "http://\(host)")
      let answer = await harness.send("POST", link, headers: [at, own])
      #expect(answer.status == 303, "\(host): \(answer.text)")
      let cookie = try #require(ServiceHarness.cookie(of: answer), "\(host)")
      // Here it is that of another host.
      let elsewhere = [cookie, own, HTTPField("X-Coach", "1")]
      #expect(await harness.send("POST", "/auth/sign-out", headers: elsewhere).status == 403, "\(host)")
      #expect(await harness.send("POST", "/auth/sign-out", headers: elsewhere + [at]).status == 303, "\(host)")
      await harness.service.close()
    }
  }

  @Test("A page of somebody else cannot use a link up")
  func foreignForm() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let link = try await harness.link()
    let foreign = await harness.send(
      "POST", "/auth/link/\(link.secret)", headers: [HTTPField("Origin", "https://evil.example")])
    #expect(foreign.status == 403)
    #expect(await harness.send("POST", "/auth/link/\(link.secret)", headers: [Self.origin]).status == 303)
    await harness.service.close()
  }

  @Test("Requests of the pages take the cookie; writes need the origin of this service and the header as well")
  func writes() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let cookie = try await harness.signIn(person: "ann")
    for headers in [[], [Self.ours[0]], [Self.ours[1]], [HTTPField("Origin", "http://localhost:9"), Self.ours[1]]] {
      let refused = await harness.send(
        "POST", "/v1/sessions", body: ServiceHarness.order, headers: [cookie] + headers)
      #expect(refused.status == 403)
    }
    let made = await harness.send("POST", "/v1/sessions", body: ServiceHarness.order, headers: [cookie] + Self.ours)
    #expect(made.status == 201)
    let id = try #require(made.json?["sessionID"]?.string)
    #expect(harness.service.sessions.session(id, for: .annsPage)?.person == "ann")
    await harness.service.close()
  }

  @Test("Who signs in, and who could not, stands in the audit without a secret")
  func audit() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let link = try await harness.link()
    _ = await harness.send("POST", "/auth/link/nothing")
    _ = await harness.send("POST", "/auth/link/\(link.secret)")
    let path = harness.service.settings.dataFolder + "/" + AuditLog.fileName
    let text = String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 16), as: UTF8.self)
    #expect(text.contains("\"signInRefused\""))
    #expect(text.contains("\"signedIn\""))
    #expect(!text.contains(link.secret))
    await harness.service.close()
  }
}

extension Caller {
  fileprivate static let annsPage = Caller(.cookie, id: "other", scopes: Set(Scope.allCases), person: "ann")
}
