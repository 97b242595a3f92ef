import Foundation
import TestSupport
import Testing

@testable import coach

@Suite("Programs that receive cues")
struct ProgramChannelTests {
  private let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("coach-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private var log: String { (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? "" }

  private func shell(_ script: String, input: String = "") -> ProgramChannel.Run {
    ProgramChannel.Run(
      arguments: ["/bin/sh", "-c", "cd '\(folder.path)' && \(script)", "coach"], input: Array(input.utf8))
  }

  @Test("Every command gets its input, one after another and in order")
  func order() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let channel = ProgramChannel("test", .all(100), secondsEach: 20, guardedBy: ChildGuardian())
    for number in 1...8 {
      channel.send(shell("cat >>log; sleep 0.0\(9 - number); echo '-end' >>log", input: "\(number)"))
    }
    channel.finish(seconds: 30)
    #expect(log == (1...8).map { "\($0)-end\n" }.joined())
    #expect(channel.takeFailure() == nil)
  }

  @Test("Of what waits for a slow program only the newest is announced, and sending takes no time")
  func newest() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let channel = ProgramChannel("test", .newestOnly, secondsEach: 20, guardedBy: ChildGuardian())
    channel.send(shell("touch begun; echo 1 >>log; while [ ! -e go ]; do sleep 0.01; done"))
    try await expectEventually("the program is started") {
      FileManager.default.fileExists(atPath: folder.path + "/begun")
    }
    for number in 2...50 { channel.send(shell("echo \(number) >>log")) }
    _ = FileManager.default.createFile(atPath: folder.path + "/go", contents: nil)
    channel.finish(seconds: 30)
    #expect(log == "1\n50\n")
  }

  @Test("Who waits at the end for a program that runs hears of it once, and waits no longer than somebody wants to")
  func waiting() {
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, words) in [("--on-cue", "the program of --on-cue"), ("espeak-ng", "espeak-ng")] {
      let channel = ProgramChannel(name, .all(10), secondsEach: 60, guardedBy: ChildGuardian())
      channel.send(shell("while [ ! -e go ]; do sleep 0.01; done; echo \(name) >>log; rm go"))
      var said: [String] = []
      channel.finish(seconds: 3_600, unless: { true }, { said.append($0) })
      #expect(said.isEmpty)
      channel.finish(
        seconds: 3_600,
        { line in
          said.append(line)
          _ = FileManager.default.createFile(atPath: folder.path + "/go", contents: nil)
        })
      #expect(said == ["waiting up to 3600 s for \(words) to end: Ctrl-C ends that"])
      #expect(channel.takeFailure() == nil)
    }
    #expect(log == "--on-cue\nespeak-ng\n")
  }

  @Test("A program that hangs is ended, with what it started, and reported once; the next one runs")
  func hanging() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let channel = ProgramChannel("speech", .all(10), secondsEach: 0.3, guardedBy: ChildGuardian())
    channel.send(shell("(sleep 60; echo late >>log) & wait"))
    channel.send(shell("echo next >>log"))
    channel.finish(seconds: 30)
    #expect(log == "next\n")
    #expect(channel.takeFailure() == "speech: took longer than 0 s and was ended")
    #expect(channel.takeFailure() == nil)
  }

  @Test("Failures are reported once, with what is wrong")
  func failures() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let failing = ProgramChannel("a", .all(10), secondsEach: 20, guardedBy: ChildGuardian())
    failing.send(shell("exit 3"))
    failing.send(shell("exit 4"))
    failing.finish(seconds: 30)
    #expect(failing.takeFailure() == "a: failed with status 3")
    #expect(failing.takeFailure() == nil)
    let missing = ProgramChannel("b", .all(10), secondsEach: 20, guardedBy: ChildGuardian())
    missing.send(ProgramChannel.Run(arguments: ["no-such-program-\(UUID())"], input: []))
    missing.finish(seconds: 30)
    #expect(missing.takeFailure() == "b: No such file or directory")
    let killed = ProgramChannel("c", .all(10), secondsEach: 20, guardedBy: ChildGuardian())
    killed.send(shell("kill -TERM $$"))
    killed.finish(seconds: 30)
    #expect(killed.takeFailure() == "c: failed with status 143")
  }

  @Test("A program that reads nothing disturbs nobody, and one that prints is not heard")
  func deaf() {
    defer { try? FileManager.default.removeItem(at: folder) }
    let channel = ProgramChannel("test", .all(10), secondsEach: 20, guardedBy: ChildGuardian())
    let text = String(repeating: "x", count: 300_000)
    channel.send(shell("exec 0<&-; echo loud; echo loud >&2; touch log", input: text))
    channel.finish(seconds: 30)
    #expect(log.isEmpty)
    #expect(channel.takeFailure() == nil)
  }

  @Test("The first program that is installed is taken")
  func installed() {
    #expect(InstalledPrograms.first(of: ["no-such-program", "sh", "cat"]) == "sh")
    #expect(InstalledPrograms.first(of: ["sh"], path: folder.path) == nil)
    #expect(InstalledPrograms.first(of: []) == nil)
  }
}
