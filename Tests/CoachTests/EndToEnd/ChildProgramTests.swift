import Foundation
import Testing

@Suite("A program that a test starts")
struct ChildProgramTests {
  private func output(of child: ChildProgram) throws -> String {
    let pipe = Pipe()
    child.standardOutput = pipe
    try child.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    return text
  }

  @Test("It inherits its standard streams alone, whatever is open here")
  func descriptors() throws {
    // Not one of these is closed by itself in a child.
    let open = (0..<20).map { _ in Pipe() }
    let high = fcntl(
      open[0].fileHandleForReading.fileDescriptor, F_DUPFD, Int32(min(3_000, sysconf(Int32(_SC_OPEN_MAX)) - 100)))
    defer { close(high) }
    // The shell opens the folder itself for a moment.
    let child = ChildProgram("/bin/sh", ["-c", "for f in /proc/$$/fd/*; do test -e $f && echo ${f##*/}; done; true"])
    #expect(try output(of: child) == "0\n1\n2\n")
    #expect(open.count == 20)
    #expect(high >= 0)
  }

  @Test("It has the environment that it is given, and what a sanitizer and the script of the tests need")
  func environment() throws {
    let child = ChildProgram("/usr/bin/env", [])
    child.environment = ["ONLY": "this"]
    let expected = ChildProgram.inheritedVariables.merging(["ONLY": "this"]) { $1 }.map { "\($0)=\($1)" }
    #expect(try output(of: child).split(separator: "\n").map(String.init).sorted() == expected.sorted())
    let needed = ["LSAN_OPTIONS": "1", "ASAN_OPTIONS": "2", "ASAN_SYMBOLIZER_PATH": "3", "RUN_TESTS_MARK": "4"]
    #expect(ChildProgram.inherited(from: needed.merging(["HOME": "/", "LSAN": "5"]) { $1 }) == needed)
  }

  @Test("So has what is started in a terminal, and in a shell before the program")
  func environmentBehindOthers() async throws {
    let program = try CoachProgram()
    let variables = ChildProgram.inheritedVariables.merging(["GIVEN": "this"]) { $1 }.map { "\($0)=\($1)" }
    let file = program.folder.url.appendingPathComponent("environment").path
    let terminal = try await program.terminal(
      environment: ["GIVEN": "this"], running: "env >'\(file)'.part; mv '\(file)'.part '\(file)'")
    try await expectEventually("the environment is written") { FileManager.default.fileExists(atPath: file) }
    terminal.close()
    let inTerminal = Set(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init))
    #expect(Set(variables).subtracting(inTerminal).isEmpty, "\(inTerminal)")
    let shell = program.process([], before: "env >'\(file)'; exit;", environment: ["GIVEN": "this"])
    try shell.run()
    shell.waitUntilExit()
    let inShell = Set(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init))
    #expect(Set(variables).subtracting(inShell).isEmpty, "\(inShell)")
  }

  @Test("Its end is seen although another one goes on, and how it ended is reported")
  func end() throws {
    let other = ChildProgram("/bin/cat", [])
    let life = Pipe()
    other.standardInput = life
    try other.run()
    let cases: [(String, status: Int32, wasKilled: Bool)] = [
      ("exit 0", 0, false), ("exit 9", 9, false), ("kill -KILL $$", 9, true), ("kill -TERM $$", 15, true),
    ]
    for (script, status, wasKilled) in cases {
      let child = ChildProgram("/bin/sh", ["-c", script])
      try child.run()
      child.waitUntilExit()
      #expect(child.terminationStatus == status, "\(script)")
      #expect(child.wasKilled == wasKilled, "\(script)")
    }
    #expect(other.isRunning)
    try life.fileHandleForWriting.close()
    other.waitUntilExit()
    #expect(other.terminationStatus == 0)
  }

  @Test("One that does not end is a failure, and ended")
  func deadline() throws {
    let child = ChildProgram("/bin/sleep", ["1000"])
    try child.run()
    withKnownIssue {
      child.waitUntilExit(seconds: 0)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("sleep [\"1000\"] does not end") }
    }
    #expect(child.wasKilled)
    #expect(child.terminationStatus == SIGKILL)
  }

  @Test("What is not there cannot be started")
  func absent() {
    #expect(throws: ChildProgram.CannotStart.self) { try ChildProgram("/nowhere/program", []).run() }
  }
}
