import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: steps of real people")
struct MotionStepTraceTests {
  /// The recordings of one walk each, by the file, with the steps that were counted by eye; none where the data are not there.
  private static let traces: [(file: String, steps: Int)] = {
    let folder = RealRecordings.folder.appendingPathComponent("steps")
    guard let table = try? String(contentsOf: folder.appendingPathComponent("TRUTH.tsv"), encoding: .utf8) else {
      return []
    }
    let rows = table.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    guard let file = rows.first?.firstIndex(of: "file"), let steps = rows.first?.firstIndex(of: "steps_true") else {
      return []
    }
    return rows.dropFirst().compactMap { row in
      guard row.count > max(file, steps), let count = Int(row[steps]) else { return nil }
      return (folder.appendingPathComponent(String(row[file])).path, count)
    }
  }()

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Wherever on the body a phone is, its steps are counted within two in a hundred",
    .enabled(if: !traces.isEmpty, "needs real recordings in ../shared/data"))
  func counted() throws {
    let program = try CoachProgram()
    for (file, steps) in Self.traces {
      let outcome = try program.run(["motion", "steps", file, "--format", "jsonl"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let found = try outcome.lines.map { line in
        let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return try #require(record["steps"] as? Int)
      }
      #expect(abs(found.reduce(0, +) - steps) * 50 <= steps, "\(file): \(found) of \(steps)")
    }
  }
}
