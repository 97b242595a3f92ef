import Foundation
import Testing

/// A live run that is fed and stopped by hand.
final class Running {
  let process: ChildProgram
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ program: CoachProgram, _ arguments: [String]) throws {
    process = program.process(["live", "--age", "23", "--format", "jsonl"] + arguments)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Reads until a record of the type was printed.
  func wait(for type: String) -> String {
    var text = ""
    while !text.contains("\"type\":\"\(type)\"") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  /// Reads until a complaint has these words, or there is none any more; what was read.
  func complaints(until words: String) -> String {
    var text = ""
    while !text.contains(words) {
      let data = errors.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  /// Waits for the end and gives the rest of the output, and all complaints.
  func finish() -> (output: String, errors: String, status: Int32) {
    let rest = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (rest, complaints, process.terminationStatus)
  }
}

@Suite("The program: live")
struct LiveEndToEndTests {
  @Test("Commands are answered, bad lines are reported with their number and counted, and the run ends well")
  func commandsAndBadLines() throws {
    let program = try CoachProgram()
    let input =
      risingLines(seconds: 60) + "nonsense\n"
      + #"{"type":"command","id":"a","command":"pause","atSeconds":60.5}"# + "\n"
      + #"{"type":"command","id":"a","command":"pause","atSeconds":60.5}"# + "\n{}\n"
      + #"{"type":"command","id":"b","command":"stop","atSeconds":70}"# + "\n" + "after the end\n"
    let outcome = try program.run(
      [
        "live", "--age", "23", "--target", "z1", "--strategy", "moment:every=30", "--format", "jsonl", "--activity",
        "running",
      ], input: input)
    #expect(outcome.status == 0)
    #expect(
      outcome.lines.filter { $0.contains("acknowledgement") } == [
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true}"#,
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true,"repeated":true}"#,
        #"{"version":1,"type":"acknowledgement","id":"b","accepted":true}"#,
      ])
    #expect(
      outcome.errorLines.prefix(2) == [
        #"coach: standard input: line 62: expected "null", found "n"; a line is one JSON object whose type is one of "#
          + "heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command",
        "coach: standard input: line 65: type: missing, expected one of the types heartRate, steps, location, altitude, "
          + "motion, cadence, distance, speed, rrInterval, direction, command; a line is one JSON object whose type is one of heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command",
      ])
    #expect(outcome.lines.last?.contains(#""badLines":3"#) == true)
    #expect(outcome.lines.filter { $0.contains(#""type":"cue""#) }.count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: program.session().path).sorted()
    #expect(names == ["commands.csv", "decisions.jsonl", "heart_rate.csv", "manifest.json", "summary.json"])
  }

  @Test("With --no-save nothing is kept")
  func noSave() throws {
    let program = try CoachProgram()
    let outcome = try program.run(["live", "--age", "23", "--no-save"], input: risingLines(seconds: 5))
    #expect(outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: program.data))
  }

  @Test("Standard input that holds no sample is exit code 65", arguments: ["", "\n\n", "garbage\nmore\n", "\0\u{1}\n"])
  func garbage(input: String) throws {
    let program = try CoachProgram()
    let outcome = try program.run(["live", "--age", "23"], input: input)
    #expect(outcome.status == 65)
    #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("coach: standard input: ") }, "\(outcome.errors)")
    #expect(outcome.errorLines.last?.hasSuffix("expected samples as lines of JSON") == true)
    #expect(outcome.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: program.data))
  }

  @Test(
    "A signal in the middle of a run ends it with a summary and a complete folder",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
  func signals(signal: Int32, status: Int32) throws {
    let program = try CoachProgram()
    let run = try Running(program, ["--target", "z1", "--strategy", "moment:every=10", "--activity", "running"])
    try run.send(risingLines(seconds: 25))
    let before = run.wait(for: "cue")
    run.process.send(signal)
    let (rest, errors, exit) = run.finish()
    #expect(exit == status)
    #expect(errors.isEmpty)
    let lines = (before + rest).split(separator: "\n")
    #expect(lines.suffix(2).first == #"{"version":1,"type":"ended","atSeconds":25,"reason":"interrupted"}"#)
    #expect(lines.last?.hasPrefix(#"{"version":1,"type":"summary""#) == true)
    let session = try program.session()
    let names = try FileManager.default.contentsOfDirectory(atPath: session.path).sorted()
    #expect(names == ["commands.csv", "decisions.jsonl", "heart_rate.csv", "manifest.json", "summary.json"])
    let replayed = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replayed.status == 0)
    #expect(replayed.errors.isEmpty)
    #expect(replayed.lines.dropLast(2) == lines.dropLast(2)[...])
  }

  @Test("A signal before the first sample ends the run without a summary")
  func signalInStandby() throws {
    let program = try CoachProgram()
    let run = try Running(program, [])
    try run.send(#"{"type":"command","id":"1","command":"lap"}"# + "\n")
    _ = run.wait(for: "acknowledgement")
    run.process.send(SIGINT)
    let (rest, errors, exit) = run.finish()
    #expect(exit == 130)
    #expect(rest.isEmpty)
    #expect(errors.isEmpty)
  }

  @Test("A run that is killed is recovered by the next start of any verb, with all that it had printed")
  func killed() throws {
    let program = try CoachProgram()
    let run = try Running(program, ["--target", "z1", "--strategy", "moment:every=10"])
    try run.send(risingLines(seconds: 25))
    let printed = run.wait(for: "cue")
    run.process.send(SIGKILL)
    _ = run.finish()
    let folder = try program.session()
    let name = folder.lastPathComponent
    #expect(try program.run(["completions", "bash"]).errors.isEmpty)
    let next = try program.run(["zones", "--age", "23"])
    #expect(next.status == 0)
    #expect(next.errors == "coach: \(name): recovered\n")
    #expect(try program.run(["zones", "--age", "23"]).errors.isEmpty)
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.status == 0)
    #expect(list.errors.isEmpty)
    #expect(list.lines.count == 1)
    #expect(list.output.contains(#""sessionID":"\#(name)""#))
    #expect(list.output.contains(#""state":"recovered""#))
    let journal = try String(contentsOf: folder.appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    let first = printed.split(separator: "\n").filter { !$0.contains("acknowledgement") }
    #expect(journal.split(separator: "\n").starts(with: first))
    #expect(journal.hasSuffix(#"{"version":1,"type":"ended","atSeconds":25,"reason":"recovered"}"# + "\n"))
    let rows = try String(contentsOf: folder.appendingPathComponent("heart_rate.csv"), encoding: .utf8)
    #expect(rows.split(separator: "\n").count == 27)
  }

  @Test("A run that ends is in the history, and a second one beside it too")
  func history() throws {
    let program = try CoachProgram()
    let running = try Running(program, ["--target", "z1"])
    try running.send(risingLines(seconds: 5))
    let beside = try program.run(
      ["live", "--age", "23", "--format", "jsonl", "--activity", "running"], input: risingLines(seconds: 25))
    #expect(beside.status == 0)
    // Which of the two begins first is not decided here.
    #expect(beside.errors.isEmpty || beside.errors.contains("is being recorded in"), "\(beside.errors)")
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.errors.isEmpty, "the one that runs is nobody's to close")
    #expect(list.lines.count == 1, "the one that runs is nobody's to close")
    try running.send(#"{"type":"command","id":"1","command":"stop"}"# + "\n")
    #expect(running.finish().2 == 0)
    #expect(try program.run(["history", "list", "--format", "jsonl"]).lines.count == 2)
  }

  @Test("A cue is printed as soon as it is due, not at the end")
  func promptness() throws {
    let program = try CoachProgram()
    let run = try Running(program, ["--target", "z1", "--strategy", "moment:every=10", "--no-save"])
    try run.send(risingLines(seconds: 11))
    #expect(run.wait(for: "cue").contains(#""atSeconds":10"#))
    try run.send(#"{"type":"command","id":"1","command":"stop"}"# + "\n")
    #expect(run.finish().status == 0)
  }

  @Test("A data folder that cannot be written is reported once, exit code 73, and the session is coached all the same")
  func unwritable() throws {
    let program = try CoachProgram()
    let file = try program.folder.write("", to: "file")
    for folder in [file, file + "/below", "/proc/none"] {
      let outcome = try program.run(
        [
          "live", "--age", "23", "--target", "z1", "--strategy", "moment:every=10", "--format", "jsonl", "--activity",
          "running", "--data-dir", folder,
        ], input: risingLines(seconds: 50))
      #expect(outcome.status == 73, "\(folder)")
      #expect(outcome.isOneComplaint, "\(folder): \(outcome.errors)")
      #expect(outcome.errors.contains("the session goes on"), "\(folder): \(outcome.errors)")
      #expect(outcome.lines.filter { $0.contains(#""type":"cue""#) }.count == 5, "\(folder)")
      #expect(outcome.lines.last?.contains(#""type":"summary""#) == true, "\(folder)")
    }
  }

  @Test("The order of the folders is --data-dir, COACH_DATA_DIR, and only the owner can read them")
  func dataFolder() throws {
    let program = try CoachProgram()
    let other = program.folder.url.appendingPathComponent("other")
    _ = try program.run(["live", "--age", "23", "--data-dir", other.path], input: risingLines(seconds: 5))
    #expect(!FileManager.default.fileExists(atPath: program.data))
    let mode = try FileManager.default.attributesOfItem(atPath: other.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o700)
  }

  @Test("The duration ends the run, and the streams that were not chosen are not kept")
  func options() throws {
    let program = try CoachProgram()
    let steps = #"{"type":"steps","atSeconds":1,"count":3}"# + "\n"
    let outcome = try program.run(
      [
        "live", "--age", "23", "--duration", "30s", "--streams", "heart-rate", "--activity", "Night run", "--format",
        "jsonl",
      ], input: steps + risingLines(seconds: 60))
    #expect(outcome.status == 0)
    #expect(outcome.lines.contains { $0 == #"{"version":1,"type":"ended","atSeconds":30,"reason":"durationLimit"}"# })
    #expect(outcome.lines.last?.contains(#""steps""#) == false)
    let session = try program.session()
    #expect(session.lastPathComponent.contains("-night-run-"))
    #expect(!FileManager.default.fileExists(atPath: session.appendingPathComponent("steps.csv").path))
  }
}
