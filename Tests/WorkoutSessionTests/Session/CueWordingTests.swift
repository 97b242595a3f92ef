import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What is spoken")
struct CueWordingTests {
  private static func step(_ name: String?, _ seconds: Int?, _ target: TrainingTarget) throws -> TrainingPlan.Step {
    try TrainingPlan.Step(name: name, duration: seconds.map { .seconds($0) }, target: target)
  }

  private static func spoken(_ event: EngineEvent, _ language: SpokenLanguage = .english) -> String? {
    SpokenPhrase(event, in: .metric).map(language.text)
  }

  @Test("Steps of a plan are spoken with their length and their target")
  func steps() throws {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    let zones = try request.zones(on: nil)
    let hard = try ResolvedTarget(.zone(4), in: zones)
    func spoken(_ step: TrainingPlan.Step?, _ target: ResolvedTarget?) -> String? {
      Self.spoken(.stepChanged(at: .zero, number: 2, step: step, target: target))
    }
    #expect(try spoken(Self.step("effort", 180, .zone(4)), hard) == "Effort, 3 minutes, target 158 to 177.")
    #expect(try spoken(Self.step(nil, 45, .zone(4)), hard) == "Next step, 45 seconds, target 158 to 177.")
    #expect(try spoken(Self.step("easy", nil, .open), nil) == "Easy, until you mark a lap, no target.")
    #expect(spoken(nil, nil) == "The plan is finished.")
  }

  @Test("What becomes of the signal is spoken, and nothing makes a medical claim")
  func signal() {
    let events: [EngineEvent] = [
      .signalLost(at: .zero), .signalRestored(at: .zero, heartRateBPM: 128),
      .signalSuspect(at: .zero, suspicion: .stuck, since: .zero),
      .signalSuspect(at: .zero, suspicion: .cadenceLock, since: .zero),
    ]
    let spoken = events.map { Self.spoken($0) }
    #expect(
      spoken == [
        "No heart rate. Check the sensor.", "Heart rate is back, 128.",
        "Is that your heart? The reading does not change.",
        "Is that your heart? The reading equals your cadence.",
      ])
    #expect(Self.spoken(.paused(at: .zero)) == nil)
    #expect(Self.spoken(.resumed(at: .zero)) == nil)
  }
}
