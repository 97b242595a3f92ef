import Glibc
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("How programs are started")
struct ProgramStartTests {
  /// What a script prints, of a shell with some words behind it.
  private func printed(
    _ script: String, _ words: [String] = [], _ change: (inout ProgramStart) -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let output = try folder.write("", "output")
    var start = ProgramStart(
      "/bin/sh", ["sh", "-c", script, "sh"] + words,
      [.file("/dev/null", flags: O_RDONLY), .file(output, flags: O_WRONLY | O_APPEND), .discarding])
    change(&start)
    let process = try start.run()
    var status: Int32 = -1
    _ = unsafe waitpid(process, &status, 0)
    #expect(status == 0)
    return try POSIXFile(reading: output).readAll(maximumBytes: 1 << 16)
  }

  @Test("Words and variables are the bytes of names, also of those that are no UTF-8")
  func bytes() throws {
    let name = FileName.text([0x78, 0xFF])
    #expect(try printed(#"printf %s "$1""#, [name]) == [0x78, 0xFF])
    #expect(try printed(#"printf %s "$NAME""#) { $0.environment = ["NAME=" + name] } == [0x78, 0xFF])
  }

  @Test("It is in a group of its own")
  func group() throws {
    let text = String(decoding: try printed(#"cut -d ' ' -f 1,5 /proc/$$/stat"#), as: UTF8.self)
    let numbers = text.split(whereSeparator: \.isWhitespace)
    try #require(numbers.count == 2, "\(text)")
    #expect(numbers[0] == numbers[1])
  }

  @Test("Nothing but its descriptors is inherited where that is asked for", arguments: [false, true])
  func descriptors(inheritsNothingElse: Bool) throws {
    let descriptor = unsafe open("/dev/null", O_RDONLY)
    defer { _ = close(descriptor) }
    let text = try printed("if [ -e /proc/$$/fd/\(descriptor) ]; then echo there; else echo gone; fi") {
      $0.inheritsNothingElse = inheritsNothingElse
    }
    #expect(String(decoding: text, as: UTF8.self) == (inheritsNothingElse ? "gone\n" : "there\n"))
  }

  @Test("A program that is not there is an error with its path, and one that is looked for is found by its name")
  func search() throws {
    let missing = ProgramStart("/nowhere/program", ["program"], [])
    #expect(throws: FileError(.start, "/nowhere/program", code: ENOENT)) { try missing.run() }
    var found = ProgramStart("true", ["true"], [])
    #expect(throws: FileError.self) { try found.run() }
    found.isLookedFor = true
    let process = try found.run()
    var status: Int32 = -1
    #expect(unsafe waitpid(process, &status, 0) == process)
    #expect(status == 0)
  }
}
