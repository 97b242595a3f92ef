import Foundation
import Testing

/// A program of a shell that says to slow down, whatever it is asked.
private let slowDown = """
  #!/bin/sh
  touch "$1"
  read -r hello
  echo '{"type":"ready","version":1,"everySeconds":30}'
  while read -r line; do
    case $line in *'"type":"question"'*)
      number=${line#*'"question":'}
      echo '{"type":"answer","runner":0,"question":'"${number%%,*}"',"say":"slowDown"}';;
    esac
  done
  """

@Suite("The program: a policy of somebody else")
struct PolicyEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func policy(_ text: String = slowDown) throws -> String {
    let file = try program.folder.write(text, to: "policy-\(UUID().uuidString)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    return file
  }

  private var mark: String { program.folder.url.appendingPathComponent("started").path }
  private var isStarted: Bool { FileManager.default.fileExists(atPath: mark) }

  @Test("A live session is replayed to the byte without the program that was asked")
  func replayWithoutProgram() throws {
    let file = try policy()
    let live = try program.run(
      ["live", "--age", "23", "--target", "z2", "--strategy", "exec:\(file) \(mark)", "--format", "jsonl"],
      input: risingLines(seconds: 300))
    #expect(live.status == 0, "\(live.errors)")
    #expect(isStarted)
    let cues = live.lines.filter { $0.contains(#""type":"cue""#) }
    #expect(cues.count == 10)
    #expect(cues.allSatisfy { $0.contains(#""action":"slowDown""#) })
    let session = try program.session()
    let commands = try String(contentsOf: session.appendingPathComponent("commands.csv"), encoding: .utf8)
    #expect(commands.components(separatedBy: "answer").count == 11)
    let manifest = try String(contentsOf: session.appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains(#""kind": "exec""#))
    #expect(manifest.contains(#""programSHA256": ""#))
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.removeItem(atPath: mark)
    let decisions = try String(contentsOf: session.appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    let replay = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(replay.lines.filter { $0.contains(#""type":"cue""#) } == cues)
    #expect(decisions.split(separator: "\n").filter { $0.contains(#""type":"cue""#) } == cues)
    #expect(!isStarted)
    #expect(try program.run(["history", "rebuild"]).status == 0)
    #expect(try program.run(["history", "check"]).status == 0)
    // Another strategy judges the same samples.
    let other = try program.run(["replay", session.path, "--strategy", "moment:every=30", "--format", "jsonl"])
    #expect(other.status == 0)
    #expect(other.lines.contains { $0.contains(#""action":"speedUp""#) })
  }

  @Test("A live session sends the program that it is over, and lets it end with its input", arguments: [0, 300])
  func endOfLive(seconds: Int) throws {
    let heard = program.folder.url.appendingPathComponent("heard").path
    let file = try policy(
      slowDown.replacing("  case $line in ", with: "  echo \"$line\" >>'\(heard)'\n  case $line in ")
        + "\nsleep 0.3\necho over >>'\(heard)'\n")
    let live = try program.run(
      ["live", "--age", "23", "--target", "z2", "--strategy", "exec:\(file) \(mark)", "--no-save"],
      input: risingLines(seconds: seconds))
    #expect(live.status == 0, "\(live.errors)")
    let lines = try String(contentsOfFile: heard, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(lines.last == "over")
    let end = #"{"type":"end","runner":0}"#
    #expect(lines.filter { $0 == end }.count == (seconds == 0 ? 0 : 1))
    if seconds > 0 { #expect(lines.dropLast().last == end) }
  }

  @Test("A program that fails in a live session is reported once, the session goes on and is kept")
  func failingLive() throws {
    let file = try policy(slowDown.replacing("\"say\"", with: "\"says\""))
    let live = try program.run(
      [
        "live", "--age", "23", "--target", "z2", "--strategy", "exec:\(file) \(mark)", "--format", "jsonl",
        "--activity", "running",
      ],
      input: risingLines(seconds: 300))
    #expect(live.status == 65)
    #expect(live.errorLines.count == 1, "\(live.errors)")
    #expect(live.errors.contains("runner 0, second 30: "))
    #expect(live.lines.filter { $0.contains(#""reason":"unanswered""#) }.count == 10)
    let session = try program.session()
    let replay = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replay.status == 0)
    #expect(replay.lines.filter { $0.contains(#""reason":"unanswered""#) }.count == 10)
  }

  @Test("Files, lines of a sender and other verbs start no program")
  func nobodyElse() throws {
    let text = "exec:\(try policy()) \(mark)"
    let csv = try program.folder.write(risingCSV(seconds: 300), to: "run.csv")
    let scenario = try program.folder.write(
      #"{"version":1,"name":"x","profile":{"ageYears":23},"target":"z2","strategy":{"kind":"exec","command":""#
        + text.dropFirst(5) + #"","every":30,"programSHA256":"0","protocolVersion":1},"segments":[]}"#,
      to: "scenario.json")
    let named = try program.folder.write(
      #"{"version":1,"name":"x","strategy":""# + text + #""}"#, to: "named.json")
    let study = try program.folder.write(
      #"{"version":1,"seed":1,"runners":2,"ageYears":23,"behaviours":["reflex"],"courses":[{"activity":"run","#
        + #""target":"z2","seconds":600,"arms":[""# + text + #""]}]}"#, to: "study.json")
    for arguments in [
      ["replay", scenario], ["replay", named], ["verify", scenario], ["study", study],
      ["import", csv, "--age", "23", "--target", "z2", "--strategy", text],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status != 0, "\(arguments)")
      #expect(!isStarted, "\(arguments)")
    }
    let live = try program.run(
      ["live", "--age", "23", "--target", "z2", "--format", "jsonl", "--no-save"],
      input: risingLines(seconds: 60)
        + #"{"type":"command","id":"a","command":"strategy","strategy":""# + text + #"","atSeconds":60}"# + "\n"
        + #"{"type":"command","id":"b","command":"answer","answer":"60 slowDown","atSeconds":60}"# + "\n")
    #expect(live.output.contains(#""id":"a","accepted":false"#))
    #expect(live.output.contains(#""id":"b","accepted":false"#))
    #expect(!isStarted)
  }

  @Test("The records of a study and a comparison say by its hash which program answered")
  func namedByHash() throws {
    let file = try policy()
    let csv = try program.folder.write(
      "time_s,heart_rate_bpm\n" + (0..<120).map { "\($0),140\n" }.joined(), to: "run.csv")
    let study = ["study", "--age", "23", "--arm", "exec:\(file) \(mark)", "--runners", "1", "--minutes", "5"]
    let compare = ["compare", csv, "--age", "23", "--target", "z2", "--strategy", "exec:\(file) \(mark)"]
    func hashes(_ arguments: [String]) throws -> (program: String, study: String?) {
      let outcome = try program.run(arguments + ["--format", "json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let record = try #require(
        JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let rows = try #require((record["arms"] ?? record["strategies"]) as? [[String: Any]])
      return (try #require(rows.first?["programSHA256"] as? String), record["studyHash"] as? String)
    }
    let first = try hashes(study)
    #expect(first.program.count == 64)
    #expect(try hashes(compare).program == first.program)
    try (slowDown + "\n# another one\n").write(toFile: file, atomically: false, encoding: .utf8)
    let second = try hashes(study)
    #expect(second.program != first.program)
    #expect(second.study != first.study)
    #expect(try hashes(compare).program == second.program)
  }

  @Test("Study, compare and replay end with one line and the code when the program fails")
  func failing() throws {
    let crash = try policy(
      "#!/bin/sh\nread -r h\necho '{\"type\":\"ready\",\"version\":1,\"everySeconds\":60}'\nread -r a; echo oh >&2; exit 4\n"
    )
    let csv = try program.folder.write(risingCSV(seconds: 300), to: "run.csv")
    for arguments in [
      ["study", "--age", "23", "--arm", "exec:\(crash)", "--runners", "20", "--minutes", "5", "--threads", "2"],
      ["compare", csv, "--age", "23", "--target", "z2", "--strategy", "exec:\(crash)", "--strategy", "none"],
      ["compare", csv, "--age", "23", "--target", "z2", "--strategy", "none", "--strategy", "exec:\(crash)"],
      ["replay", csv, "--age", "23", "--target", "z2", "--strategy", "exec:\(crash)", "--format", "jsonl"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 69, "\(arguments)")
      #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("runner 0, second 60: it ended with exit status 4 (oh)"), "\(outcome.errors)")
    }
    let missing = try program.run(["replay", csv, "--age", "23", "--target", "z2", "--strategy", "exec:./none"])
    #expect(missing.status == 66)
    let part = try program.run(
      ["study", "--age", "23", "--arm", "exec:\(try policy()) \(mark)", "--runners", "4", "--shard", "1/2"])
    #expect(part.status == 64)
  }

  @Test(
    "Ctrl-C ends the wait for a program that does not answer, at once", arguments: ["study", "benchmark", "replay"])
  func interrupted(verb: String) throws {
    let asked = program.folder.url.appendingPathComponent("asked").path
    let file = try policy(
      "#!/bin/sh\nread -r h\necho '{\"type\":\"ready\",\"version\":1,\"everySeconds\":60}'\nread -r a; "
        + "echo x >\"$1\"; sleep 500\n")
    let csv = try program.folder.write(risingCSV(seconds: 300), to: "run.csv")
    let text = "exec:\(file) \(asked)"
    let arguments =
      switch verb {
      case "study": ["study", "--age", "23", "--arm", text, "--runners", "5"]
      case "benchmark": ["benchmark", "cues", "--policy", text, "--runners", "2"]
      default: ["replay", csv, "--age", "23", "--target", "z2", "--strategy", text]
      }
    let process = program.process(arguments + ["--policy-seconds", "60"])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let start = Date().addingTimeInterval(30)
    while !FileManager.default.fileExists(atPath: asked), Date() < start { usleep(20_000) }
    let began = ContinuousClock.now
    process.send(SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(ContinuousClock.now - began < .seconds(30))
  }

  @Test("A program and what it has started end with a coach that is killed")
  func killed() throws {
    let children = program.folder.url.appendingPathComponent("children").path
    let file = try policy(
      slowDown.replacing("read -r hello", with: "sleep 600 & echo \"$$ $!\" >'\(children)'\nread -r hello"))
    let running = try Running(program, ["--target", "z2", "--strategy", "exec:\(file) \(mark)", "--no-save"])
    try running.send(risingLines(seconds: 10))
    func processes() -> [Int] {
      ((try? String(contentsOfFile: children, encoding: .utf8)) ?? "").split(whereSeparator: \.isWhitespace)
        .compactMap { Int($0) }
    }
    func isAlive(_ process: Int) -> Bool {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = status.lastIndex(of: ")")
      else { return false }
      return !status[end...].hasPrefix(") Z")
    }
    let start = Date().addingTimeInterval(20)
    while processes().count < 2, Date() < start { usleep(20_000) }
    #expect(processes().count == 2)
    running.process.send(SIGKILL)
    let end = Date().addingTimeInterval(10)
    while processes().contains(where: isAlive), Date() < end { usleep(20_000) }
    #expect(!processes().contains(where: isAlive))
  }
}
