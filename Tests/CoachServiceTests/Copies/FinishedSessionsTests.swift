@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("The folders of all sessions that are over")
struct FinishedSessionsTests {
  @Test("They are written piece by piece, and whoever waits ends that within a long log; nothing is left then")
  func ended() async throws {
    let folder = try ScratchFolder()
    let harness = try await ServiceHarness(folder)
    let id = try await harness.run()
    await harness.service.close()
    let data = StoredPath(dataFolder: folder.path + "/data")
    let log = [UInt8](repeating: 0x30, count: 2 << 20)
    try FileSystem.writeAtomically(log.span, to: SessionFolder.path(of: id, in: data) + "/motion.csv")
    let sessions = try FinishedSessions(in: data)
    #expect(sessions.names == [id])

    struct Stopped: Error {}
    let before = try FileSystem.list(folder.path)
    var calls: [Int] = []
    #expect(throws: Stopped.self) {
      _ = try sessions.export(to: folder.path + "/out") { progress in
        calls.append(progress.done)
        if calls.count == 8 { throw Stopped() }
      }
    }
    // None of them came after the only session.
    #expect(calls == Array(repeating: 0, count: 8))
    #expect(try FileSystem.list(folder.path) == before)

    let whole = try sessions.export(to: folder.path + "/out") { _ in }
    #expect(whole.written == 1)
    #expect(whole.refusals.isEmpty)
    let copy = StoredPath(folder: folder.path + "/out")
    #expect(try SessionFolderContent(sessionID: id, in: copy) == SessionFolderContent(sessionID: id, in: data))
  }
}
