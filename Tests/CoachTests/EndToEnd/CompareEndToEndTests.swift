import Foundation
import Glibc
import Testing

@Suite("The program: compare")
struct CompareEndToEndTests {
  /// A heart rate a second: in 120–140 but from 102 s to 201 s, later by `shift` seconds.
  private func run(shift: Int = 0) -> String {
    var text = "time_s,heart_rate_bpm\n"
    for second in 0...(300 + shift) {
      let since = max(0, second - shift)
      let bpm =
        switch since {
        case ..<100: 130
        case ..<105: 130 + (since - 99) * 4
        case ..<200: 150
        case ..<205: 150 - (since - 199) * 4
        default: 130
        }
      text += "\(second),\(bpm)\n"
    }
    return text
  }

  private func record(_ outcome: CoachProgram.Outcome) throws -> [String: Any] {
    #expect(outcome.lines.count == 1)
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  private let options = ["--max-heart-rate", "190", "--target", "120-140", "--format", "json"]

  @Test("The record has the metrics of the contract, by its definitions, and refuses what a replay cannot show")
  func golden() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(run(), to: "run.csv")
    let outcome = try program.run(
      ["compare", file] + options + ["--strategy", "moment:every=60", "--strategy", "moment:every=60,hold=0"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let folder = program.folder.url.path
    #expect(
      outcome.output.hasPrefix(
        #"{"version":1,"type":"comparison","loop":"open","recordings":1,"hours":0.08333333333333333,"persons":[{"#
          + #""person":"\#(folder)","recordings":1}],"strategies":[{"strategy":"moment:every=60","#
          + #""hours":0.08333333333333333,"cues":5,"cuesPerHour":60,"directionalCuesPerHour":24,"spuriousShare":0,"#
          + #""returningShare":0,"reversalsPerHour":0,"excursions":1,"excursionsCuedShare":1,"#
          + #""latencySeconds":{"median":18,"p90":18},"withheld":{},"persons":[{"person":"#), "\(outcome.output)")
    #expect(outcome.output.contains(#""withheld":{"inTarget":3}"#))
    #expect(
      outcome.output.contains(
        #"{"a":"moment:every=60","b":"moment:every=60,hold=0","metric":"cuesPerHour","meanDifference":36,"n":1}"#))
    #expect(outcome.output.contains(#""refused":["timeInTarget","rmse","overshoot","secondsToTarget"],"why":"a rec"#))
    #expect(!outcome.output.contains("confidence95"))
  }

  @Test("Folders are people, the operands' order does not matter, and what is no recording is reported")
  func folders() throws {
    let program = try CoachProgram()
    for (person, shift) in [("anna", 0), ("ben", 30), ("cleo", 60)] {
      try FileManager.default.createDirectory(
        at: program.folder.url.appendingPathComponent("\(person)/2026"), withIntermediateDirectories: true)
      _ = try program.folder.write(run(shift: shift), to: "\(person)/a.csv")
      _ = try program.folder.write(run(shift: shift + 7), to: "\(person)/2026/b.csv")
      _ = try program.folder.write("nothing to read\n", to: "\(person)/notes.txt")
    }
    let people = ["anna", "ben", "cleo"].map { program.folder.url.path + "/" + $0 }
    let strategies = ["--strategy", "moment:every=60", "--strategy", "bangle-like", "--strategy", "moment:every=60"]
    let outcome = try program.run(["compare"] + people + options + strategies)
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count == 3)
    #expect(outcome.errorLines.allSatisfy { $0.contains("/notes.txt: ") && $0.hasSuffix(": left out") })
    let record = try record(outcome)
    #expect(record["recordings"] as? Int == 6)
    #expect((record["persons"] as? [[String: Any]])?.compactMap { $0["recordings"] as? Int } == [2, 2, 2])
    let contrasts = try #require(record["contrasts"] as? [[String: Any]])
    for contrast in contrasts where contrast["a"] as? String == contrast["b"] as? String {
      #expect(contrast["meanDifference"] as? Double == 0)
      #expect(contrast["confidence95"] as? [Double] == [0, 0])
      #expect(contrast["n"] as? Int == 3)
    }
    #expect(contrasts.filter { $0["a"] as? String == $0["b"] as? String }.count == 8)
    let cores = try program.run(
      ["compare"] + people.reversed() + options + strategies, environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
    #expect(cores.output == outcome.output)
    // The same by the files themselves; and a file that is named twice counts once.
    let files = ["anna/a.csv", "anna/a.csv"].map { program.folder.url.path + "/" + $0 }
    let twice = try program.run(["compare"] + files + options + strategies)
    #expect(twice.output.contains(#""recordings":1,"#))
    #expect(twice.errors.contains("named already: counted once"))
    let each = try program.run(["compare"] + people + options + strategies + ["--person-from", "file"])
    #expect((try self.record(each)["persons"] as? [Any])?.count == 6)
  }

  @Test("Where nothing can be compared, the only reason is the error, in one line")
  func nothing() throws {
    let program = try CoachProgram()
    let steps = try program.folder.write("time_s,steps\n0,1\n60,90\n", to: "steps.csv")
    let only = try program.run(["compare", steps, "--strategy", "moment"] + options)
    #expect(only.status == 65)
    #expect(only.output.isEmpty)
    let expected = "expected a recording of a person with heart rates"
    #expect(only.errors == "coach: \(steps): no usable heart rate in what is compared: \(expected)\n")
    let other = try program.folder.write("time_s,steps\n0,2\n60,91\n", to: "other.csv")
    let several = try program.run(["compare", steps, other, "--strategy", "moment"] + options)
    #expect(several.status == 65)
    #expect(several.errorLines.count == 3)
    #expect(several.errorLines.last == "coach: nothing to compare: \(expected)")
    // What can be compared is, and what cannot is left out.
    let some = try program.run(
      ["compare", steps, try program.folder.write(run(), to: "run.csv"), "--strategy", "moment"] + options)
    #expect(some.status == 0)
    #expect(some.errors == "coach: \(steps): no usable heart rate in what is compared: left out\n")
  }

  @Test("Of one workout in several files the one with the most heart rates counts, in whatever order they are named")
  func bestOfSeveral() throws {
    let program = try CoachProgram()
    func file(_ name: String, every step: Int, until end: Int = 600) throws -> String {
      let rows = stride(from: 0, through: end, by: step).map {
        "2026-11-20T07:\(String(format: "%02d:%02d", $0 / 60, $0 % 60))Z,\(110 + $0 / 10)\n"
      }
      return try program.folder.write("time,heart_rate\n" + rows.joined(), to: name)
    }
    let files = [
      try file("a.csv", every: 1, until: 545), try file("b.csv", every: 10), try file("c.csv", every: 1),
      try file("d.csv", every: 1),
    ]
    let options = ["--age", "30", "--target", "z2", "--strategy", "moment:every=60", "--format", "json"]
    var outputs: Set<String> = []
    for order in [files, files.reversed(), [files[2], files[0], files[3], files[1]]] {
      let outcome = try program.run(["compare"] + order + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        Set(outcome.errorLines.map(String.init))
          == Set(
            ["a", "b", "d"].map { name in
              let left = program.folder.url.path + "/\(name).csv"
              return "coach: \(left): the same workout as \(files[2]): counted once"
            }), "\(outcome.errors)")
      outputs.insert(outcome.output)
    }
    #expect(outputs.count == 1)
  }

  @Test("People of a file who have the same workout count once, few of them a line each and many in one line")
  func manyTwins() throws {
    let program = try CoachProgram()
    for (count, lines) in [(3, 2), (40, 1)] {
      let rows = (0..<count).flatMap { person in
        (10..<59).map { "\(100 + person),4/12/2016 7:21:\($0) AM,\(100 + $0 % 9)\n" }
      }
      let path = try program.folder.write("Id,Time,Value\n" + rows.joined(), to: "people.csv")
      let outcome = try program.run(["compare", path, "--strategy", "moment"] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try record(outcome)["recordings"] as? Int == 1)
      #expect(outcome.errorLines.count == lines, "\(outcome.errors)")
      #expect(outcome.errorLines[0].hasPrefix("coach: \(path) 101: the same workout as \(path) 100"))
    }
  }

  @Test("A target around the median of each recording, and a beginning that is left out")
  func median() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(run(), to: "run.csv")
    let person = ["--max-heart-rate", "190", "--format", "json", "--strategy", "moment:every=60"]
    let fixed = try program.run(["compare", file, "--target", "125-135"] + person)
    for spelling in ["median±5", "median:5"] {
      let around = try program.run(["compare", file, "--target", spelling] + person)
      #expect(around.status == 0)
      #expect(around.output == fixed.output)
    }
    let late = try record(program.run(["compare", file, "--target", "120-140", "--skip", "210"] + person))
    let row = try #require((late["strategies"] as? [[String: Any]])?.first)
    #expect(row["hours"] as? Double == 0.025)
    #expect(row["cues"] as? Int == 1)
    #expect(row["excursions"] as? Int == 0)
    #expect(row["excursionsCuedShare"] == nil)
    #expect(row["latencySeconds"] == nil)
    #expect(row["spuriousShare"] == nil)
    let beyond = try program.run(["compare", file, "--target", "120-140", "--skip", "1000"] + person)
    #expect(beyond.status == 65)
    #expect(beyond.output.isEmpty)
    #expect(beyond.errors.contains("no usable heart rate"))
  }

  @Test(
    "A session of our own is its person's, by its own zones and target, and its own coaching is folded on its moments")
  func session() throws {
    let program = try CoachProgram()
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    var input = ""
    for second in 0...600 {
      let rest = second % 60
      let bpm = 130 + min(min(rest, 60 - rest), 20)
      input += #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(bpm)}"# + "\n"
      if second == 300 { input += #"{"type":"command","id":"p","command":"pause","atSeconds":300}"# + "\n" }
      if second == 330 { input += #"{"type":"command","id":"r","command":"resume","atSeconds":330}"# + "\n" }
    }
    let live = try program.run(
      [
        "live", "--profile", "anna", "--target", "120-140", "--strategy", "moment:every=60", "--format", "jsonl",
        "--clock", "samples",
      ], input: input)
    #expect(live.status == 0, "\(live.errors)")
    for operand in ["latest", try program.session().path, program.data] {
      let outcome = try program.run(["compare", operand, "--strategy", "moment:every=60", "--format", "json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let record = try record(outcome)
      #expect((record["persons"] as? [[String: Any]])?.first?["person"] as? String == "anna")
      let row = try #require((record["strategies"] as? [[String: Any]])?.first)
      #expect(row["cues"] as? Int == live.lines.filter { $0.contains(#""type":"cue""#) }.count)
      // In the target at the first five moments, out of it midway; after the pause it is the other way round.
      #expect(outcome.output.contains(#""checkMinusMidway":{"mean":"#))
      #expect(!outcome.output.contains("confidence95"))
    }
  }

  @Test("What is missing, wrong or unreadable is one line and the right exit code")
  func badInput() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(run(), to: "run.csv")
    let empty = try program.folder.write("", to: "empty.csv")
    let strategy = ["--strategy", "bangle-like"]
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      ([file] + options, 64, "--strategy"),
      ([file, "--max-heart-rate", "190"] + strategy, 64, "--target"),
      ([file, "--target", "120-140"] + strategy, 64, "--age"),
      ([file, "--max-heart-rate", "190", "--target", "median±0"] + strategy, 64, "median±N"),
      ([file] + options + ["--strategy", "nothing-like"], 64, "nothing-like"),
      ([file] + options + strategy + ["--skip", "-1"], 64, "--skip"),
      ([file] + options + strategy + ["--person-from", "moon"], 64, "--person-from"),
      ([program.folder.url.path + "/none.csv"] + options + strategy, 66, "none.csv"),
      (["20260101"] + options + strategy, 66, "20260101"),
      ([empty] + options + strategy, 65, "empty.csv"),
    ]
    for (arguments, status, words) in cases {
      let outcome = try program.run(["compare"] + arguments)
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.isOneComplaint, "\(arguments)")
      #expect(outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    // The others are compared all the same.
    let both = try program.run(["compare", empty, file] + options + strategy)
    #expect(both.status == 65)
    #expect(both.isOneComplaint)
    #expect(both.output.contains(#""recordings":1,"#))
    let full = try program.run(["compare", file] + options + strategy, redirection: "> /dev/full")
    #expect(full.status == 74)
    #expect(full.isOneComplaint)
  }

  @Test(
    "Where there are intervals the text says how many, how they are made, and that one of twenty is expected to miss")
  func multiplicity() throws {
    let program = try CoachProgram()
    for (person, shift) in [("anna", 0), ("ben", 30), ("cleo", 60)] {
      try FileManager.default.createDirectory(
        at: program.folder.url.appendingPathComponent(person), withIntermediateDirectories: true)
      _ = try program.folder.write(run(shift: shift), to: "\(person)/a.csv")
    }
    let people = ["anna", "ben", "cleo"].map { program.folder.url.path + "/" + $0 }
    let arguments =
      ["compare"] + people + ["--max-heart-rate", "190", "--target", "120-140"]
      + ["moment:every=60", "bangle-like", "zone-change"].flatMap { ["--strategy", $0] }
    let json = try record(try program.run(arguments + ["--format", "json"]))
    let contrasts = try #require(json["contrasts"] as? [[String: Any]])
    let count = contrasts.count { $0["confidence95"] != nil }
    #expect(count > 0)
    #expect((json["intervals"] as? [String: Any])?["count"] as? Int == count)
    let text = try program.run(arguments).output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      text.contains(
        "\(count) intervals by Student's t over people: one holds its true value 95 times of 100, so that of 20 one is "
          + "expected to miss it. p (Holm) is adjusted for all \(contrasts.count) contrasts at once."), "\(text)")
  }

  @Test("Of a data folder its sessions are compared and nothing else, and no link in it leads out")
  func dataFolder() throws {
    let program = try CoachProgram()
    let folder = program.folder.url.path
    let file = try program.folder.write(run(), to: "run.csv")
    let environment = ["COACH_DATA_DIR": folder + "/data"]
    let imported = try program.run(
      ["import", file, "--age", "30", "--start", "2026-11-20T07:00:00Z"], environment: environment)
    #expect(imported.status == 0, "\(imported.errors)")
    let sessions = folder + "/data/sessions"
    let session = try #require(try FileManager.default.contentsOfDirectory(atPath: sessions).first)
    try FileManager.default.createDirectory(atPath: folder + "/elsewhere", withIntermediateDirectories: true)
    let elsewhere = try program.folder.write(run(shift: 30), to: "elsewhere/other.csv")
    try #require(unsafe symlink("/", sessions + "/root") == 0)
    try #require(unsafe symlink(folder + "/elsewhere", sessions + "/" + "friends") == 0)
    try #require(unsafe symlink(elsewhere, sessions + "/other.csv") == 0)
    for operand in [folder + "/data", sessions] {
      let outcome = try program.run(["compare", operand, "--strategy", "moment:every=60"] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try record(outcome)["recordings"] as? Int == 1)
      #expect(outcome.errorLines.count == 3, "\(outcome.errors)")
      for name in ["friends", "other.csv", "root"] {
        let line = "\(sessions)/\(name): a link in a data folder: not followed"
        #expect(outcome.errors.contains(line), "\(outcome.errors)")
      }
      #expect(!outcome.errors.contains(session), "\(outcome.errors)")
    }
    // Elsewhere whoever makes a cohort of links has it.
    try FileManager.default.createDirectory(atPath: folder + "/cohort", withIntermediateDirectories: true)
    try #require(unsafe symlink(folder + "/elsewhere", folder + "/cohort/ben") == 0)
    let cohort = try program.run(["compare", folder + "/cohort", "--strategy", "moment:every=60"] + options)
    #expect(try record(cohort)["recordings"] as? Int == 1)
  }

  @Test("The table fits 80 columns, names no winner and says what it does not show")
  func text() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(run(), to: "run.csv")
    let outcome = try program.run([
      "compare", file, "--max-heart-rate", "190", "--target", "120-140", "--strategy", "runnerup-like", "--strategy",
      "zone-change",
    ])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.lines.allSatisfy { $0.count <= 80 }, "\(outcome.output)")
    #expect(outcome.output.contains("  A  runnerup-like\n  B  zone-change\n"))
    #expect(outcome.lines.contains { $0.contains("cues/h") && $0.hasSuffix("p90 s") })
    #expect(outcome.output.contains("Time in target, RMSE, overshoot and the time to the target are refused"))
    #expect(outcome.output.contains("One person says nothing of how people differ: there is no interval."))
    #expect(!outcome.output.contains("best"))
    #expect(!outcome.output.contains("winner"))
  }
}
