import ActivityRecognition
import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: strategies that are drawn")
struct RandomizeEndToEndTests {
  /// A data folder with anna and ben, whose profiles are of a version without identities so that draws repeat, and a study.
  private struct Trial {
    let program: CoachProgram
    let study: String

    init(_ courses: String = Trial.run) throws {
      program = try CoachProgram()
      study = try program.folder.write(Trial.text(courses), to: "study.json")
      let profiles = program.data + "/profiles"
      try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
      for name in ["anna", "ben"] {
        let text = #"{"version": 1, "name": "\#(name)", "profile": {"maximumHeartRate": 190}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: profiles + "/\(name).json"))
      }
    }

    static let run = course(
      "run", #""none", {"name": "M", "strategy": "moment:every=20"}, {"name": "Z", "strategy": "zone-change"}"#)

    static func course(_ activity: String, _ arms: String) -> String {
      #"{"activity": "\#(activity)", "target": "95-104", "seconds": 600, "arms": [\#(arms)]}"#
    }

    static func text(_ courses: String, name: String = #""name": "pilot", "#) -> String {
      #"{"version": 1, \#(name)"seed": 1, "runners": 5, "ageYears": 30, "behaviours": ["reflex"], "courses": [\#(courses)]}"#
    }

    func live(_ more: [String] = [], person: String = "anna", seconds: Int = 65) throws -> CoachProgram.Outcome {
      try program.run(
        ["live", "--profile", person, "--randomize", study, "--format", "jsonl"] + more,
        input: risingLines(seconds: seconds))
    }

    /// The manifests in the order of the draws.
    func manifests(of person: String = "anna") throws -> [[String: Any]] {
      let sessions = program.data + "/sessions"
      return try FileManager.default.contentsOfDirectory(atPath: sessions).map {
        try object(try String(contentsOfFile: "\(sessions)/\($0)/manifest.json", encoding: .utf8))
      }.filter { $0["person"] as? String == person }.sorted { position($0) < position($1) }
    }

    func draws(of person: String = "anna") throws -> [[String: Any]] {
      try manifests(of: person).compactMap { $0["randomization"] as? [String: Any] }
    }

    private func position(_ manifest: [String: Any]) -> Int {
      (manifest["randomization"] as? [String: Any])?["position"] as? Int ?? 0
    }
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("Of several courses a live run without --activity is drawn from that of what the person did last")
  func lastActivity() throws {
    let both = Trial.run + "," + Trial.course("walk", #""none", "trend""#)
    let trial = try Trial(both)
    let walk = try trial.program.run(
      ["live", "--profile", "anna", "--activity", "walking", "--format", "jsonl"], input: risingLines(seconds: 65))
    #expect(walk.status == 0, "\(walk.errors)")
    let drawn = try trial.live()
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(drawn.errors.contains("activity walking, as anna did last"), "\(drawn.errors)")
    #expect(try trial.draws().map { $0["course"] as? String } == ["walk"])
    #expect(try trial.manifests().allSatisfy { $0["activity"] as? String == "walking" })
    // Who says it, or a virtual runner who runs, is drawn for that.
    #expect(try trial.live(["--activity", "running"]).status == 0)
    #expect(try trial.live(["--source", "simulated", "--speed", "max", "--duration", "65"]).status == 0)
    #expect(try trial.draws().compactMap { $0["course"] as? String }.sorted() == ["run", "run", "walk"])
    let nobody = try trial.live(person: "ben")
    #expect(nobody.status == 64)
    #expect(nobody.isOneComplaint, "\(nobody.errors)")
    #expect(nobody.errors.contains("no course for 'other'"), "\(nobody.errors)")
  }

  @Test("Live sessions are drawn one after the other; screen, journal and replay name arm and probability alike")
  func live() throws {
    let trial = try Trial()
    var counts = ["none": 0, "M": 0, "Z": 0]
    for number in 1...5 {
      let outcome = try trial.live()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      let draw = try #require(try trial.draws().last)
      let arm = try #require(draw["arm"] as? String)
      #expect(draw["position"] as? Int == number)
      #expect(draw["loop"] as? String == "closed")
      let total = 3 + 2 * (number - 1)
      let balls = 1 + (number - 1) - (counts[arm] ?? 0)
      let probability = try #require(draw["probability"] as? Double)
      #expect(abs(probability - Double(balls) / Double(total)) < 1e-15)
      counts[arm, default: 0] += 1
      let manifest = try #require(try trial.manifests().last)
      let name = try #require(manifest["sessionID"] as? String)
      let strategy = try #require(manifest["strategy"] as? [String: Any])
      #expect(strategy["kind"] as? String == ["none": "none", "M": "moment", "Z": "zone-change"][arm])
      let folder = trial.program.data + "/sessions/" + name
      let journal = try String(contentsOfFile: folder + "/decisions.jsonl", encoding: .utf8)
      #expect(outcome.output.hasPrefix(journal))
      // A replay ends with the command that stands in the log.
      let recorded = journal.split(separator: "\n").dropLast()
      let decisions = outcome.lines.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
      // What zone-change says depends on the heart rate.
      if arm != "Z" { #expect(decisions.isEmpty == (arm == "none")) }
      for line in decisions {
        let record = try Self.object(String(line))
        #expect(record["arm"] as? String == arm)
        #expect(record["armProbability"] as? Double == probability)
      }
      #expect(outcome.lines.count { $0.contains("armProbability") } == decisions.count)
      let replayed = try trial.program.run(["replay", folder, "--format", "jsonl"])
      #expect(replayed.status == 0, "\(arm): \(replayed.output)")
      #expect(replayed.lines.starts(with: recorded), "\(arm): \(replayed.output)")
      let other = try trial.program.run(
        ["replay", folder, "--strategy", "moment:every=10", "--format", "jsonl"])
      #expect(other.output.contains("withheld") || other.output.contains("cue"))
      #expect(!other.output.contains("armProbability"), "another strategy is not that of the arm")
    }
    let hash = try #require(try trial.draws().first?["studyHash"] as? String)
    let sum = ChildProgram("/usr/bin/sha256sum", [trial.study])
    let output = Pipe()
    sum.standardOutput = output
    try sum.run()
    #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).hasPrefix(hash + " "))
    // Nothing of it on a screen while it runs, and all of it afterwards.
    let shown = try trial.program.run(
      ["live", "--profile", "anna", "--randomize", trial.study], input: risingLines(seconds: 65))
    #expect(shown.status == 0)
    #expect(!shown.output.contains("arm"))
    #expect(!shown.output.contains("pilot"))
    let show = try trial.program.run(["history", "show", "latest"])
    #expect(show.output.replacing("\n", with: " ").contains("of the"), "\(show.output)")
    #expect(show.output.contains("pilot"))
    #expect(show.output.contains("draw 6)"))
    let record = try Self.object(try trial.program.run(["history", "show", "latest", "--format", "json"]).output)
    #expect((record["randomization"] as? [String: Any])?["position"] as? Int == 6)
    let export = try trial.program.run(["history", "export", "latest", "--as", "json"])
    #expect(export.output.contains(#""randomization":{"study":"pilot""#))
    #expect(export.status == 0)
    let page = try trial.program.run(["report", "latest"])
    #expect(page.status == 0)
    #expect(page.output.contains("of the study &apos;pilot&apos; (probability "))
  }

  @Test("Where the strategy is drawn, activities are recognised, and standing still pauses nothing")
  func autoPause() throws {
    let trial = try Trial()
    let model = trial.program.folder.url.appendingPathComponent("hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: model)
    let lines = ThresholdModel.lines([
      .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 12),
      .init(activity: "walking", seconds: 8),
    ])
    let input = lines.joined(separator: "\n") + "\n"
    let options = [
      "live", "--profile", "anna", "--clock", "samples", "--activity", "running", "--format", "jsonl", "--recognize",
      model.path,
    ]
    let drawn = try trial.program.run(options + ["--randomize", trial.study], input: input)
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(drawn.output.contains(#""activity":"standing""#), "\(drawn.output)")
    #expect(!drawn.output.contains(#""type":"paused""#), "\(drawn.output)")
    let chosen = try trial.program.run(options + ["--target", "95-104"], input: input)
    #expect(chosen.status == 0, "\(chosen.errors)")
    #expect(chosen.output.contains(#""type":"paused""#), "\(chosen.output)")
    let both = try trial.program.run(options + ["--randomize", trial.study, "--auto-pause"], input: input)
    #expect(both.status == 64)
    #expect(both.isOneComplaint, "\(both.errors)")
    #expect(both.errors.contains("--auto-pause and --randomize"), "\(both.errors)")
  }

  @Test("The same seed draws the same arms in another data folder, and each person has a series of their own")
  func seeds() throws {
    var series: [[String]] = []
    for _ in 0..<2 {
      let trial = try Trial()
      for person in ["anna", "ben"] {
        for _ in 0..<4 { #expect(try trial.live(["--seed", "11"], person: person, seconds: 3).status == 0) }
      }
      series += try ["anna", "ben"].map { try trial.draws(of: $0).compactMap { $0["arm"] as? String } }
      #expect(try trial.draws().allSatisfy { $0["seed"] as? Int == 11 })
    }
    #expect(series[0] == series[2])
    #expect(series[1] == series[3])
    try #require(series.allSatisfy { $0.count == 4 })
    #expect(series[0] != series[1])
  }

  @Test("A run that is killed keeps its draw, is recovered with it, and counts; so without an index")
  func killed() throws {
    let trial = try Trial(Trial.course("run", #""moment:every=10", "moment:every=5""#))
    let run = try Running(
      trial.program, ["--profile", "anna", "--randomize", trial.study, "--seed", "4"])
    try run.send(risingLines(seconds: 25))
    let printed = run.wait(for: "cue")
    run.process.send(SIGKILL)
    _ = run.finish()
    let draw = try #require(try trial.draws().first)
    let arm = try #require(draw["arm"] as? String)
    let next = try trial.program.run(["zones", "--age", "23"])
    #expect(next.errors.hasSuffix(": recovered\n"))
    let folder = try trial.program.session()
    let journal = try String(contentsOf: folder.appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(journal.split(separator: "\n").starts(with: printed.split(separator: "\n")))
    let cues = journal.split(separator: "\n").filter { $0.contains(#""type":"cue""#) }
    #expect(cues.count >= 2)
    #expect(cues.allSatisfy { $0.contains(#""arm":"\#(arm)","armProbability":0.5}"#) })
    #expect(try trial.draws().count == 1)
    // What was drawn for a run that was cut off was drawn.
    #expect(try trial.live(["--seed", "4"]).status == 0)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: trial.program.data + "/coach.sqlite" + suffix)
    }
    #expect(try trial.live(["--seed", "4"]).status == 0)
    #expect(try trial.draws().map { $0["position"] as? Int } == [1, 2, 3])
    let before = try trial.program.run(["history", "show", "latest", "--format", "json"]).output
    #expect(try trial.program.run(["history", "rebuild"]).status == 0)
    #expect(try trial.program.run(["history", "check"]).status == 0)
    #expect(try trial.program.run(["history", "show", "latest", "--format", "json"]).output == before)
  }

  @Test("A run without a sample draws nothing, and a session whose strategy is chosen says nothing of draws")
  func nothingDrawn() throws {
    let trial = try Trial()
    let empty = try trial.program.run(["live", "--profile", "anna", "--randomize", trial.study], input: "")
    #expect(empty.status == 65)
    #expect(empty.isOneComplaint)
    #expect(!FileManager.default.fileExists(atPath: trial.program.data + "/sessions"))
    let chosen = try trial.program.run(
      ["live", "--profile", "anna", "--target", "95-104", "--strategy", "moment:every=20", "--format", "jsonl"],
      input: risingLines(seconds: 65))
    #expect(chosen.status == 0)
    #expect(!chosen.output.contains("arm"))
    let folder = try trial.program.session()
    for name in ["manifest.json", "decisions.jsonl", "summary.json"] {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(!text.contains("random"))
      #expect(!text.contains("arm"))
    }
    let compared = try trial.program.run(
      ["compare", folder.path, "--strategy", "none", "--format", "json"])
    #expect(compared.status == 0)
    #expect(!compared.output.contains("randomized"))
    let path = trial.program.data + "/x.csv"
    let table = try trial.program.run(["compare", folder.path, "--strategy", "none", "--csv", path])
    #expect(table.status == 0, "\(table.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 2)
    let without = try trial.program.run(["compare", folder.path])
    #expect(without.status == 64)
    #expect(without.isOneComplaint)
  }

  @Test("A session that had a target and the strategy none is replayed so: an arm without cues stays without")
  func none() throws {
    let trial = try Trial()
    let chosen = ["live", "--profile", "anna", "--target", "95-104", "--strategy", "none", "--format", "jsonl"]
    #expect(try trial.program.run(chosen, input: risingLines(seconds: 130)).status == 0)
    let folder = try trial.program.session()
    let same = try trial.program.run(["replay", folder.path, "--format", "jsonl"])
    #expect(same.status == 0)
    #expect(!same.output.contains(#""type":"cue""#))
    let other = try trial.program.run(["replay", folder.path, "--strategy", "period", "--format", "jsonl"])
    #expect(other.output.contains(#""type":"cue""#))
  }

  private func recording(day: Int) -> String {
    "time,heart_rate\n"
      + (0...65).map {
        "2026-11-\(day)T07:\($0 < 60 ? "00" : "01"):\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z,\(90 + day + $0 % 7)\n"
      }
      .joined()
  }

  @Test("Imported sessions are drawn in the order of the import, say that nobody heard them, and twice the same once")
  func importing() throws {
    let trial = try Trial()
    let files = try [12, 10, 11].map { try trial.program.folder.write(recording(day: $0), to: "\($0).csv") }
    let arguments = ["import"] + files + ["--profile", "anna", "--randomize", trial.study, "--format", "jsonl"]
    let outcome = try trial.program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 3, "\(outcome.errors)")
    #expect(try trial.draws().map { $0["position"] as? Int } == [1, 2, 3])
    #expect(try trial.draws().allSatisfy { $0["loop"] as? String == "open" })
    #expect(
      try trial.manifests().compactMap { ($0["startTime"] as? String)?.prefix(10) }
        == ["2026-11-12", "2026-11-10", "2026-11-11"])
    #expect(try trial.live().status == 0)
    let again = try trial.program.run(arguments)
    #expect(again.lines.allSatisfy { $0.contains(#""status":"duplicate""#) })
    #expect(try trial.draws().map { $0["position"] as? Int } == [1, 2, 3, 4])
    let compared = try trial.program.run(["compare", trial.program.data + "/sessions", "--format", "json"])
    let randomized = try #require(try Self.object(compared.output)["randomized"] as? [String: Any])
    let found = try #require((randomized["trials"] as? [[String: Any]])?.first)
    #expect(found["imported"] as? Int == 3)
    #expect(found["sessions"] as? Int == 1)
    #expect(
      (randomized["sessions"] as? [[String: Any]])?.compactMap { $0["loop"] as? String }.sorted()
        == ["closed", "open", "open", "open"])
  }

  @Test("compare reads arms, probabilities and outcomes back, as a record, a table and a text")
  func compare() throws {
    let trial = try Trial()
    for person in ["anna", "ben"] {
      for number in 0..<6 {
        #expect(try trial.live(["--seed", "\(number)"], person: person, seconds: 40 + 10 * number).status == 0)
      }
    }
    let sessions = trial.program.data + "/sessions"
    let table = trial.program.data + "/sessions.csv"
    let outcome = try trial.program.run(["compare", sessions, "--csv", table, "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let record = try Self.object(outcome.output)
    #expect(
      (record["strategies"] as? [[String: Any]])?.compactMap { $0["strategy"] as? String }.prefix(2)
        == ["none", "moment:every=20"])
    let randomized = try #require(record["randomized"] as? [String: Any])
    let rows = try #require(randomized["sessions"] as? [[String: Any]])
    #expect(rows.count == 12)
    let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1 + 12 * 3)
    let header = lines[0].split(separator: ",").map(String.init)
    let own = lines.dropFirst().map { line in
      // Strategies with several parameters stand in quotes.
      let fields = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, piece in
        index.isMultiple(of: 2) ? String(piece) : String(piece.replacing(",", with: ";"))
      }.joined().split(separator: ",", omittingEmptySubsequences: false)
      return Dictionary(uniqueKeysWithValues: zip(header, fields.map(String.init)))
    }
    for row in rows {
      let draw = try #require(
        try trial.manifests(of: row["person"] as? String ?? "")
          .first { $0["sessionID"] as? String == row["sessionID"] as? String }?["randomization"] as? [String: Any])
      for key in ["arm", "study", "studyHash", "course", "loop"] {
        #expect(row[key] as? String == draw[key] as? String, "\(key)")
      }
      for key in ["position", "seed"] { #expect(row[key] as? Int == draw[key] as? Int, "\(key)") }
      #expect(row["probability"] as? Double == draw["probability"] as? Double)
      let lines = own.filter { $0["session"] == row["sessionID"] as? String }
      #expect(lines.map { $0["strategy_number"] } == ["1", "2", "3"])
      for line in lines {
        #expect(line["person"] == row["person"] as? String)
        #expect(line["arm"] == row["arm"] as? String)
        #expect(line["origin"] == "live")
      }
    }
    // The estimate, once more from the rows.
    let arms = try #require((randomized["trials"] as? [[String: Any]])?.first?["arms"] as? [[String: Any]])
    for arm in arms {
      let own = rows.filter { $0["arm"] as? String == arm["arm"] as? String }
      let weights = own.compactMap { ($0["probability"] as? Double).map { 1 / $0 } }
      let outcomes = own.compactMap { $0["compliance"] as? Double }
      #expect(arm["sessions"] as? Int == own.count)
      #expect(weights.count == outcomes.count)
      let mean = zip(weights, outcomes).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
      let stated = (arm["compliance"] as? [String: Any])?["mean"] as? Double
      #expect(own.isEmpty ? stated == nil : abs((stated ?? -1) - mean) < 1e-12)
    }
    let taken = try trial.program.run(["compare", sessions, "--csv", table])
    #expect(taken.status == 73)
    #expect(taken.isOneComplaint)
    let forced = try trial.program.run(["compare", sessions, "--csv", table, "--force", "--strategy", "none"])
    #expect(forced.status == 0)
    #expect(forced.output.contains("Study 'pilot', run: 12 live sessions of 2 people"))
  }

  @Test("What cannot be drawn is refused in one line, before anything is read")
  func refusals() throws {
    let trial = try Trial()
    func refused(_ arguments: [String], _ status: Int32, _ line: String) throws {
      let outcome = try trial.program.run(["live"] + arguments, input: risingLines(seconds: 3))
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.isOneComplaint, "\(arguments)")
      #expect(outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.errors.hasPrefix("coach: " + line), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: trial.program.data + "/sessions"))
    }
    func file(_ text: String, _ name: String) throws -> String { try trial.program.folder.write(text, to: name) }
    let anna = ["--profile", "anna"]
    let draw = ["--randomize", trial.study]
    try refused(draw + ["--age", "23"], 64, "--randomize: arms are balanced within a person: expected --profile NAME")
    try refused(
      anna + draw + ["--strategy", "none"], 64, "--strategy and --randomize: expected one of them")
    try refused(anna + draw + ["--no-save"], 64, "--randomize and --no-save: ")
    try refused(anna + ["--seed", "1"], 64, "--seed: nothing is drawn: expected --randomize too")
    try refused(anna + draw + ["--seed", "-1"], 64, "--seed: expected a whole number")
    try refused(anna + ["--randomize", trial.study + "x"], 66, trial.study + "x: ")
    let broken = try file("{\"version\": 1,", "broken.json")
    try refused(anna + ["--randomize", broken], 65, broken + ": ")
    let one = try file(Trial.text(Trial.course("run", #""none""#)), "one.json")
    try refused(anna + ["--randomize", one], 65, one + ": courses[0].arms: found one, expected at least two")
    let nameless = try file(Trial.text(Trial.run, name: ""), "nameless.json")
    try refused(anna + ["--randomize", nameless], 65, nameless + ": name: missing")
    let both = try file(Trial.text(Trial.run + "," + Trial.course("walk", #""none", "trend""#)), "both.json")
    try refused(
      anna + ["--randomize", both], 64,
      "--randomize: the study has no course for 'other': expected --activity running or --activity walking")
    try refused(
      anna + draw + ["--activity", "cycling"], 64,
      "--randomize: the study has no course for 'cycling': expected --activity running")
    try refused(anna + draw + ["--target", "z9"], 64, "target 'z9'")
    #expect(try trial.live().status == 0)
    try Data(Trial.text(Trial.run + " ").utf8).write(to: URL(fileURLWithPath: trial.study))
    for arguments in [["live"], ["import", try file(recording(day: 10), "ten.csv")]] {
      let outcome = try trial.program.run(
        arguments + anna + draw + ["--format", "jsonl"], input: risingLines(seconds: 3))
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.hasPrefix("coach: --randomize: the study 'pilot' is not the file that 2"))
    }
    #expect(try trial.draws().count == 1)
  }
}
