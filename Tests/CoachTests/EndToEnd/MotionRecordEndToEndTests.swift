import Foundation
import Testing

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
