import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: activities of real people")
struct MotionFoldTests {
  /// Six recordings each of five people with a watch; none where the data are not there.
  private static let recordings: [String] = {
    let folder = RealRecordings.folder.appendingPathComponent("motion")
    let names = (1...5).flatMap { person in (1...6).map { "s0\(person)_0\($0)_sw.csv" } }
    let paths = names.map { folder.appendingPathComponent($0).path }
    return paths.allSatisfy { FileManager.default.fileExists(atPath: $0) } ? paths : []
  }()

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Of five real people, what somebody does is recognised by what the four others taught",
    .enabled(if: !recordings.isEmpty, "needs real recordings in ../shared/data"))
  func fold() throws {
    let program = try CoachProgram()
    let outcome = try program.run(
      ["motion", "evaluate"] + Self.recordings
        + ["--network", "compact", "--epochs", "5", "--folds", "5", "--fold", "1", "--format", "json"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.output)")
    let byPerson = try #require(record["byPerson"] as? [[String: Any]])
    #expect(byPerson.map { $0["person"] as? String } == ["s01"])
    // Counted from the definition of a window, apart from the program.
    #expect(record["windows"] as? Int == 159)
    let figure = try #require(record["macroF1"] as? Double)
    #expect(figure >= 0.95, "\(outcome.output)")
  }
}
