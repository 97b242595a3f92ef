import ActivityRecognition
@testable import CoachService
import LiveCoaching
import Recordings
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Activities in sessions of the service")
struct RecognizedServiceSessionTests {
  private static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples","recognize":"by hand"}"#
  private static let spans: [ThresholdModel.Span] = [
    .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 10),
    .init(activity: "running", seconds: 10),
  ]

  private func harness(_ folder: ScratchFolder, isModelThere: Bool = true) async throws -> ServiceHarness {
    try await ServiceHarness(folder) { settings in if isModelThere { settings.models = [ThresholdModel.shared] } }
  }

  private func records(_ harness: ServiceHarness, _ id: String, _ token: IssuedSecret) async -> [String] {
    let response = await harness.send(
      "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    return response.text.split(separator: "\n").map(String.init)
  }

  @Test("However motion is cut into requests, and over restarts, the same is recognised")
  func cutsAndRestarts() async throws {
    let lines = ThresholdModel.lines(Self.spans).map { $0 + "\n" }
    var expected: [String]?
    for seed in 0..<2 {
      var random = SplitMix64(seed: UInt64(seed))
      let folder = try ScratchFolder()
      var harness = try await harness(folder)
      let token = try await harness.token([.send, .watch])
      let id = try await harness.begin(token, Self.order)
      var next = 0
      while next < lines.count {
        let end = seed == 0 ? lines.count : min(lines.count, next + Int.random(in: 5...25, using: &random))
        let response = await harness.send(
          "POST", "/v1/sessions/\(id)/samples", token, body: lines[next..<end].joined(), type: "application/x-ndjson")
        #expect(response.status == 200)
        next = end
        guard seed > 0 else { continue }
        await harness.service.close()
        harness = try await self.harness(folder)
      }
      let records = await records(harness, id, token)
      #expect(records.count { $0.contains(#""type":"activity""#) } == 3)
      #expect(records.count { $0.contains(#""type":"paused""#) } == 1)
      if let expected { #expect(records == expected) } else { expected = records }
      await harness.service.close()
    }
  }

  @Test("A model is named and never a path; a name that is not there is refused, and so is a pause without a model")
  func names() async throws {
    let harness = try await harness(ScratchFolder())
    let token = try await harness.token([.send])
    let path = Self.order.replacing("by hand", with: "/etc/passwd")
    let refused = await harness.send("POST", "/v1/sessions", token, body: path)
    #expect(refused.status == 404)
    #expect(refused.json?["pointer"]?.string == "/recognize")
    #expect(refused.json?["detail"]?.string?.contains("passwd") == false)
    let alone = Self.order.replacing(#""recognize":"by hand""#, with: #""autoPause":true"#)
    #expect(await harness.send("POST", "/v1/sessions", token, body: alone).status == 422)
    await harness.service.close()
  }

  @Test("A session whose model is gone after a restart does not go on, and nothing of it is lost")
  func modelGone() async throws {
    let folder = try ScratchFolder()
    let first = try await harness(folder)
    let token = try await first.token([.send, .watch])
    let id = try await first.begin(token, Self.order)
    let lines = ThresholdModel.lines(Self.spans).map { $0 + "\n" }
    _ = await first.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines[..<30].joined(), type: "application/x-ndjson")
    await first.service.close()
    let second = try await harness(folder, isModelThere: false)
    let response = await second.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines[30...].joined(), type: "application/x-ndjson")
    #expect(response.status != 200)
    await second.service.close()
    let sessionFolder = SessionFolder.path(of: id, in: StoredPath(dataFolder: folder.path + "/data"))
    #expect(try SessionFolderRecording(path: sessionFolder).facts().motionCount == 750)
  }

  @Test("The state has what is recognised and what the step asks for, and the records say that they differ")
  func state() async throws {
    let harness = try await harness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let plan = #""plan":{"steps":[{"durationSeconds":300,"target":"z2","activity":"running"},{"durationSeconds":60}]}"#
    let id = try await harness.begin(token, Self.order.replacing(#""target":"z2""#, with: plan))
    let before = try await Self.state(harness, id, token)
    #expect(before?["activity"] == nil)
    let lines = ThresholdModel.lines([.init(activity: "walking", seconds: 25)]).map { $0 + "\n" }
    let response = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines.joined(), type: "application/x-ndjson")
    #expect(response.status == 200)
    let state = try #require(try await Self.state(harness, id, token))
    #expect(state["activity"]?.string == "walking")
    #expect(state["step"]?["activity"]?.string == "running")
    #expect(state["step"]?["title"]?.string == "running")
    let records = await records(harness, id, token)
    #expect(records.count { $0.contains(#""type":"activityDiffers""#) } == 1)
    await harness.service.close()
  }

  /// The state of a session, as it is sent to whoever watches; `nil` before its first sample.
  private static func state(_ harness: ServiceHarness, _ id: String, _ token: IssuedSecret) async throws -> JSONValue? {
    let session = try #require(harness.service.sessions.session(id, for: token.grant.caller))
    guard let pipeline = await session.running.session?.pipeline else { return nil }
    var writer = JSONWriter()
    let watch = LiveWatch(.running, Preferences(), bests: [], session.configuration.settings)
    LiveState.write(pipeline, to: watch, saying: [], &writer)
    return try JSONValue.parse(writer.text)
  }
}
