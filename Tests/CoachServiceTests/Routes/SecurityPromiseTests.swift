@testable import CoachService
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What the security checklist says of signing in, of refusals and of the unit")
struct SecurityPromiseTests {
  private static let ours = [HTTPField("Origin", "http://127.0.0.1:8080"), HTTPField("X-Coach", "1")]

  @Test("Somebody may be signed in by several browsers, and signing out in one leaves the others")
  func browsers() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    var browsers: [HTTPField] = []
    for _ in 0..<3 { browsers.append(try await harness.signIn(person: "ann")) }
    #expect(Set(browsers.map(\.value)).count == 3)
    for browser in browsers { #expect(await harness.send("GET", "/", headers: [browser]).status == 200) }
    #expect(await harness.send("POST", "/auth/sign-out", headers: [browsers[1]] + Self.ours).status == 303)
    for (browser, status) in zip(browsers, [200, 303, 200]) {
      #expect(await harness.send("GET", "/", headers: [browser]).status == status)
    }
    await harness.service.close()
  }

  @Test("Nothing of a provider's token is kept, or shown to the browser")
  func providerToken() async throws {
    let browser = try await OpenIDBrowser(ScratchFolder())
    _ = try await browser.map("sub", "248289", "ann")
    let (query, cookie) = try await browser.begin()
    browser.give(query, more: #","email":"ann@example.org""#)
    let token = try browser.provider.state.withLock { $0.token }()
    let answer = await browser.comeBack(query, cookie)
    #expect(answer.status == 303, "\(answer.text)")
    let signedIn = try #require(ServiceHarness.cookie(of: answer))
    let page = await browser.harness.send("GET", "/", headers: [signedIn])
    #expect(page.status == 200)
    await browser.harness.service.tick()
    await browser.harness.service.close()
    let data = browser.harness.service.settings.dataFolder
    var kept: [UInt8] = []
    for name in try FileSystem.list(data) where FileSystem.isFolder(data + "/" + name) == false {
      kept += try POSIXFile(reading: data + "/" + name).readAll(maximumBytes: 1 << 24)
    }
    // Who it is was kept before, by the owner: that much has to be found, or nothing was looked at.
    #expect(kept.firstRange(of: Array("248289".utf8)) != nil)
    let shown = [answer, page].map { $0.text + $0.headers.map(\.value).joined(separator: "\n") }.joined(separator: "\n")
    for part in token.split(separator: ".").map(String.init) + ["ann@example.org"] {
      #expect(kept.firstRange(of: Array(part.utf8)) == nil, "\(part.prefix(20))")
      #expect(!shown.contains(part), "\(part.prefix(20))")
    }
  }

  @Test("Who may not is refused by the head of a request, before anything of its body is read")
  func headAlone() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    var asked = 0
    for route in harness.service.routes.routes {
      guard let body = route.body, case .scopes(let scopes) = route.access, !scopes.contains(.watch) else { continue }
      let path = route.parts.map { $0.hasPrefix("{") ? "20261120T070000Z-other-00000000" : String($0) }
      let head = HTTPHead(
        method: route.method.rawValue, path: path.joined(separator: "/"), query: [],
        headers: [
          HTTPField("Host", "127.0.0.1:8080"), HTTPField("Authorization", "Bearer \(token.secret)"),
          HTTPField("Content-Type", body.mediaTypes.first ?? "application/json"), HTTPField("Content-Length", "100"),
        ], address: "127.0.0.1", byteCount: 200)
      var admission = harness.service.handler.admit(head)
      while case .undecided(let look) = admission { admission = await look() }
      guard case .refused(let response) = admission else {
        Issue.record("\(route.method.rawValue) \(route.pattern): its body would be read")
        continue
      }
      #expect(response.status == 403, "\(route.method.rawValue) \(route.pattern)")
      asked += 1
    }
    #expect(asked > 5)
    await harness.service.close()
  }

  @Test("The unit runs as a user of its own, who may write the data of the service and nothing else")
  func unit() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let bytes = try POSIXFile(reading: root + "/deploy/coach.service").readAll(maximumBytes: 1 << 16)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    for line in [
      "DynamicUser=yes", "StateDirectory=coach", "StateDirectoryMode=0700", "UMask=0077", "NoNewPrivileges=yes",
      "CapabilityBoundingSet=", "AmbientCapabilities=", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes",
      "PrivateDevices=yes", "RestrictNamespaces=yes", "MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
    #expect(!lines.contains { $0.hasPrefix("ReadWritePaths=") })
  }
}
