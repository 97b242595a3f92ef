@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What the security checklist says of requests and answers")
struct SecurityClaimTests {
  private static let lines = [HTTPField("Accept", "application/x-ndjson")]

  @Test("X-Forwarded-For counts for nothing without a proxy, and behind one what that has added last")
  func forwardedAddress() async throws {
    func from(_ addresses: String) -> [HTTPField] { [HTTPField("X-Forwarded-For", addresses)] }
    let plain = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    for number in 0..<10 {
      let attempt = await plain.send("POST", "/auth/link/nothing", headers: from("203.0.113.\(number)"))
      #expect(attempt.status == 401)
    }
    // All of them came from one address, whatever they say.
    let link = "/auth/link/\(try await plain.link().secret)"
    #expect(await plain.send("POST", link, headers: from("203.0.113.99")).status == 429)
    await plain.service.close()

    let proxied = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0))) { $0.isBehindProxy = true }
    for number in 0..<10 {
      // What a client has sent itself stands before, or in a header of its own.
      let own = "198.51.100.\(number)"
      let headers =
        number % 2 == 0 ? from("\(own), 203.0.113.1") : from(own) + from("203.0.113.1")
      #expect(await proxied.send("POST", "/auth/link/nothing", headers: headers).status == 401)
    }
    let good = "/auth/link/\(try await proxied.link().secret)"
    #expect(await proxied.send("POST", good, headers: from("203.0.113.2, 203.0.113.1")).status == 429)
    #expect(await proxied.send("POST", good, headers: from("203.0.113.1, 203.0.113.2")).status == 303)
    await proxied.service.close()
  }

  @Test("What a proxy has added and is no number of a machine makes no address: those who send count as the proxy")
  func forwardedJunk() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0))) { $0.isBehindProxy = true }
    let junk = [
      "unknown", "_hidden", "", ",", "203.0.113.7,", "203.0.113.7, ", "203.0.113.7, evil", "256.1.1.1", "1.2.3",
      "1:2:3", "1.2.3.4.5", "[203.0.113.7", "for=203.0.113.7", String(repeating: "9", count: 4_000),
      String(repeating: "203.0.113.7,", count: 300), "203.0.113.7:80:80", "0x7f000001", "\u{661}.2.3.4",
    ]
    let heads = junk.map { value in
      HTTPHead(
        method: "GET", path: "/", query: [], headers: [HTTPField("X-Forwarded-For", value)], address: "127.0.0.1",
        byteCount: 100)
    }
    for head in heads { #expect(harness.service.address(of: head) == "127.0.0.1", "\(head.headers)") }
    for value in junk.prefix(10) {
      let answer = await harness.send(
        "POST", "/auth/link/nothing", headers: [HTTPField("X-Forwarded-For", value)])
      #expect(answer.status == 401)
    }
    let good = "/auth/link/\(try await harness.link().secret)"
    #expect(await harness.send("POST", good, headers: [HTTPField("X-Forwarded-For", "other")]).status == 429)
    #expect(await harness.send("POST", good, headers: [HTTPField("X-Forwarded-For", "203.0.113.7")]).status == 303)
    await harness.service.close()
  }

  @Test("Every answer with a body says its type, and none lets a page from elsewhere read it")
  func everyAnswer() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let session = try await harness.begin(try await harness.token([.send]))
    let foreign = [
      HTTPField("Origin", "https://evil.example"), HTTPField("Access-Control-Request-Method", "POST"),
      HTTPField("Access-Control-Request-Headers", "authorization"),
    ]
    var kinds: Set<Int> = []
    for route in harness.service.routes.routes {
      for id in [session, "20261120T070000Z-other-00000000"] {
        let path = route.parts.map { $0.hasPrefix("{") ? id : String($0) }.joined(separator: "/")
        // A token each, so that no limit answers in the place of the route.
        let token = try await harness.token([.send, .watch, .manage])
        for method in [route.method.rawValue, "OPTIONS"] {
          let answer = await harness.send(
            method, path, token, body: route.body == nil || method == "OPTIONS" ? nil : "{}",
            type: route.body?.mediaTypes.first ?? "application/json", headers: foreign)
          let shown = "\(method) \(path): \(answer.status)"
          #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control-") }, "\(shown)")
          if method == "OPTIONS" { #expect(answer.status == 405, "\(shown)") }
          kinds.insert(answer.status)
          switch answer.content {
          case .bytes(let bytes) where bytes.isEmpty: break
          case .bytes, .prepared: #expect(answer.header("Content-Type")?.isEmpty == false, "\(shown)")
          case .stream(let stream):
            #expect(answer.header("Content-Type")?.isEmpty == false, "\(shown)")
            stream.cancel()
          case .close: break
          }
        }
      }
    }
    #expect(kinds.isSuperset(of: [200, 303, 404, 405]), "\(kinds)")
    await harness.service.close()
  }

  @Test("A key lets nobody in: not as a token, not as a cookie, and its URL takes and gives nothing back of a run")
  func keyOnlyWrites() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let key = IssuedSecret.key("ann", request: ServiceHarness.order, days: 1, now: harness.service.clock.now())
    try await harness.service.store.add(key.grant)
    try await harness.service.access.refresh(always: true)
    let time = WallClockTime.morning(0)
    let body = #"{"event":"heartRate","heartRate":173,"connected":true,"device":"H10","timestamp":"\#(time)"}"#
    let taken = await harness.send("POST", "/v1/in/\(key.secret)", body: body)
    #expect(taken.text == #"{"version":1,"type":"taken","accepted":1,"rejected":[]}"# + "\n")
    let watcher = try await harness.token([.watch], person: "ann")
    let live = try #require(harness.service.sessions.live(for: watcher.grant.caller).first)
    var asked = 0
    for route in harness.service.routes.routes {
      guard case .scopes = route.access else { continue }
      let path = route.parts.map { $0.hasPrefix("{") ? live.id : String($0) }.joined(separator: "/")
      let answer = await harness.send(
        route.method.rawValue, path, key, body: route.body == nil ? nil : "{}",
        type: route.body?.mediaTypes.first ?? "application/json")
      #expect(answer.status == 401, "\(route.method.rawValue) \(path)")
      asked += 1
    }
    #expect(asked > 30)
    for name in ["coach", "__Host-coach"] {
      let cookie = HTTPField("Cookie", "\(name)=\(key.secret)")
      #expect(await harness.send("GET", "/", headers: [cookie]).status == 303)
    }
    let read = await harness.send("GET", "/v1/in/\(key.secret)")
    #expect(!read.text.contains(live.id))
    #expect(!read.text.contains("173"))
    #expect(await harness.send("DELETE", "/v1/in/\(key.secret)").status == 405)
    await harness.service.close()
  }

  @Test("With all data of a person go the cookie, the token, the key and the link of that person, and of nobody else")
  func deletedPerson() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    var ways: [String: (cookie: HTTPField, token: IssuedSecret, key: IssuedSecret, link: SignInLink)] = [:]
    for name in ["ann", "ben"] {
      let made = await harness.send(
        "POST", "/v1/people", owner, body: #"{"name":"\#(name)","birthDate":"1990-05-17"}"#)
      #expect(made.status == 201, "\(made.text)")
      let key = IssuedSecret.key(name, request: nil, days: 1, now: harness.service.clock.now())
      try await harness.service.store.add(key.grant)
      ways[name] = (
        try await harness.signIn(person: name), try await harness.token([.watch], person: name), key,
        try await harness.link(person: name)
      )
    }
    try await harness.service.access.refresh(always: true)
    #expect(await harness.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for (name, statuses) in [("ann", [303, 401, 404, 401]), ("ben", [200, 200, 400, 303])] {
      let way = try #require(ways[name])
      let found = [
        await harness.send("GET", "/", headers: [way.cookie]).status,
        await harness.send("GET", "/v1/sessions", way.token).status,
        await harness.send("POST", "/v1/in/\(way.key.secret)", body: "junk").status,
        await harness.send("POST", "/auth/link/\(way.link.secret)").status,
      ]
      #expect(found == statuses, "\(name)")
    }
    await harness.service.close()
  }

  @Test("A token, a key, a link and a cookie are 256 random bits each, and of what is kept only a hash belongs to them")
  func secrets() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let key = IssuedSecret.key("ann", request: nil, days: 1, now: harness.service.clock.now())
    try await harness.service.store.add(key.grant)
    let token = try await harness.token([.watch])
    let link = try await harness.link()
    let used = try await harness.link()
    let answer = await harness.send("POST", "/auth/link/\(used.secret)")
    let cookie = try #require(ServiceHarness.cookie(of: answer)).value
    let page = String(try #require(cookie.split(separator: "=").last))
    let other = String(try #require(try await harness.signIn().value.split(separator: "=").last))
    let all = [token.secret, key.secret, link.secret, used.secret, page, other]
    for secret in all {
      // 43 digits of 64 each, behind a word.
      #expect(AccessSecret.isWellFormed(secret), "\(secret.prefix(8))")
    }
    #expect(Set(all.map { $0.suffix(43) }).count == all.count)
    await harness.service.tick()
    await harness.service.close()
    let data = harness.service.settings.dataFolder
    var kept: [UInt8] = []
    for name in try FileSystem.list(data) where FileSystem.isFolder(data + "/" + name) == false {
      kept += try POSIXFile(reading: data + "/" + name).readAll(maximumBytes: 1 << 24)
    }
    for secret in all { #expect(kept.firstRange(of: Array(secret.suffix(43).utf8)) == nil, "\(secret.prefix(8))") }
    for secret in [token.secret, key.secret, link.secret, page] {
      #expect(kept.firstRange(of: AccessSecret.digest(of: secret)) != nil, "\(secret.prefix(8))")
    }
  }

  @Test("Samples and commands for a session that is over are refused, and change nothing of it")
  func afterTheEnd() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let id = try await harness.run()
    let owner = try await harness.token([.send, .watch, .manage])
    let before = await harness.send("GET", "/v1/sessions/\(id)/events", owner, headers: Self.lines)
    for command in ["pause", "resume", "lap", "stop"] {
      let body = #"{"id":"late-\#(command)","command":"\#(command)"}"#
      let refused = await harness.send("POST", "/v1/sessions/\(id)/commands", owner, body: body)
      #expect(refused.status == 409, "\(command): \(refused.text)")
      #expect(refused.json?["code"]?.string == "sessionEnded", "\(command)")
    }
    let late = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", owner, body: ServiceHarness.heartRates(200..<210),
      type: "application/x-ndjson")
    #expect(late.status == 409)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/events", owner, headers: Self.lines).text == before.text)
    await harness.service.close()
  }

  @Test("Escapes are decoded once, and what means something to SQL or to a file is a value like any other")
  func values() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .watch])
    let made = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    #expect(made.status == 201, "\(made.text)")
    let id = try await harness.run(person: "ann")
    for (path, status) in [
      ("/v1/people/%61nn", 200), ("/v1/people/%2561nn", 404), ("/v1/sessions/\(id)", 200),
      ("/v1/sessions/%2E%2E%2F%2E%2E%2Fservice.sqlite", 404), ("/v1/sessions/..%2Fsessions%2F\(id)", 404),
      ("/v1/zones?profile=%61nn", 200),
    ] {
      #expect(await harness.send("GET", path, owner).status == status, "\(path)")
    }
    #expect(await harness.send("GET", "/v1/zones?profile=%2561nn", owner).status != 200)
    for mark in ["ann' OR '1'='1", "ann%27%20OR%20%271%27%3D%271", "'; DELETE FROM session; --", "ann\"--", "%25"] {
      for parameter in ["person=", "person=ann&text=", "person=ann&tag="] {
        let answer = await harness.send("GET", "/v1/sessions?\(parameter)\(mark)", owner)
        #expect(answer.status < 500, "\(parameter)\(mark)")
        #expect(!answer.text.contains(id), "\(parameter)\(mark)")
      }
    }
    #expect(await harness.send("GET", "/v1/sessions?person=ann", owner).text.contains(id))
    await harness.service.close()
  }
}
