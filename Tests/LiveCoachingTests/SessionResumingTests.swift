@testable import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Sessions that another process goes on with")
struct SessionResumingTests {
  private static let id = "20261120T070000Z-running-0000000a"

  private struct Broken: Error {}

  private func registry(_ data: StoredPath) -> SessionRegistry {
    SessionRegistry(dataFolder: data, policy: .service, shardCount: 1, limit: 1, clock: ManualClock(.morning()))
  }

  private func configuration() throws -> LiveConfiguration {
    LiveConfiguration(
      settings: try CoachingRequest.runner("z2", "moment:every=20").settings(on: nil), clock: .samples,
      streams: SampleStream.recordable, durationLimit: nil)
  }

  private func recording(_ data: StoredPath, _ manifest: SessionManifest? = nil) throws -> LiveRecording {
    LiveRecording(
      dataFolder: data, request: SessionRequest(coaching: try .runner("z2", "moment:every=20"), person: nil), random: 0,
      inputs: ["http"], sessionID: Self.id, manifest: manifest)
  }

  private func send(_ session: RunningSession, _ seconds: Range<Int>) async -> LiveReport {
    var last = LiveReport()
    for second in seconds {
      let line = #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(110 + second % 40)}"# + "\n"
      last = await session.take(request: Array(line.utf8), batch: "b\(second)", now: .morning(Double(second)))
    }
    return last
  }

  private func files(_ data: StoredPath) throws -> [String: String] {
    let folder = SessionFolder.path(of: Self.id, in: data)
    var files: [String: String] = [:]
    for name in try FileSystem.list(folder) { files[name] = try text(of: (folder + "/" + name).path) }
    return files
  }

  /// Has one process take some seconds; what it took, from the file.
  private func begun(_ data: StoredPath) async throws -> (inputs: [SessionInput], sizes: [SessionFile: Int]) {
    let first = registry(data)
    let session = try await first.begin(configuration(), recording: recording(data))
    try await session.requireKept()
    #expect(await send(session, 0..<65).isLost == false)
    await first.shutDown()
    #expect(try LiveJournal.recoverAll(in: data).isEmpty)
    let folder = SessionFolder.path(of: Self.id, in: data)
    var sizes: [SessionFile: Int] = [:]
    for file in SessionFile.allCases { sizes[file] = try FileSystem.status(folder + "/" + file.name)?.size }
    var reader = try SessionInputReader(folder + "/" + SessionFolder.inputs)
    var inputs: [SessionInput] = []
    while case let piece = try reader.next(), !piece.isEmpty { inputs += piece }
    return (inputs, sizes)
  }

  @Test("What was taken may come in pieces of any size: the session and its folder are those of one process")
  func pieces() async throws {
    var found: [[String: String]] = []
    for size in [1, 7, 1_000] {
      let scratch = try ScratchFolder()
      let data = StoredPath(dataFolder: scratch.path)
      let (inputs, sizes) = try await begun(data)
      let folder = SessionFolder.path(of: Self.id, in: data)
      let second = registry(data)
      var rest = inputs[...]
      let session = try await second.resume(
        configuration(), recording: recording(data, SessionFolderRecording(path: folder).manifest), sizes: sizes,
        recordCount: text(of: (folder + "/" + SessionFolder.decisions).path).split(separator: "\n").count
      ) {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
      // The last one was answered by the first process; its sender does not know that.
      let repeated = await send(session, 64..<65)
      #expect(repeated.repeated?.accepted == 1)
      _ = await send(session, 65..<130)
      _ = await session.end(.endOfInput, now: .morning(130))
      #expect(await session.settle() == .whole)
      await second.shutDown()
      found.append(try files(data))
    }
    let scratch = try ScratchFolder()
    let data = StoredPath(dataFolder: scratch.path)
    let alone = registry(data)
    let session = try await alone.begin(configuration(), recording: recording(data))
    _ = await send(session, 0..<130)
    _ = await session.end(.endOfInput, now: .morning(130))
    #expect(await session.settle() == .whole)
    await alone.shutDown()
    let expected = try files(data)
    for files in found { #expect(files == expected) }
  }

  @Test("Where what was taken cannot be read to its end, the session goes on nowhere, and can be gone on with later")
  func unreadable() async throws {
    let scratch = try ScratchFolder()
    let data = StoredPath(dataFolder: scratch.path)
    let (inputs, sizes) = try await begun(data)
    let before = try files(data)
    let folder = SessionFolder.path(of: Self.id, in: data)
    let second = registry(data)
    let manifest = try SessionFolderRecording(path: folder).manifest
    let count = try text(of: (folder + "/" + SessionFolder.decisions).path).split(separator: "\n").count
    for failing in [0, 1] {
      var calls = 0
      await #expect(throws: Broken.self) {
        try await second.resume(
          configuration(), recording: recording(data, manifest), sizes: sizes, recordCount: count
        ) {
          defer { calls += 1 }
          if calls == failing { throw Broken() }
          return Array(inputs.prefix(30))
        }
      }
      #expect(try files(data) == before)
      #expect(try SessionMark.exists(Self.id, in: data))
    }
    // The registry takes one session.
    var isRead = false
    let session = try await second.resume(
      configuration(), recording: recording(data, manifest), sizes: sizes, recordCount: count
    ) {
      defer { isRead = true }
      return isRead ? [] : inputs
    }
    #expect(await send(session, 65..<66).isLost == false)
    #expect(await session.session?.pipeline.latest == .seconds(65))
    await second.shutDown()
  }
}
