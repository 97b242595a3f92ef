import Foundation
import Testing

@Suite("The program: a data folder that cannot be written, in which a service was set up")
struct UnwritableFolderEndToEndTests {
  /// Has root kept by the permissions of files, as everybody else is.
  static let withoutPrivilege =
    geteuid() == 0 ? #"exec /usr/bin/setpriv --bounding-set=-dac_override,-dac_read_search "$0" "$@";"# : ""

  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func changeMode(_ mode: String) throws {
    let process = ChildProgram("/bin/chmod", ["-R", mode, program.data])
    try process.run()
    process.waitUntilExit(seconds: 60)
    try #require(process.terminationStatus == 0)
  }

  @Test("Verbs that read do so and leave it as it was, and one that writes says that nothing can be kept there")
  func reading() throws {
    for verb in [
      ["profile", "create", "anna", "--max-heart-rate", "190"], ["token", "create", "--scope", "watch"],
      ["key", "create", "--person", "anna"],
    ] {
      let outcome = try program.run(verb)
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: program.data).sorted()
    try changeMode("a-w")
    defer { try? changeMode("u+w") }
    for (verb, count) in [("token", 1), ("key", 1), ("identity", 0)] {
      let outcome = try program.run([verb, "list", "--format", "jsonl"], before: Self.withoutPrivilege)
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(verb): \(outcome.errors)")
      #expect(outcome.lines.count == count, "\(verb): \(outcome.output)")
    }
    let out = program.folder.url.path + "/anna"
    let exported = try program.run(["profile", "export", "anna", "--output", out], before: Self.withoutPrivilege)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(FileManager.default.fileExists(atPath: out + "/profile.json"))
    let unknown = try program.run(["profile", "export", "bob", "--output", out + "2"], before: Self.withoutPrivilege)
    #expect(unknown.status == 66, "\(unknown.errors)")
    #expect(unknown.isOneComplaint, "\(unknown.errors)")
    let refused = try program.run(["token", "create", "--scope", "watch"], before: Self.withoutPrivilege)
    #expect(refused.status == 73, "\(refused.errors)")
    #expect(refused.isOneComplaint, "\(refused.errors)")
    #expect(refused.errors.contains("cannot keep data there"), "\(refused.errors)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: program.data).sorted() == names)
  }

  @Test("Where there is no data folder, verbs that read make none")
  func absent() throws {
    for verb in ["token", "key", "identity"] {
      let outcome = try program.run([verb, "list", "--format", "jsonl"])
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: program.data))
  }
}
