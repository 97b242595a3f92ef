import LiveCoaching
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The step that comes next")
struct LiveStepTests {
  /// What comes after the first step, from the longest to the shortest wording.
  private func next(_ step: String, _ units: UnitSystem) throws -> [String] {
    let plan = try PlanRequest(text: "1min z1, \(step)")
    let settings = try CoachingRequest.runner(plan: plan).settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    return try #require(LiveStep.next(pipeline.engine.position, settings.zones, units))
  }

  @Test("A pace that is asked for is read in the units of the reader")
  func pace() throws {
    let step = "5min 5:20-5:40/km"
    #expect(
      try next(step, .metric) == [
        "step 2 of 2, 5 min 5:20–5:40 /km", "step 2 of 2, 5 min 5:20–5:40 /km", "step 2 of 2 5 min 5:20–5:40 /km",
        "5 min 5:20–5:40 /km", "5:20–5:40 /km",
      ])
    #expect(
      try next(step, .imperial) == [
        "step 2 of 2, 5 min 8:35–9:07 /mi", "step 2 of 2, 5 min 8:35–9:07 /mi", "step 2 of 2 5 min 8:35–9:07 /mi",
        "5 min 8:35–9:07 /mi", "8:35–9:07 /mi",
      ])
  }

  @Test("A zone, heart rates and nothing are said the same in all units", arguments: UnitSystem.allCases)
  func others(units: UnitSystem) throws {
    #expect(try next("3min z4", units).first == "step 2 of 2, 3 min z4, 158–177 bpm")
    #expect(try next("3min 119-137", units).dropFirst().first == "step 2 of 2, 3 min 119-137")
    #expect(try next("3min free", units).first == "step 2 of 2, 3 min no target")
  }
}
