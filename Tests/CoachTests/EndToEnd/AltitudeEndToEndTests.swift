import Foundation
import Testing

@Suite("The program: altitudes beside no position")
struct AltitudeEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let seconds = 600

  /// The altitude of a second: up 30 m and down again.
  private static func meters(_ second: Int) -> Double { 200 + Double(min(second, seconds - second)) / 10 }

  /// A run on a treadmill that moves, with a barometer; of every other altitude the line is called a position.
  private static var lines: String {
    (0...seconds).map { second in
      let type = second % 2 == 0 ? "altitude" : "location"
      return #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second / 60)}"# + "\n"
        + #"{"type":"\#(type)","atSeconds":\#(second),"altitudeMeters":\#(meters(second))}"# + "\n"
    }.joined()
  }

  private func text(_ path: URL) throws -> String { try String(contentsOf: path, encoding: .utf8) }

  private func rows(of session: URL) throws -> [Substring] {
    try text(session.appendingPathComponent("altitude.csv")).split(separator: "\n")
  }

  private func page(of session: URL, in data: [String] = []) throws -> String {
    let file = program.folder.url.appendingPathComponent("page.html")
    let report = try program.run(["report", session.lastPathComponent, "--output", file.path] + data)
    #expect(report.status == 0, "\(report.errors)")
    return try text(file)
  }

  @Test("are kept, stand in the report with what was climbed, and change nothing that was decided")
  func live() throws {
    let options = [
      "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=60", "--format", "jsonl", "--activity",
      "running",
    ]
    let outcome = try program.run(options, input: Self.lines)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let session = try program.session()
    let kept = try rows(of: session)
    #expect(kept.count == Self.seconds + 2)
    #expect(kept.first == "time,at_s,altitude_m")
    #expect(kept.last?.hasSuffix(",600,200") == true)
    #expect(!FileManager.default.fileExists(atPath: session.appendingPathComponent("location.csv").path))
    let replayed = try program.run(["replay", session.path, "--format", "jsonl"])
    func cues(_ outcome: CoachProgram.Outcome) -> [Substring] {
      outcome.lines.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(cues(replayed) == cues(outcome))
    #expect(!cues(outcome).isEmpty)
    let page = try page(of: session)
    #expect(page.contains("Altitude"))
    #expect(page.contains("30 m up"), "the climb of 30 m is not in the page")
  }

  /// Runs with a grade-adjusted pace as the target, and holds the cues against those of the replay of what was kept.
  private func expectSameCues(inReplayOf lines: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try program.run(
      ["live", "--age", "30", "--target", "4:30-5:30/km-gap", "--strategy", "moment:every=3", "--format", "jsonl"],
      input: lines)
    let replayed = try program.run(["replay", program.session().path, "--format", "jsonl"])
    func cues(_ outcome: CoachProgram.Outcome) -> [Substring] {
      outcome.lines.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(cues(replayed) == cues(outcome), sourceLocation: sourceLocation)
    #expect(cues(outcome).contains { $0.contains("gradePercent") }, sourceLocation: sourceLocation)
  }

  @Test("that come late over the end of a pause are judged in a replay as they were in the run")
  func late() throws {
    let lines = (0..<300).map { second in
      var lines = [#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":130}"#]
      if second >= 2 {
        let before = second - 2
        let meters = 100 + Double(before) * 0.15 + Double(before * 7 % 5) * 4
        lines.append(#"{"type":"altitude","atSeconds":\#(before).6,"altitudeMeters":\#(meters)}"#)
      }
      let latitude = 46 + Double(second) * 2.6 / 111_200
      lines.append(#"{"type":"location","atSeconds":\#(second).3,"latitude":\#(latitude),"longitude":23}"#)
      if second == 90 { lines.append(#"{"type":"command","id":"1","command":"pause"}"#) }
      if second == 97 { lines.append(#"{"type":"command","id":"2","command":"resume"}"#) }
      return lines.joined(separator: "\n") + "\n"
    }.joined()
    try expectSameCues(inReplayOf: lines)
  }

  @Test("that come before the position of their instant are judged in a replay as they were in the run")
  func beforePosition() throws {
    let lines = (0..<300).map { second in
      let meters = 100 + Double(second) * 0.1 + Double(second * second % 97) * 0.1
      let latitude = 46 + Double(second) * 2.6 / 111_200
      return #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":130}"# + "\n"
        + #"{"type":"altitude","atSeconds":\#(second),"altitudeMeters":\#(meters)}"# + "\n"
        + #"{"type":"location","atSeconds":\#(second),"latitude":\#(latitude),"longitude":23}"# + "\n"
    }.joined()
    try expectSameCues(inReplayOf: lines)
  }

  @Test("of a recording with holes in its way are one series, played, replayed, and in the replay of what was kept")
  func played() throws {
    let file = program.folder.url.appendingPathComponent("holes.csv")
    let rows = (0...Self.seconds).map { second in
      let place = second % 40 == 7 ? "," : "\(46 + Double(second) * 2.6 / 111_200),23"
      return String(format: "2026-03-20T07:%02d:%02dZ", second / 60, second % 60)
        + ",\(120 + second / 60),\(place),\(Self.meters(second)),\(Double(second) * 2.6)"
    }
    try (["time,heart_rate,latitude,longitude,altitude,distance"] + rows).joined(separator: "\n").appending("\n")
      .write(to: file, atomically: true, encoding: .utf8)
    let options = ["--age", "30", "--target", "5:00-6:00/km-gap", "--strategy", "moment:every=20", "--format", "jsonl"]
    let played = try program.run(
      ["live", "--source", "file:" + file.path, "--speed", "max", "--activity", "running"] + options)
    #expect(played.status == 0, "\(played.errors)")
    func cues(_ outcome: CoachProgram.Outcome) -> [Substring] {
      outcome.lines.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    let session = try program.session()
    #expect(cues(try program.run(["replay", session.path, "--format", "jsonl"])) == cues(played))
    #expect(cues(try program.run(["replay", file.path, "--activity", "running"] + options)) == cues(played))
    #expect(cues(played).count >= Self.seconds / 20 - 1)
    // Of the first moment the grade may not be known yet.
    #expect(cues(played).dropFirst().allSatisfy { $0.contains("gradePercent") })
    #expect(try page(of: session).contains("30 m up"))
  }

  @Test("of a table come with an import, out again with an export, and are counted by inspect")
  func table() throws {
    let file = program.folder.url.appendingPathComponent("barometer.csv")
    let rows = (0...Self.seconds).map { second in
      String(format: "2026-03-20T07:%02d:%02dZ", second / 60, second % 60)
        + ",\(120 + second / 60),\(Self.meters(second))"
    }
    try (["time,heart_rate,enhanced_altitude"] + rows).joined(separator: "\n").appending("\n")
      .write(to: file, atomically: true, encoding: .utf8)
    let inspected = try program.run(["inspect", file.path, "--format", "jsonl"])
    #expect(inspected.output.contains(#""altitude":{"count":601}"#), "\(inspected.output)")
    #expect(try program.run(["import", file.path, "--age", "23"]).status == 0)
    let session = try program.session()
    let kept = try self.rows(of: session)
    #expect(kept.count == Self.seconds + 2)
    #expect(kept.dropFirst().first == "2026-03-20T07:00:00Z,0,200")
    #expect(try page(of: session).contains("30 m up"))
    for format in ["csv", "tcx", "fit", "sensogather-csv"] {
      let exported = program.folder.url.appendingPathComponent("again.\(format)")
      let export = try program.run([
        "history", "export", session.lastPathComponent, "--as", format, "--output", exported.path,
      ])
      #expect(export.status == 0, "\(format): \(export.errors)")
      let again = try program.run(["inspect", exported.path, "--format", "jsonl"])
      #expect(again.output.contains(#""altitude":{"count":601}"#), "\(format): \(again.output) \(again.errors)")
    }
  }

  @Test(
    "of a barometer beside those of a receiver stay apart, also in a file that is imported", arguments: ["csv", "tcx"])
  func twoSensors(format: String) throws {
    let lines = (0...Self.seconds).map { second in
      let latitude = 46 + Double(second) * 2.6 / 111_200
      let received = Self.meters(second) + 25 + Double(second * 7 % 5)
      return #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second / 60)}"# + "\n"
        + #"{"type":"altitude","atSeconds":\#(second),"altitudeMeters":\#(Self.meters(second))}"# + "\n"
        + #"{"type":"location","atSeconds":\#(second).5,"latitude":\#(latitude),"longitude":23,"#
        + #""altitudeMeters":\#(received)}"# + "\n"
    }.joined()
    let outcome = try program.run(["live", "--age", "23", "--target", "z2", "--activity", "running"], input: lines)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let session = try program.session()
    #expect(try page(of: session).contains("30 m up"))
    let exported = program.folder.url.appendingPathComponent("both.\(format)")
    let export = try program.run([
      "history", "export", session.lastPathComponent, "--as", format, "--output", exported.path,
    ])
    #expect(export.status == 0, "\(export.errors)")
    let other = program.folder.url.appendingPathComponent("other").path
    let imported = try program.run(["import", exported.path, "--age", "23", "--data-dir", other])
    #expect(imported.status == 0, "\(imported.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: other + "/sessions")
    let again = URL(fileURLWithPath: other + "/sessions/" + (try #require(names.first)))
    #expect(try page(of: again, in: ["--data-dir", other]).contains("30 m up"))
  }

  @Test("are not kept where positions are not")
  func unwanted() throws {
    let options = ["live", "--age", "23", "--target", "z2", "--streams", "heart-rate"]
    #expect(try program.run(options, input: Self.lines).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: program.session().path)
    #expect(!names.contains("altitude.csv"))
    #expect(names.contains("heart_rate.csv"))
  }
}
