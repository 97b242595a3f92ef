import Foundation
import Testing

@Suite("The program: studies")
struct StudyEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let options = [
    "study", "--age", "23", "--target", "weight-control", "--arm", "none", "--arm", "moment:every=120", "--arm",
    "period:every=60,window=60", "--minutes", "10", "--runners", "30", "--seed", "5",
  ]

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("Fewer than three runners have no interval and no probability, and the text says why")
  func fewRunners() throws {
    let arms = ["study", "--age", "40", "--minutes", "5", "--arm", "none", "--arm", "moment:every=60", "--seed", "5"]
    for (runners, words) in [("1", "One person says nothing"), ("2", "Two people say next to nothing")] {
      let record = try program.run(arms + ["--runners", runners, "--format", "json"])
      #expect(record.status == 0, "\(record.errors)")
      #expect(!record.output.contains("onfidence95"), "\(runners)")
      #expect(!record.output.contains("\"p\""), "\(runners)")
      let text = try program.run(arms + ["--runners", runners])
      #expect(
        text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(text.output)")
    }
    let three = try program.run(arms + ["--runners", "3", "--format", "json"])
    #expect(three.output.contains("confidence95"))
  }

  @Test("The text of a study, its page and its records each have one minus sign")
  func minusSigns() throws {
    // Of an arm less a better one, with intervals that reach below nothing.
    let study = try program.folder.write(
      #"{"version":1,"seed":1,"runners":5,"ageYears":23,"behaviours":["reflex"],"courses":[{"activity":"run","#
        + #""target":"weight-control","seconds":600,"arms":["moment:every=120","none"]}]}"#, to: "study.json")
    let text = try program.run(["study", study])
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains(" −"), "\(text.output)")
    #expect(text.output.firstMatch(of: #/(^|[ (…–])-[0-9]/#.anchorsMatchLineEndings()) == nil, "\(text.output)")
    #expect(try program.run(["study", study, "--output", path("page.html")]).status == 0)
    let page = try String(contentsOfFile: path("page.html"), encoding: .utf8)
    #expect(page.firstMatch(of: #/>[^<>]*−[0-9][^<>]*</#) != nil)
    #expect(page.firstMatch(of: #/>-[0-9]|[ ]\(-[0-9]/#) == nil)
    let record = try program.run(["study", study, "--format", "json"])
    #expect(record.output.contains(#""meanDifference":-"#), "\(record.output)")
    #expect(!record.output.contains("−"))
  }

  @Test("Where people are missing the verb that was typed says so", arguments: [["study"], ["study", "population"]])
  func nobody(verb: [String]) throws {
    let outcome = try program.run(verb)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("coach: \(verb.joined(separator: " ")): expected a FILE, or --age"))
  }

  @Test("Options make a study, and its record has what others rely on")
  func record() throws {
    let outcome = try program.run(
      Self.options + ["--activity", "run", "--behaviour", "visible+anticipate:rho=1,lead=15", "--format", "json"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.count == 1)
    let record = try object(outcome.output)
    #expect(record["version"] as? Int == 1)
    #expect(record["type"] as? String == "study")
    #expect(record["loop"] as? String == "closed")
    #expect(record["runners"] as? Int == 30)
    #expect(record["seconds"] as? Int == 600)
    #expect(record["seed"] as? Int == 5)
    #expect(record["behaviour"] as? String == "visible+anticipate:rho=1,lead=15")
    #expect(record["activity"] as? String == "run")
    #expect(record["targetLowerBPM"] as? Int == 119)
    let arms = try #require(record["arms"] as? [[String: Any]])
    #expect(arms.map { $0["arm"] as? String } == ["none", "moment:every=120", "period:every=60,window=60"])
    for arm in arms {
      let time = try #require(arm["timeInTarget"] as? [String: Any])
      let mean = try #require(time["mean"] as? Double)
      let interval = try #require(time["confidence95"] as? [Double])
      try #require(interval.count == 2)
      #expect(interval[0] <= mean)
      #expect(mean <= interval[1])
      #expect((0...1).contains(mean))
      for key in ["rmseBPM", "overshootBPM", "secondsToTarget", "cuesPerHour"] { #expect(arm[key] is Double, "\(key)") }
    }
    #expect(arms[0]["followedShare"] == nil)
    #expect(arms[0]["checkMinusMidway"] == nil)
    #expect(arms[1]["followedShare"] is Double)
    #expect(arms[1]["checkMinusMidway"] is Double)
    let contrasts = try #require(record["contrasts"] as? [[String: Any]])
    #expect(contrasts.count == 3)
    for contrast in contrasts {
      for key in ["meanDifference", "pHolm", "shareBetter"] { #expect(contrast[key] is Double, "\(key)") }
      #expect((contrast["confidence95"] as? [Double])?.count == 2)
    }
    let limit = try #require(record["limit"] as? [String: Any])
    #expect(limit["drivenTreadmill"] is Double)
    #expect(record["suggestions"] as? [String] == ["moment:every=60", "period:every=120,window=60"])
  }

  @Test("Each behaviour is a record: a line each, or all in one document")
  func records() throws {
    let arguments = Self.options + ["--behaviour", "reflex", "--behaviour", "relapse"]
    let lines = try program.run(arguments + ["--format", "jsonl"]).lines
    #expect(try lines.map { try object(String($0))["behaviour"] as? String } == ["reflex", "relapse"])
    let document = try object(try program.run(arguments + ["--format", "json"]).output)
    #expect(document["type"] as? String == "studies")
    #expect((document["studies"] as? [Any])?.count == 2)
    let text = try program.run(arguments)
    #expect(text.status == 0)
    #expect(text.errors.isEmpty)
    for words in ["run, reflex", "run, relapse", "period:every=60", "driven treadmill", "--arm moment:every=60"] {
      #expect(text.output.contains(words), "\(words)")
    }
  }

  @Test("The same seed gives the same bytes on any number of threads, another seed others")
  func threads() throws {
    let one = try program.run(Self.options + ["--format", "jsonl", "--threads", "1"])
    for threads in ["2", "7"] {
      #expect(try program.run(Self.options + ["--format", "jsonl", "--threads", threads]).output == one.output)
    }
    let other = Self.options.map { $0 == "5" ? "6" : $0 }
    #expect(try program.run(other + ["--format", "jsonl"]).output != one.output)
  }

  @Test("Merged shards print what the whole study prints, and write the same table")
  func shards() throws {
    let whole = try program.run(Self.options + ["--format", "json", "--csv", path("whole.csv")])
    #expect(whole.status == 0)
    var parts: [String] = []
    for number in 1...3 {
      let part = path("part\(number).json")
      let outcome = try program.run(Self.options + ["--shard", "\(number)/3", "--output", part])
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
      parts.append(part)
    }
    let merged = try program.run(
      ["study", "merge"] + parts.reversed() + ["--format", "json", "--csv", path("merged.csv")])
    #expect(merged.status == 0)
    #expect(merged.output == whole.output)
    #expect(
      try String(contentsOfFile: path("merged.csv"), encoding: .utf8)
        == String(contentsOfFile: path("whole.csv"), encoding: .utf8))
    // Without a name the part goes to standard output.
    let outcome = try program.run(Self.options + ["--shard", "2/3", "--format", "json"])
    #expect(try outcome.output == String(contentsOfFile: parts[1], encoding: .utf8))

    let lost = try program.run(["study", "merge", parts[0], parts[2]])
    #expect(lost.status == 1)
    #expect(lost.isOneComplaint)
    #expect(lost.output.isEmpty)
    #expect(lost.errors.contains("shard 2 of 3"))
    let twice = try program.run(["study", "merge"] + parts + [parts[0]])
    #expect(twice.status == 1)
    #expect(twice.isOneComplaint)
    #expect(twice.errors.contains("part1.json: shard 1 of 3 again"))
    let other = Self.options.map { $0 == "5" ? "6" : $0 }
    _ = try program.run(other + ["--shard", "2/3", "--output", path("foreign.json")])
    let foreign = try program.run(["study", "merge", parts[0], path("foreign.json"), parts[2]])
    #expect(foreign.status == 1)
    #expect(foreign.isOneComplaint)
    #expect(foreign.errors.contains("foreign.json: a part of another study"))
    let text = try String(contentsOfFile: parts[1], encoding: .utf8)
    let cut = try program.folder.write(String(text.prefix(text.count / 2)), to: "cut.json")
    let truncated = try program.run(["study", "merge", parts[0], cut, parts[2]])
    #expect(truncated.status == 65)
    #expect(truncated.isOneComplaint)
    #expect(truncated.errors.contains("cut.json: byte "))
    let missing = try program.run(["study", "merge", path("none.json")])
    #expect(missing.status == 66)
    #expect(missing.isOneComplaint)
  }

  @Test("In 80 columns every sentence is there to its end, how many people it takes included, and no column is lost")
  func sentences() throws {
    let text = """
      {"version":1,"name":"claim","seed":2,"runners":6,"ageYears":23,"behaviours":["reflex"],"courses":[
       {"activity":"walk","target":"weight-control","seconds":600,"arms":[{"name":"none","strategy":"none","seconds":900},
        {"name":"moment 2 min","strategy":"moment:every=120","seconds":600},
        {"name":"period 2 min over 1 min","strategy":"period:every=120,window=60","seconds":700}],
        "observed":{"arms":["none","moment 2 min","period 2 min over 1 min"],"timeInTarget":[0.45,0.51,0.86],
         "source":"made up"}}]}
      """
    let outcome = try program.run(["study", program.folder.write(text, to: "claim.json")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for part in [
      "6 virtual runners, target weight-control (119–137 bpm), seed 2", "cues/h", "check−midway",
      "the start weighs less in a longer one. --minutes N makes them equal.", "of people, the claimed gap for ",
      "if the last two did not differ, ",
    ] { #expect(words.contains(part), "\(part): \(outcome.output)") }
    let ends = [" people to find it.", "no difference was found."].filter(words.contains)
    #expect(!ends.isEmpty, "\(outcome.output)")
  }

  @Test("A file makes a study, which options may shorten and nothing else")
  func file() throws {
    let text = """
      {"version":1,"name":"two","seed":2,"runners":20,"ageYears":30,"behaviours":["reflex","visible"],"courses":[
       {"activity":"walk","target":"z2","seconds":300,"arms":["none","moment:every=60"]},
       {"activity":"run","target":"120-140","seconds":360,"arms":["none",{"name":"M","strategy":"moment:every=60"}]}]}
      """
    let file = try program.folder.write(text, to: "two.json")
    let outcome = try program.run(["study", file, "--format", "jsonl"])
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 4)
    let last = try object(String(try #require(outcome.lines.last)))
    #expect(last["name"] as? String == "two")
    #expect(last["activity"] as? String == "run")
    #expect(last["seconds"] as? Int == 360)
    let shorter = try program.run([
      "study", file, "--format", "jsonl", "--runners", "4", "--minutes", "2", "--seed", "9",
    ])
    let first = try object(String(try #require(shorter.lines.first)))
    #expect(first["runners"] as? Int == 4)
    #expect(first["seconds"] as? Int == 120)
    #expect(first["seed"] as? Int == 9)
    let both = try program.run(["study", file, "--age", "23"])
    #expect(both.status == 64)
    #expect(both.isOneComplaint)
    #expect(both.errors.contains("--age"))
    let misspelt = text.replacingOccurrences(of: "\"seed\"", with: "\"sead\":1,\"seed\"")
    let unknown = try program.folder.write(misspelt, to: "bad.json")
    let refused = try program.run(["study", unknown])
    #expect(refused.status == 65)
    #expect(refused.isOneComplaint)
    #expect(refused.errors.contains("sead"))
  }

  /// Exit codes and what leads to them.
  private static let refusals: [String: Int32] = [
    "": 64, "--age 0": 64, "--age 23 --activity swimming": 64, "--age 23 --arm moments": 64,
    "--age 23 --behaviour reflux": 64, "--age 23 --target z9": 64, "--age 23 --target open": 64,
    "--age 23 --shard 4/3": 64, "--age 23 --runners 0": 64, "--age 23 --minutes 0.5": 64, "none.json": 66, ".": 65,
    "--age 23 --csv /nowhere/x.csv --runners 1": 73, "--age 23 --output /nowhere/x.json --runners 1": 73,
    "--age 23 --shard 1/2 --traces 1": 64, "merge": 64, "power --spread 10": 64, "power --effect 0 --spread 10": 64,
    "power --effect 1 --spread 10 --power 0.01 --alpha 0.05": 64, "power --effect 0.0001 --spread 1000": 64,
    "plan --people 4": 64, "plan --arms A --people 4": 64, "plan --arms A,A --people 4": 64, "plan --arms A,B": 64,
  ]

  @Test("What cannot be a study is one line and the right exit code", arguments: refusals.keys.sorted())
  func refused(words: String) throws {
    let outcome = try program.run(["study"] + words.split(separator: " ").map(String.init))
    #expect(outcome.status == Self.refusals[words], "\(outcome.status) \(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("More sessions than there is room for are refused before anything is simulated")
  func manyTraces() throws {
    let outcome = try program.run(
      ["study", "--age", "30", "--arm", "none", "--minutes", "1440", "--runners", "1000", "--traces", "100"]
        + ["--arm", "moment", "--format", "json"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "coach: --traces: 17280000 s of sessions: expected at most 10000000 s, by fewer runners or shorter sessions\n"
    )
    #expect(outcome.output.isEmpty)
  }

  @Test("A file that is there is kept unless it is to be replaced, and a full disk is reported")
  func outputs() throws {
    let taken = try program.folder.write("mine", to: "taken.csv")
    let refused = try program.run(Self.options + ["--csv", taken])
    #expect(refused.status == 73)
    #expect(refused.isOneComplaint)
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
    #expect(try program.run(Self.options + ["--csv", taken, "--force"]).status == 0)
    #expect(try String(contentsOfFile: taken, encoding: .utf8).hasPrefix("activity,behaviour,arm,runner,session,"))
    let full = try program.run(Self.options + ["--format", "json"], redirection: ">/dev/full")
    #expect(full.status == 74)
    #expect(full.errors.contains("standard output"))
    let limited = try program.run(
      Self.options + ["--csv", path("big.csv")],
      before: "ulimit -f 8; trap '' XFSZ;")
    #expect(limited.status == 74)
    #expect(limited.isOneComplaint)
    #expect(!FileManager.default.fileExists(atPath: path("big.csv")))
  }

  // On a thread of its own, since the study takes a core until it is interrupted, however many tests wait for their turn.
  @Test("Ctrl-C ends a study, and leaves nothing", .onOwnThread)
  func interrupted() async throws {
    let process = program.process(
      ["study", "--age", "23", "--runners", "1000000", "--output", path("result.json"), "--format", "json"])
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It takes the signals over before the first runner, and simulates on threads of its own.
    try await expectEventually("it simulates") { try process.catches(SIGINT) && process.threadCount() > 1 }
    process.send(SIGINT)
    process.waitUntilExit()
    #expect(!process.wasKilled)
    #expect(process.terminationStatus == 130)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path).allSatisfy { !$0.contains("result") }
    )
  }

  @Test("Example sessions come with the records on request")
  func traces() throws {
    let outcome = try program.run(Self.options + ["--traces", "2", "--format", "json"])
    let traces = try #require(try object(outcome.output)["traces"] as? [[String: Any]])
    #expect(traces.count == 6)
    for trace in traces {
      #expect((trace["atSeconds"] as? [Int]) == Array(stride(from: 0, to: 600, by: 5)))
      for key in ["heartRateBPM", "readingBPM", "speedMetersPerSecond"] {
        #expect((trace[key] as? [Double])?.count == 120, "\(key)")
      }
    }
    try #require((traces[0]["cues"] as? [Any])?.isEmpty == true)
    #expect((traces[1]["cues"] as? [Any])?.count == 4)
  }

  @Test("The sample size is that of the tables")
  func power() throws {
    let outcome = try program.run(["study", "power", "--effect", "10", "--spread", "20", "--format", "json"])
    let record = try object(outcome.output)
    #expect(record["people"] as? Int == 34)
    #expect(record["type"] as? String == "studyPower")
    #expect(try #require(record["reachedPower"] as? Double) >= 0.8)
    #expect(try program.run(["study", "power", "--effect", "-10", "--spread", "20"]).output.hasPrefix("34 people, "))
    let strict = ["study", "power", "--effect", "0.5", "--spread", "1", "--power", "0.9", "--format", "jsonl"]
    #expect(try program.run(strict).output.contains("\"people\":44,"))
  }

  @Test("An effect whose interval includes none gives no number of people")
  func uncertainPower() throws {
    let arguments = ["study", "power", "--effect", "-0.7", "--spread", "30", "--uncertainty"]
    let none = try program.run(arguments + ["1.1"])
    #expect(none.status == 0)
    #expect(none.output.hasPrefix("No difference was found: −0.7 within −1.8 to 0.4 includes none"))
    let record = try object(try program.run(arguments + ["1.1", "--format", "json"]).output)
    #expect(record["differenceFound"] as? Bool == false)
    #expect(record["people"] == nil)
    let found = try object(try program.run(arguments + ["0.2", "--format", "json"]).output)
    let people = try #require(found["people"] as? Int)
    #expect(try #require(found["peopleAtLeast"] as? Int) < people)
    #expect(try #require(found["peopleAtMost"] as? Int) > people)
  }

  @Test("A population that is not named is wise, to the byte, and hunt is another one that says so")
  func populations() throws {
    let plain = try program.run(Self.options + ["--format", "json"])
    #expect(try program.run(Self.options + ["--population", "wise", "--format", "json"]).output == plain.output)
    let hunt = try object(try program.run(Self.options + ["--population", "hunt", "--format", "json"]).output)
    #expect(hunt["population"] as? String == "hunt")
    #expect(try object(plain.output)["population"] == nil)
    #expect(try program.run(Self.options + ["--population", "hunt"]).output.contains("run (hunt), reflex"))
    let other = try program.run(Self.options + ["--population", "nobody"])
    #expect(other.status == 64)
    #expect(other.isOneComplaint)
  }

  @Test("A heart that is not named is of first order, to the byte, and every other one says so")
  func hearts() throws {
    let plain = try program.run(Self.options + ["--format", "json"]).output
    #expect(try program.run(Self.options + ["--heart", "first-order", "--format", "json"]).output == plain)
    #expect(try object(plain)["heart"] == nil)
    for heart in ["second-order", "saturating", "delayed", "heat"] {
      let other = try program.run(Self.options + ["--heart", heart, "--format", "json"]).output
      #expect(try object(other)["heart"] as? String == heart)
      #expect(try #require(object(other)["studyHash"] as? String) != object(plain)["studyHash"] as? String)
    }
    let both = try program.run(Self.options + ["--heart", "heat", "--population", "hunt"])
    #expect(both.output.contains("run (hunt, heat), reflex"))
    let odd = try program.run(Self.options + ["--heart", "round"])
    #expect(odd.status == 64)
    #expect(odd.isOneComplaint)
    let study = try program.folder.write(
      #"{"version":1,"seed":1,"runners":20,"ageYears":23,"behaviours":["reflex"],"courses":["#
        + #"{"activity":"run","target":"z2","seconds":600,"arms":["none"]}]}"#, to: "one.json")
    let beside = try program.run(["study", study, "--heart", "heat"])
    #expect(beside.status == 64)
    #expect(beside.isOneComplaint)
  }

  @Test("What the runners are like is stated of each course of a file, or of options")
  func population() throws {
    let text = try program.run(["study", "population", "--age", "23", "--runners", "300"])
    #expect(text.status == 0)
    #expect(text.errors.isEmpty)
    for words in ["preferred speed, m/s", "gain, bpm/(m/s)", "time constant, s", "below 134 m/min"] {
      #expect(text.output.contains(words), "\(words)")
    }
    let record = try object(
      try program.run(
        ["study", "population", "--age", "23", "--population", "hunt", "--runners", "2000", "--format", "json"]
      ).output)
    #expect(record["type"] as? String == "studyPopulation")
    let gain = try #require(record["gainBPMPerMeterPerSecond"] as? [String: Any])
    #expect(abs(try #require(gain["mean"] as? Double) - 24.2) < 0.6)
    #expect((gain["quantiles"] as? [Any])?.count == 5)
    let file = try program.folder.write(
      #"{"version":1,"seed":1,"runners":20,"ageYears":23,"behaviours":["reflex"],"courses":["#
        + #"{"activity":"run","target":"z2","seconds":600,"arms":["none"]},"#
        + #"{"activity":"walk","target":"z2","seconds":600,"arms":["none"]}]}"#, to: "two.json")
    let lines = try program.run(["study", "population", file, "--format", "jsonl"]).lines
    #expect(try lines.map { try object(String($0))["activity"] as? String } == ["run", "walk"])
    let both = try program.run(["study", "population", file, "--population", "hunt"])
    #expect(both.status == 64)
    #expect(both.isOneComplaint)
  }

  @Test("People are fitted, written, and drawn from; whose sessions show too little is named")
  func fit() throws {
    var rows = "time_s,heart_rate,distance_m,altitude_m\n"
    var (heart, meters, altitude) = (140.0, 0.0, 100.0)
    for second in 0..<1_500 {
      let speed = (second / 240) % 2 == 0 ? 3.4 : 2.6
      let grade = 0.03 * sin(Double(second) / 80)
      rows += "\(second),\((heart * 10).rounded() / 10),\(meters),\(altitude)\n"
      let steady = 65 + 22 * speed * (1 + 4.5 * grade)
      heart += (steady - heart) / 50
      meters += speed
      altitude += speed * grade
    }
    let folder = program.folder.url.path + "/runs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(rows.utf8).write(to: URL(fileURLWithPath: folder + "/a.csv"))
    let short = try program.folder.write("time_s,heart_rate,distance_m\n0,100,0\n1,101,3\n", to: "short.csv")
    let people = program.folder.url.path + "/people.json"
    let run = try program.run([
      "study", "fit", folder, short, "--person-from", "file", "--output", people, "--format", "jsonl",
    ])
    #expect(run.status == 0)
    #expect(run.errors.contains("short.csv: 0 s with heart rate and speed"))
    #expect(run.errors.contains("nothing is known of how people differ"))
    let record = try object(run.output)
    #expect(record["type"] as? String == "runnerFit")
    #expect(record["knowsGrades"] as? Bool == true)
    let gain = try #require((record["gainBPMPerMeterPerSecond"] as? [String: Any])?["value"] as? Double)
    let constant = try #require((record["timeConstantSeconds"] as? [String: Any])?["value"] as? Double)
    #expect(abs(gain - 22) < 1)
    #expect(abs(constant - 50) < 5)
    let population = try object(
      try program.run(
        ["study", "population", "--age", "30", "--runner-model", people, "--runners", "50", "--format", "json"]
      ).output)
    let drawn = try #require((population["gainBPMPerMeterPerSecond"] as? [String: Any])?["mean"] as? Double)
    #expect(abs(drawn - gain) < 1e-6)
    // A delay and a change of gait are drawn for each runner, and a file of before has neither.
    let model = #""gainBPMPerMeterPerSecond":{"value":22,"spread":0,"source":"me"}"#
    let changes =
      #","delaySeconds":{"value":9,"spread":2,"source":"me"},"walkRunTransitionMetersPerSecond":{"value":1.9,"spread":0.1,"source":"me"}"#
    var outputs: [String] = []
    for (version, numbers) in [(1, model), (2, model + changes)] {
      let file = try program.folder.write(
        #"{"version":\#(version),"type":"runnerPopulation","activity":"run","model":{\#(numbers)}}"#,
        to: "version-\(version).json")
      let described = try object(
        try program.run(
          ["study", "population", "--age", "30", "--runner-model", file, "--runners", "200", "--format", "json"]
        ).output)
      let delay = (described["delaySeconds"] as? [String: Any])?["mean"] as? Double
      let speed = (described["walkRunTransitionMetersPerSecond"] as? [String: Any])?["mean"] as? Double
      #expect(delay.map { abs($0 - 9) < 0.6 } == (version == 1 ? nil : true))
      #expect(speed.map { abs($0 - 1.9) < 0.05 } == (version == 1 ? nil : true))
      let study = try program.run(
        ["study", "--age", "30", "--runner-model", file, "--runners", "20", "--minutes", "10", "--format", "json"])
      #expect(study.status == 0, "\(study.errors)")
      outputs.append(study.output)
    }
    #expect(outputs[0] != outputs[1])
    let words = try program.run(["study", "fit", folder + "/a.csv"])
    #expect(words.status == 0)
    #expect(words.output.contains("gain"))
    #expect(words.output.contains("Hunt"))
    // It is not written over, and what contradicts itself is refused.
    #expect(try program.run(["study", "fit", folder, "--output", people]).status == 73)
    for wrong in [["--population", "hunt"], ["--activity", "walk"]] {
      let refused = try program.run(["study", "--age", "30", "--runner-model", people] + wrong)
      #expect(refused.status == 64)
      #expect(refused.isOneComplaint)
    }
    let nobody = try program.run(["study", "fit", short])
    #expect(nobody.status == 65)
    let broken = try program.run(["study", "--age", "30", "--runner-model", short])
    #expect(broken.status == 65)
    #expect(broken.isOneComplaint)
  }

  @Test("One workout in several files counts once in a fit, by one that has something to fit")
  func sameWorkoutFitted() throws {
    let folder = program.folder.url.path + "/same"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var (rows, hearts) = ("time,heart_rate,distance_m,altitude_m\n", "time,heart_rate\n")
    var (heart, meters) = (140.0, 0.0)
    for second in 0..<1_500 {
      let speed = (second / 240) % 2 == 0 ? 3.4 : 2.6
      rows += "\(1_763_622_000 + second),\(Int(heart.rounded())),\(meters),100\n"
      hearts += "\(1_763_622_000 + second),\(Int(heart.rounded()))\n"
      heart += (65 + 22 * speed - heart) / 50
      meters += speed
    }
    let files = ["b.csv", "a.csv"].map { folder + "/" + $0 }
    try Data(rows.utf8).write(to: URL(fileURLWithPath: files[0]))
    let alone = try program.run(["study", "fit", folder, "--format", "jsonl"])
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(!alone.errors.contains("the same workout"))
    // The one without a way comes first by its name, and has nothing to fit.
    try Data(hearts.utf8).write(to: URL(fileURLWithPath: files[1]))
    let tcx = folder + "/c.tcx"
    #expect(try program.run(["export", files[0], "--as", "tcx", "--output", tcx]).status == 0)
    let several = try program.run(["study", "fit", folder, "--format", "jsonl"])
    #expect(several.status == 0, "\(several.errors)")
    #expect(several.output == alone.output)
    for file in [files[1], tcx] {
      #expect(
        several.errors.contains("\(file): the same workout as \(files[0]): counted once"), "\(several.errors)")
    }
    let record = try object(several.output)
    #expect(record["sessions"] as? Int == 1)
    #expect(record["origins"] as? [String: Int] == ["imported": 1])
  }

  /// A TCX of 25 minutes at changing speeds, answered by a heart.
  private func changingSpeeds(sport: String, day: Int) -> String {
    var (points, heart, meters) = ("", 140.0, 0.0)
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    for second in 0..<1_500 {
      let speed = (second / 240) % 2 == 0 ? 3.4 : 2.6
      points +=
        "<Trackpoint><Time>2026-01-\(twoDigits(day))T07:\(twoDigits(second / 60)):\(twoDigits(second % 60))Z</Time>"
        + "<DistanceMeters>\(meters)</DistanceMeters>"
        + "<HeartRateBpm><Value>\(Int(heart.rounded()) + day)</Value></HeartRateBpm></Trackpoint>"
      heart += (65 + 22 * speed - heart) / 50
      meters += speed
    }
    return
      "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities>"
      + "<Activity Sport=\"\(sport)\"><Id>2026-01-\(twoDigits(day))T07:00:00Z</Id>"
      + "<Lap StartTime=\"2026-01-\(twoDigits(day))T07:00:00Z\"><TotalTimeSeconds>1500</TotalTimeSeconds>"
      + "<Track>\(points)</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
  }

  @Test("Who rides is not fitted as who runs: what states another sport than one on foot is named and left out")
  func otherSports() throws {
    let folder = program.folder.url.path + "/sports"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func write(_ name: String, _ sport: String, day: Int) throws -> String {
      let path = folder + "/" + name
      try Data(changingSpeeds(sport: sport, day: day).utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    _ = try write("run.tcx", "Running", day: 1)
    let alone = try program.run(["study", "fit", folder, "--format", "jsonl"])
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(!alone.errors.contains("its sport is"))
    let ride = try write("ride.tcx", "Biking", day: 2)
    let both = try program.run(["study", "fit", folder, "--format", "jsonl"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(both.errors.contains("\(ride): its sport is biking: expected one on foot: left out"), "\(both.errors)")
    #expect(both.output == alone.output)
    let nobody = try program.run(["study", "fit", ride])
    #expect(nobody.status == 65)
    #expect(nobody.output.isEmpty)
    #expect(nobody.errors.contains("nobody's sessions show enough to fit a runner"), "\(nobody.errors)")
    // What says nothing of its sport may be a run.
    let other = try program.run(["study", "fit", try write("other.tcx", "Other", day: 3), "--format", "jsonl"])
    #expect(other.status == 0, "\(other.errors)")
    #expect(try object(other.output)["sessions"] as? Int == 1)
  }

  @Test("A folder that holds the folders of several people is one person's, and that is said")
  func parentFolder() throws {
    let parent = program.folder.url.path + "/people"
    for person in ["anna", "berta"] {
      let folder = parent + "/" + person
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let rows = "time_s,heart_rate,distance_m\n0,100,0\n1,10\(person.count),3\n"
      try Data(rows.utf8).write(to: URL(fileURLWithPath: folder + "/a.csv"))
    }
    let whole = try program.run(["study", "fit", parent, "--person-from", "folder"])
    #expect(whole.errors.contains("\(parent): its 2 folders are taken for one person: name that of each"))
    let each = try program.run(["study", "fit", parent + "/anna", parent + "/berta", "--person-from", "folder"])
    #expect(each.errors.contains("\(parent)/anna: 0 s with heart rate and speed"))
    #expect(!each.errors.contains("taken for one person"))
    #expect(try !program.run(["study", "fit", parent, "--person-from", "file"]).errors.contains("one person: name"))
  }

  @Test("A plan gives each person all arms, each on each day equally often")
  func plan() throws {
    let arguments = ["study", "plan", "--arms", "none,moment:every=120,period:every=60,window=60", "--people", "12"]
    let lines = try program.run(arguments + ["--format", "jsonl"]).lines
    #expect(lines.count == 12)
    let orders = try lines.map { try #require(try object(String($0))["arms"] as? [String]) }
    for arm in ["none", "moment:every=120", "period:every=60,window=60"] {
      for day in 0..<3 { #expect(orders.count { $0[day] == arm } == 4) }
    }
    #expect(try program.run(arguments + ["--seed", "1"]).output == program.run(arguments).output)
    #expect(try program.run(arguments + ["--seed", "2"]).output != program.run(arguments).output)
    let uneven = try program.run(["study", "plan", "--arms", "A,B,C", "--people", "7"])
    #expect(uneven.status == 0)
    #expect(uneven.output.contains("a multiple of 6 people"))
    #expect(try object(try program.run(arguments + ["--format", "json"]).output)["balanced"] as? Bool == true)
  }
}
