import Foundation
import StrategyStudy
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("The program: the benchmark of cues")
struct BenchmarkEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("A result is written, signed and verified, and what was changed is not")
  func result() throws {
    let file = path("none.jsonl")
    let options = ["benchmark", "cues", "--policy", "none", "--runners", "3", "--signing-key", path("me.pem")]
    let made = try program.run(options + ["--final", "--output", file])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("these are the FINAL seeds"))
    #expect(made.errors.contains("made a key"))
    #expect(made.errors.contains("a trial run with 3 runners: the benchmark has 1000"))
    #expect(made.output.contains("FINAL seeds (1644175004641592), 324 cells, 3 virtual runners each, 25 min"))
    #expect(made.output.contains("trend:every=30"))
    // What has no room in 80 columns stands below.
    for title in ["cues/h, 95 %", "mean regret", "mean, 95 %", "worst regret", "worst, 95 %", "ahead by", "best other"]
    {
      #expect(made.output.contains(title), "\(title): \(made.output)")
    }
    for line in made.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let attributes = try FileManager.default.attributesOfItem(atPath: path("me.pem"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 1 + 324 + 19 + 1)
    let head = try object(lines[0])
    #expect(head["type"] as? String == "benchmark")
    #expect(head["seeds"] as? String == "final")
    #expect(head["isTrialRun"] as? Bool == true)
    let mark = try object(lines[344])
    #expect(mark["algorithm"] as? String == "ed25519")
    let key = try #require(mark["publicKey"] as? String)

    let verified = try program.run(["benchmark", "verify", file, "--public-key", key])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.output.contains("Signed by \(key)"))
    #expect(verified.output.contains("coach benchmark cues --policy 'none' --final --runners 3"))
    // Signed by whoever likes, with a policy that would be a command to who pastes the line.
    let library = try #require(ResultSignatures())
    let signer = try #require(library.key(Array(try String(contentsOfFile: path("me.pem"), encoding: .utf8).utf8)))
    let body = (lines.dropLast().joined(separator: "\n") + "\n").replacing(
      #""policy":"none""#, with: #""policy":"'; touch x; '""#
    ).replacing(#""arm":"none","isPolicy""#, with: #""arm":"'; touch x; '","isPolicy""#)
    func signed(_ body: String, to name: String) throws -> String {
      let bytes = try #require(SignedResult.signed(Array(body.utf8), by: signer, in: library))
      return try program.folder.write(String(decoding: bytes, as: UTF8.self), to: name)
    }
    // No strategy of the program by which the file says that it was made.
    let unknown = try program.run(["benchmark", "verify", try signed(body, to: "unknown")])
    #expect(unknown.status == 1)
    #expect(unknown.isOneComplaint)
    #expect(unknown.errors.contains("has no such strategy"), "\(unknown.errors)")
    // Of another version it may be one.
    let later = body.replacing(#""program":"\#(Program.version)""#, with: #""program":"99.1.0""#)
    let trap = try signed(later, to: "trap")
    let quoted = try program.run(["benchmark", "verify", trap])
    #expect(quoted.status == 0, "\(quoted.errors)")
    #expect(quoted.output.contains(#"--policy ''\''; touch x; '\''' --final --runners 3"#))
    #expect(quoted.output.contains("but of version 99.1.0"))
    let named = try object(try program.run(["benchmark", "verify", trap, "--format", "json"]).output)
    #expect(named["policyIsKnown"] as? Bool == false)
    #expect(named["program"] as? String == "99.1.0")
    let record = try object(try program.run(["benchmark", "verify", file, "--format", "json"]).output)
    #expect(record["version"] as? Int == 1)
    #expect(head["version"] as? Int == 2)
    #expect(record["definitionSHA256"] as? String == head["definitionSHA256"] as? String)
    // Some cells alone, whose figures follow from one another.
    let some = CueBenchmarkRun("none", .none, .development, runners: 2)
    var writer = JSONWriter()
    CueBenchmarkRecords.write(try #require(try some.run(threads: 1, only: 0..<1) { _ in true }), to: &writer)
    let fewer = try #require(SignedResult.signed(writer.bytes, by: signer, in: library))
    let few = try program.run(
      ["benchmark", "verify", try program.folder.write(String(decoding: fewer, as: UTF8.self), to: "few")])
    #expect(few.status == 1)
    #expect(few.errors.contains("27 cells: expected the 324 of cues 1"), "\(few.errors)")
    let other = try program.run(["benchmark", "verify", file, "--public-key", String(repeating: "0", count: 64)])
    #expect(other.status == 1)
    #expect(other.isOneComplaint)
    let forged = try program.folder.write(
      text.replacing("\"policy\":\"none\"", with: "\"policy\":\"mine\""), to: "forged")
    let refused = try program.run(["benchmark", "verify", forged])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("the signature does not hold"))
    let short = try program.run(["benchmark", "verify", file, "--public-key", "12"])
    #expect(short.status == 64)
    let unsigned = try program.folder.write(lines.dropLast().joined(separator: "\n") + "\n", to: "unsigned")
    #expect(try program.run(["benchmark", "verify", unsigned]).status == 65)
    #expect(try program.run(["benchmark", "verify", path("nowhere")]).status == 66)

    // Before anything is simulated: a name that is taken, a key that is none.
    let taken = try program.run(options + ["--output", file])
    #expect(taken.status == 73)
    #expect(taken.isOneComplaint)
    let noKey = try program.run([
      "benchmark", "cues", "--policy", "none", "--signing-key", file, "--output", path("other"),
    ])
    #expect(noKey.status == 65)
    #expect(noKey.isOneComplaint)
  }

  @Test("A program of somebody else is tried, and its file is in the result by its hash")
  func outsideProgram() throws {
    // Says nothing, ever.
    let policy = path("silent")
    let text = #"""
      #!/bin/sh
      while read -r line; do
        case $line in
        *'"type":"hello"'*) echo '{"type":"ready","version":1,"everySeconds":600}';;
        *'"type":"question"'*)
          runner=${line#*'"runner":'}
          number=${line#*'"question":'}
          echo '{"type":"answer","runner":'"${runner%%,*}"',"question":'"${number%%,*}"',"say":"silence"}';;
        esac
      done
      """#
    try text.write(toFile: policy, atomically: false, encoding: .utf8)
    // Run by the shell, since a file that was just written may still be open in a child of another test.
    let file = path("silent.jsonl")
    let made = try program.run([
      "benchmark", "cues", "--policy", "exec:/bin/sh '\(policy)'", "--runners", "2", "--signing-key", path("my.pem"),
      "--output", file, "--format", "jsonl",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let none = try program.run(["benchmark", "cues", "--policy", "none", "--runners", "2", "--format", "jsonl"])
    let lines = made.output.split(separator: "\n").map(String.init)
    let ours = none.output.split(separator: "\n").map(String.init)
    let head = try object(lines[0])
    let hash = try #require(head["policyProgramSHA256"] as? String)
    #expect(hash.count == 64)
    #expect(try object(ours[0])["policyProgramSHA256"] == nil)
    for line in lines[1...324] {
      #expect((try object(line)["cuesPerHour"] as? [String: Any])?["mean"] as? Double == 0)
    }
    let verified = try program.run(["benchmark", "verify", file])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.output.contains("Made again by: coach benchmark cues --policy 'exec:/bin/sh"))
    #expect(verified.output.contains("SHA-256 \(hash)"))
    let gone = try program.run(["benchmark", "cues", "--policy", "exec:/bin/true", "--runners", "2"])
    #expect(gone.status == 69)
    #expect(gone.errors.contains("exec:/bin/true"))
  }

  @Test("What cannot be tried is said in one line")
  func refused() throws {
    for (arguments, status) in [
      ([], 64), (["--policy", "tren"], 64), (["--policy", "none", "--output", path("a")], 64),
      (["--policy", "none", "--signing-key", path("b")], 64), (["--policy", "exec:\(path("no.py"))"], 66),
      (["--policy", "none", "--runner-model", path("no.json")], 66), (["--policy", "none", "--runners", "0"], 64),
    ] as [([String], Int32)] {
      let outcome = try program.run(["benchmark", "cues"] + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }
}
