import Foundation
import Testing
import WorkoutSession

@Suite("The program: one file, one answer")
struct AgreementEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A GPX of ten minutes at a speed, of a type or of none, with a pause between two segments and a heart rate.
  private func gpx(_ type: String?, metersPerSecond: Double) -> String {
    func point(_ second: Int) -> String {
      let minutes = "\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)"
      let latitude = 46.5 + Double(second) * metersPerSecond / 111_150
      return "<trkpt lat=\"\(latitude)\" lon=\"7\"><time>2026-03-01T10:\(minutes)Z</time><extensions>"
        + "<hr>\(120 + second % 30)</hr><cad>80</cad></extensions></trkpt>\n"
    }
    let segments = [Array(0..<300), Array(360..<600)].map { "<trkseg>\($0.map(point).joined())</trkseg>" }
    let typed = type.map { "<type>\($0)</type>" } ?? ""
    return "<gpx version=\"1.1\" creator=\"t\"><trk>\(typed)\(segments.joined())</trk></gpx>"
  }

  @Test(
    "Replay, import and inspect give the same distance, whatever the sport and where none is stated",
    arguments: [("cycling", 12.0), (nil, 12.0), ("running", 3.5), ("e_biking", 11), ("inline_skating", 9)])
  func columns(sport: String?, metersPerSecond: Double) throws {
    let file = try program.folder.write(gpx(sport, metersPerSecond: metersPerSecond), to: "a.gpx")
    let options = ["--age", "35", "--target", "z2", "--strategy", "period:every=60,window=60"]
    let replay = try program.run(["replay", file] + options + ["--format", "jsonl"])
    #expect(replay.status == 0)
    let replayed = try object(String(try #require(replay.lines.last)))
    let imported = try program.run(["import", file, "--format", "jsonl"] + options)
    #expect(imported.status == 0)
    let sessionID = try #require(try object(imported.output)["sessionID"] as? String)
    let show = try program.run(["history", "show", sessionID, "--format", "json"])
    let shown = try object(show.output)
    // Every column of the replay's summary, by its own name.
    for (key, value) in replayed {
      let other = try #require(shown[key], "\(key) is missing")
      #expect(NSDictionary(dictionary: [key: value]).isEqual(to: [key: other]), "\(key): \(value), \(other)")
    }
    let inspected = try object(try program.run(["inspect", file, "--format", "jsonl"]).output)
    let location = try #require(inspected["location"] as? [String: Any])
    let meters = try #require(replayed["distanceMeters"] as? Double)
    #expect(location["distanceMeters"] as? Double == meters)
    #expect(abs(meters - 538 * metersPerSecond) < 0.01 * meters)
    let miles = UnitSystem.imperial.fineDistance(meters: meters)
    #expect(miles.hasSuffix(" mi"))
    #expect(try program.run(["inspect", file, "--units", "imperial"]).output.contains(miles))
    #expect(try program.run(["inspect", file]).output.contains(UnitSystem.metric.fineDistance(meters: meters)))
    let pauses = try #require(inspected["pauses"] as? [[String: Any]])
    let paused = replay.lines.filter { $0.contains("\"type\":\"paused\"") }
    #expect(pauses.count == 1)
    #expect(paused.count == 1)
  }

  @Test("What Health Auto Export writes is a recording to every verb, though a scenario is a JSON object too")
  func healthExport() throws {
    let beats = (0..<120).map { second in
      let clock = "09:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60) +0100"
      return #"{"date":"2025-12-12 \#(clock)","Avg":\#(120 + second % 9)}"#
    }
    let file = try program.folder.write(
      #" {"data":{"metrics":[{"name":"heart_rate","units":"count/min","data":[\#(beats.joined(separator: ","))]}]}}"#,
      to: "export.json")
    let options = ["--age", "35", "--target", "z2", "--format", "jsonl"]
    let replay = try program.run(["replay", file] + options)
    #expect(replay.status == 0, "\(replay.errors)")
    let summary = try object(String(try #require(replay.lines.last)))
    #expect(summary["activeSeconds"] as? Double == 119)
    #expect((summary["samples"] as? [String: Int])?["accepted"] == 120)
    let compare = try program.run(
      ["compare", file, "--age", "35", "--target", "z2", "--strategy", "none", "--format", "json"])
    #expect(compare.status == 0, "\(compare.errors)")
    #expect(try object(compare.output)["recordings"] as? Int == 1)
    let quality = try program.run(["history", "quality", file])
    #expect(quality.status == 0, "\(quality.errors)")
    #expect(quality.output.contains("120 of 120"), "\(quality.output)")
  }

  @Test("A file that seems to be something else is refused at its first byte, with what is read")
  func foreign() throws {
    for (text, name) in [
      ("<Trackpoint><Time>2026-03-01T10:00:00Z</Time></Trackpoint>\n", "XML that begins with <Trackpoint>"),
      ("</Lap></Activity>\n<Activity>", "XML that begins with <Lap>"),
      ("<!DOCTYPE html><html><body>no</body></html>", "an HTML page"),
      ("{\"a\":1}", "a JSON object"), ("%PDF-1.7\n", "a PDF document"), ("a\u{1}b\u{0}c\n1,2\n", "binary data"),
    ] {
      let file = try program.folder.write(text, to: "file")
      // A JSON object may be a scenario, and is reported as one where one is none of what is asked for.
      let verbs =
        [["inspect"], ["import", "--age", "35"]] + (name == "a JSON object" ? [] : [["history", "quality"]])
      for verb in verbs {
        let outcome = try program.run(verb + [file])
        #expect(outcome.status == 65, "\(verb): \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(verb): \(outcome.errors)")
        #expect(
          outcome.errors.hasPrefix("coach: \(file): byte 0: this seems to be \(name): expected FIT, GPX, TCX"),
          "\(verb): \(outcome.errors)")
      }
    }
  }
}
