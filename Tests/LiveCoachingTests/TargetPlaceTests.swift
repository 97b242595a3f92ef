import LiveCoaching
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Where a value lies beside its target")
struct TargetPlaceTests {
  /// The place after half a minute at a speed and a heart rate.
  private func place(_ target: String, metersPerSecond: Double = 3, stepsPerSecond: Int = 3, bpm: Double = 120) throws
    -> TargetPlace?
  {
    let settings = try CoachingRequest.runner(target, "none").settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for second in 0...30 {
      for reading in [
        Reading.heartRate(bpm), .steps(stepsPerSecond), .distance(Double(second) * metersPerSecond),
      ] {
        _ = pipeline.take(Sample(reading, at: .seconds(second)), into: &events)
      }
    }
    pipeline.advance(to: .seconds(33), into: &events)
    return TargetPlace(pipeline.engine)
  }

  @Test("A heart rate is so many beats below or above, a pace or a cadence is said by its name")
  func texts() throws {
    #expect(try place("119-137", bpm: 110)?.text == "9 below")
    #expect(try place("119-137", bpm: 140)?.text == "3 above")
    #expect(try place("119-137")?.text == "on target")
    #expect(try place("4:30/km")?.text == "pace too slow")
    #expect(try place("7:30/km")?.text == "pace too fast")
    #expect(try place("5:30/km", metersPerSecond: 1000 / 330)?.text == "on target")
    #expect(try place("14km/h")?.text == "speed too low")
    #expect(try place("190-200spm")?.text == "cadence too low")
    #expect(try place("150-160spm")?.text == "cadence too high")
    #expect(try place("190-200spm")?.shortText == "too low")
    #expect(try place("119-137", bpm: 110)?.shortText == "9 below")
    // A small α1 is a large effort.
    #expect(TargetPlace.effort(.alpha1, .under).text == "effort too small")
    #expect(TargetPlace.effort(.alpha1, .over).text == "effort too large")
  }
}
