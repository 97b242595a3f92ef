@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Requests whose bodies end long after their heads came")
struct HalfSentTests {
  /// How a secret ends while a body is on its way.
  enum Ending: CaseIterable {
    case none
    /// By a request of somebody else.
    case revokedHere
    /// By a verb of the terminal, of which nobody has said anything to the service.
    case revokedElsewhere
    case personDeletedElsewhere
    case expired
  }

  /// A request of which the head was let in.
  private struct Half {
    let head: HTTPHead
    let taken: any HTTPTaken

    /// The rest comes.
    func end(_ body: String) async -> HTTPResponse { await taken.answer(HTTPRequest(head, body: Array(body.utf8))) }
  }

  private static let scopes: Set<Scope> = [.send, .watch, .manage]

  private static func half(
    _ harness: ServiceHarness, _ method: String, _ path: String, _ secret: [HTTPField], type: String, body: String,
    query: [HTTPField] = []
  ) async throws -> Half {
    let head = HTTPHead(
      method: method, path: path, query: query,
      headers: secret + [
        HTTPField("Host", "127.0.0.1:8080"), HTTPField("Content-Type", type),
        HTTPField("Content-Length", "\(body.utf8.count)"),
      ], address: "127.0.0.1", byteCount: 200)
    var admission = harness.service.handler.admit(head)
    while case .undecided(let look) = admission { admission = await look() }
    guard case .taken(let taken) = admission else {
      throw Failure(description: "\(method) \(path): it was not let in")
    }
    return Half(head: head, taken: taken)
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static func bearer(_ token: IssuedSecret) -> [HTTPField] {
    [HTTPField("Authorization", "Bearer \(token.secret)")]
  }

  private static func end(
    _ ending: Ending, _ id: String, _ kind: Caller.Kind, _ harness: ServiceHarness, _ clock: ManualClock,
    _ day: Double
  ) async throws {
    let service = harness.service
    switch ending {
    case .none: break
    case .revokedHere:
      try await service.store.revoke(id, kind)
      try await service.access.refresh(always: true)
    case .revokedElsewhere, .personDeletedElsewhere:
      let terminal = ServiceStore(dataFolder: service.settings.dataFolder)
      if ending == .revokedElsewhere {
        try await terminal.revoke(id, kind)
      } else {
        try await terminal.forgetAuthority(of: "ann")
      }
      await terminal.close()
      // As it is twice a second.
      try await service.access.refresh()
    case .expired: clock.set(.morning((day + 2) * 86_400))
    }
  }

  @Test(
    "Whatever the route, a secret that ended after the head does nothing when the body ends", arguments: Ending.allCases
  )
  func everyRoute(_ ending: Ending) async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    var asked = 0
    for route in harness.service.routes.routes {
      guard let body = route.body, route.access.isOfSecret else { continue }
      let day = Double(asked * 2)
      asked += 1
      if ending == .expired { clock.set(.morning(day * 86_400)) }
      let secret = try await harness.secret(for: route)
      let half = try await Self.half(
        harness, route.method.rawValue, ServiceHarness.path(of: route, secret), secret.headers,
        type: body.mediaTypes.first ?? "application/json", body: "{}")
      try await Self.end(ending, secret.id, secret.kind, harness, clock, day)
      let status = await half.end("{}").status
      let refusal = route.access == .key ? 404 : 401
      if ending == .none {
        #expect(status != refusal, "\(route.method.rawValue) \(route.pattern)")
      } else {
        #expect(status == refusal, "\(route.method.rawValue) \(route.pattern)")
      }
    }
    #expect(asked > 10)
    await harness.service.close()
  }

  @Test("Nobody who was deleted with all data is there again by a request that they had begun")
  func deletedPerson() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token(Self.scopes)
    let person = #"{"name":"ann","birthDate":"1990-05-17"}"#
    #expect(await harness.send("POST", "/v1/people", owner, body: person).status == 201)
    let ann = try await harness.token(Self.scopes, person: "ann")
    let half = try await Self.half(
      harness, "POST", "/v1/people", Self.bearer(ann), type: "application/json", body: person)
    #expect(await harness.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(await half.end(person).status == 401)
    #expect(await harness.send("GET", "/v1/people/ann", owner).status == 404)
    // Also where the secret is looked up before the person is deleted, and the person is kept after.
    await #expect(throws: ServiceProblem.self) { try await harness.service.store.require(ann.grant.caller) }
    try await harness.service.store.require(owner.grant.caller)
    await harness.service.close()
  }

  @Test("Samples that were half sent when their person got another name are taken")
  func renamedPerson() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token(Self.scopes)
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let ann = try await harness.token(Self.scopes, person: "ann")
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    let lines = ServiceHarness.heartRates(0..<10)
    let half = try await Self.half(
      harness, "POST", "/v1/sessions/\(id)/samples", Self.bearer(ann), type: "application/x-ndjson", body: lines)
    try ProfileStore(dataFolder: harness.service.settings.dataFolder)
      .renameEverywhere("ann", to: "anna", id: ProfileID.drawn())
    let answer = await half.end(lines)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.text.contains(#""accepted":10,"#))
    await harness.service.close()
  }

  @Test("An import whose secret ends while it waits for its turn does not begin")
  func waitingImport() async throws {
    let folder = try ScratchFolder()
    let harness = try await ServiceHarness(ScratchFolder(), program: "/bin/sh")
    let owner = try await harness.token(Self.scopes)
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let ann = try await harness.token(Self.scopes, person: "ann")
    let programs = harness.service.programs
    let script = "while [ ! -e $1/go ]; do sleep 0.02; done"
    let others = (0..<2).map { _ in
      Task { try await programs.run(["-c", script, "sh", folder.path], input: HTTPBody()).ending }
    }
    while programs.depth < 2 { try await Task.sleep(for: .milliseconds(5)) }
    async let answer = harness.send("POST", "/v1/import", ann, body: "time,heart_rate\n", type: "text/csv")
    while programs.depth < 3 { try await Task.sleep(for: .milliseconds(5)) }
    let revoked = await harness.send("DELETE", "/v1/tokens/\(ann.grant.caller.id)", owner)
    let status = await answer.status
    #expect(revoked.status == 204)
    #expect(status == 401)
    try POSIXFile(writing: folder.path + "/go", .exclusive).close()
    for other in others { #expect(try await other.value == .exited(0)) }
    await harness.service.close()
  }
}
