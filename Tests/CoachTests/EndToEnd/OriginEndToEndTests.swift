import Foundation
import Testing

@Suite("The program: where samples came from")
struct OriginEndToEndTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func objects(_ outcome: CoachProgram.Outcome) throws -> [[String: Any]] {
    try outcome.lines.map { try object(String($0)) }
  }

  private func simulated(_ program: CoachProgram, duration: String = "6m", _ more: [String] = []) throws
    -> CoachProgram.Outcome
  {
    try program.run(
      [
        "live", "--source", "simulated:7", "--speed", "max", "--duration", duration, "--age", "30", "--target", "z2",
        "--strategy", "moment:every=60", "--format", "jsonl", "--activity", "running",
      ] + more)
  }

  private func live(_ program: CoachProgram, seconds: Int = 300, _ more: [String] = []) throws {
    let outcome = try program.run(
      ["live", "--age", "30", "--strategy", "moment:every=60", "--activity", "running", "--format", "jsonl"]
        + (more.contains("--target") || more.contains("--no-target") ? [] : ["--target", "z2"])
        + more.filter { $0 != "--no-target" },
      input: risingLines(seconds: seconds))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("A simulated run is marked in its folder, its records, the list, the page, a replay and an inspection")
  func marked() throws {
    let program = try CoachProgram()
    let outcome = try simulated(program)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try #require(outcome.lines.last).contains(#""origin":"simulated""#))
    let folder = try program.session()
    let manifest = try object(
      try String(contentsOf: folder.appendingPathComponent("manifest.json"), encoding: .utf8))
    #expect(manifest["origin"] as? String == "simulated")
    #expect((manifest["source"] as? [String: Any])?["inputs"] as? [String] == ["simulated:7"])
    for arguments in [
      ["history", "list"], ["history", "show", "latest"], ["replay", folder.path], ["inspect", folder.path],
    ] {
      let record = try program.run(arguments + ["--format", "jsonl"])
      #expect(record.status == 0, "\(arguments): \(record.errors)")
      #expect(record.output.contains(#""origin":"simulated""#), "\(arguments): \(record.output)")
      let text = try program.run(arguments)
      #expect(text.output.lowercased().contains("simulated"), "\(arguments): \(text.output)")
    }
    #expect(try program.run(["report", "latest"]).output.contains("simulated (no person was measured)"))
  }

  @Test("A simulated run begins with nothing that was learned of the person, and nothing is learned of one")
  func learned() throws {
    let program = try CoachProgram()
    #expect(try program.run(["profile", "create", "anna", "--birth-date", "1996-05-17"]).status == 0)
    func profile() throws -> [String: Any] {
      try object(try program.run(["profile", "show", "anna", "--format", "json"]).output)
    }
    /// The strategy of the session that a run adds.
    func strategy(_ arguments: [String], input: String = "") throws -> [String: Any] {
      let folder = program.data + "/sessions"
      let before = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      let run = ["live", "--profile", "anna", "--target", "z2", "--strategy", "adaptive", "--format", "jsonl"]
      let outcome = try program.run(run + arguments, input: input)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let cues = outcome.lines.count { $0.contains(#""type":"cue""#) }
      #expect(cues >= 5, "enough to learn from")
      let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(before)
      let manifest = folder + "/" + (try #require(names.first)) + "/manifest.json"
      return try #require(
        try object(try String(contentsOfFile: manifest, encoding: .utf8))["strategy"] as? [String: Any])
    }
    let simulated = ["--source", "simulated:7", "--speed", "max", "--duration", "30m", "--activity", "running"]
    #expect(try strategy(simulated)["cue"] == nil)
    #expect(try profile()["learned"] == nil, "a virtual runner taught nothing about anna")
    let lines = (0...250).map { step in
      let (minute, second) = (step * 5 / 60, step * 5 % 60)
      let time = "2026-11-20T07:\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second)Z"
      return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(165 + step % 3)}"# + "\n"
    }
    #expect(try strategy([], input: lines.joined())["cue"] == nil)
    let learned = try #require(try profile()["learned"] as? [String: Any])
    #expect(learned["sessions"] as? Int == 1)
    let cue = try #require(learned["cueBPM"] as? Int)
    #expect(cue != 11, "something was learned")
    let file = try program.folder.write(risingCSV(seconds: 900), to: "run.csv")
    #expect(try strategy(simulated)["cue"] == nil)
    #expect(
      try strategy(["--source", "file:" + file, "--source", "simulated:3", "--speed", "max", "--duration", "15m"])[
        "cue"] == nil)
    #expect(try strategy(["--source", "file:" + file, "--speed", "max"])["cue"] as? Int == cue)
    let kept = try #require(try profile()["learned"] as? [String: Any])
    #expect(kept["sessions"] as? Int == 1)
    #expect(kept["cueBPM"] as? Int == cue)
  }

  @Test("A recording that is played is imported, and one source of several that is simulated makes the session so")
  func several() throws {
    let program = try CoachProgram()
    try live(program)
    let folder = try program.session().path
    let file = program.folder.url.path + "/run.csv"
    #expect(try program.run(["export", folder, "--as", "csv", "--output", file]).status == 0)
    let base = ["live", "--age", "30", "--target", "z2", "--speed", "max", "--format", "jsonl"]
    let played = try program.run(base + ["--source", "file:" + file])
    #expect(try #require(played.lines.last).contains(#""origin":"imported""#), "\(played.errors)")
    let both = try program.run(base + ["--source", "file:" + file, "--source", "simulated:3", "--duration", "2m"])
    #expect(try #require(both.lines.last).contains(#""origin":"simulated""#), "\(both.errors)")
    let inputs = try program.run(["history", "show", "latest", "--format", "json"])
    #expect(inputs.output.contains(#""inputs":["file:run.csv""#) || inputs.output.contains("run.csv"))
  }

  @Test(
    "Dashboard, trends, hours, report and comparisons leave simulated runs out in one line, unless they are asked for")
  func leftOut() throws {
    let program = try CoachProgram()
    for _ in 0..<2 { #expect(try simulated(program).status == 0) }
    for arguments in [["history"], ["history", "trends"], ["history", "hourly"], ["report", "--days", "3"]] {
      let without = try program.run(arguments)
      let line = "coach: 2 simulated sessions left out: --include-simulated takes them too"
      #expect(without.errorLines.contains { $0 == line }, "\(arguments): \(without.errors)")
      let with = try program.run(arguments + ["--include-simulated"])
      #expect(with.status == 0, "\(arguments): \(with.errors)")
      #expect(!with.errors.contains("left out"))
      #expect(with.output != without.output)
    }
    // Where nobody was measured yet, the text says so, and where the simulated ones are.
    let simulated =
      "There are 2 simulated sessions: coach history list shows them, --include-simulated takes them here."
    for (verb, words) in [
      ([], "No session of a person yet."), (["trends"], "No session of a person in this span."),
      (["fitness"], "No session of a person in this span."),
      (["records"], "No record yet: a session needs 400 m, or a minute of distance."),
    ] as [([String], String)] {
      let output = try program.run(["history"] + verb).output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(output == "\(words) \(simulated)")
    }
    #expect(try program.run(["history", "list"]).output.contains("2 sessions."))
    let days = try program.run(["report", "--days", "3"])
    #expect(days.status == 66)
    #expect(days.errors.contains("no session of a person in this span: expected --include-simulated, or other days"))
    let ahead = try program.run(["report", "--from", "2190-01-01"])
    #expect(ahead.errors == "coach: report: no session in this span: expected days of `coach history list`\n")
    let sessions = program.data + "/sessions"
    let base = ["compare", sessions, "--strategy", "moment:every=60", "--format", "json"]
    let nobody = try program.run(base)
    #expect(nobody.status == 65)
    #expect(nobody.output.isEmpty)
    #expect(nobody.errors.contains("2 simulated sessions left out"))
    let asked = try object(try program.run(base + ["--include-simulated"]).output)
    #expect((asked["origins"] as? [String: Any])?["simulated"] as? Int == 2)
    try live(program)
    let people = try program.run(base)
    #expect(people.status == 0)
    let record = try object(people.output)
    #expect(record["simulatedLeftOut"] as? Int == 2)
    #expect((record["origins"] as? [String: Any])?["live"] as? Int == 1)
    let text = try program.run(["compare", sessions, "--strategy", "moment:every=60"])
    #expect(text.output.contains("1 live, 2 simulated sessions left out."), "\(text.output)")
  }

  @Test(
    "Where virtual and real readings are added up, every record says from how many of which, and the text says so first"
  )
  func origins() throws {
    let program = try CoachProgram()
    for _ in 0..<2 { #expect(try simulated(program).status == 0) }
    try live(program)
    let views = [["history", "hourly"], ["history", "trends"]]
    for view in views {
      let people = try objects(try program.run(view + ["--format", "jsonl"]))
      #expect(people.compactMap { $0["origins"] as? [String: Int] }.allSatisfy { $0 == ["live": 1] }, "\(view)")
      #expect(!people.isEmpty, "\(view)")
      let all = try objects(try program.run(view + ["--include-simulated", "--format", "jsonl"]))
      let origins = all.compactMap { $0["origins"] as? [String: Int] }
      #expect(origins.count == all.count, "\(view)")
      let simulated = origins.reduce(0) { $0 + ($1["simulated"] ?? 0) }
      // A run that goes over the end of an hour is in both.
      #expect(simulated >= 2, "\(view): \(all)")
      let text = try program.run(view)
      #expect(!text.output.contains("no person was measured"), "\(view): \(text.output)")
      let wide = try program.run(view + ["--include-simulated"])
      #expect(wide.lines.prefix(4).contains { $0.contains("no person was measured in") }, "\(view): \(wide.output)")
    }
    let weeks = try program.run(["history", "trends", "--include-simulated"])
    #expect(weeks.output.contains("1 live, 2 simulated: no person was measured in simulated sessions."))
    let dashboard = try object(try program.run(["history", "--include-simulated", "--format", "json"]).output)
    let total = try #require(dashboard["total"] as? [String: Any])
    #expect((total["origins"] as? [String: Int]) == ["live": 1, "simulated": 2])
    let page = try program.run(["report", "--days", "3", "--include-simulated"])
    #expect(page.output.contains("2 of them simulated: no person was measured in those"))
  }

  @Test("An exported simulated run stays one on its way back, and out of comparisons")
  func roundTrip() throws {
    let program = try CoachProgram()
    #expect(try simulated(program).status == 0)
    let files = try ["gpx", "tcx", "fit", "csv"].map { format in
      let file = program.folder.url.path + "/run." + format
      let outcome = try program.run(["history", "export", "latest", "--as", format, "--output", file])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return file
    }
    for file in files {
      let other = try CoachProgram()
      let imported = try other.run(["import", file, "--age", "30"])
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(
        try other.run(["history", "list", "--format", "jsonl"]).output.contains(#""origin":"simulated""#), "\(file)")
      let compared = try other.run(
        ["compare", file, "--age", "30", "--target", "z2", "--strategy", "moment:every=60"])
      #expect(compared.status == 65)
      // Of a GPX only heart rates with a position are kept, and the virtual runner has them apart.
      if file.hasSuffix("gpx") { continue }
      #expect(compared.errors.contains("1 simulated session left out"), "\(compared.errors)")
    }
  }

  @Test("Exported simulated runs are fitted as people's only when that is asked for, named or in a folder")
  func fitted() throws {
    let program = try CoachProgram()
    // Long enough for a fit.
    #expect(try simulated(program, duration: "30m").status == 0)
    let folder = program.folder.url.path + "/runs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = try ["tcx", "fit", "csv"].map { format in
      let file = folder + "/run." + format
      let outcome = try program.run(["history", "export", "latest", "--as", format, "--output", file])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return file
    }
    for operand in files + [folder] {
      let count = operand == folder ? 3 : 1
      let words = count == 1 ? "1 simulated session left out" : "3 simulated sessions left out"
      let people = try program.run(["study", "fit", operand, "--format", "jsonl"])
      #expect(people.status == 65, "\(operand)")
      #expect(people.output.isEmpty, "\(operand)")
      #expect(people.errors.contains(words), "\(operand): \(people.errors)")
      let asked = try program.run(["study", "fit", operand, "--include-simulated", "--format", "jsonl"])
      #expect(asked.status == 0, "\(operand): \(asked.errors)")
      #expect(asked.output.contains(#""type":"runnerFit""#), "\(operand)")
      #expect(!asked.errors.contains("left out"), "\(operand)")
    }
  }

  @Test("Hours are of one person: with several each has its lines, with the name")
  func hourly() throws {
    let program = try CoachProgram()
    // Of yesterday at seven, so that no run goes over the end of an hour.
    let day = Date(timeIntervalSinceNow: -86_400).formatted(.iso8601.year().month().day())
    let input = (0...65).map { second in
      let time = day + String(format: "T07:%02d:%02dZ", second / 60, second % 60)
      return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(100 + second / 10)}"# + "\n"
    }.joined()
    for person in ["anna", "ben"] {
      #expect(try program.run(["profile", "create", person, "--max-heart-rate", "190"]).status == 0)
      let outcome = try program.run(
        ["live", "--profile", person, "--target", "z2", "--format", "jsonl", "--clock", "samples"], input: input)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let hours = try objects(try program.run(["history", "hourly", "--format", "jsonl"]))
    #expect(hours.compactMap { $0["person"] as? String } == ["anna", "ben"])
    let one = try objects(try program.run(["history", "hourly", "--person", "ben", "--format", "jsonl"]))
    #expect(one.count == 1)
    let text = try program.run(["history", "hourly"])
    #expect(text.lines.contains("anna"))
    #expect(text.lines.contains("ben"))
    let trends = try program.run(["history", "trends"])
    #expect(trends.errors == "coach: sessions of 2 people are added up: --person NAME takes those of one\n")
  }

  @Test("A session without a target is named and skipped; only when none is left it is an error")
  func withoutTarget() throws {
    let program = try CoachProgram()
    try live(program, ["--no-target"])
    let base = ["compare", program.data + "/sessions", "--strategy", "moment:every=60", "--format", "json"]
    let name = try program.session().lastPathComponent
    let none = try program.run(base)
    #expect(none.status == 64)
    #expect(none.output.isEmpty)
    #expect(none.errors.contains(name), "\(none.errors)")
    #expect(none.errors.hasSuffix("--target or --plan gives it none: expected one of them\n"), "\(none.errors)")
    try live(program)
    let outcome = try program.run(base)
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(name), "\(outcome.errors)")
    #expect(outcome.errors.contains("no target"), "\(outcome.errors)")
    #expect(try object(outcome.output)["recordings"] as? Int == 1)
  }

  @Test(
    "One workout as GPX and as TCX counts once, whichever is named first, and the table has a row a recording and strategy"
  )
  func sameWorkout() throws {
    let program = try CoachProgram()
    let input = (0..<400).map { second in
      let time = "2026-11-20T07:0\(second / 60):" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      let latitude = 46 + Double(second) / 40_000
      return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(110 + second / 10)}"# + "\n"
        + #"{"type":"location","time":"\#(time)","latitude":\#(latitude),"longitude":7}"# + "\n"
    }.joined()
    #expect(
      try program.run(["live", "--age", "30", "--target", "z2", "--format", "jsonl"], input: input).status == 0)
    let folder = try program.session().path
    let files = try ["gpx", "tcx"].map { format in
      let place = program.folder.url.path + "/" + format
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      #expect(
        try program.run(["export", folder, "--as", format, "--output", "\(place)/run.\(format)"]).status == 0)
      return "\(place)/run.\(format)"
    }
    let options = [
      "--age", "30", "--target", "z2", "--strategy", "moment:every=60", "--strategy", "none", "--format", "json",
    ]
    var outputs: [String] = []
    for order in [files, files.reversed()] {
      let outcome = try program.run(["compare"] + order + options)
      #expect(outcome.status == 0)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("the same workout as"), "\(outcome.errors)")
      let record = try object(outcome.output)
      #expect(record["recordings"] as? Int == 1)
      #expect((record["persons"] as? [Any])?.count == 1)
      outputs.append(outcome.output)
    }
    #expect(outputs[0] == outputs[1])
    let table = program.folder.url.path + "/table.csv"
    let outcome = try program.run(["compare", files[0]] + options + ["--csv", table])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("recording,session,person,person_id,origin,"))
    #expect(lines[1].contains(",imported,"))
    #expect(lines[2].contains(",none,"))
    let taken = try program.run(["compare", files[0]] + options + ["--csv", table])
    #expect(taken.status == 73)
    #expect(taken.isOneComplaint)
  }
}
