import Recordings
import Testing
@testable import WorkoutTestSupport

@Suite("Tracks in XML")
struct XMLTrackTests {
  /// The same points in both formats; what is put for a time is its text.
  private static func decoded(times: [String], budget: ReadingBudget = .standard) -> [(String, DecodedText)] {
    let gpx = times.map { #"<trkpt lat="46" lon="15"><time>\#($0)</time></trkpt>"# }.joined()
    let tcx = times.map { "<Trackpoint><Time>\($0)</Time></Trackpoint>" }.joined()
    return [
      ("gpx", DecodedText(GPXDecoder(budget: budget), "<gpx><trk><trkseg>\(gpx)</trkseg></trk></gpx>")),
      (
        "tcx",
        DecodedText(
          TCXDecoder(budget: budget),
          "<TrainingCenterDatabase><Activity><Lap><Track>\(tcx)</Track></Lap></Activity></TrainingCenterDatabase>")
      ),
    ]
  }

  @Test("A point without a readable time is left out with a warning, whatever the format")
  func times() {
    for (format, text) in Self.decoded(times: ["", "yesterday", "2026-03-01T10:00:00Z"]) {
      let kinds = text.items.compactMap { item -> RecordingWarning.Kind? in
        if case .warning(let kind, _, _) = item { kind } else { nil }
      }
      #expect(kinds == [.pointWithoutTime, .unreadableValue, .pointWithoutTime], "\(format)")
      #expect(text.points.count == 1, "\(format)")
    }
  }

  @Test("The clock is stated once, before the first point that has a time")
  func clock() throws {
    for (format, text) in Self.decoded(times: ["", "2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z"]) {
      let clocks = text.items.indices.filter { if case .clock(.wall) = text.items[$0] { true } else { false } }
      let first = try #require(text.items.firstIndex { if case .point = $0 { true } else { false } })
      #expect(clocks == [first - 1], "\(format)")
    }
  }

  @Test("One point more than the budget allows ends the reading and is named")
  func budget() {
    let times = (0..<4).map { "2026-03-01T10:00:0\($0)Z" }
    for (format, text) in Self.decoded(times: times, budget: .standard.with(\.points, 3)) {
      #expect(text.points.count == 3, "\(format)")
      #expect(text.problem?.problem == "expected at most 3 points", "\(format)")
      #expect(text.problem?.isBeyondBudget == true, "\(format)")
    }
  }
}
