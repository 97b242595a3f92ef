import ActivityRecognition
import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: trials within sessions")
struct TrialEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let pilot =
    #"{"version":1,"type":"microRandomizedTrial","name":"pilot","probability":{"constant":0.5},"outcomeSeconds":[60,120],"#
    + #""controls":["secondsOffTarget"],"seed":7}"#

  private func write(_ text: String, _ name: String = "pilot.json") throws -> String {
    try program.folder.write(text, to: name)
  }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("The hash is of the canonical bytes: the order of keys and blanks change nothing, everything else does")
  func hash() throws {
    let first = try program.run(["trial", "show", write(Self.pilot), "--format", "json"])
    #expect(first.status == 0, "\(first.errors)")
    let hash = try #require(try object(first.output)["protocolSHA256"] as? String)
    #expect(hash.count == 64)
    let other = "{ \"seed\": 7,\n" + Self.pilot.dropFirst().replacing(#","seed":7"#, with: "")
    let second = try program.run(["trial", "show", write(other, "other.json")])
    #expect(second.output == "pilot\nSHA-256 \(hash)\n")
    let changed = try program.run([
      "trial", "show", write(Self.pilot.replacing("0.5", with: "0.50001"), "changed.json"),
    ])
    #expect(changed.status == 0)
    #expect(!changed.output.contains(hash))
  }

  @Test("The protocol that the page of formats shows is one, and each member of it but what may be missing is needed")
  func documented() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let page = try String(contentsOf: root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
    let part = try #require(page.range(of: "\n## Trials within a session\n"))
    let begin = try #require(page.range(of: "\n```json\n", range: part.upperBound..<page.endIndex))
    let end = try #require(page.range(of: "\n```\n", range: begin.upperBound..<page.endIndex))
    let text = String(page[begin.upperBound..<end.lowerBound])
    let shown = try program.run(["trial", "show", write(text)])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.hasPrefix("pilot\nSHA-256 "), "\(shown.output)")
    let whole = try object(text)
    let needed = ["version", "type", "name", "probability", "outcomeSeconds", "seed"]
    for key in whole.keys.sorted() {
      let rest = try JSONSerialization.data(withJSONObject: whole.filter { $0.key != key })
      let outcome = try program.run(["trial", "show", write(String(decoding: rest, as: UTF8.self), "\(key).json")])
      #expect(outcome.status == (needed.contains(key) ? 65 : 0), "\(key): \(outcome.errors)")
    }
  }

  @Test("A session whose strategy is drawn draws its cues too, and its points have the strategy as their arm")
  func randomized() throws {
    let file = try write(Self.pilot)
    let study = try write(
      #"{"version":1,"name":"two","seed":1,"runners":10,"ageYears":30,"behaviours":["reflex"],"courses":[{"activity":"run","#
        + #""target":"z2","seconds":600,"arms":[{"name":"a","strategy":"moment:every=60"},"#
        + #"{"name":"b","strategy":"period:every=60,window=60"}]}]}"#, "arms.json")
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    let live = try program.run([
      "live", "--profile", "anna", "--randomize", study, "--trial", file, "--source", "simulated", "--speed", "max",
      "--duration", "10m", "--seed", "3", "--trial-session", "5", "--format", "jsonl",
    ])
    #expect(live.status == 0, "\(live.errors)")
    let drawn = live.lines.filter { $0.contains(#""armProbability":0.5"#) }
    #expect(!drawn.isEmpty)
    #expect(drawn.contains { $0.contains(#""reason":"drawn""#) }, "\(live.output)")
    #expect(live.output.contains(#""type":"decisionPoint""#))
    let session = try program.session().path
    let again = try program.run(["replay", session, "--format", "jsonl"])
    #expect(again.status == 0, "\(again.errors)")
    let kinds = [#""type":"decisionPoint""#, #""type":"cue""#, #""type":"withheld""#]
    func decided(_ outcome: CoachProgram.Outcome) -> [Substring] {
      outcome.lines.filter { line in kinds.contains { line.contains($0) } }
    }
    #expect(decided(again) == decided(live))
    let table = path("points.csv")
    _ = try program.run([
      "trial", "analyse", session, "--protocol", file, "--include-simulated", "--csv", table,
    ])
    let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n").dropFirst()
    let arms = ["moment:every=60", "period:every=60,window=60"].filter { arm in
      rows.allSatisfy { $0.contains(",\(arm),") || $0.contains(",\"\(arm)\",") }
    }
    #expect(!rows.isEmpty)
    #expect(arms.count == 1)
  }

  @Test(
    "A protocol that is none is refused with one line",
    arguments: [
      #""constant":0"#, #""constant":1"#, #""constant":-0.5"#, #""constant":"half""#, #""of":"sleep","steps":[]"#,
      #""of":"secondsSinceCue","steps":[{"from":5,"probability":0.5}]"#,
      #""of":"secondsSinceCue","steps":[{"from":0,"probability":0.5},{"from":0,"probability":0.4}]"#,
    ])
  func refused(rule: String) throws {
    let file = try write(Self.pilot.replacing(#""constant":0.5"#, with: rule))
    let outcome = try program.run(["trial", "show", file])
    #expect(outcome.status == 65)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
  }

  @Test("What stands twice in a protocol, or is asked for twice, is refused: nothing could be estimated by it")
  func repeated() throws {
    for key in ["controls", "moderators"] {
      let rest = Self.pilot.replacing(#","controls":["secondsOffTarget"]"#, with: "")
      let text = rest.dropLast() + #","\#(key)":["point","secondsSinceCue","point"]}"#
      let file = try write(String(text), "\(key).json")
      for verb in [
        ["trial", "show", file],
        ["study", "--age", "23", "--arm", "moment:every=60", "--runners", "3", "--minutes", "10", "--trial", file],
      ] {
        let outcome = try program.run(verb)
        #expect(outcome.status == 65, "\(verb): \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(outcome.errors)")
        #expect(outcome.errors.contains("\(key): "), "\(outcome.errors)")
        #expect(outcome.errors.contains("expected each of them once, found point twice"), "\(outcome.errors)")
      }
    }
    let arms = ["--arm", "none", "--arm", "moment:every=60", "--arm", "none", "--runners", "3", "--minutes", "10"]
    let points = path("twice.csv")
    let twice = try program.run(
      ["study", "--age", "23"] + arms + ["--trial", write(Self.pilot), "--points", points])
    #expect(twice.status == 64)
    #expect(twice.errors == "coach: --trial: the arm 'none' twice: expected each of them once\n")
    #expect(!FileManager.default.fileExists(atPath: points))
    #expect(try program.run(["study", "--age", "23"] + arms).status == 0)
    let outcome = try program.run([
      "trial", "analyse", "none.csv", "--protocol", write(Self.pilot), "--moderator", "point", "--moderator", "point",
    ])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains("--moderator point twice: expected each of them once"), "\(outcome.errors)")
  }

  @Test("Ctrl-C ends a long power analysis by the signal itself, as its help says")
  func interrupted() async throws {
    let process = program.process([
      "trial", "power", "--points-per-person", "300", "--standardized-effect", "0.1", "--simulate", "100000",
    ])
    let output = try program.folder.write("", to: "output")
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    try process.run()
    try await expectEventually("it computes") {
      let facts = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      // Behind the name in brackets: the eleventh number is the time that it has computed, in hundredths of a second.
      let numbers = try #require(facts.split(separator: ")").last).split(separator: " ")
      return try #require(Int(numbers[11])) >= 10
    }
    process.send(SIGINT)
    process.waitUntilExit(seconds: 60)
    #expect(process.wasKilled)
    #expect(process.terminationStatus == SIGINT)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)).isEmpty)
  }

  @Test("Where cues are drawn, activities are recognised, and standing still pauses nothing, live and in a replay")
  func autoPause() throws {
    let file = try write(Self.pilot)
    let model = path("hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: URL(fileURLWithPath: model))
    let input =
      ThresholdModel.lines([
        .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 12),
        .init(activity: "walking", seconds: 8),
      ]).joined(separator: "\n") + "\n"
    let options = ["--format", "jsonl", "--recognize", model]
    let live = [
      "live", "--age", "23", "--target", "z3", "--strategy", "moment:every=10", "--trial", file, "--clock", "samples",
    ]
    let drawn = try program.run(live + options, input: input)
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(drawn.output.contains(#""activity":"standing""#), "\(drawn.output)")
    #expect(!drawn.output.contains(#""type":"paused""#), "\(drawn.output)")
    let session = try program.session().path
    let replayed = try program.run(["replay", session] + options)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(!replayed.output.contains(#""type":"paused""#), "\(replayed.output)")
    let both = try program.run(live + options + ["--auto-pause"], input: input)
    #expect(both.status == 64)
    #expect(both.isOneComplaint, "\(both.errors)")
    #expect(both.errors.contains("--auto-pause and --trial"), "\(both.errors)")
  }

  @Test("A study draws at the points of its runners: the same bytes on one thread and on many, and an analysis of them")
  func study() throws {
    let file = try write(Self.pilot)
    func study(_ name: String, threads: Int) throws -> CoachProgram.Outcome {
      try program.run([
        "study", "--age", "23", "--activity", "walk", "--arm", "moment:every=60,hold=0", "--runners", "40", "--minutes",
        "15",
        "--seed", "3", "--trial", file, "--points", path(name), "--threads", "\(threads)", "--format", "json",
      ])
    }
    let one = try study("one.csv", threads: 1)
    #expect(one.status == 0, "\(one.errors)")
    #expect(try study("many.csv", threads: 3).output == one.output)
    let table = try String(contentsOfFile: path("one.csv"), encoding: .utf8)
    #expect(try String(contentsOfFile: path("many.csv"), encoding: .utf8) == table)
    #expect(table.split(separator: "\n").count > 400)
    let text = try program.run(["trial", "analyse", path("one.csv"), "--protocol", file])
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.hasPrefix("Trial 'pilot', as planned: seconds in target in the 60 s after a point\n"))
    #expect(text.lines[1] == "Of virtual runners of a study")
    let json = try program.run([
      "trial", "analyse", path("one.csv"), "--protocol", file, "--format", "json", "--csv", path("again.csv"),
    ])
    let record = try object(json.output)
    #expect(record["people"] as? Int == 40)
    #expect(record["planned"] as? Bool == true)
    #expect(record["degreesOfFreedom"] as? Int == 37)
    let effects = try #require(record["effects"] as? [[String: Any]])
    #expect(effects.count == 1)
    // A cue brings walkers who follow most of them towards the target.
    #expect(try #require(effects[0]["estimate"] as? Double) > 0)
    // A table that is read is written again as it was.
    #expect(try String(contentsOfFile: path("again.csv"), encoding: .utf8) == table)
    // Spreadsheets and Python end lines with carriage returns too, begin with a mark, and people add columns behind.
    for (name, changed) in [
      ("returns.csv", table.replacing("\n", with: "\r\n")), ("marked.csv", "\u{FEFF}" + table),
      (
        "added.csv",
        table.split(separator: "\n").enumerated().map { $1 + ($0 == 0 ? ",remark" : ",none") + "\n" }.joined()
      ),
    ] {
      #expect(changed.utf8.count > table.utf8.count)
      let read = try program.run([
        "trial", "analyse", program.folder.write(changed, to: name), "--protocol", file, "--csv", path("read-" + name),
      ])
      #expect(read.status == 0, "\(name): \(read.errors)")
      #expect(read.output == text.output, "\(name)")
      #expect(try String(contentsOfFile: path("read-" + name), encoding: .utf8) == table, "\(name)")
    }
    let moderated = try program.run([
      "trial", "analyse", path("one.csv"), "--protocol", file, "--moderator", "beatsOffTarget", "--outcome-seconds",
      "120",
      "--format", "json",
    ])
    let exploratory = try object(moderated.output)
    #expect(exploratory["planned"] as? Bool == false)
    #expect((exploratory["effects"] as? [[String: Any]])?.count == 2)
    let changed = try write(Self.pilot.replacing(#""seed":7"#, with: #""seed":8"#), "changed.json")
    let other = try program.run(["trial", "analyse", path("one.csv"), "--protocol", changed])
    #expect(other.status == 65)
    #expect(other.isOneComplaint, "\(other.errors)")
    #expect(other.errors.contains("another protocol"))
    let twice = try program.run(["trial", "analyse", path("one.csv"), path("one.csv"), "--protocol", file])
    #expect(twice.status == 65)
    let torn = try program.folder.write(String(table.dropLast(30)), to: "torn.csv")
    #expect(try program.run(["trial", "analyse", torn, "--protocol", file]).status == 65)
    let copied = try program.run(["trial", "analyse", path("one.csv"), path("many.csv"), "--protocol", file])
    #expect(copied.status == 65)
    #expect(copied.errors.hasPrefix("coach: \(path("many.csv")): "), "\(copied.errors)")
    #expect(copied.errors.contains("found it in \(path("one.csv")) too"), "\(copied.errors)")
  }

  @Test("The text and the page of a study under a trial name its protocol, as its record does")
  func named() throws {
    let file = try write(Self.pilot)
    let hash = try #require(
      try object(try program.run(["trial", "show", file, "--format", "json"]).output)["protocolSHA256"] as? String)
    let plain = [
      "study", "--age", "23", "--arm", "moment:every=60", "--runners", "3", "--minutes", "10",
    ]
    let options = plain + ["--trial", file, "--points", path("points.csv"), "--force"]
    let text = try program.run(options)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("'pilot'"))
    #expect(text.output.contains(hash))
    let record = try object(try program.run(options + ["--format", "json"]).output)
    #expect(record["trial"] as? String == "pilot")
    #expect(record["protocolSHA256"] as? String == hash)
    let other = try object(try program.run(plain + ["--format", "json"]).output)
    #expect(other["trial"] == nil)
    #expect(other["studyHash"] as? String != record["studyHash"] as? String)
    #expect(try program.run(options + ["--output", path("page.html")]).status == 0)
    let page = try String(contentsOfFile: path("page.html"), encoding: .utf8)
    #expect(page.contains("SHA-256 \(hash)"))
    #expect(page.contains("A trial within the sessions"))
  }

  @Test("Studies of two seeds draw what has nothing to do with one another")
  func seeds() throws {
    let file = try write(Self.pilot)
    func drawn(_ seed: Int) throws -> [String: String] {
      let study = try program.run([
        "study", "--age", "23", "--activity", "walk", "--arm", "moment:every=60,hold=0", "--runners", "20", "--minutes",
        "15", "--seed", "\(seed)", "--trial", file, "--points", path("\(seed).csv"), "--threads", "1", "--format",
        "json",
      ])
      #expect(study.status == 0, "\(study.errors)")
      let lines = try String(contentsOfFile: path("\(seed).csv"), encoding: .utf8).split(separator: "\n").map(
        String.init)
      let columns = lines[0].components(separatedBy: ",")
      func place(_ name: String) throws -> Int { columns.count - (try #require(columns.firstIndex(of: name))) }
      let (available, action, point) = (try place("available"), try place("action"), try place("point"))
      var actions: [String: String] = [:]
      for line in lines.dropFirst() {
        // The session's name has a comma in it, so that places count from behind.
        let cells = line.components(separatedBy: ",")
        guard cells[cells.count - available] == "1" else { continue }
        let session = cells.prefix(cells.count - point).joined(separator: ",")
        actions["\(session), \(cells[cells.count - point])"] = cells[cells.count - action]
      }
      return actions
    }
    let (first, second) = (try drawn(3), try drawn(4))
    let both = first.keys.filter { second[$0] != nil }
    #expect(both.count > 30)
    // At a probability of one half, half of them agree.
    let share = Double(both.count { first[$0] == second[$0] }) / Double(both.count)
    #expect(0.25...0.75 ~= share, "\(share) of \(both.count)")
  }

  @Test("Points of several arms or behaviours make one effect with a word on it, and each its own when it is asked for")
  func pooled() throws {
    let file = try write(Self.pilot)
    let arms = ["moment:every=60,hold=0", "moment:every=120,hold=0"]
    let study = try program.run([
      "study", "--age", "23", "--activity", "walk", "--arm", arms[0], "--arm", arms[1], "--behaviour", "reflex",
      "--behaviour", "relapse:tau=90", "--runners", "20", "--minutes", "15", "--seed", "3", "--trial", file, "--points",
      path("all.csv"), "--threads", "1", "--format", "json",
    ])
    #expect(study.status == 0, "\(study.errors)")
    func analysis(_ options: [String]) throws -> CoachProgram.Outcome {
      try program.run(["trial", "analyse", path("all.csv"), "--protocol", file] + options)
    }
    let warned = try analysis([])
    #expect(warned.status == 0)
    #expect(warned.isOneComplaint, "\(warned.errors)")
    for words in [
      #"2 behaviours ("reflex", "relapse:tau=90")"#, #"2 arms ("\#(arms[0])", "\#(arms[1])")"#, "--behaviour, --arm",
    ] { #expect(warned.errors.contains(words), "\(warned.errors)") }
    // One of two is not enough.
    let half = try analysis(["--arm", arms[0]])
    #expect(half.errors.contains("2 behaviours"), "\(half.errors)")
    #expect(!half.errors.contains("2 arms"), "\(half.errors)")
    let unknown = try analysis(["--arm", "moment"])
    #expect(unknown.status == 64)
    #expect(unknown.isOneComplaint, "\(unknown.errors)")
    #expect(unknown.errors.contains(arms[1]))
    // The same strategy in other words is the same arm.
    for (arm, words) in zip(arms, ["moment:hold=0,every=60", "moment:hold=0"]) {
      #expect(try analysis(["--arm", words]).output == analysis(["--arm", arm]).output, "\(words)")
    }

    var points = 0
    for arm in arms {
      for behaviour in ["reflex", "relapse:tau=90"] {
        let one = try object(try analysis(["--arm", arm, "--behaviour", behaviour, "--format", "json"]).output)
        #expect(one["pooled"] as? Bool == false)
        #expect(one["arms"] as? [String] == [arm])
        #expect(one["behaviours"] as? [String] == [behaviour])
        #expect(one["activities"] as? [String] == ["walk"])
        points += try #require(one["points"] as? Int)
      }
    }
    let all = try object(try analysis(["--format", "json"]).output)
    #expect(all["pooled"] as? Bool == true)
    #expect(all["arms"] as? [String] == arms)
    #expect(all["points"] as? Int == points)
    let text = try analysis([])
    #expect(text.output.split(separator: "\n")[1].hasPrefix("Pooled: 2 behaviours ("), "\(text.output)")
    // An arm by itself is that of a table without the others.
    let alone = try analysis(["--arm", arms[0], "--behaviour", "reflex", "--csv", path("alone.csv")])
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(try program.run(["trial", "analyse", path("alone.csv"), "--protocol", file]).output == alone.output)
  }

  @Test("A protocol without a table for its points, and a table without a protocol, are refused by the one that lacks")
  func halves() throws {
    let file = try write(Self.pilot)
    let study = ["study", "--age", "23", "--activity", "walk", "--arm", "moment:every=60", "--runners", "2"]
    for (options, lacking) in [
      (["--trial", file], "--points FILE"), (["--points", path("a.csv")], "--trial PROTOCOL"),
    ] {
      let outcome = try program.run(study + options)
      #expect(outcome.status == 64)
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains("expected \(lacking) beside it"), "\(outcome.errors)")
    }
  }

  @Test("A table with a value that cannot be is refused, and not analysed without it")
  func damaged() throws {
    let file = try write(Self.pilot)
    let study = try program.run([
      "study", "--age", "23", "--activity", "walk", "--arm", "moment:every=60,hold=0", "--runners", "10", "--minutes",
      "15",
      "--seed", "3", "--trial", file, "--points", path("whole.csv"), "--threads", "1", "--format", "json",
    ])
    #expect(study.status == 0, "\(study.errors)")
    var lines = try String(contentsOfFile: path("whole.csv"), encoding: .utf8).split(separator: "\n").map(String.init)
    let columns = lines[0].split(separator: ",").map(String.init)
    // A point with a cue, after another one with a cue; the session's name has a comma in it, so that places count from behind.
    let line = try #require(
      lines.indices.dropFirst().first { index in
        let cells = lines[index].components(separatedBy: ",")
        return cells[cells.count - 11] == "1" && !cells[cells.count - 7].isEmpty && !cells[cells.count - 1].isEmpty
      })
    let sound = lines[line]
    for (column, value, words) in [
      ("seconds_in_target_60", "61", "seconds_in_target_60"), ("seconds_in_target_60", "-5", "seconds_in_target_60"),
      ("seconds_in_target_60", "inf", "seconds_in_target_60"), ("seconds_in_target_60", "", "seconds_in_target_60"),
      ("covered_seconds_120", "nan", "seconds_in_target_120"),
      ("seconds_since_cue", "-3", "seconds_since_cue: expected seconds of a decision point"),
      ("seconds_since_cue", "soon", "seconds_since_cue: expected seconds of a decision point"),
      ("beats_off_target", "1e308", "beats_off_target: expected whole beats of a decision point"),
      ("available", "0", "action: expected 0 of a decision point"), ("probability", "0.25", "not that of the protocol"),
    ] {
      var cells = sound.components(separatedBy: ",")
      cells[cells.count - columns.count + (try #require(columns.firstIndex(of: column)))] = value
      if column == "available" {
        cells[cells.count - columns.count + (try #require(columns.firstIndex(of: "action")))] = "1"
      }
      lines[line] = cells.joined(separator: ",")
      let table = try program.folder.write(lines.joined(separator: "\n") + "\n", to: "damaged.csv")
      let outcome = try program.run(["trial", "analyse", table, "--protocol", file])
      #expect(outcome.status == 65, "\(column) \(value)")
      #expect(outcome.isOneComplaint, "\(column) \(value): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(column) \(value): \(outcome.errors)")
    }
  }

  @Test("What has no decision points is named, and so is a folder that holds sessions and is none")
  func nothingThere() throws {
    let file = try write(Self.pilot)
    let study = try program.run([
      "study", "--age", "23", "--activity", "walk", "--arm", "moment:every=60,hold=0", "--runners", "10", "--minutes",
      "15", "--seed", "3", "--trial", file, "--points", path("whole.csv"), "--threads", "1", "--format", "json",
    ])
    #expect(study.status == 0, "\(study.errors)")
    let table = try String(contentsOfFile: path("whole.csv"), encoding: .utf8)
    func analysis(_ inputs: [String], _ options: [String] = []) throws -> CoachProgram.Outcome {
      try program.run(["trial", "analyse"] + inputs + ["--protocol", file] + options)
    }
    let whole = try analysis([path("whole.csv")])
    #expect(whole.status == 0, "\(whole.errors)")
    let returns = try write(table.replacing("\n", with: "\r"), "macintosh.csv")
    #expect(try analysis([returns]).output == whole.output)

    let head = try write(String(try #require(table.split(separator: "\n").first)) + "\n", "head.csv")
    let alone = try analysis([head])
    #expect(alone.status == 65)
    #expect(alone.isOneComplaint, "\(alone.errors)")
    #expect(alone.errors.contains("\(head): no decision points: expected some"), "\(alone.errors)")
    let beside = try analysis([head, path("whole.csv")])
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(beside.output == whole.output)
    #expect(beside.errors.contains("\(head): no decision points\n"), "\(beside.errors)")

    let other = try write(table.replacing("seconds_in_target_120", with: "later"), "other.csv")
    #expect(try analysis([other]).output == whole.output)
    let lacking = try analysis([other], ["--outcome-seconds", "120"])
    #expect(lacking.status == 65)
    #expect(lacking.isOneComplaint, "\(lacking.errors)")
    #expect(lacking.errors.contains("\(other): line 1: no seconds_in_target_120 "), "\(lacking.errors)")

    let live = try program.run(
      ["live", "--age", "23", "--target", "z3", "--strategy", "moment:every=30", "--trial", file],
      input: risingLines(seconds: 120))
    #expect(live.status == 0, "\(live.errors)")
    let sessions = path("data/sessions")
    for folder in [sessions, sessions + "/", path("data")] {
      let outcome = try analysis([folder])
      #expect(outcome.status == 66, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(
        outcome.errors.contains(
          "\(folder): no session, but it holds some: expected the folder of each, such as \(sessions)/*"),
        "\(outcome.errors)")
    }
  }

  @Test("A live session draws, keeps its protocol, and is replayed to the byte")
  func live() throws {
    let file = try write(Self.pilot)
    let live = try program.run(
      [
        "live", "--age", "23", "--target", "z3", "--strategy", "moment:every=30", "--trial", file, "--trial-session",
        "5",
        "--format", "jsonl",
      ], input: risingLines(seconds: 600))
    #expect(live.status == 0, "\(live.errors)")
    let points = live.lines.filter { $0.contains(#""type":"decisionPoint""#) }
    #expect(points.count == 20)
    #expect(live.output.contains(#""reason":"drawn""#))
    let first = try object(String(try #require(points.first)))
    #expect(first["point"] as? Int == 1)
    #expect(first["pointAtSeconds"] as? Int == 30)
    #expect(first["atSeconds"] as? Int == 150)
    #expect(first["probability"] as? Double == 0.5)
    let session = try program.session()
    try FileManager.default.removeItem(atPath: file)
    let replay = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replay.status == 0, "\(replay.errors)")
    let kinds = [#""type":"cue""#, #""type":"withheld""#, #""type":"decisionPoint""#]
    func decided(_ outcome: CoachProgram.Outcome) -> [Substring] {
      outcome.lines.filter { line in kinds.contains { line.contains($0) } }
    }
    #expect(decided(replay) == decided(live))
    #expect(try program.run(["history", "rebuild"]).status == 0)
    #expect(try program.run(["history", "check"]).status == 0)
    // One session has no persons to spare, and says so.
    let again = try write(Self.pilot)
    let alone = try program.run(["trial", "analyse", session.path, "--protocol", again, "--csv", path("points.csv")])
    #expect(alone.status == 65)
    #expect(alone.errors.contains("trial analyse: 1 person with a point that counts ("), "\(alone.errors)")
    #expect(alone.errors.contains(" incomplete): expected at least 4\n"), "\(alone.errors)")
    let manifest = session.appendingPathComponent("manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    #expect(text.contains("protocolSHA256"))
    try text.replacing(#"\"constant\":0.5"#, with: #"\"constant\":0.6"#).write(
      to: manifest, atomically: true, encoding: .utf8)
    #expect(try program.run(["replay", session.path]).status == 65)
  }

  @Test("Sessions are of as many people as they name, and those whose cues nobody heard are not among theirs")
  func people() throws {
    let file = try write(Self.pilot)
    let input = risingLines(seconds: 900)
    func live(_ options: [String], input: String? = nil) throws {
      let outcome = try program.run(
        ["live", "--strategy", "moment:every=30", "--trial", file] + options, input: input)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    func sessions() throws -> [String] {
      let folder = program.folder.url.appendingPathComponent("data/sessions")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { folder.path + "/" + $0 }
    }
    func analysis(_ options: [String] = []) throws -> CoachProgram.Outcome {
      try program.run(["trial", "analyse"] + sessions() + ["--protocol", file] + options)
    }
    for number in 1...5 {
      try live(["--age", "36", "--target", "z3", "--trial-session", "\(number)"], input: input)
    }
    // Five sessions by age alone are not five people, however the path to them is written.
    let nobody = try analysis()
    #expect(nobody.status == 65)
    #expect(nobody.errors.contains("trial analyse: 1 person with a point that counts ("), "\(nobody.errors)")
    #expect(nobody.errors.contains(" incomplete): expected at least 4\n"), "\(nobody.errors)")
    #expect(nobody.errors.contains("5 sessions without a person, taken for those of one"), "\(nobody.errors)")
    let spelt = try program.run(
      ["trial", "analyse"]
        + sessions().enumerated().map { $1.replacing("/sessions/", with: $0 == 0 ? "/./sessions//" : "/sessions/") }
        + ["--protocol", file])
    #expect(spelt.errors.contains("1 person with"), "\(spelt.errors)")
    for path in try sessions() { try FileManager.default.removeItem(atPath: path) }

    for (place, name) in ["anna", "ben", "cleo", "dan"].enumerated() {
      #expect(try program.run(["profile", "create", name, "--birth-date", "1990-05-17"]).status == 0)
      for number in 1...2 {
        try live(
          ["--profile", name, "--target", "z3", "--trial-session", "\(10 * place + number)"], input: input)
      }
    }
    let people = try analysis()
    #expect(people.status == 0, "\(people.errors)")
    #expect(people.errors.isEmpty, "\(people.errors)")
    #expect(people.lines[1].hasPrefix("4 people, "), "\(people.output)")
    #expect(people.output.hasSuffix("t with 1 degree of freedom.\n"), "\(people.output)")

    for number in 1...2 {
      try live([
        "--age", "36", "--target", "z2", "--source", "simulated", "--speed", "max", "--duration", "10m",
        "--trial-session", "\(number)",
      ])
    }
    let recording = try program.folder.write(
      "time_s,heart_rate_bpm\n" + (0...900).map { "\($0),\(100 + $0 / 10)\n" }.joined(), to: "played.csv")
    try live(["--age", "36", "--target", "z3", "--source", "file:" + recording, "--speed", "max"])
    // What nobody heard changes nothing of what people did.
    let alone = try analysis()
    #expect(alone.output == people.output)
    #expect(
      alone.errors.contains("2 simulated sessions left out: --include-simulated takes them too"), "\(alone.errors)")
    #expect(alone.errors.contains("1 imported session left out, whose cues nobody heard"), "\(alone.errors)")
    let record = try object(try analysis(["--format", "json"]).output)
    #expect(record["simulatedLeftOut"] as? Int == 2)
    #expect(record["importedLeftOut"] as? Int == 1)
    #expect(record["behaviours"] as? [String] == ["person"])
    let all = try analysis(["--include-simulated"])
    #expect(all.status == 0, "\(all.errors)")
    #expect(
      all.output.contains("\nOf people; of simulated sessions, in which no person was measured\n"), "\(all.output)")
    #expect(all.output.contains("\n5 people, "), "\(all.output)")
    #expect(!all.errors.contains("simulated session left out"), "\(all.errors)")
    // Who names a behaviour asks for it.
    let played = try analysis(["--behaviour", "imported", "--csv", path("played-points.csv")])
    #expect(played.status == 65)
    #expect(played.errors.contains("1 person with"), "\(played.errors)")
    let table = try String(contentsOfFile: path("played-points.csv"), encoding: .utf8)
    #expect(table.split(separator: "\n").count > 20)
    // A table of them is what its rows say.
    let read = try program.run(["trial", "analyse", path("played-points.csv"), "--protocol", file])
    #expect(read.status == 65)
    #expect(read.errors.contains("nothing to analyse"), "\(read.errors)")
  }

  @Test("Power is said by the formula, and by made trials with a seed")
  func power() throws {
    let asked = [
      "trial", "power", "--points-per-person", "60", "--standardized-effect", "0.1", "--availability", "0.5",
      "--format", "json",
    ]
    let record = try object(try program.run(asked + ["--trial-people", "40"]).output)
    // scripts/trial-vectors, by numpy.
    #expect(abs(try #require(record["publishedPower"] as? Double) - 0.3926127467644372) < 1e-6)
    let own = try #require(record["power"] as? Double)
    #expect(own < 0.3926)
    let changing = try object(
      try program.run(asked + ["--trial-people", "40", "--probability-after-cue", "0.25"]).output)
    #expect(try #require(changing["power"] as? Double) < own)
    let needed = try object(try program.run(asked).output)
    #expect(try #require(needed["power"] as? Double) >= 0.8)
    let simulated = try program.run(asked + ["--trial-people", "30", "--simulate", "50", "--seed", "2"])
    #expect(simulated.status == 0)
    #expect(
      try program.run(asked + ["--trial-people", "30", "--simulate", "50", "--seed", "2"]).output == simulated.output)
    #expect(try program.run(["trial", "power", "--standardized-effect", "0.1"]).status == 64)
    let many = [
      "trial", "power", "--points-per-person", "10000", "--standardized-effect", "0.1", "--trial-people", "501",
    ]
    let refused = try program.run(many + ["--simulate", "1"])
    #expect(refused.status == 64)
    #expect(
      refused.errors
        == "coach: --simulate: 501 people with 10000 points each: expected at most 5000000 points of a trial\n")
    #expect(try program.run(many).status == 0)
    let few = [
      "trial", "power", "--points-per-person", "2", "--standardized-effect", "0.5", "--trial-people", "4", "--simulate",
      "30",
    ]
    let counts = try #require(
      try object(try program.run(few + ["--format", "json"]).output)["simulated"] as? [String: Any])
    let (estimated, without) = (counts["trials"] as? Int, counts["trialsWithoutEstimate"] as? Int)
    #expect((estimated ?? 0) + (without ?? 0) == 30)
    #expect((without ?? 0) > 0)
    #expect(try program.run(few).output.contains("Of \(without ?? 0) more nothing could be estimated"))
  }
}
