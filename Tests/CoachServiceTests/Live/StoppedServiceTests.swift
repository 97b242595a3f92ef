@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("A service that was stopped")
struct StoppedServiceTests {
  @Test("Its live sessions go on after the next start, and are nothing that a check of the history finds")
  func check() async throws {
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson"
    )
    let data = harness.service.settings.dataFolder
    await harness.service.close()
    #expect(try SessionMark.exists(id, in: data))
    let history = History(dataFolder: data)
    #expect(try await history.check { _ in }.filter { $0.subject == id }.isEmpty)
    await history.close()
    harness = try await ServiceHarness(folder)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", token).status == 200)
    #expect(harness.service.sessions.liveCount == 1)
    await harness.service.close()
  }
}
