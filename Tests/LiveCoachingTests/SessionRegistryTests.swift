@testable import LiveCoaching
import Recordings
@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Many live sessions")
struct SessionRegistryTests {
  private static func configuration(
    _ request: CoachingRequest, clock: SessionClock = .samples
  ) throws -> LiveConfiguration {
    LiveConfiguration(
      settings: try request.settings(on: nil), clock: clock, streams: SampleStream.recordable, durationLimit: nil)
  }

  /// Every file of a folder but the manifest and the summary, which name the session.
  private static func logs(_ folder: String) throws -> [String: [UInt8]] {
    var logs: [String: [UInt8]] = [:]
    for name in try FileSystem.list(folder) where name != SessionFolder.manifest && name != SessionFolder.summary {
      logs[name] = try POSIXFile(reading: folder + "/" + name).readAll(maximumBytes: 1 << 26)
    }
    return logs
  }

  /// A policy whose segments are so small that there are many.
  private static let small = small(keptSegments: 0)

  private static func small(keptSegments: Int, folderBytes: Int = 700) -> JournalPolicy {
    JournalPolicy(
      gatherNanoseconds: 0, commitNanoseconds: 2_000_000, answersAfterCommit: true, folderBytes: folderBytes,
      segmentBytes: 20_000, keptSegments: keptSegments)
  }

  @Test(
    "Sessions beside each other leave the folders that each alone leaves, byte by byte",
    arguments: [small, small(keptSegments: 3, folderBytes: 1 << 20)])
  func sameFolders(policy: JournalPolicy) async throws {
    let many = try ScratchFolder()
    let data = StoredPath(dataFolder: many.path)
    let registry = SessionRegistry(
      dataFolder: data, policy: policy, shardCount: 2, limit: 100,
      clock: SystemLiveClock())
    let count = 40
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<count {
        group.addTask {
          let random = try RandomSession(seed: UInt64(seed))
          let session = try await registry.begin(
            Self.configuration(random.request),
            recording: LiveRecording(
              dataFolder: data, request: SessionRequest(coaching: random.request, person: nil), random: UInt32(seed)))
          for start in stride(from: 0, to: random.lines.count, by: 20) {
            let lines = random.lines[start..<min(start + 20, random.lines.count)].map { $0 + "\n" }.joined()
            let report = await session.feed(Array(lines.utf8), now: .morning(3))
            #expect(report.recording == nil, "seed \(seed)")
          }
          let last = await session.end(.endOfInput, now: .morning(3))
          #expect(last.recording == nil, "seed \(seed)")
          #expect(await session.savedFolder != nil, "seed \(seed)")
        }
      }
      try await group.waitForAll()
    }
    for seed in 0..<count {
      let alone = try RecordedHistory()
      let sessionID = try await alone.record(seed: UInt64(seed), isClosed: false)
      let expected = try Self.logs(alone.path(sessionID))
      let found = try Self.logs(SessionFolder.path(of: sessionID, in: many.path))
      #expect(found.keys.sorted() == expected.keys.sorted(), "seed \(seed)")
      for (name, bytes) in expected { #expect(found[name] == bytes, "seed \(seed), \(name)") }
    }
    let history = History(dataFolder: many.path)
    // Its sessions are recorded to their end and not closed, so that nobody takes them while it lives.
    #expect(try await history.recover().isEmpty)
    await registry.shutDown()
  }

