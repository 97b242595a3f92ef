import ActivityRecognition
import Foundation
import Testing
import TextFormats

@Suite("The program: a recording of motion under a label")
struct MotionRecordEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// Motion at 50 Hz, with other lines in between.
  private func lines(seconds: Double, between others: [String]) -> String {
    let rows = (0...Int(seconds * 50)).map { index in
      #"{"type":"motion","atSeconds":\#(Double(index) / 50),"acceleration":[0,0.\#(index % 10),1],"rotationRate":[0,0,0]}"#
    }
    return (rows.prefix(10) + others + rows.dropFirst(10)).joined(separator: "\n") + "\n"
  }

  private static let options = ["motion", "record", "--label", "walking", "--get-ready", "0", "--seconds", "2"]

  @Test("Lines that cannot be used are reported: the first with its number and what was expected, then how many")
  func badLines() throws {
    let others = ["hello", "", #"{"type":"motion","atSeconds":0.2,"acceleration":[1,2]}"#, #"{"type":"dance"}"#]
    let outcome = try program.run(Self.options, input: lines(seconds: 3, between: others))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("2.0 s of walking by me"), "\(outcome.output)")
    let complaints = outcome.errorLines.filter { $0.contains("standard input: ") }
    #expect(complaints.count == 2, "\(outcome.errors)")
    let first = "coach: standard input: line 11: expected a value, found \"h\"; a line is one JSON object "
    #expect(complaints.first?.hasPrefix(first) == true, "\(complaints)")
    #expect(complaints.last == "coach: standard input: 3 lines could not be used", "\(complaints)")
  }

  @Test("Samples that come late are counted, with the time of the first, and the record has how many there were")
  func leftOut() throws {
    let late = #"{"type":"motion","atSeconds":0.1,"acceleration":[0,0,1]}"#
    let outcome = try program.run(
      Self.options + ["--format", "jsonl"], input: lines(seconds: 3, between: ["x", late, late, "y", late]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errorLines.contains("coach: standard input: 2 lines could not be used"), "\(outcome.errors)")
    #expect(
      outcome.errorLines.contains(
        "coach: 3 samples that are not later than the one before left out, the first at 0.10 s"), "\(outcome.errors)")
    #expect(outcome.output.contains(#""badLines":2,"lateSamples":3"#), "\(outcome.output)")
  }

  @Test("A rate of which nothing can be learned is said when it is recorded")
  func slow() throws {
    let text = lines(seconds: 30, between: []).split(separator: "\n").enumerated().filter { $0.offset % 10 == 0 }
    let outcome = try program.run(Self.options, input: text.map { $0.element + "\n" }.joined())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errorLines.contains("coach: 5.0 samples a second: motion train expects 20 to 200"), "\(outcome.errors)")
  }

  @Test("A label has any characters that can be seen, and one that says that nobody knows is refused alike everywhere")
  func labels() throws {
    let label = #"running, "fast""#
    let options = ["motion", "record", "--get-ready", "0", "--seconds", "2", "--person", "anna-b", "--label"]
    let outcome = try program.run(
      options + [label, "--format", "jsonl"], input: lines(seconds: 3, between: []))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(#""label":"running, \"fast\"","person":"anna-b""#), "\(outcome.output)")
    let folder = program.data + "/motion"
    let file = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.hasSuffix(".csv") })
    let inspected = try program.run(["inspect", folder + "/" + file, "--format", "jsonl"])
    #expect(inspected.output.contains(#""label":"running, \"fast\"""#), "\(inspected.output)")
    let checked = try program.run(["history", "check"])
    #expect(!(checked.output + checked.errors).contains("motion/"), "\(checked.output) \(checked.errors)")
    for word in ["Unknown", "none", " ", "a\u{200B}b"] {
      let recorded = try program.run(options + [word], input: "")
      #expect(recorded.status == 64, "\(word.visible): \(recorded.errors)")
      #expect(recorded.isOneComplaint, "\(recorded.errors)")
      #expect(recorded.errors.contains("expected \(ActivityLabel.expected)"), "\(recorded.errors)")
      let labelled = try program.run(["history", "label", "latest", "0:05", "0:18", word])
      #expect(labelled.status == 64, "\(word.visible): \(labelled.errors)")
      #expect(labelled.isOneComplaint, "\(labelled.errors)")
      #expect(labelled.errors.contains("expected \(ActivityLabel.expected)"), "\(labelled.errors)")
    }
  }

  @Test("Nothing but lines that cannot be used is refused, and what is wrong with them is said")
  func nothingUsable() throws {
    let outcome = try program.run(Self.options, input: "1,2,3\n4,5,6\n")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errorLines.contains { $0.hasPrefix("coach: standard input: line 1: ") }, "\(outcome.errors)")
    #expect(outcome.errorLines.contains("coach: standard input: 2 lines could not be used"), "\(outcome.errors)")
    #expect(outcome.errors.contains("expected 2 s of it"), "\(outcome.errors)")
  }

  @Test("What is as it should be has no complaint")
  func good() throws {
    let outcome = try program.run(Self.options, input: lines(seconds: 3, between: []))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errorLines == ["coach: recording walking", "coach: done"])
  }

  @Test("That rows were made even is said only where that changed something")
  func evenRate() throws {
    let text = lines(seconds: 3, between: [])
    let same = try program.run(Self.options + ["--rows-per-second", "50"], input: text)
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.errorLines == ["coach: recording walking", "coach: done"])
    let fewer = try program.run(Self.options + ["--rows-per-second", "25"], input: text)
    #expect(fewer.status == 0, "\(fewer.errors)")
    #expect(fewer.errorLines.contains("coach: resampled from 50.0 to 25.0 Hz"), "\(fewer.errors)")
    let uneven = text.replacing(#""atSeconds":0.5,"#, with: #""atSeconds":0.504,"#)
    let moved = try program.run(Self.options + ["--rows-per-second", "50"], input: uneven)
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(moved.errorLines.contains("coach: times made even at 50.0 Hz"), "\(moved.errors)")
  }

  @Test(
    "Sources that measure no motion are refused in a line, whatever else is said of them",
    arguments: [
      ["--source", "simulated"], ["--source", "simulated:7", "--speed", "max"],
      ["--source", "simulated", "--behaviour", "relapse"], ["--source", "strap"],
      ["--source", "simulated", "--source", "strap"],
    ])
  func withoutMotion(sources: [String]) throws {
    let outcome = try program.run(Self.options + sources)
    #expect(outcome.status == 64, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains("measures motion"), "\(outcome.errors)")
  }

  /// Interrupts a recording of ten seconds once a line with three seconds of motion has said so much on standard error.
  private func interrupted(
    _ signal: Int32, getReady: Int = 0, options: [String] = [], after text: String
  ) throws -> (status: Int32, output: String, complaints: [String]) {
    let process = program.process(
      ["motion", "record", "--label", "walking", "--get-ready", "\(getReady)"] + options)
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let samples = Array(repeating: "[0,0,1]", count: 151).joined(separator: ",")
    let line = #"{"type":"motion","atSeconds":0,"rateHz":50,"acceleration":[\#(samples)]}"# + "\n"
    try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    var said = ""
    while !said.contains(text) {
      let data = errors.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += String(decoding: data, as: UTF8.self)
    }
    process.send(signal)
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    said += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, printed, said.split(separator: "\n").map(String.init))
  }

  /// The recordings of motion that are kept.
  private func kept() -> [String] {
    let folder = program.data + "/motion/me"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test(
    "What was recorded until a signal is kept and reported",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signal(signal: Int32, status: Int32) throws {
    let outcome = try interrupted(signal, after: "recording walking")
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.complaints == ["coach: recording walking", "coach: interrupted after 3.0 s, which are kept"])
    #expect(outcome.output.contains("3.0 s of walking by me"), "\(outcome.output)")
    let names = kept()
    #expect(names.count == 1)
    let text = try String(contentsOfFile: program.data + "/motion/me/" + (names.first ?? ""), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 152)
  }

  @Test("A recording that is interrupted takes no place of an earlier one")
  func signalBeforeReplacing() throws {
    let whole = try program.run(Self.options, input: lines(seconds: 3, between: []))
    #expect(whole.status == 0, "\(whole.errors)")
    let outcome = try interrupted(SIGINT, options: ["--replace"], after: "recording walking")
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.complaints.last == "coach: interrupted after 3.0 s, which are kept beside the earlier ones")
    #expect(kept().count == 2)
  }

  @Test("Of a countdown that is interrupted nothing is kept, which is said")
  func signalWhileGettingReady() throws {
    let outcome = try interrupted(SIGINT, getReady: 5, after: "get ready: 2")
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.complaints.last == "coach: interrupted before anything was recorded: nothing is kept")
    #expect(outcome.output.isEmpty)
    #expect(kept().isEmpty)
  }

  @Test("What was recorded is inspected and imported without a warning")
  func isRead() throws {
    #expect(try program.run(Self.options, input: lines(seconds: 3, between: [])).status == 0)
    let file = program.data + "/motion/me/" + (kept().first ?? "")
    let inspected = try program.run(["inspect", file, "--format", "jsonl"])
    #expect(inspected.status == 0)
    #expect(inspected.errors.isEmpty, "\(inspected.errors)")
    #expect(!inspected.output.contains("unknownColumns"), "\(inspected.output)")
  }

  @Test("A unit of a played file that was guessed is said once, by motion record and by live")
  func guessedUnit() throws {
    let rows = (0..<300).map { "\(Double($0) / 100),0.1,0.\($0 % 10),9.8\n" }.joined()
    let file = try program.folder.write("time_s,acc_x,acc_y,acc_z\n" + rows, to: "a.csv")
    for verb in [Self.options, ["live", "--age", "35", "--no-save"]] {
      let outcome = try program.run(verb + ["--source", "file:" + file, "--speed", "max"])
      let said = outcome.errorLines.filter { $0.contains("the unit is not stated") }
      #expect(
        said == ["coach: \(file): line 1: the unit is not stated, so it was guessed (acceleration in m/s²)"],
        "\(outcome.errors)")
    }
  }

  @Test("A virtual runner beside a source of motion does not disturb it")
  func beside() throws {
    let sources = ["--source", "stdin", "--source", "simulated:7", "--speed", "max"]
    let outcome = try program.run(Self.options + sources, input: lines(seconds: 3, between: []))
    #expect(outcome.status == 0, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.output.contains("2.0 s of walking by me"), "\(outcome.output)")
  }

  @Test(
    "Each verb that reads sources ends by itself, or with what is wrong, with every kind of them",
    arguments: [["live", "--age", "35", "--no-save", "--duration", "2"], options],
    ["stdin", "file", "tcp:192.0.2.1:5000", "unix:/none/x.sock", "simulated"])
  func everySource(verb: [String], kind: String) throws {
    let text = lines(seconds: 3, between: [])
    let isPlayed = ["file", "simulated"].contains(kind)
    let source = kind == "file" ? "file:" + (try program.folder.write(text, to: "motion.jsonl")) : kind
    let outcome = try program.run(
      verb + ["--source", source] + (isPlayed ? ["--speed", "max"] : []), input: text)
    // What ends by an accident has the number of a signal.
    #expect([0, 64, 65, 66, 69, 73, 74].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
  }
}
