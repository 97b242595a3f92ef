@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("A session whose folder cannot be written")
struct UnwritableFolderTests {
  private static let stop = #"{"id":"s","command":"stop"}"#

  /// A service with a session of some samples, whose folder is elsewhere.
  private struct Held {
    let harness: ServiceHarness
    let token: IssuedSecret
    let id: String
    let path: StoredPath
    private let elsewhere: StoredPath

    init(_ folder: ScratchFolder, clock: ManualClock = ManualClock(.morning(0))) async throws {
      harness = try await ServiceHarness(folder, clock: clock)
      token = try await harness.token([.send, .watch, .manage])
      id = try await harness.begin(token)
      path = SessionFolder.path(of: id, in: harness.service.settings.dataFolder)
      elsewhere = harness.service.settings.dataFolder + "/elsewhere"
      let sent = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<70),
        type: "application/x-ndjson")
      try #require(sent.status == 200, "\(sent.text)")
      try FileSystem.rename(path, to: elsewhere)
    }

    func stop() async -> HTTPResponse {
      await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: UnwritableFolderTests.stop)
    }

    func get(_ path: String) async -> HTTPResponse { await harness.send("GET", "/v1/sessions" + path, token) }

    func mend() throws { try FileSystem.rename(elsewhere, to: path) }
  }

  @Test("Its stop is answered, the same again too, it is said to be over, and is in the history when that can be")
  func stopped() async throws {
    let held = try await Held(ScratchFolder())
    let other = try await held.harness.begin(held.token)
    let stopped = await held.stop()
    #expect(stopped.status == 200, "\(stopped.text)")
    #expect(stopped.json?["accepted"]?.bool == true, "\(stopped.text)")
    let again = await held.stop()
    #expect(again.status == 200, "\(again.text)")
    #expect(again.json?["accepted"]?.bool == true, "\(again.text)")
    #expect(again.json?["repeated"]?.bool == true, "\(again.text)")
    // It is over, and nobody says otherwise.
    #expect(await held.get("/\(held.id)").json?["state"]?.string == "complete")
    #expect(await held.get("?state=live").text.contains(held.id) == false)
    #expect(await held.get("?state=complete").text.contains(held.id))
    #expect(await held.get("?state=recovered").text.contains(held.id) == false)
    let series = await held.get("/\(held.id)/series")
    #expect(series.status == 503, "\(series.text)")
    #expect(series.header("Retry-After") != nil)
    // Nothing else is held up.
    await held.harness.service.tick()
    let sent = await held.harness.send(
      "POST", "/v1/sessions/\(other)/samples", held.token, body: ServiceHarness.heartRates(0..<2),
      type: "application/x-ndjson")
    #expect(sent.status == 200, "\(sent.text)")
    try held.mend()
    for _ in 0..<4_000 {
      let sessions = held.harness.service.sessions
      if sessions.session(held.id, for: held.token.grant.caller)?.endedAt != nil { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await held.get("/\(held.id)/series").status == 200)
    #expect(await held.get("/\(held.id)/summary").json?["state"]?.string == "complete")
    #expect(await held.stop().json?["repeated"]?.bool == true)
    await held.harness.service.close()
  }

  @Test("One that ends because nothing came holds up neither the time of others nor secrets that are revoked")
  func silent() async throws {
    let clock = ManualClock(.morning(0))
    let held = try await Held(ScratchFolder(), clock: clock)
    let other = try await held.harness.begin(held.token)
    clock.set(.morning(1_810))
    await held.harness.service.take(.time)
    await held.harness.service.take(.time)
    for _ in 0..<4_000 {
      let (sessions, caller) = (held.harness.service.sessions, held.token.grant.caller)
      let isOver = await sessions.session(held.id, for: caller)?.running.state == .ended
      if isOver, sessions.session(other, for: caller)?.endedAt != nil { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    // That one never began, so that nothing is left of it.
    #expect(await held.get("/\(other)").status == 404)
    #expect(await held.get("/\(held.id)").json?["state"]?.string == "complete")
    // As the verb does it, in a process of its own.
    let store = try Database(path: held.harness.service.settings.dataFolder + "/service.sqlite")
    try store.run("DELETE FROM grant_ WHERE id = ?", .text(held.token.grant.caller.id))
    store.close()
    await held.harness.service.take(.access)
    #expect(await held.get("").status == 401)
    await held.harness.service.close()
    try held.mend()
  }

  @Test("The next start finishes it")
  func nextStart() async throws {
    let folder = try ScratchFolder()
    let held = try await Held(folder)
    #expect(await held.stop().status == 200)
    await held.harness.service.close()
    try held.mend()
    let harness = try await ServiceHarness(folder, clock: ManualClock(.morning(100)))
    let summary = await harness.send("GET", "/v1/sessions/\(held.id)/summary", held.token)
    #expect(summary.json?["state"]?.string == "complete", "\(summary.text)")
    let again = await harness.send("POST", "/v1/sessions/\(held.id)/commands", held.token, body: Self.stop)
    #expect(again.json?["repeated"]?.bool == true, "\(again.text)")
    for _ in 0..<4_000 where harness.service.sessions.liveCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(harness.service.sessions.liveCount == 0)
    #expect(await harness.send("GET", "/v1/sessions/\(held.id)/series", held.token).status == 200)
    await harness.service.close()
  }

  @Test(
    "While nothing new can be begun the service is not ready, and is again when that can be",
    arguments: [SessionFolder.sessions, SessionMark.folderName])
  func readiness(name: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let token = try await harness.token([.send])
    #expect(await harness.send("GET", "/readyz").status == 200)
    let obstacle = harness.service.settings.dataFolder + "/" + name
    if FileSystem.exists(obstacle) { try FileSystem.removeIfEmpty(obstacle) }
    let nothing: [UInt8] = []
    try FileSystem.writeAtomically(nothing.span, to: obstacle.path)
    #expect(await harness.send("GET", "/readyz").status == 503)
    #expect(await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order).status == 503)
    let refused = await harness.send("GET", "/readyz")
    #expect(refused.status == 503, "\(refused.text)")
    #expect(refused.header("Retry-After") != nil)
    try FileSystem.remove(obstacle)
    _ = try await harness.begin(token)
    #expect(await harness.send("GET", "/readyz").status == 200)
    await harness.service.close()
  }

  @Test("While the disk is full the service is not ready, also before somebody has sent in vain")
  func fullDisk() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock) { settings in
      settings.isFull = { FileSystem.exists($0 + "/full") }
    }
    let full = harness.service.settings.dataFolder + "/full"
    #expect(await harness.send("GET", "/readyz").status == 200)
    try FileSystem.createFolder(full)
    clock.set(.morning(2))
    let refused = await harness.send("GET", "/readyz")
    #expect(refused.status == 503)
    #expect(refused.text.contains("the disk is full"), "\(refused.text)")
    try FileSystem.removeIfEmpty(full)
    clock.set(.morning(4))
    #expect(await harness.send("GET", "/readyz").status == 200)
    await harness.service.close()
  }
}
