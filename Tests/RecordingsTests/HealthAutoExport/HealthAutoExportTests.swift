@testable import Recordings
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("What Health Auto Export writes")
struct HealthAutoExportTests {
  /// A message in the form that the app's documentation shows.
  static let payload = """
    {"data":{"workouts":[],"metrics":[
      {"name":"active_energy","units":"kcal","data":[{"qty":1.5,"date":"2025-12-12 09:00:00 +0100","source":"Watch"}]},
      {"units":"count/min","data":[
        {"date":"2025-12-12 09:00:00 +0100","Min":80,"Avg":85.5,"Max":90,"source":"Ann's Watch"},
        {"date":"2025-12-12 09:00:05 +0100","Min":88,"Avg":91,"Max":95},
        {"date":"2025-12-12 08:00:10 +0000","qty":93,"source":"strap \\"H10\\" {"}
      ],"name":"heart_rate"},
      {"name":"step_count","units":"count","data":[
        {"qty":17,"date":"2025-12-12 09:00:02 +0100"},{"qty":3.0,"date":"2025-12-12 09:00:07 +0100"}]}
    ]}}
    """

  @Test("A file with workouts alone is refused with why they are passed over, and beside metrics they are no warning")
  func workoutsAlone() throws {
    let workout = #"{"name":"Outdoor Run","heartRateData":[{"date":"2025-12-12 09:00:00 +0100","Avg":120}]}"#
    func problem(_ text: String) throws -> RecordingError? {
      #expect(throws: RecordingError.self) { try Self.recording(text) }
    }
    let because = "because only metrics are read: expected heart_rate or step_count among these"
    for (workouts, found) in [(workout, "a workout"), (workout + "," + workout, "2 workouts")] {
      for metrics in ["", #","metrics":[]"#, #","metrics":[{"name":"weight","units":"kg","data":[]}]"#] {
        let error = try problem(#"{"data":{"workouts":["# + workouts + "]" + metrics + "}}")
        #expect(error?.description == "export.json: byte 21: passed over \(found), \(because)")
        #expect(error?.lacksActivity == true)
      }
    }
    let none = try problem(#"{"data":{"metrics":[],"workouts":[]}}"#)
    #expect(none?.description.contains("no point of an activity") == true)
    let both = Self.payload.replacing(#""workouts":[]"#, with: #""workouts":["# + workout + "]")
    #expect(try Self.recording(both).facts.warnings.isEmpty)
  }

  private static func recording(_ text: String) throws -> Recording {
    try Recording(bytes: Array(text.utf8), name: "export.json")
  }

  private static func readings(_ recording: Recording) throws -> [String] {
    var found: [String] = []
    try recording.forEachSample { sample in
      switch sample.reading {
      case .heartRate(let beats): found.append("\(sample.time.seconds) \(beats) bpm")
      case .steps(let count): found.append("\(sample.time.seconds) \(count) steps")
      default: found.append("another")
      }
    }
    return found
  }

  @Test(
    "Heart rates are the averages or single values, steps those of their entries, in order of time, with the zone's offset"
  )
  func readings() throws {
    let recording = try Self.recording(Self.payload)
    #expect(recording.facts.format == "health-auto-export")
    #expect(recording.facts.start == WallClockTimeText(iso8601: "2025-12-12T08:00:00Z")?.time)
    #expect(recording.facts.warnings.isEmpty)
    #expect(
      try Self.readings(recording) == ["0.0 85.5 bpm", "2.0 17 steps", "5.0 91.0 bpm", "7.0 3 steps", "10.0 93.0 bpm"])
    #expect(recording.facts.steps == 20)
    #expect(recording.facts.utcOffsetSeconds == 3_600)
  }

  @Test("Dates of a phone whose clock has twelve hours are read, with any space before AM and PM")
  func halfOfDay() throws {
    for space in [" ", "\u{202F}", "\u{A0}"] {
      let recording = try Self.recording(
        """
        {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[
        {"date":"2025-12-12 11:59:59\(space)AM -0800","Avg":80},{"date":"2025-12-12 12:00:04\(space)PM -0800","Avg":81}]}]}}
        """)
      #expect(recording.facts.start?.description == "2025-12-12T19:59:59Z")
      #expect(try Self.readings(recording) == ["0.0 80.0 bpm", "5.0 81.0 bpm"])
      #expect(recording.facts.utcOffsetSeconds == -28_800)
    }
  }

  @Test("Entries without a time or a value and metrics of other units are warnings, and the rest is read")
  func warnings() throws {
    let recording = try Self.recording(
      """
      {"data":{"metrics":[{"name":"step_count","units":"km","data":[{"qty":1,"date":"2025-12-12 09:00:00 +0100"}]},
      {"name":"heart_rate","units":"bpm","data":[{"Avg":80},{"date":"yesterday","Avg":80},
      {"date":"2025-12-12 09:00:00 +0100","Avg":"80"},{"date":"2025-12-12 09:00:00 +0100","Avg":-1},
      {"date":"2025-12-12 09:00:00 +0100","date":"","Avg":80},{"date":"2025-12-12 09:00:01 +0100","Avg":81}]}]}} []
      """)
    #expect(try Self.readings(recording) == ["0.0 81.0 bpm"])
    let kinds = recording.facts.warnings.map { "\($0.kind) \($0.count)" }.sorted()
    #expect(kinds == ["pointWithoutTime 2", "trailingBytes 1", "unreadableRow 1", "unreadableValue 3"])
  }

  @Test("A text that is cut off gives what was read before, and one with nothing in it is refused in one line")
  func damage() throws {
    let text = Self.payload
    let cut = String(text.prefix(while: { $0 != "}" })) + "}]},"
    #expect(throws: RecordingError.self) { try Self.recording(cut) }
    let end = try #require(text.firstRange(of: #",{"qty":3.0"#)?.lowerBound)
    let recording = try Self.recording(String(text[..<end]))
    #expect(recording.facts.warnings.map(\.kind) == [.truncated])
    #expect(recording.facts.steps == 17)
    #expect(recording.facts.heartRate?.statistics.count == 3)
    for text in [#"{"data":{"metrics":[]}}"#, #"{"data":{"#, #"{"data":{"metrics":{"name":"heart_rate"]}}"#] {
      do {
        _ = try Self.recording(text)
        Issue.record("\(text) is taken")
      } catch let error as RecordingError {
        #expect(!"\(error)".contains("\n"))
      }
    }
  }

  @Test("More points than the budget, and an entry without an end, are refused with the position")
  func budget() throws {
    var budget = ReadingBudget.standard
    budget.points = 2
    #expect(throws: RecordingError.self) {
      try Recording(bytes: Array(Self.payload.utf8), name: "export.json", budget: budget)
    }
    let long = String(repeating: " ", count: 70_000)
    #expect(throws: RecordingError.self) {
      try Self.recording(#"{"data":{"metrics":[{"name":"heart_rate","data":[{"# + long + "}]}]}}")
    }
  }

  @Test("Another JSON object is none")
  func others() {
    for text in [#"{"metrics":{"data":{}}}"#, #"{"data":[]}"#, #"{"Data":{"metrics":[]}}"#] {
      #expect(RecordingFormat(beginning: Array(text.utf8).span) == .csv)
    }
    #expect(RecordingFormat(beginning: Array(" {\n \"data\" : {".utf8).span) == .healthAutoExport)
  }
}
