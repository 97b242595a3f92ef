import Foundation
import Testing

@Suite("The program: export of a session")
struct HistoryExportEndToEndTests {
  private let program: CoachProgram
  private let name: String

  init() throws {
    program = try CoachProgram()
    let outcome = try program.run(
      ["live", "--age", "23", "--target", "z1", "--strategy", "moment:every=60", "--clock", "samples"] + Self.activity,
      input: Self.lines)
    #expect(outcome.status == 0, "\(outcome.errors)")
    name = try #require(FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").first)
  }

  private static let activity = ["--activity", "trail running"]

  /// Five minutes to the north at 3 m a second, with a pause of half a minute, motion for three seconds, and one heart
  /// rate that comes late and one that comes twice.
  private static var lines: String {
    var lines: [String] = []
    for second in 0..<300 {
      let time = "\"time\":\"2026-11-20T06:\(30 + second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z\""
      lines.append("{\"type\":\"heartRate\",\(time),\"beatsPerMinute\":\(100 + second / 10)}")
      if second == 40 { lines.append(lines[lines.count - 1]) }
      if second == 50 {
        lines.append("{\"type\":\"heartRate\",\"time\":\"2026-11-20T06:30:45.5Z\",\"beatsPerMinute\":111}")
      }
      lines.append("{\"type\":\"steps\",\(time),\"count\":3}")
      lines.append(
        "{\"type\":\"location\",\(time),\"latitude\":\(52.5 + Double(second) * 3 / 111_272),\"longitude\":13.4,"
          + "\"altitudeMeters\":34.5}")
      if second < 3 {
        lines.append("{\"type\":\"motion\",\(time),\"acceleration\":[0.1,-1,0.25],\"rotationRate\":[0,0,1]}")
      }
      if second == 120 || second == 150 {
        lines.append(
          "{\"type\":\"command\",\"id\":\"\(second)\",\"command\":\"\(second == 120 ? "pause" : "resume")\"}")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func export(_ arguments: String...) throws -> CoachProgram.Outcome {
    try program.run(["history", "export", name] + arguments)
  }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func withoutComma(_ line: String) -> String { line.hasSuffix(",") ? String(line.dropLast()) : line }

  private func inspected(_ path: String) throws -> [String: Any] {
    let line = try program.run(["inspect", path, "--format", "jsonl"]).output
    return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(
    "A session comes back from every format with its heart rates and positions",
    arguments: ["fit", "tcx", "gpx", "csv", "sensogather-csv"])
  func formats(format: String) throws {
    let file = path("copy")
    let outcome = try export("--as", format, "--output", file)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains("\(format) has once what was sent twice: 1 reading left out"), "\(outcome.errors)")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let facts = try inspected(file)
    #expect(facts["format"] as? String == format)
    #expect(facts["startTime"] as? String == "2026-11-20T06:30:00Z")
    let heartRate = try #require(facts["heartRate"] as? [String: Any])
    // What lies in the pause has no place in TCX and GPX.
    let seconds = ["tcx", "gpx"].contains(format) ? (0..<300).filter { $0 <= 120 || $0 >= 150 } : Array(0..<300)
    // What came late stands in its place: in FIT it is the one of its second, in GPX it lacks a position.
    let late = ["fit": -104 + 111, "gpx": 0][format] ?? 111
    #expect(heartRate["count"] as? Int == seconds.count + (late == 111 ? 1 : 0))
    #expect(heartRate["sum"] as? Int == seconds.map { 100 + $0 / 10 }.reduce(0, +) + late)
    #expect((facts["location"] as? [String: Any])?["count"] as? Int == seconds.count)
    if ["fit", "tcx", "gpx"].contains(format) { #expect((facts["pauses"] as? [Any])?.count == 1) }
    if format == "sensogather-csv" { #expect((facts["motion"] as? [String: Any])?["count"] as? Int == 3) }
    // The standard output gets the same bytes.
    let piped = path("piped")
    #expect(
      try program.run(["history", "export", name, "--as", format], redirection: ">'\(piped)'").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: piped)) == Data(contentsOf: URL(fileURLWithPath: file)))
    // A folder of a session is a recording to `export` too.
    let direct = path("direct")
    #expect(
      try program.run(["export", program.data + "/sessions/" + name, "--as", format, "--output", direct]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: direct)) == Data(contentsOf: URL(fileURLWithPath: file)))
  }

