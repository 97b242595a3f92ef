import ActivityRecognition
import Foundation
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("The program: live sessions that a service holds")
struct ServerEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// A service of the data folder that runs while `body` does; its URL is given to that.
  private func serving(_ options: [String] = [], _ body: (String) async throws -> Void) async throws {
    try await serving(options) { url, _ in try await body(url) }
  }

  /// The same with the process, which `body` may end.
  private func serving(_ options: [String] = [], _ body: (String, ChildProgram) async throws -> Void) async throws {
    let service = program.process(["serve", "--listen", "127.0.0.1:0", "--format", "jsonl"] + options)
    let path = try program.folder.write("", to: "listening")
    service.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try service.run()
    defer {
      service.send(SIGTERM)
      service.waitUntilExit(seconds: 30)
    }
    var url: String?
    try await expectEventually("the service listens") {
      url = try? JSONValue.parse(String(contentsOfFile: path, encoding: .utf8))["url"]?.string
      return url != nil
    }
    try await body(try #require(url), service)
  }

  /// A file that only its owner can read.
  private func secret(_ text: String) throws -> String {
    let path = try program.folder.write(text, to: "token")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func token() throws -> String {
    let made = try program.run(["token", "create", "--scope", "send,watch", "--format", "json"])
    try #require(made.status == 0, "\(made.errors)")
    return try secret(try #require(JSONValue.parse(made.output)["token"]?.string))
  }

  @Test("A terminal that takes nothing keeps a service neither from answering nor from ending")
  func stalledTerminal() async throws {
    let token = try token()
    let terminal = try await program.terminal(
      columns: 200, running: "\"$COACH\" serve --listen 127.0.0.1:0 --format jsonl; echo \"status $?\"")
    try await terminal.expect("sign in: ")
    let lines = try terminal.capture().split(separator: "\n")
    let url = lines.lazy.compactMap { line in
      line.hasPrefix("{") ? try? JSONValue.parse(String(line))["url"]?.string : nil
    }.first
    let process = try await terminal.coach()
    try terminal.take(false)
    let live = try program.run(
      [
        "live", "--source", "simulated", "--speed", "max", "--duration", "3m", "--age", "35", "--target", "z2",
        "--format", "jsonl", "--server", #require(url), "--token-file", token,
      ])
    #expect(live.status == 0, "\(live.errors)")
    kill(process, SIGTERM)
    try await expectEventually("it ends") { kill(process, 0) != 0 }
    try terminal.take(true)
    try await terminal.expect("status 0")
  }

  @Test("A simulated run is kept by the service, as one that is simulated, and shown here as the service decided")
  func simulated() async throws {
    let token = try token()
    try await serving { url in
      let live = try program.run(
        [
          "live", "--source", "simulated", "--speed", "max", "--duration", "10m", "--age", "35", "--target", "z2",
          "--strategy", "moment:every=60", "--format", "jsonl", "--server", url, "--token-file", token,
        ])
      #expect(live.status == 0, "\(live.errors)")
      #expect(live.errors.isEmpty)
      let folders = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")
      let folder = program.data + "/sessions/" + (try #require(folders.first))
      #expect(folders.count == 1)
      let manifest = try String(contentsOfFile: folder + "/manifest.json", encoding: .utf8)
      #expect(try JSONValue.parse(manifest)["origin"]?.string == "simulated")
      let kept = try String(contentsOfFile: folder + "/decisions.jsonl", encoding: .utf8)
      let decisions = { (text: String) in
        text.split(separator: "\n").filter { $0.contains("\"type\":\"cue\"") || $0.contains("\"type\":\"withheld\"") }
      }
      #expect(decisions(live.output).count == 10)
      #expect(decisions(live.output) == decisions(kept))
    }
  }

  @Test("A simulated run that does not go by the clock follows a plan that the service keeps, and ends with it")
  func simulatedPlan() async throws {
    let token = try token()
    try await serving { url in
      let live = try program.run(
        [
          "live", "--source", "simulated", "--speed", "max", "--age", "35", "--plan",
          "2min z1, 2min 5:30/km, 1min z1", "--format", "jsonl", "--server", url, "--token-file", token,
        ])
      #expect(live.status == 0, "\(live.errors)")
      let steps = live.output.split(separator: "\n").filter { $0.contains("\"type\":\"stepChanged\"") }
      #expect(steps.count == 4, "\(live.output)")
      let summary = try #require(live.output.split(separator: "\n").last { $0.contains("\"type\":\"summary\"") })
      let elapsed = try #require(JSONValue.parse(String(summary))["elapsedSeconds"]?.number?.double)
      // The end of the plan is heard some seconds later, by how fast the service answers; it was twice as long once.
      #expect((300...330).contains(elapsed), "\(elapsed)")
    }
  }

  @Test("A token of a person is coached by the profile of that person, and what is shown here follows it")
  func ofPerson() async throws {
    try #require(
      program.run(["profile", "create", "anna", "--birth-date", "1990-05-01", "--max-heart-rate", "150"]).status == 0)
    let made = try program.run([
      "token", "create", "--person", "anna", "--scope", "send,watch,manage", "--format", "json",
    ])
    try #require(made.status == 0, "\(made.errors)")
    let token = try secret(try #require(JSONValue.parse(made.output)["token"]?.string))
    try await serving { url in
      let live = try program.run([
        "live", "--source", "simulated", "--speed", "max", "--duration", "5m", "--age", "20", "--target", "z2",
        "--strategy", "moment:every=60", "--format", "jsonl", "--server", url, "--token-file", token,
      ])
      #expect(live.status == 0, "\(live.errors)")
      let line =
        "coach: \(url): the profile of anna decides, not what was said here of the runner: "
        + "zones 75–90, 91–105, 106–120, 121–135, 136–150"
      #expect(live.errors.split(separator: "\n").map(String.init) == [line])
      let cues = live.output.split(separator: "\n").filter { $0.contains("\"targetLowerBPM\":91") }
      #expect(!cues.isEmpty, "\(live.output)")
      #expect(!live.output.contains("\"targetLowerBPM\":121"), "\(live.output)")

      // Nothing has to be said of a runner whom the service knows.
      let known = try program.run([
        "live", "--source", "simulated", "--speed", "max", "--duration", "5m", "--target", "z2",
        "--strategy", "moment:every=60", "--format", "jsonl", "--server", url, "--token-file", token,
      ])
      #expect(known.status == 0, "\(known.errors)")
      #expect(known.errors.isEmpty, "\(known.errors)")
      #expect(known.output.contains("\"targetLowerBPM\":91"), "\(known.output)")
    }
  }

  @Test("Of whom neither the line nor the service says anything is asked for the age, as without a service")
  func ofNobody() async throws {
    let token = try token()
    let options = ["live", "--source", "simulated", "--speed", "max", "--duration", "5m", "--target", "z2"]
    let alone = try program.run(options)
    #expect(alone.status == 64)
    try await serving { url in
      let live = try program.run(options + ["--server", url, "--token-file", token])
      #expect(live.status == 64)
      #expect(live.errors == alone.errors)
    }
  }

  @Test("A token that does not hold is what is said, with an age and without one")
  func refused() async throws {
    let wrong = try secret(String(repeating: "x", count: 43))
    let options = ["live", "--source", "simulated", "--speed", "max", "--duration", "5m", "--target", "z2"]
    try await serving { url in
      let here = ["--server", url, "--token-file", wrong]
      let withAge = try program.run(options + ["--age", "35"] + here)
      #expect(withAge.status == 69)
      #expect(withAge.errors.hasPrefix("coach: \(url): answered 401: "), "\(withAge.errors)")
      let without = try program.run(options + here)
      #expect(without.status == 69)
      #expect(without.errors == withAge.errors)
    }
  }

  @Test(
    "Activities are recognised by the service with the model of that name, which pauses its session and the screen's")
  func recognized() async throws {
    let token = try token()
    let model = try program.folder.write("", to: "by-hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.shared.model)).write(to: URL(fileURLWithPath: model))
    let lines = ThresholdModel.lines([
      .init(activity: "running", seconds: 20), .init(activity: "standing", seconds: 15),
      .init(activity: "running", seconds: 20),
    ])
    let options = [
      "live", "--source", "stdin", "--clock", "samples", "--age", "35", "--target", "z2", "--format", "jsonl",
      "--recognize", model, "--token-file", token,
    ]
    try await serving(["--recognize", model]) { url in
      let live = try program.run(options + ["--server", url], input: lines.joined(separator: "\n") + "\n")
      #expect(live.status == 0, "\(live.errors)")
      let folders = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")
      let folder = program.data + "/sessions/" + (try #require(folders.first))
      let kept = try String(contentsOfFile: folder + "/decisions.jsonl", encoding: .utf8)
      for type in ["activity", "paused", "resumed"] {
        let records = { (text: String) in text.split(separator: "\n").filter { $0.contains("\"type\":\"\(type)\"") } }
        #expect(!records(kept).isEmpty, "\(type)")
        #expect(records(live.output) == records(kept), "\(type)")
      }
    }
    try await serving { url in
      let live = try program.run(options + ["--server", url], input: lines.joined(separator: "\n") + "\n")
      #expect(live.status == 69, "no such model there")
      #expect(live.errors.split(separator: "\n").count == 1, "\(live.errors)")
    }
  }

  @Test("A database that cannot be shared is said in one line, without anything of its address that may be secret")
  func database() throws {
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["--database", "postgresql://coach:geheim@localhost/x"], 64, "expected it in PGPASSFILE"),
      (["--database", "postgresql://coach@localhost/x?password=geheim"], 64, "expected it in PGPASSFILE"),
      (["--database", "mysql://geheim"], 64, "expected postgresql://USER@HOST/NAME"),
      (["--database", "postgresql://[geheim"], 64, "expected postgresql://USER@HOST/NAME"),
      (["--database", "postgresql://coach@127.0.0.1:1/x"], 69, "postgresql://127.0.0.1:1/x: "),
    ]
    for (arguments, status, words) in cases {
      for verb in [["serve", "--listen", "127.0.0.1:0"], ["token", "list"], ["key", "list"], ["identity", "list"]] {
        let outcome = try program.run(verb + arguments)
        #expect(outcome.status == status, "\(verb) \(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        #expect(!outcome.errors.contains("geheim"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      }
    }
    let instances: [(arguments: [String], words: String)] = [
      (["--instance-url", "http://10.0.0.1:8080"], "expected --database beside it"),
      (["--database-replica", "postgresql://coach@127.0.0.1:1/x"], "expected --database beside it"),
      (
        [
          "--database", "postgresql://coach@127.0.0.1:1/x", "--database-replica",
          "postgresql://coach:geheim@127.0.0.1:1/x",
        ], "--database-replica: every user of the machine sees a password there"
      ),
      (
        ["--database", "postgresql://coach@127.0.0.1:1/x", "--database-replica", "mysql://x"],
        "--database-replica: the address cannot be read"
      ),
      (
        ["--listen", "0.0.0.0:0", "--behind-proxy", "--database", "postgresql://coach@127.0.0.1:1/x"],
        "expected --instance-url"
      ),
      (["--listen", "[0::0]:0", "--behind-proxy", "--database", "postgresql:///x"], "expected --instance-url"),
    ]
    for (arguments, words) in instances {
      let outcome = try program.run(["serve"] + arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
      #expect(!outcome.errors.contains("geheim"))
    }
  }

  @Test("A second service of a data folder is refused with the process and address of the first, until that is gone")
  func secondService() async throws {
    let token = try token()
    let another = ["serve", "--listen", "127.0.0.1:0", "--format", "jsonl"]
    try await serving { url, service in
      let refused = try program.run(another, seconds: 60)
      #expect(refused.status == 69, "\(refused.errors)")
      #expect(refused.output.isEmpty)
      #expect(refused.isOneComplaint, "\(refused.errors)")
      #expect(refused.errors.contains("(process \(service.processIdentifier), \(url))"), "\(refused.errors)")
      // What works beside a service asks for nothing, and another folder is another service's.
      #expect(try program.run(["token", "list"]).status == 0)
      let live = try program.run([
        "live", "--source", "simulated", "--speed", "max", "--duration", "1m", "--age", "35", "--target", "z2",
        "--server", url, "--token-file", token,
      ])
      #expect(live.status == 0, "\(live.errors)")
      service.send(SIGKILL)
      service.waitUntilExit(seconds: 30)
    }
    // The folder of one that was killed is free.
    for _ in 0..<2 { try await serving { url in #expect(url.hasPrefix("http://127.0.0.1:")) } }
  }

  @Test("Another address than the loopback is refused without TLS or a proxy that speaks it, before anything listens")
  func reachableAddress() throws {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8080"] {
      let refused = try program.run(["serve", "--listen", address], seconds: 60)
      #expect(refused.status == 64, "\(address): \(refused.errors)")
      #expect(refused.isOneComplaint, "\(address): \(refused.errors)")
      #expect(refused.errors.contains("expected --tls-certificate and --tls-key, or --behind-proxy"), "\(address)")
      #expect(!FileManager.default.fileExists(atPath: program.data), "\(address)")
    }
  }

  @Test(
    "A service that listens everywhere and does not know its address says what its links begin with",
    arguments: [
      (["--listen", "0.0.0.0:0"], true), (["--listen", "127.0.0.1:0"], false),
      (["--listen", "0.0.0.0:0", "--public-url", "https://coach.example.org"], false),
    ])
  func unknownAddress(_ options: [String], isSaid: Bool) async throws {
    let service = program.process(["serve", "--behind-proxy"] + options)
    let paths = [try program.folder.write("", to: "listening"), try program.folder.write("", to: "errors")]
    service.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[0]))
    service.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
    try service.run()
    try await expectEventually("the service listens") {
      try String(contentsOfFile: paths[0], encoding: .utf8).hasPrefix("listening on ")
    }
    service.send(SIGTERM)
    service.waitUntilExit(seconds: 30)
    let errors = try String(contentsOfFile: paths[1], encoding: .utf8)
    #expect(errors.contains("others cannot open: expected --public-url") == isSaid, "\(errors)")
  }

  @Test("TLS of its own and a proxy that speaks it are refused together, before a file is read")
  func tlsTwice() throws {
    let refused = try program.run(
      ["serve", "--behind-proxy", "--tls-certificate", "/nonexistent.pem", "--tls-key", "/nonexistent.key"], seconds: 60
    )
    #expect(refused.status == 64, "\(refused.errors)")
    #expect(refused.isOneComplaint, "\(refused.errors)")
    #expect(refused.errors.contains("--tls-certificate and --behind-proxy: expected one of them"), "\(refused.errors)")
  }

  @Test("Nothing of a person is deleted while a session of theirs is live in a service, and everything once it is over")
  func deletionOfLive() async throws {
    #expect(try program.run(["profile", "create", "ann", "--birth-date", "1990-05-17"]).status == 0)
    let made = try program.run(["token", "create", "--scope", "send,watch", "--person", "ann", "--format", "json"])
    let token = try secret(try #require(JSONValue.parse(made.output)["token"]?.string))
    let delete = ["profile", "delete", "ann", "--all-data", "--yes"]
    try await serving { url in
      let live = try Running(program, ["--target", "z2", "--server", url, "--token-file", token])
      try live.send(risingLines(seconds: 60))
      try await expectEventually("the session is live") {
        let folder = program.data + "/sessions"
        guard FileManager.default.fileExists(atPath: folder) else { return false }
        return try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
      }
      let refused = try program.run(delete)
      #expect(refused.status == 69, "\(refused.errors)")
      #expect(refused.errors.contains("is being recorded"), "\(refused.errors)")
      #expect(try program.run(["profile", "list"]).output.contains("ann"))
      // It is in an export as it stands, though its folder had nothing yet.
      let export = ["profile", "export", "ann", "--output", program.folder.url.path + "/export", "--format", "json"]
      let exported = try program.run(export)
      #expect(exported.status == 0, "\(exported.errors)")
      #expect(exported.output.contains(#""sessions":1,"unfinished":1"#), "\(exported.output)")
      #expect(exported.errors.contains("is not closed, and in the export as it stood"), "\(exported.errors)")
      // Its token holds still, so that it ends as usual.
      try live.send(#"{"type":"command","id":"end","command":"stop"}"# + "\n")
      let outcome = live.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let deleted = try program.run(delete)
      #expect(deleted.status == 0, "\(deleted.errors)")
      #expect(deleted.output.contains("with 1 session"), "\(deleted.output)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").isEmpty)
    #expect(try program.run(["token", "list"]).output.isEmpty)
  }

  @Test(
    "That something is deleted at a terminal stands in the audit of the service of the folder; else there is none")
  func deletions() throws {
    let live = ["live", "--source", "simulated", "--speed", "max", "--duration", "1m", "--target", "z2"]
    func newest() throws -> String {
      try #require(FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").max())
    }
    #expect(try program.run(live + ["--age", "35"]).status == 0)
    #expect(try program.run(["history", "delete", newest(), "--yes"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: program.data + "/audit.jsonl"))
    _ = try token()
    #expect(try program.run(["profile", "create", "ann", "--birth-date", "1990-05-17"]).status == 0)
    let shown = try program.run(["profile", "show", "ann", "--format", "json"])
    let identity = try #require(JSONValue.parse(shown.output)["id"]?.string, "\(shown.output)")
    #expect(try program.run(live + ["--profile", "ann"]).status == 0)
    let id = try newest()
    #expect(try program.run(["history", "delete", id, "--yes"]).status == 0)
    #expect(try program.run(["profile", "delete", "ann", "--all-data", "--yes"]).status == 0)
    let audit = try program.run(["store", "audit"])
    #expect(audit.status == 0, "\(audit.errors)")
    let lines = try audit.output.split(separator: "\n").map { try JSONValue.parse(String($0)) }
    #expect(lines.map { $0["action"]?.string } == ["tokenCreated", "deleted", "personDeleted"], "\(audit.output)")
    // Of the session nothing stays, its identity neither.
    #expect(lines.dropFirst().map { $0["subject"]?.string } == [nil, identity])
    #expect(!audit.output.contains(id))
    #expect(!audit.output.contains("ann"))
  }

  @Test("A folder that is a store of its own is not taken for a cache")
  func ownFolder() throws {
    _ = try token()
    let outcome = try program.run([
      "serve", "--listen", "127.0.0.1:0", "--database", "postgresql://coach@127.0.0.1:1/x",
    ])
    #expect(outcome.status == 73, "\(outcome.errors)")
    #expect(outcome.errors.contains("is a store of its own"), "\(outcome.errors)")
  }

  @Test("What cannot be sent is said in one line, and nothing begins")
  func refusals() async throws {
    let file = try secret("coach_nobody-knows-this-token")
    let usual = ["live", "--source", "simulated", "--age", "35", "--target", "z2"]
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["--server", "http://127.0.0.1:1"], 64, "expected --token-file FILE too"),
      (["--token-file", file], 64, "expected --server too"),
      (["--server", "http://192.0.2.1", "--token-file", file], 64, "expected https://"),
      (["--server", "http://127.0.0.1:1", "--token-file", file, "--no-save"], 64, "--no-save"),
      (["--server", "http://127.0.0.1:1", "--token-file", file, "--source", "stdin"], 64, "several sources"),
      (["--server", "http://127.0.0.1:1", "--token-file", "\(file).gone"], 66, "token.gone"),
      (["--server", "http://127.0.0.1:1", "--token-file", file], 69, "http://127.0.0.1:1: "),
    ]
    for (arguments, status, words) in cases {
      let outcome = try program.run(usual + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    try await serving { url in
      let outcome = try program.run(usual + ["--server", url, "--token-file", file])
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("answered 401"))
    }
  }
}
