import Glibc
import LiveCoaching
import SessionStore
import Synchronization
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What waits for a commit")
struct CommitQueueTests {
  /// A log that takes nothing while a test holds it up.
  private final class SlowLog: SharedLog {
    let isHeldUp = Atomic(false)

    func append(_ batch: SharedLogBatch) throws -> Set<SharedHold> {
      let deadline = MonotonicClock.now + 60_000_000_000
      while isHeldUp.load(ordering: .sequentiallyConsistent), MonotonicClock.now < deadline { usleep(1_000) }
      return []
    }
  }

  /// Waits until nothing waits.
  private static func drained(_ registry: SessionRegistry) async throws {
    for _ in 0..<20_000 where registry.commitQueue.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(registry.commitQueue.count == 0)
    #expect(registry.commitQueue.since == nil)
  }

  private static let id = "20261120T070000Z-running-0000000a"

  @Test("It is counted, and timed by the first; after a second nothing more is taken until it is on the disk")
  func slowCommit() async throws {
    let (folder, log) = (try ScratchFolder(), SlowLog())
    let data = StoredPath(dataFolder: folder.path)
    let registry = SessionRegistry(
      dataFolder: data, policy: .service, shardCount: 1, limit: 10, clock: ManualClock(.morning()), sharedLog: log)
    let coaching = try CoachingRequest.runner("z2", "moment:every=20")
    let session = try await registry.begin(
      LiveConfiguration(
        settings: coaching.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: coaching, person: nil), random: 0, inputs: ["http"],
        sessionID: Self.id, shared: SharedPlace(SharedHold(sessionID: Self.id, fence: 1))))
    try await session.requireKept()
    try await Self.drained(registry)
    log.isHeldUp.store(true, ordering: .sequentiallyConsistent)
    let line = Array(#"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#.utf8) + [0x0A]
    async let report = session.take(request: line, batch: "a", now: .morning())
    for _ in 0..<20_000 where !registry.isUnavailable { try await Task.sleep(for: .milliseconds(1)) }
    #expect(registry.isUnavailable)
    #expect(registry.commitQueue.count > 0)
    #expect(registry.commitQueue.age(at: MonotonicClock.now) > 1_000_000_000)
    log.isHeldUp.store(false, ordering: .sequentiallyConsistent)
    #expect(await report.lineCount == 1)
    try await Self.drained(registry)
    #expect(!registry.isUnavailable)
    await registry.shutDown()
  }
}
