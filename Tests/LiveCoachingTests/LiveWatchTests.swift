@testable import LiveCoaching
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A run as a page shows and says it")
struct LiveWatchTests {
  /// Four metres each second, a heart rate each second, an easy step of 240 s and an effort of 120 s.
  private static func run(
    _ preferences: Preferences, from first: Int = 0, look: (Int, inout LiveWatch, LiveBoard, SessionPipeline) -> Void
  ) throws {
    let plan = PlanRequest(steps: [
      .init(name: "easy", duration: .seconds(240), target: "z2"),
      .init(name: "effort", duration: .seconds(120), target: "4:00-4:20/km"),
    ])
    let settings = try CoachingRequest.runner(nil, "moment:every=30", plan: plan).settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    var board = LiveBoard(settings: settings, activity: .running)
    var watch = LiveWatch(.running, preferences, bests: [], settings)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for second in 0...330 {
      _ = pipeline.take(Sample(.heartRate(130), at: .seconds(second)), into: &events)
      _ = pipeline.take(Sample(.distance(Double(second) * 4), at: .seconds(second)), into: &events)
      board.note(events, pipeline)
      events = []
      guard second >= first else { continue }
      watch.look(at: pipeline)
      look(second, &watch, board, pipeline)
    }
  }

  @Test("Splits, steps and what is left of them are said in the language of the reader, once, and nothing of before")
  func said() throws {
    var preferences = Preferences()
    preferences.language = .german
    var said: [Int: [String]] = [:]
    try Self.run(preferences) { second, watch, _, _ in
      let sentences = watch.takeSpoken()
      if !sentences.isEmpty { said[second] = sentences }
    }
    // 1,000 m at 4 m/s are 250 s.
    #expect(said[250] == ["Kilometer 1, 4 Minuten 10 Sekunden."])
    #expect(said[180] == ["Noch 60 Sekunden.", "Halbzeit. Noch 3 Minuten."])
    #expect(said[239] == ["1"])
    // A step that is over at 240 s changes when time moves beyond it.
    #expect(said[241]?.count == 1)
    #expect(said[241]?.first?.contains("2 Minuten") == true, "\(said)")
    #expect(said.values.joined().count { $0.contains("Kilometer 1,") } == 1)
    #expect(said[0] == nil)
    var late: [String] = []
    try Self.run(preferences, from: 260) { second, watch, _, _ in if second < 300 { late += watch.takeSpoken() } }
    #expect(late.isEmpty, "\(late)")
  }

  @Test("The end of a plan that a lap ends is said once, of a plan of one step too", arguments: [1, 2])
  func planEndedByALap(count: Int) throws {
    let steps = [
      PlanRequest.Step(name: "easy", duration: .seconds(20), target: "z1"),
      .init(name: "home", duration: nil, target: "z2"),
    ]
    let plan = PlanRequest(steps: Array(steps.suffix(count)))
    let settings = try CoachingRequest.runner(nil, "none", plan: plan).settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    var watch = LiveWatch(.running, Preferences(), bests: [], settings)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    var said: [Int: [String]] = [:]
    for second in 0...60 {
      _ = pipeline.take(Sample(.heartRate(130), at: .seconds(second)), into: &events)
      if second == 40 { pipeline.perform(.lap, at: .seconds(second), into: &events) }
      watch.look(at: pipeline)
      let sentences = watch.takeSpoken()
      if second > 30, !sentences.isEmpty { said[second] = sentences }
    }
    #expect(said == [40: [SpokenLanguage.english.text(.planFinished)]])
  }

  @Test("Fields are those of the terminal's screen at each second, also to somebody who comes late")
  func fields() throws {
    var preferences = Preferences()
    preferences.units = .imperial
    preferences.fields = [.lapTime, .lapPace, .pace, .distance, .time, .compliance]
    for first in [0, 200, 300] {
      try Self.run(preferences, from: first) { second, watch, board, pipeline in
        let source = LiveField.Source(board, pipeline, units: .imperial, timeOfDay: nil)
        let shown = watch.shown(pipeline, timeOfDay: nil)
        #expect(shown.map(\.field) == preferences.fields)
        for field in shown { #expect(field.value == field.field.value(source), "\(field.field) at \(second)") }
        guard second == 300 else { return }
        // A minute of the second step; 4 m/s are 6:42 for a mile; 1,200 m are 0.75 miles.
        #expect(shown.map { $0.value?.text }.prefix(5) == ["1:00", "6:42 /mi", "6:42 /mi", "0.75 mi", "5:00"])
      }
    }
  }
}
