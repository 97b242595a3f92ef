import Glibc
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
  @Test("that a process died in the making of goes with a later start; a new one and what coach did not name stay")
  func leftOver() throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    let mark = try SessionMark.make("20261120T070000Z-running-00000001", in: data)
    let old = TemporaryName.make(for: ".20261120T070000Z-running-00000002")
    let new = TemporaryName.make(for: ".20261120T070000Z-running-00000003")
    let stranger = "notes.4f3a0b1c99d2e7a5.tmp"
    for name in [old, new, stranger] { _ = try folder.write("", "unfinished/" + name) }
    let longAgo = Int(SystemWallClock.now().nanoseconds / 1_000_000_000) - 700
    for name in [old, stranger, mark.sessionID] {
      let times = [timespec(tv_sec: longAgo, tv_nsec: 0), timespec(tv_sec: longAgo, tv_nsec: 0)]
      let code = unsafe utimensat(AT_FDCWD, folder.path + "/unfinished/" + name, times, 0)
      #expect(code == 0)
    }
    try LiveJournal.recoverAll(in: data)
    let left = try FileSystem.list(folder.path + "/unfinished")
    #expect(left.sorted() == [mark.sessionID, new, stranger].sorted())
    try mark.remove()
    // Who starts looks for both kinds.
    #expect(try SessionMark.hasAny(in: data))
    try FileSystem.remove(data + "/unfinished/" + new)
    #expect(try !SessionMark.hasAny(in: data))
  }
}
