@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("What a session at a service learns of its runner")
struct LessonTests {
  private static let lines = (0...250).map { step in
    #"{"type":"heartRate","atSeconds":\#(step * 5),"beatsPerMinute":\#(165 + step % 3)}"# + "\n"
  }.joined()

  /// Runs a session by `adaptive`; the specification of the strategy in its manifest.
  private func run(
    _ harness: ServiceHarness, _ token: IssuedSecret, origin: String = "live", lines: String = Self.lines
  ) async throws -> String {
    let order =
      #"{"target":"z2","strategy":{"kind":"adaptive"},"clock":"samples","origin":"\#(origin)"}"#
    let begun = await harness.send("POST", "/v1/sessions", token, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    let taken = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    try #require(taken.status == 200, "\(taken.text)")
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    try #require(await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: stop).status == 200)
    let folder = SessionFolder.path(of: id, in: harness.service.settings.dataFolder)
    return try SessionFolderRecording(path: folder).manifest.request.strategy.specification
  }

  private func learned(_ harness: ServiceHarness, _ token: IssuedSecret) async -> JSONValue? {
    await harness.send("GET", "/v1/people/ann", token).json?["learned"]
  }

  @Test("A live session teaches the profile, the next one begins with it, and what is no run of theirs does not teach")
  func profile() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let owner = try await harness.token([.manage])
    let made = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    try #require(made.status == 201, "\(made.text)")
    #expect(try await run(harness, ann, origin: "simulated") == "adaptive:every=5")
    #expect(await learned(harness, ann) == nil)
    #expect(try await run(harness, ann) == "adaptive:every=5")
    let first = try #require(await learned(harness, ann))
    #expect(first["sessions"]?.number?.int64 == 1)
    let cue = try #require(first["cueBPM"]?.number?.int64)
    #expect(cue != 11, "something was learned")
    #expect(try await run(harness, ann, origin: "simulated") == "adaptive:every=5")
    #expect(try await run(harness, ann, origin: "imported").contains("cue=\(cue)"))
    #expect(await learned(harness, ann) == first)
    #expect(try await run(harness, ann, lines: FiveMinutes.lines).contains("cue=\(cue)"))
    #expect(await learned(harness, ann) == first, "too short to learn from")
    #expect(try await run(harness, ann).contains("cue=\(cue)"))
    #expect(await learned(harness, ann)?["sessions"]?.number?.int64 == 2)
    let forgotten = await harness.send("PATCH", "/v1/people/ann", ann, body: #"{"forgetLearned":true}"#)
    #expect(forgotten.status == 200, "\(forgotten.text)")
    #expect(await learned(harness, ann) == nil)
    #expect(try await run(harness, ann) == "adaptive:every=5")
    await harness.service.close()
  }

  @Test("Of who has no profile nothing is kept, and the session is kept as ever")
  func nobody() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let order =
      #"{"profile":{"ageYears":30},"target":"z2","strategy":{"kind":"adaptive"},"clock":"samples"}"#
    let begun = await harness.send("POST", "/v1/sessions", ann, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: Self.lines, type: "application/x-ndjson")
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: stop).status == 200)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/summary", ann).status == 200)
    #expect(try ProfileStore(dataFolder: harness.service.settings.dataFolder).names() == [])
    await harness.service.close()
  }

  @Test("What is learned of somebody is not kept of whoever has the name by then")
  func sameName() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let profiles = ProfileStore(dataFolder: harness.service.settings.dataFolder)
    let owner = try await harness.token([.manage])
    let body = #"{"name":"ann","birthDate":"1990-05-17"}"#
    #expect(await harness.send("POST", "/v1/people", owner, body: body).status == 201)
    let order = #"{"target":"z2","strategy":{"kind":"adaptive"},"clock":"samples"}"#
    let id = try await harness.begin(ann, order)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: Self.lines, type: "application/x-ndjson")
    // As at a terminal, before the service has looked.
    try profiles.remove("ann", keepsName: true)
    #expect(await harness.send("POST", "/v1/people", owner, body: body).status == 201)
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: stop).status == 200)
    #expect(try profiles.profile(named: "ann").learned == nil)
    await harness.service.close()
  }

  /// Too little to learn from.
  private enum FiveMinutes {
    static let lines = (0...60).map { step in
      #"{"type":"heartRate","atSeconds":\#(step * 5),"beatsPerMinute":165}"# + "\n"
    }.joined()
  }
}
