import Foundation
import Testing

@Suite("The program: guidance in a run")
struct GuidanceEndToEndTests {
  private static let live = ["live", "--age", "23", "--activity", "running"]

  private static func text(_ url: URL, _ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The events of records, without answers and the summary, which a replay does not have or has otherwise.
  private static func events(_ lines: [Substring]) -> [Substring] {
    lines.filter { line in !["acknowledgement", "summary", "ended"].contains { line.contains("\"type\":\"\($0)\"") } }
  }

  private static func heartRates(_ seconds: ClosedRange<Int>, _ bpm: Int) -> String {
    seconds.map { "{\"type\":\"heartRate\",\"atSeconds\":\($0),\"beatsPerMinute\":\(bpm + $0 % 2)}\n" }.joined()
  }

  @Test("A live run for which nothing is said is coached by runner with a ceiling, and says both")
  func usual() throws {
    let program = try CoachProgram()
    let outcome = try program.run(Self.live + ["--target", "z2"], input: risingLines(seconds: 30))
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.first?.hasPrefix("coach: runner — ") == true)
    let said = outcome.output.replacing("\n", with: " ")
    #expect(said.contains("--coach or --strategy"))
    #expect(said.contains("ceiling 202 bpm"))
    let manifest = try Self.text(program.session(), "manifest.json")
    for part in [#""coach": "runner""#, #""graceSeconds": 60"#, #""beatsPerMinute": 202"#, #""kind": "zone-change""#] {
      #expect(manifest.contains(part), "\(part)")
    }
  }

  @Test(
    "What the steps of a plan ask for is read in the units of the reader before it begins",
    arguments: [
      ("metric", "plan: 60 s z1, 5 min 5:20–5:40 /km, 1.61 km no target, 5 min 119-137"),
      ("imperial", "plan: 60 s z1, 5 min 8:35–9:07 /mi, 1 mi no target, 5 min 119-137"),
    ])
  func planAhead(units: String, words: String) throws {
    let program = try CoachProgram()
    let outcome = try program.run(
      Self.live + [
        "--no-save", "--units", units, "--plan", "1min z1, 5min 5:20-5:40/km, 1mi free, 5min 119-137",
      ], input: risingLines(seconds: 3))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let said = outcome.output.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(said.contains(words), "\(outcome.output)")
  }

  @Test("What is chosen is not said to be the usual, and nothing is said in records")
  func chosen() throws {
    let program = try CoachProgram()
    let coach = try program.run(
      Self.live + ["--no-save", "--coach", "paper-moment", "--ceiling", "off", "--grace", "10"],
      input: risingLines(seconds: 3))
    #expect(coach.lines.first?.hasPrefix("coach: paper-moment — ") == true)
    #expect(!coach.output.contains("chooses another"))
    #expect(!coach.output.contains("ceiling 2"))
    #expect(coach.output.contains("no target: no cues; --target"))
    let strategy = try program.run(Self.live + ["--no-save", "--strategy", "none"], input: risingLines(seconds: 3))
    #expect(strategy.lines.first == "coach: strategy none")
    #expect(strategy.output.replacing("\n", with: " ").contains("no target: no cues but that of the ceiling"))
    let records = try program.run(
      Self.live + ["--no-save", "--format", "jsonl", "--target", "z2"], input: risingLines(seconds: 3))
    #expect(records.lines.first == #"{"version":1,"type":"started","atSeconds":0}"#)
    let unknown = try program.run(
      ["live", "--no-save", "--zone-model", "custom", "--bounds", "100,120,140", "--target", "z1"],
      input: risingLines(seconds: 3))
    #expect(unknown.output.contains("no ceiling, because no maximum heart rate is known"))
  }

  @Test("Contradictions and what is no value are usage errors of one line")
  func badOptions() throws {
    let program = try CoachProgram()
    for options in [
      ["--coach", "runner", "--strategy", "none"], ["--coach", "jogger"], ["--ceiling", "300"], ["--ceiling", "190:0"],
      ["--ceiling", "190:x"], ["--grace", "-1"],
    ] {
      let outcome = try program.run(Self.live + options, input: "")
      #expect(outcome.status == 64, "\(options): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(options): \(outcome.errors)")
    }
  }

