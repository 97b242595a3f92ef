@testable import LiveCoaching
import Recordings
@testable import SessionStore
import Testing
@testable import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

/// What stands in the head of a segment, and what a program does that does not know it.
@Suite("The version of a journal")
struct JournalVersionTests {
  private let folder: ScratchFolder
  private let data: StoredPath

  init() throws {
    folder = try ScratchFolder()
    data = StoredPath(dataFolder: folder.path)
  }

  private func registry() -> SessionRegistry {
    SessionRegistry(dataFolder: data, policy: .service, shardCount: 1, limit: 10, clock: SystemLiveClock())
  }

  private func begin(
    _ registry: SessionRegistry, _ number: UInt32, _ motionLog: MotionLogFormat
  ) async throws -> RunningSession {
    let request = try CoachingRequest.runner()
    return try await registry.begin(
      LiveConfiguration(
        settings: request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: number,
        motionLog: motionLog))
  }

  private func lines(_ seconds: Range<Int>) -> [UInt8] {
    seconds.flatMap { second in
      Array(
        """
        {"type":"heartRate","atSeconds":\(second),"beatsPerMinute":120}
        {"type":"motion","atSeconds":\(second),"rateHz":4,"acceleration":[[0,0,1],[0.1,0,1],[0,0.1,1],[0,0,1.1]]}

        """.utf8)
    }
  }

  /// The paths of the segments, in their order.
  private func segmentPaths() throws -> [StoredPath] {
    let parent = data + "/" + LiveJournal.folderName
    return try FileSystem.listIfPresent(parent).flatMap { journal in
      try FileSystem.list(parent + "/" + journal).filter { $0.hasSuffix(".log") }.sorted()
        .map { parent + "/" + journal + "/" + $0 }
    }
  }

  private func versions() throws -> [UInt32] {
    try segmentPaths().map { path in
      let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 26)
      return bytes.span.littleEndian(UInt32.self, at: 8)
    }
  }

  /// The sessions that the next start closes, until there are so many.
  private func recovered(_ count: Int) async throws -> [String] {
    let history = History(dataFolder: folder.path)
    var names: [String] = []
    // Other tests begin processes, which hold a lock of this one for a moment.
    for _ in 0..<2_000 where names.count < count || (try? segmentPaths().isEmpty) == false {
      for case .closed(let closed) in try await history.recover() { names.append(closed.sessionID) }
      try await Task.sleep(for: .milliseconds(5))
    }
    await history.close()
    return names.sorted()
  }

  /// The rows of the motion of a session.
  private func motionRows(_ sessionID: String) throws -> Int {
    try SessionFolderRecording(path: SessionFolder.path(of: sessionID, in: data)).facts().motionCount
  }

  @Test("It is the second from the segment on that has motion in binary, and both are brought to the folders")
  func segments() async throws {
    let registry = registry()
    let text = try await begin(registry, 1, .csv)
    _ = await text.feed(lines(0..<3), now: .morning(3))
    #expect(try versions() == [1])
    let binary = try await begin(registry, 2, .binary)
    let heartRate = #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"# + "\n"
    _ = await binary.feed(Array(heartRate.utf8), now: .morning(3))
    #expect(try versions() == [1], "no motion has come in binary")
    _ = await binary.feed(lines(1..<3), now: .morning(3))
    #expect(try versions() == [1, 2])
    _ = await text.feed(lines(3..<5), now: .morning(3))
    _ = await binary.feed(lines(3..<4), now: .morning(3))
    #expect(try versions() == [1, 2])
    let names = (try #require(await text.sessionID), try #require(await binary.sessionID))
    // A process that is gone leaves this.
    await registry.shutDown()
    #expect(try await recovered(2) == [names.0, names.1].sorted())
    #expect(try segmentPaths().isEmpty)
    #expect(try motionRows(names.0) == 20)
    #expect(try motionRows(names.1) == 12)
  }

  @Test("A journal of a newer program is left as it is, and named with both versions")
  func newer() async throws {
    let registry = registry()
    let session = try await begin(registry, 1, .binary)
    _ = await session.feed(lines(0..<3), now: .morning(3))
    let name = try #require(await session.sessionID)
    await registry.shutDown()
    let segment = try #require(try segmentPaths().first)
    let whole = try POSIXFile(reading: segment).readAll(maximumBytes: 1 << 26)
    var newer = whole
    newer.writeLittleEndian(UInt32(3), at: 8)
    try FileSystem.writeAtomically(newer.span, to: segment)
    var error: RecordingError?
    for _ in 0..<2_000 where error == nil {
      do {
        try LiveJournal.recoverAll(in: data)
        // Another test begins a process, which holds the lock for a moment.
        try await Task.sleep(for: .milliseconds(5))
      } catch let refusal as RecordingError {
        error = refusal
      }
    }
    #expect(error?.description.hasSuffix("is of version 3: this program reads versions 1 and 2") == true)
    #expect(try POSIXFile(reading: segment).readAll(maximumBytes: 1 << 26) == newer)
    // The program that wrote it brings all of it to the folder.
    try FileSystem.writeAtomically(whole.span, to: segment)
    #expect(try await recovered(1) == [name])
    #expect(try motionRows(name) == 12)
  }
}
