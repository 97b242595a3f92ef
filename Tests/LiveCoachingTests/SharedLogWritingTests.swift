import LiveCoaching
import SessionStore
import Synchronization
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Live sessions on a log that others share")
struct SharedLogWritingTests {
  private static let id = "20261120T070000Z-running-0000000a"
  private static let other = "20261120T070000Z-running-0000000b"

  /// A log in memory that does what a test says.
  private final class MemoryLog: SharedLog {
    struct Away: Error {}

    struct State {
      var rows: [String: [Int: [UInt8]]] = [:]
      var decisions: [String: [Int: [UInt8]]] = [:]
      var summaries: [String: [UInt8]] = [:]
      var refused: Set<SharedHold> = []
      /// How many batches fail, after they were written or before.
      var failures = 0
      var failsAfterWriting = false
      var batches: [SharedLogBatch] = []
    }

    let state = Mutex(State())

    func append(_ batch: SharedLogBatch) throws -> Set<SharedHold> {
      try state.withLock { state in
        state.batches.append(batch)
        let fails = state.failures > 0
        if fails { state.failures -= 1 }
        if fails, !state.failsAfterWriting { throw Away() }
        for row in batch.rows where !state.refused.contains(row.hold) {
          let known = state.rows[row.hold.sessionID, default: [:]].updateValue(row.chunks, forKey: row.index)
          #expect(known == nil || known == row.chunks, "row \(row.index) came with other bytes")
        }
        for decision in batch.decisions where !state.refused.contains(decision.hold) {
          let known = state.decisions[decision.hold.sessionID, default: [:]]
            .updateValue(decision.line, forKey: decision.index)
          #expect(known == nil || known == decision.line, "decision \(decision.index) came with other bytes")
        }
        for end in batch.ends where !state.refused.contains(end.hold) {
          state.summaries[end.hold.sessionID] = end.summary
        }
        if fails { throw Away() }
        return batch.holds.intersection(state.refused)
      }
    }

    /// Everything of a session.
    func log(_ id: String, fence: Int64) -> SharedSessionLog {
      state.withLock { state in
        let rows = state.rows[id] ?? [:]
        let decisions = state.decisions[id] ?? [:]
        #expect(rows.keys.sorted() == Array(1..<rows.count + 1))
        #expect(decisions.keys.sorted() == Array(1..<decisions.count + 1))
        return SharedSessionLog(
          session: BegunSession(id: id, person: nil, maker: "test", request: "{}", createdAt: .morning()),
          hold: SharedHold(sessionID: id, fence: fence), rows: rows.keys.sorted().compactMap { rows[$0] },
          decisions: decisions.keys.sorted().compactMap { decisions[$0] }, summary: state.summaries[id], others: [],
          isOver: state.summaries[id] != nil)
      }
    }
  }

  private func registry(_ folder: ScratchFolder, _ name: String, _ log: MemoryLog?) -> SessionRegistry {
    SessionRegistry(
      dataFolder: StoredPath(dataFolder: folder.path + "/" + name), policy: .service, shardCount: 1, limit: 10,
      clock: ManualClock(.morning()), sharedLog: log)
  }

  private func recording(
    _ folder: ScratchFolder, _ name: String, _ id: String, _ place: SharedPlace?, _ manifest: SessionManifest? = nil
  ) throws -> LiveRecording {
    LiveRecording(
      dataFolder: StoredPath(dataFolder: folder.path + "/" + name),
      request: SessionRequest(coaching: try .runner("z2", "moment:every=20"), person: nil), random: 0, inputs: ["http"],
      sessionID: id, manifest: manifest, shared: place)
  }

  private func configuration() throws -> LiveConfiguration {
    LiveConfiguration(
      settings: try CoachingRequest.runner("z2", "moment:every=20").settings(on: nil), clock: .samples,
      streams: SampleStream.recordable, durationLimit: nil)
  }

  private func begin(
    _ registry: SessionRegistry, _ folder: ScratchFolder, _ name: String, _ id: String, fence: Int64 = 1,
    isShared: Bool = true
  ) async throws -> RunningSession {
    let place = isShared ? SharedPlace(SharedHold(sessionID: id, fence: fence)) : nil
    let running = try await registry.begin(configuration(), recording: recording(folder, name, id, place))
    try await running.requireKept()
    return running
  }

  private func send(_ session: RunningSession, _ seconds: Range<Int>) async -> LiveReport {
    var last = LiveReport()
    for second in seconds {
      let line = #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(110 + second % 40)}"# + "\n"
      last = await session.take(request: Array(line.utf8), batch: "b\(second)", now: .morning(Double(second)))
    }
    return last
  }

