import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The mark of a session")
struct SessionMarkTests {
  @Test("that cannot be made leaves nothing behind")
  func refused() throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let sessionID = "20261120T070000Z-running-00000001"
    let mark = try SessionMark.make(sessionID, in: data)
    #expect(throws: FileError.self) { try SessionMark.make(sessionID, in: data) }
    #expect(try FileSystem.list(folder.path + "/unfinished") == [sessionID])
    try mark.remove()
    #expect(try FileSystem.list(folder.path + "/unfinished").isEmpty)
  }
}
