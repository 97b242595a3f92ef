import Foundation
import Testing
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Lines of the live stream in the documents")
struct DocumentedLinesTests {
  /// The lines of the examples in a document, from a heading on.
  private func examples(_ name: String, from heading: String) throws -> [String] {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let document = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    let part = try #require(document.range(of: "\n\(heading)\n"), "\(name) has no \(heading)")
    return document[part.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .map(String.init).filter { $0.hasPrefix(#"{"type":"#) }
  }

  @Test("Every example is a line that is taken, and every kind of line has one")
  func examples() throws {
    for (document, heading) in [("docs/formats.md", "## Live stream"), ("README.md", "## For runners")] {
      let lines = try examples(document, from: heading)
      var kinds: Set<String> = []
      for text in lines {
        switch try LiveLine(text.utf8.span) {
        case .sample(let sample):
          kinds.insert(sample.reading.stream.name)
          if !sample.rrMilliseconds.isEmpty { kinds.insert("rrMilliseconds") }
        case .command(let command, _, _): kinds.insert(command.word)
        case .refused(_, _, let problem): Issue.record("\(document): \(text): \(problem)")
        }
      }
      let expected: Set<String> = [
        "heartRate", "rrMilliseconds", "steps", "location", "altitude", "motion", "start", "pause", "resume", "lap",
        "stop",
        "target",
        "strategy",
      ]
      #expect(kinds == expected, "\(document)")
    }
  }
}
