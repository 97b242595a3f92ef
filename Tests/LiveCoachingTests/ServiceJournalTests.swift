@testable import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Journals of a service")
struct ServiceJournalTests {
  /// A registry in a folder of its own, with sessions that each have a few heart rates.
  private struct Service {
    let folder: ScratchFolder
    let data: StoredPath
    let registry: SessionRegistry

    init() throws {
      folder = try ScratchFolder()
      data = StoredPath(dataFolder: folder.path)
      registry = SessionRegistry(
        dataFolder: data, policy: .service, shardCount: 1, limit: 10, clock: SystemLiveClock())
    }

    /// Begins a session.
    func begin(_ number: UInt32) async throws -> RunningSession {
      let request = try CoachingRequest.runner()
      return try await registry.begin(
        LiveConfiguration(
          settings: request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
        recording: LiveRecording(
          dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: number))
    }

    /// Everything in the segments of the journal.
    func journaled() throws -> String {
      var text = ""
      for journal in try FileSystem.list(folder.path + "/journal") {
        for name in try FileSystem.list(folder.path + "/journal/" + journal) where name.hasSuffix(".log") {
          let bytes = try POSIXFile(reading: folder.path + "/journal/" + journal + "/" + name)
            .readAll(maximumBytes: 1 << 26)
          text += String(decoding: bytes, as: UTF8.self)
        }
      }
      return text
    }
  }

  private func heartRates(_ seconds: Range<Int>, source: String = "strap") -> [UInt8] {
    seconds.map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":120,"source":"\#(source)"}"# + "\n" }
      .flatMap { Array($0.utf8) }
  }

  @Test("The end of a session whose folder cannot be finished is tried again, and answered when it can")
  func finishAgain() async throws {
    let service = try Service()
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5), now: .morning(3))
    let folder = try #require(await session.folder)
    let sessionID = try #require(await session.sessionID)
    let obstacle = SessionFolder.path(of: sessionID, in: service.data) + "/" + SessionFolder.summary
    try FileSystem.createFolder(obstacle)
    async let report = session.end(.endOfInput, now: .morning(3))
    // The end was taken; after that the queues have come by what it led to.
    for _ in 0..<2_000 where await session.session?.state != .ended { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await session.session?.state == .ended)
    await service.registry.forgetClosed()
    #expect(await session.savedFolder == nil)
    try FileSystem.removeIfEmpty(obstacle)
    #expect(await report.recording == nil)
    #expect(await report.isLost == false)
    // On a machine that is busy the answer comes from the journal before the folder is whole.
    for _ in 0..<3_000 where await session.savedFolder == nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(await session.savedFolder == folder)
    #expect(try SessionSummaryFile.read(in: StoredPath(folder: folder)) != nil)
    await service.registry.shutDown()
  }

  @Test("A session that was ended while its folder could not be written is saved once it can, though nobody asks again")
  func savedLater() async throws {
    let service = try Service()
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5), now: .morning(3))
    let folder = try #require(await session.folder)
    let obstacle = StoredPath(folder: folder) + "/" + SessionFolder.summary
    try FileSystem.createFolder(obstacle)
    let report = await session.end(.endOfInput, now: .morning(3))
    #expect(report.isUnfinished)
    #expect(await session.savedFolder == nil)
    try FileSystem.removeIfEmpty(obstacle)
    for _ in 0..<3_000 where await session.savedFolder == nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(await session.savedFolder == folder)
    #expect(try SessionSummaryFile.read(in: StoredPath(folder: folder)) != nil)
    let history = History(dataFolder: service.folder.path)
    try await session.closeRecording(in: history)
    await service.registry.shutDown()
    #expect(try FileSystem.list(service.folder.path + "/journal").isEmpty)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("Nothing stays in the journal of a session that is closed, and the others go on")
  func forgotten() async throws {
    let service = try Service()
    let history = History(dataFolder: service.folder.path)
    let closed = try await service.begin(1)
    let other = try await service.begin(2)
    _ = await closed.feed(heartRates(0..<5), now: .morning(3))
    _ = await other.feed(heartRates(0..<5), now: .morning(3))
    let closedID = try #require(await closed.sessionID)
    let otherID = try #require(await other.sessionID)
    #expect(try service.journaled().contains(closedID))
    _ = await closed.end(.endOfInput, now: .morning(3))
    try await closed.closeRecording(in: history)
    await closed.leave()
    await service.registry.forgetClosed()
    #expect(try !service.journaled().contains(closedID))
    _ = await other.feed(heartRates(5..<10), now: .morning(3))
    #expect(try service.journaled().contains(otherID))
    let report = await other.end(.endOfInput, now: .morning(3))
    #expect(report.recording == nil)
    let log = try text(of: try #require(await other.folder) + "/heart_rate.csv")
    #expect(log.split(separator: "\n").count == 11)
    try await other.closeRecording(in: history)
    await service.registry.shutDown()
    #expect(try FileSystem.list(service.folder.path + "/journal").isEmpty)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("Whoever follows a session of a service sees within moments what the folder did not have yet")
  func followed() async throws {
    let service = try Service()
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<2), now: .morning(3))
    let sessionID = try #require(await session.sessionID)
    _ = await session.feed(heartRates(2..<30), now: .morning(3))
    var followed = try FollowedSession(sessionID, in: service.data)
    var events: [SessionEvent] = []
    for _ in 0..<500 where followed.pipeline.latest < .seconds(29) {
      #expect(try !followed.read(now: .morning(3), into: &events))
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(followed.pipeline.latest == .seconds(29))
    await service.registry.shutDown()
  }
}
