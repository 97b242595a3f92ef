import Foundation
import Testing

@Suite("The program: what is deleted, of a service that ran on the folder")
struct DeletionEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func coach(_ arguments: String..., input: String? = nil) throws -> CoachProgram.Outcome {
    let outcome = try program.run(arguments, input: input)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }

  private func sessions() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").sorted()
  }

  /// Whether a text stands in any file of the data folder or in the name of one.
  private func isAnywhere(_ text: String) throws -> Bool {
    let files = try #require(FileManager.default.enumerator(atPath: program.data))
    for case let path as String in files {
      if path.contains(text) { return true }
      guard let bytes = FileManager.default.contents(atPath: program.data + "/" + path) else { continue }
      if bytes.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  private func secrets() throws -> [Int] {
    try ["token", "key"].map { try coach($0, "list", "--format", "jsonl").lines.count }
  }

  @Test("Who deletes nothing for want of an answer is addressed by the name that was typed")
  func unasked() throws {
    _ = try program.run([
      "import", program.folder.write("at_s,heart_rate\n0,120\n1,121\n2,122\n", to: "a.csv"),
      "--age", "40", "--start", "2026-03-01T10:00:00Z",
    ])
    let outcome = try program.run(["history", "delete", "latest"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("coach: history delete: nobody is there to be asked"))
  }

  @Test("Tokens and keys go with the session or the person that they are for, and no others")
  func secretsToo() throws {
    _ = try coach("live", "--age", "23", "--target", "z2", input: risingLines(seconds: 60))
    let session = try #require(try sessions().first)
    _ = try coach("profile", "create", "zacharias", "--birth-date", "1990-05-17")
    _ = try coach("live", "--profile", "zacharias", "--target", "z2", input: risingLines(seconds: 60))
    _ = try coach("token", "create", "--scope", "watch")
    _ = try coach("token", "create", "--scope", "watch", "--session", session)
    _ = try coach("token", "create", "--scope", "send,watch", "--person", "zacharias")
    _ = try coach("key", "create", "--person", "zacharias")
    #expect(try secrets() == [3, 1])
    _ = try coach("history", "delete", session, "--yes")
    #expect(try secrets() == [2, 1])
    #expect(try !isAnywhere(session))
    _ = try coach("profile", "delete", "zacharias", "--all-data", "--yes")
    #expect(try secrets() == [1, 0])
    #expect(try !isAnywhere("zacharias"))
    #expect(try sessions().isEmpty)
  }
}
