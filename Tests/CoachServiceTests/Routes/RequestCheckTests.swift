@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Requests before anything is done with them")
struct RequestCheckTests {
  @Test("A request without a token, or with one that does not hold, is refused with the way to send one")
  func withoutToken() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let missing = await harness.send("POST", "/v1/sessions", body: "{}")
    #expect(missing.status == 401)
    #expect(missing.header("WWW-Authenticate") == "Bearer realm=\"coach\"")
    let dead = await harness.send(
      "POST", "/v1/sessions", body: "{}", headers: [HTTPField("Authorization", "Bearer coach_dead")])
    #expect(dead.status == 401)
    #expect(dead.header("WWW-Authenticate") == "Bearer realm=\"coach\", error=\"invalid_token\"")
  }

  @Test("Every route refuses every scope that is not its own", arguments: Scope.allCases)
  func scopes(_ scope: Scope) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([scope])
    for route in harness.service.routes.routes {
      guard case .scopes(let scopes) = route.access, !scopes.contains(scope) else { continue }
      let path = route.parts.map { $0.hasPrefix("{") ? "20261120T070000Z-other-00000000" : String($0) }
      let response = await harness.send(
        route.method.rawValue, path.joined(separator: "/"), token, body: route.body == nil ? nil : "{}",
        type: route.body?.mediaTypes.first ?? "application/json")
      #expect(response.status == 403, "\(route.method.rawValue) \(route.pattern)")
    }
  }

  @Test(
    "Who asks for what they may not stands in the audit by number and route, once a minute; no answer may be framed")
  func refusals() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send], person: "ann")
    for _ in 0..<3 {
      let refused = await harness.send("GET", "/v1/people", token)
      #expect(refused.status == 403)
      #expect(refused.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
    }
    let path = harness.service.settings.dataFolder + "/" + AuditLog.fileName
    var lines: [Substring] = []
    while lines.isEmpty {
      try await harness.service.files.run {}
      let bytes = (try? POSIXFile(reading: path).readAll(maximumBytes: 1 << 16)) ?? []
      lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      await Task.yield()
    }
    #expect(lines.count == 1)
    #expect(lines[0].contains(#""action":"refused","by":"\#(token.grant.caller.id)""#))
    #expect(lines[0].contains("/v1/people"))
    #expect(!lines[0].contains("ann"))
    await harness.service.close()
  }

  @Test("An unknown query parameter is refused by its name, and the nearest one is offered")
  func unknownParameter() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    let response = await harness.send("GET", "/v1/sessions/20261120T070000Z-other-00000000/events?aftr=1", token)
    #expect(response.status == 400)
    #expect(response.json?["parameter"]?.string == "aftr")
    #expect(response.json?["detail"]?.string?.contains("did you mean after?") == true)
  }

  @Test("A method that a path does not have is refused with those that it has")
  func methods() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let response = await harness.send("DELETE", "/healthz")
    #expect(response.status == 405)
    #expect(response.header("Allow") == "GET, HEAD")
  }

  @Test(
    "Headers that two programs could read differently are refused",
    arguments: [
      [HTTPField("Content-Length", "1"), HTTPField("Content-Length", "1")],
      [HTTPField("Content-Length", "1"), HTTPField("Transfer-Encoding", "chunked")],
      [HTTPField("Host", "127.0.0.1"), HTTPField("Host", "127.0.0.1")],
      [HTTPField("Content-Length", "+1")],
      [HTTPField("Transfer-Encoding", "gzip")], [HTTPField("Transfer-Encoding", "gzip, chunked")],
      [HTTPField("Transfer-Encoding", "identity")], [HTTPField("Transfer-Encoding", "xchunked")],
      [HTTPField("X-Any", "a\u{1}b")],
      // A name with a blank behind is that of a header to some programs, and of another one to others.
      [HTTPField("Content-Length ", "1")], [HTTPField("Transfer-Encoding\t", "chunked")], [HTTPField("Host ", "other")],
      [HTTPField("X Any", "a")], [HTTPField("", "a")], [HTTPField("X-\u{E4}", "a")],
    ])
  func ambiguousHeaders(_ headers: [HTTPField]) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let refused = await harness.send("GET", "/healthz", headers: headers)
    #expect(refused.status == 400)
    // What comes behind is no request of its own.
    #expect(refused.header("Connection") == "close")
  }

  @Test("The name of a header may have every character of a token")
  func headerNames() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    for name in ["x", "DNT", "Sec-CH-UA", "X_Any.1", "!#$%&'*+-.^_`|~"] {
      #expect(await harness.send("GET", "/healthz", headers: [HTTPField(name, "a")]).status == 200, "\(name)")
    }
  }

  @Test(
    "A host that is not this service's is refused, whatever the path",
    arguments: [
      "evil.example", "127.0.0.1.evil.example",
      // Of these a host of the list is only the beginning.
      "127.0.0.1:28411@evil.example", "127.0.0.1:evil.example", "localhost:80 x", "[::1]evil.example", "[::1]:80:80",
      "localhost:80:80", "localhost:-1", "localhost/", "localhost@evil.example", "[::1", "",
    ])
  func foreignHost(_ host: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let response = await harness.send("GET", "/healthz", headers: [HTTPField("Host", host)])
    #expect(response.status == 400)
    #expect(response.json?["code"]?.string == "unknownHost")
    #expect(await harness.send("GET", "/healthz", headers: [HTTPField("Host", "LOCALHOST:1")]).status == 200)
  }

  @Test("Where any number of a machine is taken, it is one, and nothing stands beside it")
  func addresses() throws {
    let hosts = HostList(["coach.example.org"], allowsAddresses: true)
    for host in ["10.0.0.1", "10.0.0.1:80", "[fe80::1]", "[FE80::1]:8080", "Coach.Example.org:443", "localhost:"] {
      #expect(throws: Never.self, "\(host)") { try hosts.require(host) }
    }
    for host in ["", ":80", "[", "[]", "[evil", "[evil.example]", "10.0.0.1@evil.example", "10.0.0.1:a", "[::1]10"] {
      #expect(throws: ServiceProblem.self, "\(host)") { try hosts.require(host) }
    }
  }

  @Test("A URL of which a host is only the beginning has none")
  func hostsOfURLs() {
    #expect(URLParts.host(of: "https://coach.example.org:8443/x@y") == "coach.example.org")
    #expect(URLParts.host(of: "http://[::1]:80?a=b") == "[::1]")
    for url in ["http://localhost:80@evil.example", "http://localhost:evil.example/", "http://[::1]evil", "http://"] {
      #expect(URLParts.host(of: url) == nil, "\(url)")
      #expect(PublicURL(url) == nil, "\(url)")
      #expect(OpenIDIssuer(url) == nil, "\(url)")
    }
    #expect(PublicURL("http://127.0.0.1:8080/")?.isLoopback == true)
  }

  @Test(
    "A public URL is written as browsers write an origin",
    arguments: [
      ("https://x.org:443", "https://x.org"), ("https://X.org/", "https://x.org"), ("http://x.org:80", "http://x.org"),
      ("https://x.org:", "https://x.org"), ("https://x.org:0443", "https://x.org"),
      ("https://x.org:80", "https://x.org:80"), ("http://x.org:443", "http://x.org:443"),
      ("https://[FE80::1]:443", "https://[fe80::1]"),
      ("https://Coach.Example.org:8443", "https://coach.example.org:8443"),
      ("http://[0:0::1]:8080", "http://[::1]:8080"), ("http://[0000:0:0:0:0:0:0:1]", "http://[::1]"),
      ("https://[2001:DB8:0:0:1:0:0:1]", "https://[2001:db8::1:0:0:1]"), ("https://[::]", "https://[::]"),
      ("https://[2001:db8:0:1:1:1:1:1]", "https://[2001:db8:0:1:1:1:1:1]"), ("https://[1::]", "https://[1::]"),
      ("https://[::ffff:127.0.0.1]", "https://[::ffff:7f00:1]"), ("https://127.0.0.1:65535", "https://127.0.0.1:65535"),
    ])
  func publicURL(_ text: String, _ origin: String) { #expect(PublicURL(text)?.text == origin) }

  @Test(
    "A URL with a port or a number that there is not is none, nor is one that browsers write as another host",
    arguments: [
      "https://x.org:99999", "https://x.org:65536", "https://x.org:0", "https://x.org:00", "https://[::1]:0",
      "https://x.org:18446744073709551616", "https://[1:2]", "https://[:::1]", "https://[::1::]", "https://[12345::]",
      "https://[1:2:3:4:5:6:7:8:9]", "http://127.1", "http://0x7f.0.0.1", "http://2130706433", "http://127.0.0.01",
      "http://1.2.3.256", "http://1.2.3.4.5", "http://x.0x1", "http://127.0.0.1.", "http://.",
    ])
  func impossibleURL(_ text: String) {
    #expect(PublicURL(text) == nil)
    #expect(OpenIDIssuer(text) == nil)
  }

  @Test("The loopback of IPv6 is the loopback in any spelling, where one listens and where one is asked")
  func loopbackSpellings() throws {
    let hosts = HostList([], allowsAddresses: false)
    for host in ["[::1]", "[0:0::1]", "[0:0:0:0:0:0:0:1]", "[::0001]", "[0::1]"] {
      #expect(HostList.isLoopback(host), "\(host)")
      #expect(PublicURL("http://" + host)?.isLoopback == true, "\(host)")
      #expect(OpenIDIssuer("http://\(host):9400") != nil, "\(host)")
      #expect(throws: Never.self, "\(host)") { try hosts.require(host + ":8080") }
      let address = try #require(ListenAddress(host + ":8080"), "\(host)")
      #expect(address.isLoopback)
      #expect(address.description == "[::1]:8080")
    }
    #expect(ListenAddress("[0:0::0]:80")?.isEverywhere == true)
    for text in ["[1:2]:80", "[]:80", "127.1:80", "::1:80"] {
      #expect(ListenAddress(text) == nil, "\(text)")
    }
  }

  @Test(
    "Who sends is counted by the address without its port, of IPv6 by the network",
    arguments: [
      ("6.6.6.6:1001", "6.6.6.6"), ("6.6.6.6", "6.6.6.6"), ("[2001:db8::1]:443", "2001:db8:0:0::/64"),
      ("2001:db8:0:0:ffff::2", "2001:db8:0:0::/64"), ("2001:db8:0:1::2", "2001:db8:0:1::/64"),
      ("::ffff:6.6.6.6", "6.6.6.6"), ("fe80::1%eth0", "fe80:0:0:0::/64"), ("unknown", "unknown"), ("", ""),
    ])
  func countedAddress(_ text: String, _ counted: String) { #expect(CountedAddress.text(text) == counted) }

  @Test("A whole URL as the target is taken where its host is this service's, whatever the header says")
  func wholeURL() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    for url in ["http://127.0.0.1:8080", "https://LOCALHOST", "http://[::1]:1"] {
      #expect(await harness.send("GET", url + "/healthz").status == 200, "\(url)")
      let other = await harness.send("GET", url + "/healthz", headers: [HTTPField("Host", "evil.example")])
      #expect(other.status == 200, "\(url)")
    }
    #expect(await harness.send("GET", "http://127.0.0.1:8080/v1/strategies", token).status == 200)
    #expect(await harness.send("GET", "http://127.0.0.1:8080/v1/strategies").status == 401)
    #expect(await harness.send("GET", "http://127.0.0.1:8080/v1/sessions?limit=1", token).status == 200)
    let foreign = await harness.send("GET", "http://evil.example/healthz")
    #expect(foreign.status == 400)
    #expect(foreign.json?["code"]?.string == "unknownHost")
    for url in ["ftp://127.0.0.1/healthz", "http://ann@127.0.0.1/healthz", "http://127.0.0.1:a@evil.example/healthz"] {
      let refused = await harness.send("GET", url)
      #expect(refused.status == 400, "\(url)")
      #expect(refused.json?["code"]?.string == "malformed", "\(url)")
    }
    await harness.service.close()
  }

  @Test("Over one connection the host is looked at anew where the next target names another one")
  func nextHost() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    let memory = HTTPMemory()
    let status = { (target: String) -> Int in
      let head = HTTPHead(
        method: "GET", path: target, query: [],
        headers: [HTTPField("Host", "127.0.0.1:8080"), HTTPField("Authorization", "Bearer \(token.secret)")],
        address: "127.0.0.1", byteCount: 200)
      switch harness.service.handler.admit(head, memory) {
      case .taken: return 200
      case .refused(let response): return response.status
      case .undecided: return 0
      }
    }
    #expect(status("/v1/sessions") == 200)
    #expect(status("/v1/sessions") == 200)
    #expect(status("http://evil.example/v1/sessions") == 400)
    #expect(status("http://localhost/v1/sessions") == 200)
    #expect(status("http://evil.example/v1/sessions") == 400)
    await harness.service.close()
  }

  @Test("Bodies of another type, too large ones and members that nobody knows are refused")
  func bodies() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    #expect(await harness.send("POST", "/v1/sessions", token, body: "{}", type: "text/plain").status == 415)
    let large = await harness.send(
      "POST", "/v1/sessions", token, body: String(repeating: " ", count: 70_000))
    #expect(large.status == 413)
    let unknown = await harness.send("POST", "/v1/sessions", token, body: #"{"guardrails":{"surprise":1}}"#)
    #expect(unknown.status == 400)
    #expect(unknown.json?["pointer"]?.string == "/guardrails/surprise")
    let impossible = await harness.send("POST", "/v1/sessions", token, body: #"{"profile":{"ageYears":900}}"#)
    #expect(impossible.status == 422)
    #expect(impossible.json?["pointer"]?.string == "/profile/ageYears")
    #expect(await harness.send("POST", "/v1/sessions", token, body: "{").status == 400)
  }

  @Test("A header that a route looks at is sent once, and has a value that can be")
  func routeHeaders() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let keys = [HTTPField("Idempotency-Key", "a"), HTTPField("idempotency-key", "b")]
    let twice = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order, headers: keys)
    #expect(twice.status == 400)
    #expect(twice.json?["detail"]?.string == "Idempotency-Key: expected it once")
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/events"
    let numbers = [HTTPField("Last-Event-ID", "1"), HTTPField("Last-Event-ID", "2")]
    #expect(await harness.send("GET", path, token, headers: numbers).status == 400)
    for value in ["abc", "-1", "1.5", ""] {
      let wrong = await harness.send("GET", path, token, headers: [HTTPField("Last-Event-ID", value)])
      #expect(wrong.status == 422, "\(value)")
    }
    // What is one by the query is one by the header, and nothing else.
    let lines = HTTPField("Accept", "application/x-ndjson")
    for (value, status) in [
      ("0", 200), ("2147483647", 200), ("2147483648", 422), ("9223372036854775807", 422),
      ("9223372036854775808", 422), ("%2B5", 422), ("1e3", 422),
    ] {
      let header = HTTPField("Last-Event-ID", value.replacing("%2B", with: "+"))
      let back = await harness.send("GET", path, token, headers: [lines, header])
      let asked = await harness.send("GET", path + "?after=\(value)", token, headers: [lines])
      #expect(back.status == status, "\(value)")
      #expect(asked.status == status, "\(value)")
    }
    await harness.service.close()
  }

  @Test("Bodies that are packed, or written in anything but UTF-8, are refused as such")
  func codings() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    let path = "/v1/sessions/\(try await harness.begin(token))/samples"
    let lines = ServiceHarness.heartRates(0..<2)
    let packed = await harness.send(
      "POST", path, token, body: lines, type: "application/x-ndjson", headers: [HTTPField("Content-Encoding", "gzip")])
    #expect(packed.status == 415)
    #expect(packed.header("Accept-Encoding") == "identity")
    for charset in ["latin1", "utf-16", "\"ISO-8859-1\""] {
      let type = "application/x-ndjson; charset=\(charset)"
      #expect(await harness.send("POST", path, token, body: lines, type: type).status == 415, "\(charset)")
    }
    let plain = await harness.send(
      "POST", path, token, body: lines, type: "application/x-ndjson; Charset=\"UTF-8\"",
      headers: [HTTPField("Content-Encoding", "identity")])
    #expect(plain.status == 200, "\(plain.text)")
    await harness.service.close()
  }

  @Test("A name of lines may be any text that is seen")
  func batches() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    let path = "/v1/sessions/\(try await harness.begin(token))/samples?batch="
    let lines = ServiceHarness.heartRates(0..<2)
    for (name, status) in [
      ("run%2017%20%F0%9F%8F%83", 200), (String(repeating: "a", count: 200), 200), ("", 422), ("a%0Ab", 422),
      ("%C2%85", 422), ("a%C2%9F", 422), ("%7F", 422), ("%C2%A0", 200),
      (String(repeating: "a", count: 201), 422),
    ] {
      let answer = await harness.send("POST", path + name, token, body: lines, type: "application/x-ndjson")
      #expect(answer.status == status, "\(name)")
      if status == 422 { #expect(answer.json?["parameter"]?.string == "batch") }
    }
    await harness.service.close()
  }

  @Test("Lines in which there is nothing are no samples, so that nobody is shut out by them")
  func blankLines() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let token = try await harness.token([.send])
    let path = "/v1/sessions/\(try await harness.begin(token))/samples"
    let blank = String(repeating: "\n", count: 200_000)
    #expect(await harness.send("POST", path, token, body: blank, type: "application/x-ndjson").status == 200)
    let lines = ServiceHarness.heartRates(0..<10)
    #expect(await harness.send("POST", path, token, body: lines, type: "application/x-ndjson").status == 200)
    await harness.service.close()
  }

  @Test("More requests than a token may send are refused with the time to wait")
  func tooMany() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.watch])
    var statuses: [Int] = []
    for _ in 0..<60 {
      statuses.append(await harness.send("GET", "/v1/sessions/20261120T070000Z-other-00000000/events", token).status)
    }
    #expect(statuses.prefix(40).allSatisfy { $0 == 404 })
    #expect(statuses.last == 429)
  }
}
