import Testing
import WorkoutSession

@Suite("A file that gets its name when it is whole")
struct PendingFileTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/file" }

  init() throws { folder = try ScratchFolder() }

  private func content() throws -> String {
    String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 100), as: UTF8.self)
  }

  @Test("Nothing has its name before, and the whole content has it after")
  func commit() throws {
    let file = try PendingFile(path)
    try file.write("one ".utf8.span)
    #expect(!FileSystem.exists(path))
    try file.write("two".utf8.span)
    try file.commit(replacing: false)
    #expect(try content() == "one two")
    #expect(try FileSystem.list(folder.path) == ["file"])
  }

  @Test("What is never finished leaves nothing behind")
  func abandon() throws {
    do {
      let file = try PendingFile(path)
      try file.write("one".utf8.span)
    }
    #expect(try FileSystem.list(folder.path).isEmpty)
  }

  @Test("A name that was taken in the meantime stays with who has it, unless it is to be replaced")
  func taken() throws {
    let file = try PendingFile(path)
    try file.write("new".utf8.span)
    try FileSystem.writeAtomically("old".utf8.span, to: folder.path + "/other")
    try FileSystem.rename(folder.path + "/other", to: path)
    let error = #expect(throws: FileError.self) { try file.commit(replacing: false) }
    #expect(error?.isExisting == true)
    #expect(error?.exitCode == 73)
    #expect(error?.path == path)
    #expect(try content() == "old")
    let second = try PendingFile(path)
    try second.write("new".utf8.span)
    try second.commit(replacing: true)
    #expect(try content() == "new")
  }

  @Test("A folder that is missing is an error about the final name")
  func missing() {
    let error = #expect(throws: FileError.self) { try PendingFile(folder.path + "/none/file") }
    #expect(error?.exitCode == 73)
    #expect(error?.path == folder.path + "/none/file")
  }
}
