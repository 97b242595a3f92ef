import Foundation
import Testing

@Suite("The program: the lines that README shows")
struct DocumentedLinesEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  @Test("Piped as they are printed, all of them are taken, and every command is carried out")
  func piped() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let document = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let part = try #require(document.range(of: "\n## For runners\n"))
    let lines = document[part.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix(#"{"type":"#) }
    #expect(lines.count == 13)
    let outcome = try program.run(
      ["live", "--age", "35", "--target", "z2", "--format", "jsonl"], input: lines.joined(separator: "\n") + "\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.output.contains(#""accepted":false"#), "\(outcome.output)")
    #expect(!outcome.output.contains(#""type":"rejected""#), "\(outcome.output)")
    #expect(outcome.output.contains(#""heartRate":{"mean""#), "\(outcome.output)")
    let accepted = outcome.lines.filter { $0.contains(#""type":"acknowledgement""#) }
    #expect(accepted.count == lines.filter { $0.contains(#""type":"command""#) }.count)
  }
}