  @Test("What the journal alone has is read there: it keeps so many full segments and no more")
  func keptSegments() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let registry = SessionRegistry(
      dataFolder: data, policy: Self.small(keptSegments: 2, folderBytes: 1 << 20), shardCount: 1, limit: 1,
      clock: SystemLiveClock())
    let request = try CoachingRequest.runner()
    let session = try await registry.begin(
      Self.configuration(request),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: 7))
    let journal = folder.path + "/" + LiveJournal.folderName
    func segments() throws -> [String] {
      try FileSystem.list(journal).flatMap { try FileSystem.list(journal + "/" + $0) }.filter { $0.hasSuffix(".log") }
        .sorted()
    }
    var most = 0
    for second in 0..<1_500 {
      let line = #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second % 7)}"# + "\n"
      _ = await session.feed(Array(line.utf8), now: .morning(3))
      if second % 50 == 0 { most = max(most, try segments().count) }
    }
    #expect(most >= 3, "full segments are kept")
    // One is written, one may be about to go.
    #expect(most <= 4)
    #expect(try segments().first != "0-00000001.log")
    let sessionID = try #require(await session.sessionID)
    let report = await session.end(.endOfInput, now: .morning(3))
    #expect(report.recording == nil)
    let rows = try text(of: SessionFolder.path(of: sessionID, in: folder.path) + "/heart_rate.csv")
    #expect(rows.split(separator: "\n").count == 1_501)
    await registry.shutDown()
  }

  @Test("What a process leaves without an end is whole after the next start, and nothing is left of its journal")
  func unfinished() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    var expected: [String: [String]] = [:]
    do {
      let registry = SessionRegistry(
        dataFolder: data, policy: Self.small, shardCount: 2, limit: 100, clock: SystemLiveClock())
      for seed in 0..<20 {
        let random = try RandomSession(seed: UInt64(seed))
        let session = try await registry.begin(
          Self.configuration(random.request),
          recording: LiveRecording(
            dataFolder: data, request: SessionRequest(coaching: random.request, person: nil), random: UInt32(seed)))
        var events: [SessionEvent] = []
        for line in random.lines.prefix(60) {
          events += await session.feed(Array((line + "\n").utf8), now: .morning(3)).events
        }
        guard let sessionID = await session.sessionID else { continue }
        expected[sessionID] = records(events)
      }
    }
    let history = History(dataFolder: folder.path)
    var recoveries: [Recovery] = []
    // Other tests begin processes, which hold a lock of this one for a moment. When it is let go of between a look at the
    // journal and one at the sessions, these are closed and the journal is left to the next start.
    let journals = folder.path + "/journal"
    for _ in 0..<2_000 {
      recoveries += try await history.recover()
      if recoveries.count >= expected.count, try FileSystem.list(journals).isEmpty { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(recoveries.count == expected.count)
    for (sessionID, records) in expected {
      let path = SessionFolder.path(of: sessionID, in: folder.path)
      let kept = try text(of: path + "/decisions.jsonl").split(separator: "\n").map(String.init)
      #expect(Array(kept.prefix(records.count)) == records, "\(sessionID): what was answered is there")
      #expect(try SessionSummaryFile.read(in: path) != nil, "\(sessionID)")
    }
    #expect(try FileSystem.list(journals).isEmpty)
    #expect(try SessionMark.all(in: folder.path).isEmpty)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("A journal that somebody held while a start looked at it is left to the next one, which has nothing else to do")
  func heldJournal() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    do {
      let registry = SessionRegistry(
        dataFolder: data, policy: Self.small, shardCount: 1, limit: 1, clock: SystemLiveClock())
      let random = try RandomSession(seed: 3)
      let session = try await registry.begin(
        Self.configuration(random.request),
        recording: LiveRecording(
          dataFolder: data, request: SessionRequest(coaching: random.request, person: nil), random: 3))
      for line in random.lines.prefix(60) { _ = await session.feed(Array((line + "\n").utf8), now: .morning(3)) }
      try #require(await session.sessionID != nil)
    }
    let journals = data + "/journal"
    let name = try #require(try FileSystem.list(journals).first)
    let holder = try POSIXFile(reading: journals + "/" + name + "/lock")
    for _ in 0..<2_000 where try !holder.lock() { try await Task.sleep(for: .milliseconds(5)) }
    let history = History(dataFolder: folder.path)
    // The look at the journals, while it is held, and the look at the sessions, when it is not.
    #expect(try await history.recover().isEmpty)
    #expect(try FileSystem.list(journals) == [name])
    holder.unlock()
    #expect(try await history.recover(beginningWith: "").count == 1)
    #expect(try FileSystem.list(journals) == [name])
    #expect(try await history.recover().isEmpty)
    #expect(try FileSystem.list(journals).isEmpty)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("A registry that is full says so, and takes another session when one has left")
  func full() async throws {
    let registry = SessionRegistry(
      dataFolder: nil, policy: .service, shardCount: 1, limit: 2, clock: SystemLiveClock())
    let configuration = try Self.configuration(.runner())
    let first = try await registry.begin(configuration, recording: nil)
    _ = try await registry.begin(configuration, recording: nil)
    await #expect(throws: SessionRegistry.Full.self) { try await registry.begin(configuration, recording: nil) }
    await first.leave()
    _ = try await registry.begin(configuration, recording: nil)
  }

  @Test("Silence is reported in time without anybody who asks, and costs nothing before")
  func silence() async throws {
    let folder = try ScratchFolder()
    let clock = ManualClock(.morning())
    let registry = SessionRegistry(
      dataFolder: StoredPath(dataFolder: folder.path), policy: Self.small, shardCount: 1, limit: 1_000, clock: clock)
    let request = try CoachingRequest.runner("z2", "moment:every=60")
    var sessions: [RunningSession] = []
    for number in 0..<50 {
      let session = try await registry.begin(
        Self.configuration(request, clock: .wall),
        recording: LiveRecording(
          dataFolder: StoredPath(dataFolder: folder.path), request: SessionRequest(coaching: request, person: nil),
          random: UInt32(number)))
      let line = #"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":128}"# + "\n"
      _ = await session.feed(Array(line.utf8), now: .morning())
      sessions.append(session)
    }
    #expect(await registry.dueCount <= 2 * sessions.count)
    #expect(clock.waiting <= 2)
    let (_, reader) = try #require(try await sessions[0].records(after: 0))
    clock.set(.morning(10))
    #expect(reader.take() == nil)
    clock.set(.morning(18))
    guard case .records(let found) = await reader.next() else {
      Issue.record("nothing was reported")
      return
    }
    #expect(found.map { String(decoding: $0.line, as: UTF8.self) }.contains { $0.contains("signalLost") })
    clock.set(.morning(70))
    for session in sessions {
      // The order of the shard: the answer comes after what was due.
      for _ in 0..<1_000 where await session.session?.pipeline.engine.now.seconds ?? 0 < 60 {
        try await Task.sleep(for: .milliseconds(1))
      }
      let live = await session.session
      #expect(live?.pipeline.engine.summary.acceptedHeartRates == 1)
      #expect(live?.pipeline.engine.now ?? .zero >= .seconds(60))
    }
    await registry.shutDown()
  }

  @Test("Ten thousand silent sessions wake their thread once at most before the first has something to report")
  func manySilent() async throws {
    let clock = ManualClock(.morning())
    let registry = SessionRegistry(dataFolder: nil, policy: Self.small, shardCount: 1, limit: 10_000, clock: clock)
    let configuration = try Self.configuration(CoachingRequest.runner("z2", "moment:every=60"), clock: .wall)
    let line = Array(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":128}"#.utf8) + [10]
    var sessions: [RunningSession] = []
    for _ in 0..<10_000 {
      let session = try await registry.begin(configuration, recording: nil)
      _ = await session.feed(line, now: .morning())
      sessions.append(session)
    }
    #expect(await registry.dueCount <= 2 * sessions.count)
    #expect(clock.waiting <= 2)
    // All are looked at once, when nothing that is older than their beginning can come any more, and not again before 15 s, when a
    // signal is lost.
    clock.set(.morning(3))
    for _ in 0..<5_000 where clock.waiting != 1 { try await Task.sleep(for: .milliseconds(1)) }
    for second in 4...14 {
      clock.set(.morning(Double(second)))
      // The order of the shard: the answer comes after what it was woken for.
      _ = await sessions[9_999].session
    }
    #expect(clock.made == 1)
    #expect(clock.waiting == 1)
    await registry.shutDown()
  }

  @Test(
    "A session that is to follow the clock and whose stamps lie far from it holds nobody up",
    .timeLimit(.minutes(5)), arguments: [-40 * 86_400, -9_000_000_000, 200_000_000] as [Double])
  func farStamps(seconds: Double) async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let clock = ManualClock(.morning())
    let registry = SessionRegistry(dataFolder: data, policy: Self.small, shardCount: 1, limit: 2, clock: clock)
    let request = try CoachingRequest.runner("z2", "moment:every=60")
    let session = try await registry.begin(
      Self.configuration(request, clock: .wall),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: 1))
    for second in 0..<60 {
      clock.set(.morning(Double(second)))
      let time = WallClockTime.morning(seconds + Double(second))
      let line = #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":128}"# + "\n"
      #expect(await session.feed(Array(line.utf8), now: clock.now()).lineCount == 1)
    }
    clock.set(.morning(200))
    #expect(await registry.dueCount <= 2)
    #expect(await session.session?.pipeline.engine.summary.acceptedHeartRates ?? 0 > 0)
    await registry.shutDown()
  }

  @Test("A reader has every record once and in order, from wherever it begins", arguments: 0..<6 as Range<UInt64>)
  func readers(seed: UInt64) async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let registry = SessionRegistry(
      dataFolder: data, policy: seed.isMultiple(of: 2) ? .terminal : Self.small, shardCount: 1, limit: 1,
      clock: SystemLiveClock())
    let random = try RandomSession(seed: seed)
    let session = try await registry.begin(
      Self.configuration(random.request),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: random.request, person: nil), random: UInt32(seed)))
    var read: [LiveRecord] = []
    var reader: EventReader?
    let join = random.lines.count / 2
    var events: [SessionEvent] = []
    for (index, line) in random.lines.enumerated() {
      if index == join, let (known, begun) = try await session.records(after: 1) {
        read += known
        reader = begun
      }
      events += await session.feed(Array((line + "\n").utf8), now: .morning(3)).events
    }
    events += await session.end(.endOfInput, now: .morning(3)).events
    let expected = records(events)
    let following = try #require(reader)
    reading: while true {
      switch await following.next() {
      case .records(let new): read += new
      case .ended: break reading
      case .dropped: Issue.record("seed \(seed): dropped")
      }
    }
    #expect(read.map(\.number) == Array(2..<(2 + read.count)), "seed \(seed)")
    #expect(
      read.map { String(decoding: $0.line.dropLast(), as: UTF8.self) } == Array(expected.dropFirst()), "seed \(seed)")
    await session.stopReading(following)
    await registry.shutDown()
  }

  @Test("A reader that is too slow is dropped with the number of the last record that it got")
  func slowReader() async {
    let broadcast = EventBroadcast()
    let reader = EventReader(after: 0)
    broadcast.add(reader, of: "a")
    let line = Array((String(repeating: "x", count: 999) + "\n").utf8)
    for number in 1...100 { broadcast.publish(line, from: number, of: "a") }
    guard case .records(let records) = await reader.next() else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(records.map(\.number) == Array(1...65))
    #expect(await reader.next() == .dropped(after: 65))
    #expect(!broadcast.remove(reader, of: "a"))
  }
}