  @Test("In a folder a file has the name of the session, and in SensoGather's layout person, activity and time")
  func names() throws {
    let folder = path("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for format in ["json", "sensogather-csv", "csv"] {
      #expect(try export("--as", format, "--output", folder).status == 0)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["\(name).csv", "\(name).json", "unknown trail running 1795156200.csv"].sorted())
  }

  @Test("The person in SensoGather's file name is called as today")
  func renamed() throws {
    let program = try CoachProgram()
    #expect(try program.run(["profile", "create", "anna", "--birth-date", "1990-05-17"]).status == 0)
    let live = try program.run(["live", "--profile", "anna", "--clock", "samples"], input: Self.lines)
    #expect(live.status == 0, "\(live.errors)")
    #expect(try program.run(["profile", "rename", "anna", "zoe"]).status == 0)
    let folder = program.folder.url.path
    let export = ["history", "export", "latest", "--as", "sensogather-csv", "--output", folder]
    #expect(try program.run(export).status == 0)
    #expect(FileManager.default.fileExists(atPath: folder + "/zoe running 1795156200.csv"))
  }

  @Test("A name in a manifest of a stranger does not lead out of the folder of an export")
  func hostileName() throws {
    let manifest = program.data + "/sessions/\(name)/manifest.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let hostile = text.replacing("\"activity\"", with: "\"person\": \"../../x\", \"activity\"")
    try hostile.write(toFile: manifest, atomically: true, encoding: .utf8)
    #expect(try program.run(["history", "rebuild"]).status == 0)
    let folder = path("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let exported = try export("--as", "sensogather-csv", "--output", folder)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x trail running 1795156200.csv"])
  }

  @Test("SensoGather's layout has its 22 columns, and what was not measured at an instant is N/A")
  func sensoGather() throws {
    let lines = try export("--as", "sensogather-csv").lines
    let header = """
      timestamp,accelX,accelY,accelZ,gyroX,gyroY,gyroZ,magX,magY,magZ,heartbeat,latitude,longitude,coordinateAccuracy,\
      altitude,altitudeAccuracy,speed,speedAccuracy,course,courseAccuracy,heading,headingAccuracy
      """
    #expect(lines[0] == header)
    let absent = String(repeating: ",N/A", count: 7)
    let first = "1795156200,0.1,-1,0.25,0,0,1,N/A,N/A,N/A,100,52.5,13.4,N/A,34.5\(absent)"
    #expect(lines[1] == first)
    let commas = lines.map { line in line.utf8.count { $0 == UInt8(ascii: ",") } }
    #expect(commas == Array(repeating: 21, count: 302))
  }

  @Test(
    "The JSON document holds manifest, summary, every input and every decision, and its inputs decide the same again")
  func document() throws {
    let folder = program.data + "/sessions/" + name
    let outcome = try export("--as", "json")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["version"] as? Int == 1)
    #expect(document["type"] as? String == "workout")
    #expect((document["manifest"] as? [String: Any])?["sessionID"] as? String == name)
    #expect((document["summary"] as? [String: Any])?["type"] as? String == "summary")
    // Three streams, motion, pause, resume and stop, what came late and what came twice.
    let inputs = try #require(document["inputs"] as? [[String: Any]])
    #expect(inputs.count == 908)
    let journal = try String(contentsOfFile: folder + "/decisions.jsonl", encoding: .utf8)
    let lines = outcome.lines.map(String.init)
    let begin = try #require(lines.firstIndex { $0.hasPrefix("\"decisions\":[") })
    let end = try #require(lines.firstIndex { $0 == "]}" })
    let decisions: [String] = lines[(begin + 1)..<end].map(withoutComma)
    #expect(decisions == journal.split(separator: "\n").map(String.init))
    let first = try #require(lines.firstIndex { $0.hasPrefix("\"inputs\":[") })
    var sent = ""
    for line in lines[(first + 1)...].prefix(while: { $0 != "]," }) { sent += withoutComma(line) + "\n" }
    let again = try CoachProgram()
    let live = try again.run(
      ["live", "--age", "23", "--target", "z1", "--strategy", "moment:every=60", "--clock", "samples"] + Self.activity,
      input: sent)
    #expect(live.status == 0, "\(live.errors)")
    let other = try #require(FileManager.default.contentsOfDirectory(atPath: again.data + "/sessions").first)
    #expect(
      try String(contentsOfFile: again.data + "/sessions/\(other)/heart_rate.csv", encoding: .utf8)
        == String(contentsOfFile: folder + "/heart_rate.csv", encoding: .utf8))
    let decided = { (text: String) in
      text.split(separator: "\n").filter { $0.contains("\"type\":\"cue\"") || $0.contains("\"type\":\"withheld\"") }
    }
    let repeated = try String(contentsOfFile: again.data + "/sessions/\(other)/decisions.jsonl", encoding: .utf8)
    #expect(decided(repeated) == decided(journal))
    #expect(decided(journal).count == 4)
  }

  @Test("A recording as JSON has what it holds, and a privacy radius counts for it too")
  func recording() throws {
    let csv = try program.folder.write(
      "time,hr,lat,lon\n"
        + (0..<60).map { "\(1_700_000_000 + $0),\(100 + $0),\(46.5 + Double($0) / 10_000),7\n" }
        .joined(), to: "run.csv")
    let outcome = try program.run(["export", csv, "--as", "json", "--privacy-radius", "100"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("18 positions within 100 m"), "\(outcome.errors)")
    let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["startTime"] as? String == "2023-11-14T22:13:20Z")
    #expect(document["manifest"] == nil)
    let inputs = try #require(document["inputs"] as? [[String: Any]])
    #expect(inputs.count { $0["type"] as? String == "heartRate" } == 60)
    #expect(inputs.count { $0["type"] as? String == "location" } == 42)
  }

  @Test("Positions around both ends are in no format, and it is said how many", arguments: ["csv", "json", "gpx"])
  func privacy(format: String) throws {
    let outcome = try export("--as", format, "--privacy-radius", "150")
    #expect(outcome.status == 0)
    // A little more than 3 m a second: the first and the last 50 seconds.
    #expect(outcome.errors.contains("100 positions within 150 m"), "\(outcome.errors)")
    #expect(!outcome.output.contains("52.5,"))
    #expect(outcome.output.contains("52.504"))
    // In GPX the pause has no place.
    let left = format == "gpx" ? 171 : 200
    #expect(outcome.output.components(separatedBy: "13.4").count == left + 1)
  }

  @Test("What cannot be done is one line and its exit code")
  func refusals() throws {
    let cases: [(arguments: [String], status: Int32)] = [
      (["history", "export", name], 64), (["history", "export", name, "--as", "xls"], 64),
      (["history", "export", "none", "--as", "csv"], 66),
      (["history", "export", name, "--as", "csv", "--privacy-radius", "0"], 64),
      (["history", "export", name, "--as", "csv", "--output", path("none/x.csv")], 73),
      (["history", "export", name, "--as", "gpx", "--privacy-radius", "5000"], 65),
      (["export", program.data + "/sessions/" + name, "--as", "csv", "--part", "1"], 64),
    ]
    for (arguments, status) in cases {
      let outcome = try program.run(arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(!outcome.errors.contains("52.5"))
    }
  }
}
