@testable import Recordings
import Testing

@Suite("The warnings of a recording")
struct RecordingWarningsTests {
  private func positions(_ warnings: RecordingWarnings) -> [String] { warnings.all.map(\.position) }

  @Test("stand in the order of their places, and what only the whole file shows behind them")
  func order() {
    var warnings = RecordingWarnings()
    warnings.add(.wrongChecksum, at: "unpacked byte 1200")
    warnings.add(.clockNeverSet, at: "unpacked byte 300")
    warnings.add(.implausibleTime, at: "time 2026-11-20T07:00:00Z")
    warnings.add(.trailingBytes, at: "byte 90")
    warnings.add(.outOfOrder, at: "point 12")
    warnings.add(.heartRateOutsideWorkout, at: "unpacked byte 1000")
    warnings.order()
    #expect(
      positions(warnings) == [
        "unpacked byte 300", "unpacked byte 1000", "unpacked byte 1200", "byte 90", "time 2026-11-20T07:00:00Z",
        "point 12",
      ])
  }

  @Test("have the place and the words of the first of their kind in the file, whenever it was noticed")
  func noticedLate() {
    var warnings = RecordingWarnings()
    for (position, detail) in [("byte 900", "later"), ("byte 500", "first"), ("byte 700", "between")] {
      warnings.add(noticedLate: .unreadableValue, at: position, detail: detail)
    }
    warnings.add(noticedLate: .unreadableValue, at: "metric heart_rate", detail: "elsewhere")
    #expect(positions(warnings) == ["byte 500"])
    #expect(warnings.all.map(\.detail) == ["first"])
    #expect(warnings.all.map(\.count) == [4])
  }
}
