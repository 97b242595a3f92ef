import Glibc
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("Folders between which something is to be moved")
struct OneFileSystemTests {
  /// A folder that is on another file system than those for temporary files on most machines.
  private static let other = "/dev/shm"

  private func device(_ path: String) throws -> dev_t {
    var facts = stat()
    try #require(unsafe stat(path, &facts) == 0)
    return facts.st_dev
  }

  @Test("may be one, may lie anywhere below one, and may not be there yet; nothing is changed")
  func one() throws {
    let scratch = try ScratchFolder()
    let root = StoredPath(dataFolder: scratch.path)
    for name in ["one", "two"] { try FileSystem.createFolder(root + name) }
    try FileSystem.requireOneFileSystem(root + "one", root + "two")
    try FileSystem.requireOneFileSystem(root + "one", root)
    try FileSystem.requireOneFileSystem(root + "one", root + "none")
    #expect(try FileSystem.list(scratch.path) == ["one", "two"])
    #expect(try FileSystem.list(scratch.path + "/one") == [])
  }

  @Test(
    "are refused where they are on two file systems",
    .enabled(if: unsafe access(other, W_OK) == 0, "there is no other one"))
  func two() throws {
    let scratch = try ScratchFolder()
    let root = StoredPath(dataFolder: scratch.path)
    let other = StoredPath(folder: Self.other)
    guard try device(scratch.path) != device(Self.other) else {
      return try FileSystem.requireOneFileSystem(root, other)
    }
    let expected = FileError(.rename, scratch.path, code: EXDEV)
    #expect(throws: expected) { try FileSystem.requireOneFileSystem(root, other) }
  }

  @Test("have words of their own where they are not one")
  func words() {
    let error = FileError(.rename, "data/sessions", code: EXDEV)
    #expect(
      error.description
        == "data/sessions: cannot rename: it is on another file system: expected all of a data folder on one")
    #expect(error.exitCode == 73)
  }
}
