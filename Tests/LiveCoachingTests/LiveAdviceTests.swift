import LiveCoaching
import Testing
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("What a screen says that is to be done, and why")
struct LiveAdviceTests {
  /// The advice after heart rates of one a second, by changes of the side of 130–140.
  private func advice(_ heartRates: [Double], guardrails: Guardrails = .off) throws -> LiveAdvice {
    var request = try CoachingRequest.runner("130-140", "zone-change:dwell=10,margin=2,reminder=0")
    request.guardrails = guardrails
    let settings = try request.settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    var board = LiveBoard(settings: settings, activity: .running)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for (second, bpm) in heartRates.enumerated() {
      _ = pipeline.take(Sample(.heartRate(bpm), at: .seconds(second)), into: &events)
      board.note(events, pipeline)
      events = []
    }
    return LiveAdvice(board, pipeline, units: .metric)
  }

  private func heartRates(_ parts: (bpm: Double, seconds: Int)...) -> [Double] {
    parts.flatMap { [Double](repeating: $0.bpm, count: $0.seconds) }
  }

  @Test("That nothing was said because of the warm-up is shown no longer than the warm-up lasts")
  func warmUp() throws {
    let guardrails = try Guardrails(warmUp: .seconds(60), minimumInterval: .zero)
    #expect(try advice(heartRates((120, 15), (135, 15)), guardrails: guardrails).reasons == ["warm-up"])
    #expect(try advice(heartRates((120, 15), (135, 70)), guardrails: guardrails).reasons == [])
  }

  @Test("A hold by the margin says that the heart rate is a little above the target")
  func margin() throws {
    let advice = try advice(heartRates((120, 15), (135, 5), (142, 10)))
    #expect(
      advice.reasons == ["142 bpm, a little above 130–140", "142, a little above 130–140", "a little above 130–140"])
  }
}