  @Test("A step that waits for a distance that nothing measures is said once, live and replayed")
  func waitingForDistance() throws {
    let program = try CoachProgram()
    let plan = ["--plan", "400m z4, 1min z1"]
    let input =
      Self.heartRates(0...100, 125) + #"{"type":"command","id":"1","command":"lap"}"# + "\n"
      + Self.heartRates(101...120, 125)
    let wait = "step 1 waits for 400 m and no distance arrives"
    let said = "coach: standard input: \(wait): a lap ends it (key l, or the command lap)\n"
    let lines = try program.run(Self.live + plan + ["--no-save"], input: input)
    #expect(lines.status == 0, "\(lines.errors)")
    #expect(lines.errors == said)
    let records = try program.run(Self.live + plan + ["--format", "jsonl"], input: input)
    #expect(records.errors == said)
    #expect(!records.output.contains("waits"))
    #expect(records.output.contains(#""type":"stepChanged","atSeconds":100"#), "\(records.output)")
    let again = try program.run(["replay", program.session().path, "--format", "jsonl"])
    #expect(Self.events(again.lines) == Self.events(records.lines))
    #expect(again.errors.isEmpty, "the lap is in it: \(again.errors)")
    let file = try program.folder.write(risingCSV(seconds: 60), to: "run.csv")
    let replayed = try program.run(["replay", file, "--age", "23", "--format", "jsonl"] + plan)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(replayed.errors == "coach: \(file): \(wait)\n")
  }

  @Test("A plan is shown ahead")
  func planAhead() throws {
    let program = try CoachProgram()
    let input = "{\"type\":\"heartRate\",\"atSeconds\":0,\"beatsPerMinute\":100}\n"
    let outcome = try program.run(["live", "--age", "23", "--plan", "intervals", "--no-save"], input: input)
    func words(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }
    let text = words(outcome.output)
    #expect(text.contains("plan: warm-up 10 min z1, effort 3 min z4, rest 2 min z1, effort 3 min z4"), "\(text)")
    let long = try program.run(["live", "--age", "23", "--plan", "20x(1m z1)", "--no-save"], input: input)
    #expect(words(long.output).contains("and 4 more steps"))
  }

  @Test("A replay has no ceiling and its own default unless it is asked; a folder keeps what it had")
  func replay() throws {
    let program = try CoachProgram()
    let rows = "time_s,heart_rate\n" + (0...100).map { "\($0),210\n" }.joined()
    let file = try program.folder.write(rows, to: "run.csv")
    let plain = ["replay", file, "--age", "23", "--target", "z5", "--format", "jsonl"]
    #expect(try !program.run(plain).output.contains("aboveCeiling"))
    #expect(try program.run(plain).output.contains(#""strategy":"period:"#))
    let asked = try program.run(plain + ["--ceiling", "200:20"])
    #expect(
      asked.lines.filter { $0.contains("aboveCeiling\"") && $0.contains("cue") }.map { $0.prefix(58) } == [
        #"{"version":1,"type":"cue","atSeconds":20,"action":"slowDown"#[...].prefix(58),
        #"{"version":1,"type":"cue","atSeconds":80,"action":"slowDown"#[...].prefix(58),
      ])
    #expect(try program.run(plain + ["--coach", "runner"]).output.contains(#""strategy":"zone-change:"#))

