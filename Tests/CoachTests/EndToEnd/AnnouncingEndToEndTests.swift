import Foundation
import Glibc
import Testing

@Suite("The program: cues beside the screen")
struct AnnouncingEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// Three cues: below, in and above 119–137.
  private static let input = (0...180).map { second in
    let bpm = [100, 128, 160][min(2, (second - 1) / 60)]
    return #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(bpm)}"# + "\n"
  }.joined()

  private func live(_ more: String..., environment: [String: String] = [:]) throws -> CoachProgram.Outcome {
    try program.run(
      [
        "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=60", "--no-save", "--format", "jsonl",
        "--activity", "running",
      ] + more,
      input: Self.input, environment: environment)
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: program.folder.url.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }

  /// A program in a file. It is written by another process: while this one has it open for writing, a child that another
  /// test starts may have it so too, and then it cannot be run.
  private func script(_ name: String, _ body: String) throws -> String {
    let path = program.folder.url.appendingPathComponent(name).path
    let writing = ChildProgram("/bin/sh", ["-c", #"cat >"$1" && chmod 755 "$1""#, "sh", path])
    let pipe = Pipe()
    writing.standardInput = pipe
    try writing.run()
    pipe.fileHandleForWriting.write(Data(("#!/bin/sh\ncd '\(program.folder.url.path)'\n" + body + "\n").utf8))
    try pipe.fileHandleForWriting.close()
    writing.waitUntilExit()
    try #require(writing.terminationStatus == 0)
    return path
  }

  @Test("A command gets the record of every cue, the very line that is printed")
  func commands() throws {
    let command = try script("announced", "cat >>cues.jsonl")
    let outcome = try live("--on-cue", command)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let cues = outcome.lines.filter { $0.contains(#""type":"cue""#) }
    #expect(cues.count == 3)
    #expect(text("cues.jsonl") == cues.map { $0 + "\n" }.joined())
  }

  @Test("Sentences are spoken one after another, with what they are based on", arguments: [true, false])
  func speech(asArgument: Bool) throws {
    let command = try script("voice", asArgument ? #"[ $# = 1 ] && echo "$1" >>said"# : "cat >>said")
    let outcome = try live("--say-command", asArgument ? command + " {}" : command)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let said = text("said").split(separator: "\n")
    let all = ["100, below target. Speed up.", "128, on target. Hold.", "160, above target. Ease off."]
    // The run takes no time here: a sentence that waits is overtaken by the next. The last one is always said.
    #expect(said.last.map(String.init) == all[2], "\(said)")
    #expect(said.allSatisfy { all.contains(String($0)) }, "\(said)")
  }

  @Test("Of a recording that is played all is said in its order, the same at every speed")
  func playedSpeech() throws {
    let command = try script("voice", "cat >>said")
    let rows = (0...165).map { second in "\(second),\(120 + second % 3),\(46 + Double(second) * 6.5 / 111_150),23\n" }
    let path = try program.folder.write("time_s,heart_rate_bpm,latitude,longitude\n" + rows.joined(), to: "run.csv")
    var spoken: [String] = []
    for speed in ["40", "400", "max"] {
      let outcome = try program.run([
        "live", "--age", "23", "--plan", "20s z1, 30s z2, open z1", "--strategy", "none", "--no-save",
        "--source", "file:\(path)", "--speed", speed, "--say-command", command,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      spoken.append(text("said"))
      try FileManager.default.removeItem(at: program.folder.url.appendingPathComponent("said"))
    }
    let first = spoken[0]
    #expect(first.split(separator: "\n").count { $0 == "3" } == 2, "\(first)")
    #expect(first.contains("3\n2\n1\n"), "\(first)")
    #expect(first.contains("Kilometer 1"), "\(first)")
    for said in spoken { #expect(said == first) }
  }

  @Test("The program for speech is looked for; where there is none the run goes on and says so once")
  func installedSpeech() throws {
    let bin = program.folder.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    let none = try live("--say", "--notify", environment: ["PATH": bin.path])
    #expect(none.status == 0, "\(none.errors)")
    #expect(none.errorLines.count == 2, "\(none.errors)")
    #expect(none.errors.contains("--say: none of espeak-ng, spd-say, espeak is installed"))
    _ = try script("bin/espeak-ng", #"echo "$@" >>said"#)
    _ = try script("bin/notify-send", #"echo "$@" >>shown"#)
    let some = try live("--say", "--notify", environment: ["PATH": bin.path])
    #expect(some.status == 0, "\(some.errors)")
    #expect(some.errors.isEmpty, "\(some.errors)")
    #expect(text("said").hasSuffix("-- 160, above target. Ease off.\n"))
    #expect(text("shown").hasSuffix("--app-name=coach -- ▼ SLOW DOWN 160, above target. Ease off.\n"))
  }

  @Test("A speaker that fails disturbs nothing: the records are the same, and it is reported once")
  func failing() throws {
    let plain = try live()
    let outcome = try live("--say-command", "exit 7", "--on-cue", "no-such-program-of-anybody")
    #expect(outcome.status == 0)
    #expect(outcome.output == plain.output)
    #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("coach: --say-command: failed with status 7"))
    #expect(outcome.errors.contains("coach: --on-cue: failed with status 127"))
  }

  @Test("Who ends a run while a program of a cue goes on hears what is waited for, and a second Ctrl-C ends that")
  func waitingForCommand() throws {
    let run = try Running(
      program, ["--target", "z1", "--strategy", "moment:every=30", "--on-cue", "exec sleep 600"])
    try run.send((0...70).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":60}"# + "\n" }.joined())
    _ = run.wait(for: "cue")
    run.process.send(SIGINT)
    let words = "coach: waiting up to 10 s for the program of --on-cue to end: Ctrl-C ends that\n"
    let said = run.complaints(until: words)
    #expect(said.contains(words), "\(said)")
    run.process.send(SIGINT)
    let end = run.finish()
    #expect(end.status == 130, "\(end.errors)")
    #expect(!end.errors.contains("waiting"), "\(end.errors)")
    #expect(end.output.contains(#""type":"summary""#), "\(end.output)")
  }
}
