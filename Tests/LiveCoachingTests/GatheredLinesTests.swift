@testable import LiveCoaching
import Synchronization
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Lines that are gathered for many sessions")
struct GatheredLinesTests {
  @Test("They are taken when all of them are there, in their order, and each is answered")
  func gathered() async throws {
    let registry = SessionRegistry(
      dataFolder: nil, policy: .service, shardCount: 2, limit: 20, clock: SystemLiveClock())
    var sessions: [RunningSession] = []
    let request = try CoachingRequest.runner()
    for _ in 0..<10 {
      sessions.append(
        try await registry.begin(
          LiveConfiguration(
            settings: try request.settings(on: nil), clock: .samples, streams: SampleStream.recordable,
            durationLimit: nil), recording: nil))
    }
    let answers = Mutex<[Int: [Int]]>([:])
    registry.beginGathering()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for second in 0..<3 {
        for (number, session) in sessions.enumerated() {
          let line = #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + number)}"# + "\n"
          session.take(request: Array(line.utf8), batch: nil, from: LiveFeed(source: 0), now: .morning(3)) { report in
            let isLast = answers.withLock { answers in
              answers[number, default: []].append(report.lineCount)
              return answers.values.reduce(0) { $0 + $1.count } == 30
            }
            if isLast { continuation.resume() }
          }
        }
      }
      #expect(answers.withLock { $0.isEmpty })
      registry.takeGathered()
    }
    #expect(answers.withLock { $0.count } == 10)
    #expect(answers.withLock { $0.values.allSatisfy { $0 == [1, 1, 1] } })
    // Whatever comes now is taken by itself.
    let report = await sessions[0].take(
      request: Array(#"{"type":"heartRate","atSeconds":3,"beatsPerMinute":120}"#.utf8), now: .morning(3))
    #expect(report.lineCount == 1)
    for session in sessions { #expect(await session.session?.pipeline.latest ?? .zero >= .seconds(2)) }
  }
}
