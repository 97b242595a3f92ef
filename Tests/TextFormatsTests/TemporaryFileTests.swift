import Glibc
import Testing
@testable import TextFormats

@Suite("A file without a name")
struct TemporaryFileTests {
  private static let absent = "/nowhere-that-is-there/temporary"

  @Test("that cannot be made says what it was for and where")
  func absentFolder() throws {
    let error = #expect(throws: FileError.self) {
      try TemporaryFile(in: StoredPath(folder: Self.absent), to: "sort readings")
    }
    #expect(
      error?.description
        == "\(Self.absent): cannot create a temporary file to sort readings: No such file or directory")
    #expect(error?.exitCode == 73)
    #expect(error?.isMissing == false, "nothing that was asked for is missing")
  }

  @Test("says who chose its folder, and what did not work")
  func words() {
    func text(_ operation: FileError.Operation, _ choice: TemporaryFile.Use.Choice, _ code: Int32) -> String {
      let use = TemporaryFile.Use(purpose: "unpack an archive", choice: choice)
      return FileError(operation, "/a", code: code).ofTemporaryFile(use).description
    }
    let file = "a temporary file to unpack an archive"
    let lines = [
      (
        text(.create, .variable, EACCES),
        "TMPDIR: /a: cannot create \(file): Permission denied: expected a folder with room to write into"
      ),
      (
        text(.write, .variable, ENOSPC),
        "TMPDIR: /a: writing \(file) failed: No space left on device: expected a folder with room to write into"
      ),
      (
        text(.create, .usual, EROFS),
        "/a: cannot create \(file): Read-only file system: TMPDIR can name another folder"
      ),
      (text(.read, .given, EIO), "/a: reading \(file) failed: Input/output error"),
    ]
    for (line, expected) in lines { #expect(line == expected) }
  }

  @Test("that is full says so with its purpose, and is a file whose folder is not missing")
  func full() throws {
    let use = TemporaryFile.Use(purpose: "sort readings", choice: .usual)
    let error = FileError(.write, "/tmp", code: ENOSPC).ofTemporaryFile(use)
    #expect(error.exitCode == 74)
    #expect(error.named("/tmp") == error)
    #expect(error != FileError(.write, "/tmp", code: ENOSPC))
  }
}
