import Testing
import WorkoutHistory
import WorkoutSession

@testable import coach

/// What is said of records that a session has beaten.
@Suite struct RecordWordsTests {
  private static func beaten(
    _ span: BestEffort.Span, _ value: Double, before: Double
  ) -> (effort: BestEffort, before: BestEffort) {
    (BestEffort(span, value: value, atSeconds: 0), BestEffort(span, value: before, atSeconds: 0))
  }

  @Test func `A record that reads like the one before is no news`() {
    #expect(RecordWords.line([Self.beaten(.duration(seconds: 300), 834.601, before: 834.6)], .metric) == nil)
    #expect(RecordWords.line([Self.beaten(.duration(seconds: 300), 834.601, before: 834.6)], .imperial) == nil)
    #expect(RecordWords.line([Self.beaten(.heartRate(seconds: 1_200), 126.402, before: 126.4)], .metric) == nil)
    #expect(RecordWords.line([], .metric) == nil)
  }

  @Test func `Of several the others stay, and one alone is one record`() {
    let same = Self.beaten(.duration(seconds: 300), 834.601, before: 834.6)
    let one = Self.beaten(.distance(meters: 1_000), 240, before: 252)
    #expect(RecordWords.line([same, one], .metric) == "New record: 1 km 4:00 (before 4:12)")
    let fine = Self.beaten(.distance(meters: 800), 287.569, before: 287.57)
    #expect(
      RecordWords.line([one, same, fine], .metric)
        == "New records: 1 km 4:00 (before 4:12), 800 m 4:47.569 (before 4:47.570)")
  }
}