  private func files(_ folder: StoredPath) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileSystem.list(folder) {
      files[name] = String(
        decoding: try POSIXFile(reading: folder + "/" + name).readAll(maximumBytes: 1 << 24), as: UTF8.self)
    }
    return files
  }

  @Test("Of several that wait for a session which is somebody else's by now, each is notified that it is lost")
  func eachWaiterIsTold() async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    let registry = registry(folder, "shared", log)
    let session = try await begin(registry, folder, "shared", Self.id)
    #expect(await send(session, 0..<3).isLost == false)
    log.state.withLock { _ = $0.refused.insert(SharedHold(sessionID: Self.id, fence: 1)) }
    let reports = await withTaskGroup(of: LiveReport.self) { group in
      for second in 3..<11 { group.addTask { await self.send(session, second..<second + 1) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.map(\.isLost) == Array(repeating: true, count: 8))
    await registry.shutDown()
    #expect(log.state.withLock { $0.rows[Self.id]?.count } == 3)
  }

  @Test("A session that is over is taken again from its log: each batch has its answer, and nothing is written")
  func retaken() async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    let registry = registry(folder, "shared", log)
    let session = try await begin(registry, folder, "shared", Self.id)
    #expect(await send(session, 0..<45).isLost == false)
    let bad = #"{"type":"heartRate","atSeconds":45}"# + "\n"
    let last = Array((bad + #"{"type":"command","id":"1","command":"stop"}"# + "\n").utf8)
    let first = await session.take(request: last, batch: "last", now: .morning(46))
    #expect(first.state == .ended)
    #expect(first.badLineCount == 1)
    #expect(await session.settle() == .whole)
    await registry.shutDown()
    let kept = log.log(Self.id, fence: 1)
    let place = SessionFolder.path(of: Self.id, in: StoredPath(dataFolder: folder.path + "/shared"))
    let manifest = try SessionFolderRecording(path: place).manifest
    func retake(_ inputs: [UInt8], _ decisions: [[UInt8]]) async throws -> RetakenSession? {
      var left: [SessionInput] = []
      SessionInput.forEach(of: inputs.span) { left.append($0) }
      // One by one: what has come of an input does not depend on those that are read with it.
      left.reverse()
      return try await RetakenSession(
        try configuration(), recording: try recording(folder, "none", Self.id, nil, manifest), decisions: decisions,
        clock: ManualClock(.morning(4_000))
      ) { left.popLast().map { [$0] } ?? [] }
    }
    let inputs = try kept.inputs()
    let again = try #require(try await retake(inputs, kept.decisions))
    let known = await again.report(ofRepeated: last, batch: "last", isOfItsLines: true)?.repeated
    #expect(known?.accepted == 1)
    #expect(known?.rejected == first.badLines)
    #expect(known?.lastRecord == kept.decisions.count)
    #expect(known.map { $0.lastRecord - $0.recordBefore } == first.events.count)
    let line = Array(#"{"type":"heartRate","atSeconds":7,"beatsPerMinute":117}"#.utf8)
    #expect(await again.report(ofRepeated: line, batch: "b7", isOfItsLines: true)?.repeated?.accepted == 1)
    #expect(await again.report(ofRepeated: line, batch: "b8", isOfItsLines: true)?.isOfOtherLines == true)
    #expect(await again.report(ofRepeated: line, batch: "b99", isOfItsLines: true) == nil)
    #expect(!FileSystem.exists(StoredPath(dataFolder: folder.path + "/none")))
    // What is cut off, or was decided otherwise, says nothing.
    #expect(try await retake(Array(inputs.dropLast(20)), kept.decisions) == nil)
    #expect(try await retake(inputs, Array(kept.decisions.dropLast())) == nil)
  }

  @Test("The folder that is written from a shared log is that of a store without one, byte by byte")
  func sameFolder() async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    for (name, shared) in [("shared", log as MemoryLog?), ("alone", nil)] {
      let registry = registry(folder, name, shared)
      let session = try await begin(registry, folder, name, Self.id, isShared: shared != nil)
      #expect(await send(session, 0..<90).isLost == false)
      _ = await session.end(.endOfInput, now: .morning(90))
      #expect(await session.settle() == .whole)
      await registry.shutDown()
    }
    let written = StoredPath(folder: folder.path + "/written")
    try log.log(Self.id, fence: 1).write(to: written)
    let alone = try files(SessionFolder.path(of: Self.id, in: StoredPath(dataFolder: folder.path + "/alone")))
    #expect(try files(written) == alone)
    #expect(
      alone.keys.sorted() == ["commands.csv", "decisions.jsonl", "heart_rate.csv", "manifest.json", "summary.json"])
    #expect(try files(SessionFolder.path(of: Self.id, in: StoredPath(dataFolder: folder.path + "/shared"))) == alone)
  }

  @Test(
    "What cannot be written is written again under the same numbers, whether or not it was", arguments: [false, true])
  func away(failsAfterWriting: Bool) async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    let registry = registry(folder, "shared", log)
    let session = try await begin(registry, folder, "shared", Self.id)
    _ = await send(session, 0..<30)
    log.state.withLock {
      $0.failures = 1
      $0.failsAfterWriting = failsAfterWriting
    }
    // It is answered when it is written, a second later.
    let report = await send(session, 30..<31)
    #expect(report.isLost == false)
    #expect(report.lineCount == 1)
    _ = await send(session, 31..<50)
    #expect(log.state.withLock { $0.failures } == 0)
    // 20 s and 40 s.
    let decisions = log.log(Self.id, fence: 1).decisions.map { String(decoding: $0, as: UTF8.self) }
    #expect(decisions.count { $0.contains(#""cue""#) || $0.contains(#""withheld""#) } == 2, "\(decisions)")
    await registry.shutDown()
  }

  @Test("A session that another process has is lost here, with its readers; the others of the same commit go on")
  func refused() async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    let registry = registry(folder, "shared", log)
    let session = try await begin(registry, folder, "shared", Self.id)
    let other = try await begin(registry, folder, "shared", Self.other)
    _ = await send(session, 0..<10)
    _ = await send(other, 0..<10)
    let source = try #require(try await session.records(after: 0))
    _ = log.state.withLock { $0.refused.insert(SharedHold(sessionID: Self.id, fence: 1)) }
    async let lost = send(session, 10..<11)
    async let kept = send(other, 10..<11)
    #expect(await lost.isLost)
    #expect(await kept.isLost == false)
    #expect(await source.reader.next() == .ended)
    #expect(await send(session, 11..<12).isLost)
    #expect(await send(other, 11..<40).isLost == false)
    #expect(log.log(Self.id, fence: 1).decisions.count == source.known.count)
    await registry.shutDown()
  }

  @Test("Another process goes on where the first one was: the same folder as if there were one")
  func takenOver() async throws {
    let folder = try ScratchFolder()
    let log = MemoryLog()
    let first = registry(folder, "first", log)
    let session = try await begin(first, folder, "first", Self.id)
    _ = await send(session, 0..<35)
    let state = log.log(Self.id, fence: 2)
    let second = registry(folder, "second", log)
    _ = log.state.withLock { $0.refused.insert(SharedHold(sessionID: Self.id, fence: 1)) }
    let data = StoredPath(dataFolder: folder.path + "/second")
    try FileSystem.createFolder(data)
    // Twice, as when the session was this process's before.
    for _ in 0..<2 { try state.takePlace(in: data) }
    let place = SessionFolder.path(of: Self.id, in: data)
    var sizes: [SessionFile: Int] = [:]
    for file in SessionFile.allCases { sizes[file] = try FileSystem.status(place + "/" + file.name)?.size }
    var inputs = try SessionInputReader(place + "/" + SessionFolder.inputs)
    let goingOn = try await second.resume(
      configuration(),
      recording: recording(folder, "second", Self.id, state.place, SessionFolderRecording(path: place).manifest),
      sizes: sizes, recordCount: state.decisions.count
    ) { try inputs.next() }
    // The last batch was answered by the first one; the sender does not know that.
    let repeated = await goingOn.take(
      request: Array(#"{"type":"heartRate","atSeconds":34,"beatsPerMinute":144}"#.utf8), batch: "b34", now: .morning(34)
    )
    #expect(repeated.repeated?.accepted == 1)
    _ = await send(goingOn, 35..<90)
    #expect(await send(session, 35..<36).isLost)
    _ = await goingOn.end(.endOfInput, now: .morning(90))
    #expect(await goingOn.settle() == .whole)
    let alone = registry(folder, "alone", nil)
    let undisturbed = try await begin(alone, folder, "alone", Self.id, isShared: false)
    _ = await send(undisturbed, 0..<90)
    _ = await undisturbed.end(.endOfInput, now: .morning(90))
    #expect(await undisturbed.settle() == .whole)
    for registry in [first, second, alone] { await registry.shutDown() }
    let written = StoredPath(folder: folder.path + "/written")
    try log.log(Self.id, fence: 2).write(to: written)
    #expect(
      try files(written)
        == files(SessionFolder.path(of: Self.id, in: StoredPath(dataFolder: folder.path + "/alone"))))
  }
}