    let live = try program.run(
      Self.live + ["--target", "z2", "--format", "jsonl"], input: Self.heartRates(0...100, 210))
    let folder = try program.session().path
    let again = try program.run(["replay", folder, "--format", "jsonl"])
    #expect(live.output.contains("aboveCeiling"))
    #expect(Self.events(again.lines) == Self.events(live.lines))
    let page = try program.run(["report", "latest"]).output
    #expect(page.contains("above the ceiling of 202 bpm for 30 s"))
    #expect(page.contains("202 bpm, announced after 30 s above it"))
    let off = try program.run(["replay", folder, "--ceiling", "off", "--format", "jsonl"])
    #expect(!off.output.contains("aboveCeiling"))
  }

  @Test("Changes in a run are answered, shown, kept, and made again by replay, history and rebuild")
  func changes() throws {
    let program = try CoachProgram()
    let input =
      Self.heartRates(0...30, 125)
      + #"{"type":"command","id":"1","command":"target","target":"aerobic"}"# + "\n"
      + #"{"type":"command","id":"2","command":"strategy","strategy":"moment:every=20"}"# + "\n"
      + #"{"type":"command","id":"3","command":"target","target":"z9"}"# + "\n"
      + #"{"type":"command","id":"4","command":"strategy","strategy":"momentum"}"# + "\n"
      + Self.heartRates(31...100, 125)
    let live = try program.run(
      Self.live + ["--target", "z2", "--strategy", "moment:every=15", "--format", "jsonl"], input: input)
    #expect(live.status == 0)
    #expect(live.errorLines.count == 3)
    #expect(live.errors.contains("line 34: target: target 'z9'"))
    #expect(live.output.contains(#""type":"targetChanged","atSeconds":30,"from":"zone2","to":"zone3""#))
    let cues = live.lines.filter { $0.contains(#""type":"cue""#) }
    #expect(cues.count == 5)
    #expect(cues.first?.contains("hold") == true)
    #expect(cues.dropFirst().allSatisfy { $0.contains("speedUp") })
    let session = try program.session()
    #expect(try Self.text(session, "commands.csv").contains(",strategy,2,31,0,0,0,0,0,0,0,moment:every=20\n"))
    let again = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(Self.events(again.lines) == Self.events(live.lines))
    let other = try program.run(["replay", session.path, "--strategy", "none", "--format", "jsonl"])
    #expect(other.output.contains("targetChanged"))
    #expect(!other.output.contains("strategyChanged"))
    let retargeted = try program.run(["replay", session.path, "--target", "z1", "--format", "jsonl"])
    #expect(!retargeted.output.contains("targetChanged"))
    #expect(retargeted.output.contains("strategyChanged"))
    let zones = try program.run(["replay", session.path, "--bounds", "100,140,180", "--format", "jsonl"])
    #expect(zones.status == 64)
    #expect(zones.isOneComplaint)

    let shown = try program.run(["history", "show", "latest", "--format", "json"])
    #expect(shown.output.contains(#"{"fromSeconds":30,"targetLowerBPM":138,"targetUpperBPM":157}"#))
    #expect(shown.output.contains(#""secondsInTarget":30"#))
    #expect(try program.run(["history", "rebuild"]).status == 0)
    #expect(try program.run(["history", "check"]).status == 0)
    #expect(try program.run(["history", "show", "latest", "--format", "json"]).output == shown.output)
    let page = try program.run(["report", "latest"]).output
    #expect(page.contains("0:00:30 target 138–157 bpm; 0:00:30 strategy moment:every=20"))
    let exported = try program.run(["history", "export", "latest", "--as", "json"])
    #expect(exported.output.contains(#""command":"target","target":"aerobic""#))
    #expect(exported.output.contains(#""command":"strategy","strategy":"moment:every=20""#))
    let compared = try program.run(
      ["compare", session.path, "--strategy", "moment:every=50", "--format", "json"])
    #expect(compared.status == 0)
    #expect(compared.output.contains(#""cuesPerHour":72"#))
  }

  @Test("At the stop stands the line of the history, and how the run lies beside those before it")
  func standing() throws {
    let program = try CoachProgram()
    func run(_ bpm: Int, _ activity: String = "running") throws -> CoachProgram.Outcome {
      try program.run(
        ["live", "--age", "23", "--activity", activity, "--target", "z2"], input: Self.heartRates(0...200, bpm))
    }
    let first = try run(120)
    #expect(first.output.contains("  start "))
    #expect(!first.output.contains("Beside"))
    let second = try run(126)
    #expect(second.output.contains("Beside the session of running before"))
    #expect(second.output.contains("average heart rate 127 bpm: higher by 5 % than 121 bpm."))
    #expect(second.output.contains("in the target 100 %: as before."))
    let third = try run(150)
    #expect(third.output.contains("Beside the median of the last 2 sessions of running"))
    #expect(third.output.contains("in the target 0 %: lower by 100 points than 100 %"))
    #expect(try !run(120, "walking").output.contains("Beside"))
  }

  @Test("An index that cannot be used takes nothing from the summary")
  func damagedIndex() throws {
    let program = try CoachProgram()
    _ = try program.run(Self.live + ["--target", "z2"], input: Self.heartRates(0...60, 120))
    let index = URL(fileURLWithPath: program.data).appendingPathComponent("coach.sqlite")
    try Data("no database".utf8).write(to: index)
    let outcome = try program.run(Self.live + ["--target", "z2"], input: Self.heartRates(0...60, 120))
    #expect(outcome.output.contains("In the target"))
    #expect(outcome.output.contains("Saved in"))
    #expect(!outcome.output.contains("Beside"))
  }

  @Test("The coaches stand in the list of strategies, for people and as records")
  func listed() throws {
    let program = try CoachProgram()
    let text = try program.run(["strategies"]).output
    for name in ["paper-moment", "paper-period", "runner", "researcher"] { #expect(text.contains("--coach \(name)")) }
    let records = try program.run(["strategies", "--format", "jsonl"]).output
    #expect(records.contains(#"{"version":1,"type":"coachPreset","name":"runner","specification":"zone-change:"#))
  }
}
