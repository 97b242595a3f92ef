import Foundation
import Testing

@testable import coach

@Suite("The program: names that a shell completes", .enabled(if: Shell.bash.path != nil, "bash is not installed"))
struct CompletionEndToEndTests {
  private let program: CoachProgram

  init() throws {
    program = try CoachProgram()
    for name in ["anna", "ben"] {
      let outcome = try program.run(["profile", "create", name, "--max-heart-rate", "190"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try program.run(["live", "--profile", "anna"], input: risingLines(seconds: 20)).status == 0)
  }

  /// What bash offers for the last of these words after the program.
  private func complete(_ typed: [String], environment: [String: String] = [:]) throws -> [String] {
    let script = try program.folder.write(Shell.bash.completionScript(for: .coach), to: "script")
    let command =
      "set -eu; source \(singleQuoted(script)); COMP_WORDS=(\(singleQuoted([program.path] + typed))); "
      + "COMP_CWORD=\(typed.count); _coach; printf '%s\\n' \"${COMPREPLY[@]-}\""
    let shell = program.process([], environment: environment)
    shell.path = try #require(Shell.bash.path)
    shell.arguments = ["--norc", "-c", command]
    let (output, errors) = (Pipe(), Pipe())
    shell.standardOutput = output
    shell.standardError = errors
    try shell.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(complaints.isEmpty)
    return printed.split(separator: "\n").map(String.init)
  }

  /// What stands in the data folder, with the times of the last change.
  private func content(_ path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted().map { name in
      let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return "\(name) \(String(describing: facts[.modificationDate])) \(String(describing: facts[.size]))"
    }
  }

  @Test("Profiles, targets, sources, plans, activities and sessions are on offer, and the data folder stays as it is")
  func names() throws {
    let session = try program.session().lastPathComponent
    let before = try content(program.data)
    let cases: [([String], [String])] = [
      (["profile", "show", ""], ["anna", "ben"]), (["live", "--profile", "a"], ["anna"]),
      (["history", "list", "--person", "="], ["anna", "ben"]), (["history", "list", "--person", "b"], ["ben"]),
      (["live", "--target", "z"], ["z1", "z2", "z3", "z4", "z5"]), (["live", "--target", "we"], ["weight-control"]),
      (["live", "--source", "s"], ["stdin", "strap", "simulated"]), (["live", "--plan", "int"], ["intervals"]),
      (["live", "--activity", "ru"], ["running"]), (["history", "show", ""], ["latest", session]),
      (["report", String(session.prefix(9))], [session]), (["upload", "lat"], ["latest"]),
      (["history", "quality", "late"], ["latest"]), (["follow", ""], []),
      (["report", "latest", "--beside", "2"], [session]), (["history", "find", "--near", "lat"], ["latest"]),
      (["token", "create", "--person", "a"], ["anna"]), (["key", "create", "--person", "b"], ["ben"]),
      (["plan", "export", "inter"], ["intervals"]), (["compare", "lates"], ["latest"]),
      (["study", "fit", String(session.prefix(9))], [session]),
    ]
    for (typed, offered) in cases { #expect(try complete(typed) == offered, "\(typed)") }
    #expect(try content(program.data) == before)
  }

  @Test("The data folder of the command line is asked, and none is made")
  func folders() throws {
    let none = program.folder.url.appendingPathComponent("none").path
    let elsewhere = ["COACH_DATA_DIR": none]
    #expect(try complete(["profile", "show", ""], environment: elsewhere).isEmpty)
    #expect(try complete(["history", "show", ""], environment: elsewhere).isEmpty)
    for option in [["--data-dir", program.data], ["--data-dir", "=", program.data], ["--data-dir=" + program.data]] {
      #expect(try complete(["profile", "show"] + option + ["b"], environment: elsewhere) == ["ben"], "\(option)")
    }
    let strange = try program.folder.write("text", to: "strange")
    #expect(try complete(["profile", "show", "--data-dir", strange, ""]).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: none))
  }
}
