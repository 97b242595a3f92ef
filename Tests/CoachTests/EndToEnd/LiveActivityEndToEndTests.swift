import Foundation
import Testing

@Suite("The program: what a live run is of")
struct LiveActivityEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// The activities of the sessions, the newest first.
  private func activities() throws -> [String] {
    try program.run(["history", "list", "--format", "jsonl"]).lines.map { line in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return try #require(record["activity"] as? String)
    }
  }

  private func live(_ options: String..., day: Int = 1) throws -> CoachProgram.Outcome {
    let lines = (0...20).map {
      #"{"type":"heartRate","time":"2026-10-0\#(day)T07:00:\#($0 < 10 ? "0" : "")\#($0)Z","beatsPerMinute":120}"# + "\n"
    }
    return try program.run(["live", "--clock", "samples"] + options, input: lines.joined())
  }

  @Test("Nothing said is running, then what the person did last, and it is said")
  func defaults() throws {
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    let nobody = try live("--max-heart-rate", "190", day: 1)
    #expect(nobody.output.contains("activity running; --activity NAME says another\n"), "\(nobody.output)")
    let first = try live("--profile", "anna", day: 2)
    #expect(first.output.contains("activity running; --activity NAME says another\n"), "\(first.output)")
    let ride = try live("--profile", "anna", "--activity", "cycling", day: 3)
    #expect(!ride.output.contains("activity cycling"), "who says it is not shown it")
    let next = try live("--profile", "anna", day: 4)
    let again = "activity cycling, as anna did last; --activity NAME says another\n"
    #expect(next.output.contains(again), "\(next.output)")
    // What nobody did is nothing that was done last.
    let simulated = try program.run([
      "live", "--profile", "anna", "--source", "simulated", "--speed", "max", "--duration", "1",
    ])
    #expect(simulated.output.contains("activity running; --activity NAME says another\n"), "\(simulated.output)")
    let others = try live("--max-heart-rate", "190", day: 5)
    #expect(others.output.contains("activity running;"), "another person's sport is nobody's: \(others.output)")
    #expect(try activities().filter { $0 == "cycling" }.count == 2)
    #expect(try activities().filter { $0 == "running" }.count == 4)
  }

  /// What is said of the activity on standard error.
  private func said(_ outcome: CoachProgram.Outcome) -> [String] {
    outcome.errorLines.filter { $0.contains("activity") }.map(String.init)
  }

  @Test(
    "Beside records and a bar, what was assumed is one line of standard error, and the records are as they were",
    arguments: [["--format", "jsonl"], ["--format", "json"], ["--view", "line"]])
  func assumed(form: [String]) throws {
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    let base = ["live", "--clock", "samples", "--profile", "anna", "--no-save"] + form
    let input = risingLines(seconds: 20)
    let assumed = try program.run(base, input: input)
    #expect(assumed.status == 0, "\(assumed.errors)")
    #expect(assumed.errors == "coach: activity running; --activity NAME says another\n")
    let named = try program.run(base + ["--activity", "running"], input: input)
    #expect(named.errors.isEmpty, "\(named.errors)")
    #expect(assumed.output == named.output)
    #expect(!assumed.output.isEmpty)
    #expect(try live("--profile", "anna", "--activity", "cycling", day: 3).status == 0)
    let last = try program.run(base, input: input)
    #expect(said(last) == ["coach: activity cycling, as anna did last; --activity NAME says another"])
    // What a recording or a virtual runner does is known, and before a sample nothing has begun.
    let file = try program.folder.write(risingCSV(seconds: 20), to: "plain.csv")
    for source in ["file:" + file, "simulated"] {
      let known = try program.run(base + ["--source", source, "--speed", "max", "--duration", "10"])
      #expect(known.status == 0, "\(known.errors)")
      #expect(said(known).isEmpty, "\(source): \(known.errors)")
    }
    let empty = try program.run(base, input: "")
    #expect(empty.status == 65)
    #expect(empty.isOneComplaint, "\(empty.errors)")
  }

  @Test("A recording that is played keeps its own activity; one that states none is like any live run")
  func recording() throws {
    let points = (0...20).map {
      """
      <Trackpoint><Time>2026-10-01T07:00:\($0 < 10 ? "0" : "")\($0)Z</Time>
      <HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint>
      """
    }
    let tcx = """
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
      <Activity Sport="Biking"><Id>2026-10-01T07:00:00Z</Id><Lap StartTime="2026-10-01T07:00:00Z">
      <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """
    let ride = try program.folder.write(tcx, to: "ride.tcx")
    let other = try program.folder.write(tcx.replacing("Biking", with: "Other"), to: "other.tcx")
    let plain = try program.folder.write(risingCSV(seconds: 20), to: "plain.csv")
    let words = [
      (ride, "cycling, that of the recording"), (plain, "running"), (other, "other, that of the recording"),
    ]
    for (file, activity) in words {
      let outcome = try program.run(["live", "--age", "30", "--source", "file:" + file, "--speed", "max"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("activity \(activity); --activity NAME says another"), "\(outcome.output)")
    }
    #expect(try activities().sorted() == ["cycling", "other", "running"])
  }

  @Test("A recording without a sport that was played decides in a replay of its folder as it did")
  func playedAndReplayed() throws {
    // Once somebody on foot leaps by eleven metres in a second, which a ride may do.
    let rows = (0..<300).map { (second: Int) -> String in
      let leap: Double = second < 150 ? 0 : 0.0001
      let latitude: Double = 46 + Double(second) * 0.00003 + leap
      let time = String(format: "2026-10-01T07:%02d:%02dZ", second / 60, second % 60)
      return "\(time),\(110 + second / 10)," + String(format: "%.6f", latitude) + ",7.0\n"
    }
    let file = try program.folder.write("time,heart_rate,latitude,longitude\n" + rows.joined(), to: "way.csv")
    let options = ["--age", "30", "--target", "z3", "--strategy", "moment:every=60", "--format", "jsonl"]
    func outcome(_ program: CoachProgram, _ arguments: [String]) throws -> (decisions: [String], meters: Double) {
      let lines = try program.run(arguments).lines.map(String.init)
      let summary = try JSONSerialization.jsonObject(with: Data(try #require(lines.last).utf8)) as? [String: Any]
      let decisions = lines.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
      return (decisions, try #require(summary?["distanceMeters"] as? Double))
    }
    let played = try outcome(program, ["live", "--source", "file:" + file, "--speed", "max"] + options)
    #expect(played.decisions.count >= 4)
    let folder = try outcome(program, ["replay", try program.session().path, "--format", "jsonl"])
    #expect(folder.decisions == played.decisions)
    #expect(folder.meters == played.meters)
    let onFoot = try outcome(program, ["replay", file, "--activity", "running"] + options)
    #expect(onFoot.meters == played.meters)
    // Of a file nobody says that it is a run, and an import decides as its replay.
    let other = try outcome(program, ["replay", file] + options)
    #expect(other.meters > played.meters + 5)
    let importing = try CoachProgram()
    #expect(try importing.run(["import", file] + options).status == 0)
    let imported = try outcome(importing, ["replay", try importing.session().path, "--format", "jsonl"])
    #expect(imported.decisions == other.decisions)
    #expect(imported.meters == other.meters)
    let words =
      "activity running; --activity NAME says another (the file states none: replay and import take it for other)"
    let text = try program.run(["live", "--age", "30", "--source", "file:" + file, "--speed", "max", "--no-save"])
    let said = text.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(said.contains(words), "\(text.output)")
  }

  @Test("A recording that states no sport is no run where nobody is as fast on foot, and its way is kept")
  func fasterThanOnFoot() throws {
    for (degrees, words) in [(0.00003, "running"), (0.00012, "other, that of the recording")] {
      let rows = (0..<300).map { second in
        String(
          format: "2026-10-01T07:%02d:%02dZ,120,%.6f,7.0\n", second / 60, second % 60, 46 + Double(second) * degrees)
      }
      let file = try program.folder.write(
        "time,heart_rate,latitude,longitude\n" + rows.joined(), to: "way-\(degrees).csv")
      let base = ["live", "--age", "30", "--source", "file:" + file, "--speed", "max", "--no-save"]
      let text = try program.run(base)
      #expect(text.output.contains("activity \(words); --activity NAME says another"), "\(text.output)")
      let record = try #require(try program.run(base + ["--format", "jsonl"]).lines.last)
      let summary = try #require(try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any])
      let meters = try #require(summary["distanceMeters"] as? Double)
      #expect(abs(meters / (299 * degrees * 111_150) - 1) < 0.02, "\(meters) m of \(words)")
    }
  }
}

@Suite("The program: a live run without a source", .serialized, .onOwnThread)
struct LiveSourceTerminalTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  @Test("On a terminal it says at once what is missing and how to try it")
  func terminal() async throws {
    let terminal = try await program.terminal(
      columns: 300, running: "\"$COACH\" live --age 35 --target z2; echo \"status $?\"")
    try await terminal.expect("status 64")
    let screen = try terminal.capture()
    let lines = screen.split(separator: "\n").filter { $0.hasPrefix("coach:") }
    #expect(lines.count == 1, "\(screen)")
    for way in ["--source strap", "--source simulated", "sensor | coach live", "--source stdin"] {
      #expect(lines.first?.contains(way) == true, "\(way): \(screen)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.data))
  }

  @Test("A recording of motion on a terminal says what can send motion")
  func motion() async throws {
    let terminal = try await program.terminal(
      columns: 300, running: "\"$COACH\" motion record --label walking; echo \"status $?\"")
    try await terminal.expect("status 64")
    let lines = try terminal.capture().split(separator: "\n").filter { $0.hasPrefix("coach:") }
    #expect(lines.count == 1)
    for part in [
      "motion record: there is no source of motion", "--source tcp:HOST:PORT", "--source file:PATH",
      "phone | coach motion record --label walking", "--source stdin",
    ] { #expect(lines.first?.contains(part) == true, "\(part): \(lines)") }
    #expect(!FileManager.default.fileExists(atPath: program.data))
  }

  @Test("Somebody who wants to type lines can")
  func typed() async throws {
    let terminal = try await program.terminal(
      columns: 120, running: "\"$COACH\" live --age 35 --target z2 --source stdin")
    try await terminal.expect("Ctrl-D ends the session")
    try terminal.command(#"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#)
    try await terminal.expect("started")
    try terminal.type("C-d")
    try await terminal.expect("Saved in")
  }
}
