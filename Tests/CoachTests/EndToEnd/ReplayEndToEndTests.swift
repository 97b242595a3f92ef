import Foundation
import Testing
import TextFormats
@testable import coach

private let coaching = ["--age", "23", "--target", "z2", "--strategy", "moment:every=60"]

@Suite("The program: zones, replay, inspect, help")
struct ReplayEndToEndTests {
  @Test("Zones are the literal of the contract, and a table for people")
  func zones() throws {
    let program = try CoachProgram()
    let json = try program.run(["zones", "--age", "23", "--format", "json"])
    #expect(
      json.output
        == #"{"version":1,"type":"zones","maximumHeartRate":197,"maximumHeartRateSource":"fox","#
        + #""zoneModel":"percentOfMaximum","zones":["#
        + #"{"number":1,"name":"Low intensity","color":"cyan","lowerBPM":98,"upperBPM":118},"#
        + #"{"number":2,"name":"Weight control","color":"blue","lowerBPM":119,"upperBPM":137},"#
        + #"{"number":3,"name":"Aerobic","color":"green","lowerBPM":138,"upperBPM":157},"#
        + #"{"number":4,"name":"Anaerobic","color":"orange","lowerBPM":158,"upperBPM":177},"#
        + #"{"number":5,"name":"Maximum","color":"red","lowerBPM":178,"upperBPM":197}]}"# + "\n")
    #expect(json.status == 0)
    #expect(json.errors.isEmpty)
    let text = try program.run(["zones", "--age", "23"])
    #expect(text.status == 0)
    #expect(text.errors.isEmpty)
    for word in ["Low intensity", "Weight control", "98", "118", "197"] { #expect(text.output.contains(word)) }
    #expect(!text.output.contains("\u{1B}"))
  }

  @Test("A replay of a CSV prints its cues in time order and then one summary, the same bytes on every run")
  func replayCSV() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(risingCSV(seconds: 600), to: "run.csv")
    let first = try program.run(["replay", file, "--format", "jsonl"] + coaching)
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    let cues = first.lines.filter { $0.contains(#""type":"cue""#) }
    #expect(cues.count == 10)
    #expect(
      cues.first.map { String($0) }
        == #"{"version":1,"type":"cue","atSeconds":60,"action":"speedUp","indicator":"yellow","haptic":"twoShort","#
        + #""band":"zone1","heartRateBPM":106,"targetLowerBPM":119,"targetUpperBPM":137,"reason":"belowTarget","#
        + #""evidence":{"heartRateAgeSeconds":0},"message":"Speed up: 106 bpm, below 119–137."}"#)
    #expect(cues.map { $0.contains("speedUp") ? "u" : $0.contains("hold") ? "h" : "d" }.joined() == "uuuhhhdddd")
    #expect(first.lines.last?.hasPrefix(#"{"version":1,"type":"summary","strategy":"moment:every=60""#) == true)
    #expect(first.lines.filter { $0.contains(#""type":"summary""#) }.count == 1)
    for format in ["jsonl", "json", "text"] {
      let runs = try (0..<2).map { _ in try program.run(["replay", file, "--format", format] + coaching) }
      #expect(runs[0].output == runs[1].output, "\(format)")
      #expect(runs[0].status == 0, "\(format)")
      #expect(!runs[0].output.isEmpty, "\(format)")
    }
  }

  @Test("A live run and the replay of its folder print the same, without any option")
  func replayFolder() throws {
    let program = try CoachProgram()
    let live = try program.run(
      ["live", "--format", "jsonl", "--activity", "running"] + coaching, input: risingLines(seconds: 300))
    #expect(live.status == 0)
    #expect(live.errors.isEmpty)
    let folder = try program.session().path
    let replays = try (0..<2).map { _ in try program.run(["replay", folder, "--format", "jsonl"]) }
    #expect(replays[0].output == replays[1].output)
    #expect(replays[0].status == 0)
    #expect(replays[0].errors.isEmpty)
    func shared(_ lines: [Substring]) -> [String] {
      lines.filter { !$0.contains(#""type":"ended""#) }.map { String($0).replacing(#","badLines":0"#, with: "") }
    }
    #expect(shared(replays[0].lines) == shared(live.lines))
    let moment = try program.run(["replay", folder, "--format", "jsonl", "--strategy", "moment:every=100"])
    #expect(moment.lines.filter { $0.contains(#""type":"cue""#) }.count == 3)
  }

  @Test("A replay that is interrupted has printed every cue that its summary counts")
  func interrupted() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(risingCSV(seconds: 600), to: "run.csv")
    let process = program.process(
      ["replay", file, "--age", "23", "--target", "z2", "--strategy", "moment:every=1", "--speed", "50"]
        + ["--format", "jsonl"])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // It is interrupted in the middle: some cues are printed, and most are not.
    var printed = Data()
    while String(decoding: printed, as: UTF8.self).split(separator: #""type":"cue""#).count < 4 {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      printed += piece
    }
    process.send(SIGINT)
    printed += output.fileHandleForReading.readDataToEndOfFile()
    let text = String(decoding: printed, as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let lines = text.split(separator: "\n")
    let cues = lines.filter { $0.contains(#""type":"cue""#) }.count
    let counts = try #require(try JSONValue.parse(String(lines.last ?? ""))["cues"]?.members)
    let counted = counts.prefix(3).compactMap { $0.value.number?.int64 }.reduce(0, +)
    #expect(cues == Int(counted))
    #expect(cues >= 3)
    #expect(cues < 600, "it was interrupted before its end")
    #expect(lines.dropLast().last?.contains(#""reason":"interrupted""#) == true)
  }

  @Test("A recording can come from a pipe, by name or as standard input")
  func pipes() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(risingCSV(seconds: 120), to: "run.csv")
    let expected = try program.run(["replay", file, "--format", "jsonl"] + coaching).output
    let input = try program.run(
      ["replay", "/dev/stdin", "--format", "jsonl"] + coaching, input: risingCSV(seconds: 120))
    #expect(input.output == expected)
    let pipe = program.folder.url.appendingPathComponent("pipe").path
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let writer = ChildProgram("/bin/sh", ["-c", "cat \"$0\" > \"$1\"", file, pipe])
    try writer.run()
    let named = try program.run(["replay", pipe, "--format", "jsonl"] + coaching)
    writer.send(SIGTERM)
    writer.waitUntilExit()
    #expect(named.output == expected)
    #expect(named.status == 0)
  }

  @Test("Inspect reports every file, in order, and exits with the worst")
  func inspect() throws {
    let program = try CoachProgram()
    let good = try program.folder.write("time_s,hr\n0,120\n5,121\n", to: "good.csv")
    let bad = try program.folder.write("nothing\n", to: "bad.csv")
    let outcome = try program.run(["inspect", good, bad, good, "--format", "jsonl"])
    #expect(outcome.status == 65)
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.lines.first?.contains(#""file":"\#(good)","format":"csv","activities":1,"elapsedSeconds":5"#) == true)
    #expect(outcome.isOneComplaint)
    let missing = try program.run(["inspect", bad, good + "x", good])
    #expect(missing.status == 66)
    #expect(missing.errorLines.count == 2)
    #expect(try program.run(["inspect", good]).status == 0)
  }

  @Test("One activity or one person of a recording is chosen by its part, wherever a recording is taken")
  func parts() throws {
    let program = try CoachProgram()
    func track(_ day: Int, _ bpm: Int) -> String {
      let points = (0...60).map { second in
        "<trkpt lat=\"47\" lon=\"8\"><time>2026-11-0\(day)T07:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
          + "</time><extensions><hr>\(bpm)</hr></extensions></trkpt>"
      }
      return "<trk><type>running</type><trkseg>\(points.joined())</trkseg></trk>"
    }
    let gpx = try program.folder.write("<gpx version=\"1.1\">\(track(1, 110))\(track(2, 130))</gpx>", to: "two.gpx")
    let rows = (0..<60).map {
      "7,4/12/2016 7:00:\($0 < 10 ? "0" : "")\($0) AM,100\n8,4/12/2016 7:00:\($0 < 10 ? "0" : "")\($0) AM,120\n"
    }
    let people = try program.folder.write("Id,Time,Value\n" + rows.joined(), to: "people.csv")

    let parts = try program.run(["inspect", "--parts", gpx, people, "--format", "jsonl"])
    #expect(parts.status == 0)
    #expect(parts.lines.count == 4)
    #expect(
      parts.lines[1].contains(#""part":"2","isWorkout":true,"sport":"running","startTime":"2026-11-02T07:00:00Z""#))
    #expect(parts.lines[3] == #"{"version":1,"type":"part","file":"\#(people)","part":"8"}"#)

    func mean(_ file: String, _ part: String) throws -> String {
      let outcome = try program.run(["replay", file, "--part", part, "--age", "30", "--format", "jsonl"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return String(outcome.lines.last ?? "")
    }
    #expect(try mean(gpx, "1").contains(#""activeSeconds":60,"#))
    #expect(try mean(gpx, "1").contains(#""mean":110"#))
    #expect(try mean(gpx, "2").contains(#""activeSeconds":60,"#))
    #expect(try mean(gpx, "2").contains(#""mean":130"#))
    #expect(try mean(people, "8").contains(#""mean":120"#))
    for (file, part) in [(gpx, "3"), (gpx, "x"), (people, "9")] {
      let missing = try program.run(["replay", file, "--part", part, "--age", "30"])
      #expect(missing.status == 66)
      #expect(missing.isOneComplaint)
    }
    let mixed = try program.run(["replay", people, "--age", "30"])
    #expect(mixed.status == 65)
    #expect(mixed.isOneComplaint)
    #expect(mixed.output.isEmpty)

    let exported = try program.run(["export", gpx, "--as", "csv", "--part", "2"])
    #expect(exported.status == 0)
    #expect(exported.lines.count == 62)
    #expect(!exported.output.contains("2026-11-01"))
    let imported = try program.run(["import", gpx, people, "--age", "30", "--format", "jsonl"])
    #expect(imported.status == 65)
    #expect(imported.lines.map { $0.contains(#""status":"added""#) } == [true, true, false])
    let person = try program.run(["import", people, "--part", "7", "--age", "30", "--format", "jsonl"])
    #expect(person.status == 0)
    #expect(person.output.contains(#""status":"added""#))
    #expect(try program.run(["history", "list", "--format", "jsonl"]).lines.count == 3)
  }

  @Test("Inspect says that two recordings hold one workout, whatever their formats are")
  func sameWorkout() throws {
    let program = try CoachProgram()
    let beats = (0..<120).map { 120 + $0 * 7 % 40 }
    let rows = beats.enumerated().map { "\(1_700_000_000 + $0.offset),\($0.element)\n" }.joined()
    let points = beats.enumerated().dropFirst(3).map { second, bpm in
      let time = Date(timeIntervalSince1970: Double(1_700_000_000 + second)).formatted(.iso8601)
      return "<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(bpm)</Value></HeartRateBpm></Trackpoint>"
    }
    let tcx =
      "<TrainingCenterDatabase><Activities><Activity Sport=\"Running\"><Lap><Track>\(points.joined())</Track></Lap>"
      + "</Activity></Activities></TrainingCenterDatabase>"
    let csv = try program.folder.write("time,hr\n" + rows, to: "a.csv")
    let later = try program.folder.write("time,hr\n" + rows.replacing("\n17000", with: "\n17001"), to: "b.csv")
    let device = try program.folder.write(tcx, to: "c.tcx")
    let outcome = try program.run(["inspect", csv, later, device, "--format", "jsonl"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.map { $0.contains("sameWorkout") } == [false, false, true])
    #expect(
      outcome.lines.last?.contains(#"{"kind":"sameWorkout","position":"recording 1","count":1,"detail":"\#(csv)"}"#)
        == true)
    let text = try program.run(["inspect", csv, device])
    #expect(text.output.contains("recording 1: holds the same workout (\(csv))"))
  }

  @Test("Inspect says that two parts of one file hold one workout, and an import takes the first")
  func sameParts() throws {
    let program = try CoachProgram()
    func fit(_ name: String, from start: Int) throws -> Data {
      let rows = (0..<120).map { "\(start + $0),\(120 + $0 * 7 % 40)\n" }.joined()
      let csv = try program.folder.write("time,hr\n" + rows, to: name + ".csv")
      let file = program.folder.url.appendingPathComponent(name + ".fit")
      let outcome = try program.run(["export", csv, "--as", "fit", "--output", file.path])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try Data(contentsOf: file)
    }
    let (one, other) = (try fit("one", from: 1_700_000_000), try fit("other", from: 1_700_010_000))
    let path = program.folder.url.path + "/all.fit"
    try (one + other + one).write(to: URL(fileURLWithPath: path))
    let inspected = try program.run(["inspect", path, "--format", "jsonl"]).output
    #expect(
      inspected.contains(#""warnings":[{"kind":"sameWorkout","position":"part 2","count":1,"detail":"part 1"}]"#),
      "\(inspected)")
    let imported = try program.run(["import", path, "--age", "30", "--format", "jsonl"])
    #expect(imported.lines.map { $0.contains(#""status":"added""#) } == [true, false, true], "\(imported.output)")
    try (one + other).write(to: URL(fileURLWithPath: path))
    #expect(try !program.run(["inspect", path, "--format", "jsonl"]).output.contains("sameWorkout"))
  }

  @Test("Every verb explains itself")
  func help() throws {
    let program = try CoachProgram()
    for verb in CommandTable.coach.verbs {
      let outcome = try program.run(verb.words + ["--help"])
      #expect(outcome.status == 0, "\(verb.words)")
      #expect(outcome.errors.isEmpty, "\(verb.words)")
      #expect(outcome.output.contains("coach " + verb.words.joined(separator: " ")), "\(verb.words)")
    }
    #expect(try program.run(["--version"]).output.hasPrefix("coach "))
  }

  @Test(
    "A typo is answered with what was meant, on one line, with the exit code of usage",
    arguments: [
      (["zone", "--age", "23"], "zones"), (["replay", "x.csv", "--stratgy", "none"], "--strategy"),
      (["zones", "--agee", "23"], "--age"), (["live", "--clock", "walls"], "wall"), (["insepct", "x"], "inspect"),
    ])
  func typos(arguments: [String], suggestion: String) throws {
    let outcome = try CoachProgram().run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains(suggestion), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(
    "What a request lacks or contradicts is reported with the option, on one line",
    arguments: [
      (["replay", "FILE", "--target", "z2"], 64, "--age"), (["zones"], 64, "--age"),
      (["replay", "FILE", "--age", "23", "--target", "z9"], 64, "z9"),
      (["replay", "FILE", "--age", "23", "--target", "z2", "--plan", "FILE"], 64, "--plan"),
      (["replay", "FILE", "--age", "23", "--target", "z2", "--strategy", "moment:evry=2"], 64, "every"),
      (["zones", "--age", "23", "--zone-model", "heart-rate-reserve"], 64, "--resting-heart-rate"),
      (["zones", "--age", "23", "--zone-model", "percent-of-maximum", "--bounds", "98,118"], 64, "--bounds"),
      (["replay", "FILE", "--age", "23", "--plan", "FILE"], 65, "character 1: "),
      (["replay", "FILE", "--age", "23", "--plan", "/none"], 66, "/none"),
      (["replay", "FILE", "--age", "23", "--plan", "steady"], 66, "ready plan (easy, weight-control"),
      (["replay", "FILE", "--age", "23", "--plan", "10m z1, 5 z2"], 64, "--plan: character 9: "),
      (["replay", "FILE", "--age", "23", "--plan", "10m z1, 5m z9"], 64, "z9"),
    ])
  func requests(arguments: [String], status: Int32, word: String) throws {
    let program = try CoachProgram()
    let file = try program.folder.write(risingCSV(seconds: 10), to: "run.csv")
    let outcome = try program.run(arguments.map { $0 == "FILE" ? file : $0 })
    #expect(outcome.status == status)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains(word), "\(outcome.errors)")
  }
}
