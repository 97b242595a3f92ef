import Foundation
import Testing

@Suite("The program: a session that is followed", .serialized, .onOwnThread)
struct FollowEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// A live session in real time that somebody else feeds, and the sender's end of its input.
  private func live() throws -> (process: ChildProgram, input: FileHandle, output: URL) {
    let process = program.process([
      "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=5", "--clock", "samples", "--format",
      "jsonl",
    ])
    let pipe = Pipe()
    let output = URL(fileURLWithPath: try program.folder.write("", to: "live.jsonl"))
    process.standardInput = pipe
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, pipe.fileHandleForWriting, output)
  }

  private static func lines(_ seconds: Range<Int>) -> Data {
    Data(
      seconds.map { second in
        #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(110 + second % 40)}"# + "\n"
          + (second % 3 == 0 ? #"{"type":"steps","atSeconds":\#(second),"count":8}"# + "\n" : "")
      }.joined().utf8)
  }

  private func waitUntilRecorded() async throws {
    let marks = program.data + "/unfinished"
    try await expectEventually("a session is recorded") {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: marks)) ?? []
      return names.contains { !$0.hasPrefix(".") }
    }
  }

  private static func size(_ file: URL) throws -> Int { try Data(contentsOf: file).count }

  /// What a session emitted, without the answers to commands and without its summary's name.
  private static func emitted(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.contains(#""type":"acknowledgement""#) }
  }

  @Test("A second screen shows what the first one shows, to the byte, whenever it begins to watch")
  func same() async throws {
    let (live, input, output) = try live()
    try input.write(contentsOf: Self.lines(0..<60))
    try await waitUntilRecorded()
    let watcher = program.process(["follow", "--format", "jsonl"])
    let seen = URL(fileURLWithPath: try program.folder.write("", to: "follow.jsonl"))
    watcher.standardInput = FileHandle.nullDevice
    watcher.standardOutput = try FileHandle(forWritingTo: seen)
    watcher.standardError = FileHandle.nullDevice
    try watcher.run()
    for part in 0..<8 {
      let sizes = try (Self.size(output), Self.size(seen))
      try input.write(contentsOf: Self.lines(60 + 15 * part..<75 + 15 * part))
      if part == 2 {
        try input.write(contentsOf: Data("{\"type\":\"command\",\"id\":\"1\",\"command\":\"pause\"}\n".utf8))
      }
      if part == 3 {
        try input.write(contentsOf: Data("{\"type\":\"command\",\"id\":\"2\",\"command\":\"resume\"}\n".utf8))
      }
      if part == 5 {
        let change = "{\"type\":\"command\",\"id\":\"3\",\"command\":\"target\",\"target\":\"z3\"}\n"
        try input.write(contentsOf: Data(change.utf8))
      }
      try await expectEventually("part \(part) is shown by the first screen") { try Self.size(output) > sizes.0 }
      // In a pause nothing is shown but the answer to a command, which the second screen leaves out.
      if part != 3 {
        try await expectEventually("part \(part) is shown by the second screen") { try Self.size(seen) > sizes.1 }
      }
    }
    try input.write(contentsOf: Data("{\"type\":\"command\",\"id\":\"4\",\"command\":\"stop\"}\n".utf8))
    live.waitUntilExit()
    // It ends with the session.
    try await watcher.waitForExit()
    #expect(live.terminationStatus == 0)
    #expect(watcher.terminationStatus == 0)
    let first = Self.emitted(try String(contentsOf: output, encoding: .utf8))
    let second = Self.emitted(try String(contentsOf: seen, encoding: .utf8))
    #expect(first.count > 30)
    // The recorder knows who ended it and counts bad lines; both are no matter of the samples.
    #expect(second.dropLast(2) == first.dropLast(2))
    let decided = try #require(first.last?.firstRange(of: #""cues":{"#))
    let cues = first.last?[decided.lowerBound...].prefix { $0 != "}" }
    #expect(cues.map { second.last?.contains($0) == true } == true)
  }

  @Test("On a terminal it is the same screen, and q leaves it without ending the run")
  func screen() async throws {
    let (live, input, _) = try live()
    try input.write(contentsOf: Self.lines(0..<70))
    try await waitUntilRecorded()
    let terminal = try await program.terminal(running: "\"$COACH\" follow; echo \"status $?\"")
    try await terminal.expect("target 119–137 bpm")
    try await terminal.expect("watching only")
    try terminal.type("Space", "+", "q")
    try await terminal.expect("status 0")
    try await terminal.expectSane()
    try input.write(contentsOf: Self.lines(70..<80))
    try input.close()
    live.waitUntilExit()
    #expect(live.terminationStatus == 0)
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(!decisions.contains("paused"))
    #expect(!decisions.contains("targetChanged"))
  }

  @Test("Where nothing runs there is nothing to follow")
  func nothing() throws {
    let outcome = try program.run(["follow"])
    #expect(outcome.status == 66)
    #expect(outcome.isOneComplaint)
    #expect(outcome.errors.contains("no session is running"))
    let named = try program.run(["follow", "2026"])
    #expect(named.status == 66)
    #expect(named.isOneComplaint)
  }

  @Test("A run whose process is killed ends what is followed, and is recovered by the next start")
  func killed() async throws {
    let (live, input, _) = try live()
    try input.write(contentsOf: Self.lines(0..<70))
    try await waitUntilRecorded()
    let terminal = try await program.terminal(running: "\"$COACH\" follow --view lines; echo \"status $?\"")
    try await terminal.expect("started")
    live.send(SIGKILL)
    try await terminal.expect("status 0")
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.lines.count == 1)
    #expect(list.output.contains(#""state":"recovered""#))
  }
}
