import Recordings
import SessionStore
import Testing
import WorkoutSession
import WorkoutTestSupport
import ZoneEngine

@Suite("Labels that are put on afterwards")
struct SessionLabelsTests {
  private func labels(_ changes: [(String, Int)]) -> [RecordedLabel] {
    changes.map { RecordedLabel($0, at: .seconds($1)) }
  }

  private static let cases: [(before: [(String, Int)], stretch: (Int, Int), after: [(String, Int)])] = [
    ([], (10, 20), [("run", 10), ("", 20)]),
    ([("walk", 0), ("", 30)], (10, 20), [("walk", 0), ("run", 10), ("walk", 20), ("", 30)]),
    ([("walk", 0), ("sit", 12), ("stand", 15)], (10, 20), [("walk", 0), ("run", 10), ("stand", 20)]),
    ([("walk", 0), ("", 10)], (10, 20), [("walk", 0), ("run", 10), ("", 20)]),
    ([("walk", 20), ("", 30)], (10, 20), [("run", 10), ("walk", 20), ("", 30)]),
    ([("run", 0), ("", 10)], (10, 20), [("run", 0), ("", 20)]),
    ([("walk", 0)], (0, 20), [("run", 0), ("walk", 20)]),
  ]

  @Test("A label holds on its stretch alone, and what held before goes on behind it", arguments: Self.cases.indices)
  func stretch(index: Int) {
    let (before, stretch, after) = Self.cases[index]
    let found = SessionLabels.relabelled(
      labels(before), from: .seconds(stretch.0), until: .seconds(stretch.1), as: "run")
    #expect(found == labels(after))
  }
}
