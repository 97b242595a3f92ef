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

  @Test("What has no activity, or none whose times can be read, says which of the two, and where")
  func nothingRecorded() throws {
    func problem(_ text: String) throws -> String? {
      do {
        _ = try Recording(bytes: Array(text.utf8), name: "FILE")
        return nil
      } catch let error as RecordingError {
        return error.description
      }
    }
    let point = "<Trackpoint><Time>2026-03-01T10:00:00Z</Time></Trackpoint>"
    let wanted = "expected a recorded activity, no route or course"
    #expect(
      try problem("<TrainingCenterDatabase><Course><Track>\(point)</Track></Course></TrainingCenterDatabase>")
        == "FILE: no point of an activity: \(wanted)")
    #expect(
      try problem("<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='2'/></trkseg></trk></gpx>")
        == "FILE: byte 18: no point has a time that can be read: \(wanted)")
    #expect(
      try problem(#"{"data":{"metrics":[{"name":"heart_rate","data":[{"date":"soon","Avg":80}]}]}}"#)?
        .hasSuffix("no point has a time that can be read: \(wanted)") == true)
  }

  @Test("The clock is stated once, before the first point that has a time")
  func clock() throws {
    for (format, text) in Self.decoded(times: ["", "2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z"]) {
      let clocks = text.items.indices.filter { if case .clock(.wall) = text.items[$0] { true } else { false } }
      let first = try #require(text.items.firstIndex { if case .point = $0 { true } else { false } })
      #expect(clocks == [first - 1], "\(format)")
    }
  }

  @Test(
    "The offset of the first time is that of the place, unless it is UTC or none of a place",
    arguments: [
      ("2026-03-01T10:00:00+02:00", 7_200), ("2026-03-01T10:00:00.5-0330", -12_600), ("2026-03-01T10:00:00+14", 50_400),
      ("2026-03-01T10:00:00Z", nil), ("2026-03-01T10:00:00", nil), ("2026-03-01T10:00:00+00:00", nil),
      ("2026-03-01T10:00:00-14:01", nil), ("2026-03-01T10:00:00+23:59", nil),
    ])
  func utcOffset(time: String, seconds: Int?) {
    for (format, text) in Self.decoded(times: ["yesterday", time, "2026-03-01T12:00:01+05:00"]) {
      let offsets = text.story.filter { $0.hasPrefix("offset") }
      #expect(offsets == (seconds.map { ["offset \($0)"] } ?? []), "\(format)")
    }
  }

  @Test("Each activity of a file has the offset of its own first time")
  func utcOffsets() throws {
    let tracks = ["2026-03-01T10:00:00+02:00", "2026-03-02T10:00:00Z", "2026-03-03T10:00:00-07:00"].map {
      #"<trk><trkseg><trkpt lat="46" lon="15"><time>\#($0)</time></trkpt></trkseg></trk>"#
    }
    let recording = try Recording(bytes: Array("<gpx>\(tracks.joined())</gpx>".utf8), name: "three.gpx")
    #expect(recording.facts.utcOffsetSeconds == 7_200)
    var offsets: [Int?] = []
    try recording.forEachActivity(recording.activities) { offsets.append($1.facts.utcOffsetSeconds) }
    #expect(offsets == [7_200, nil, -25_200])
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
