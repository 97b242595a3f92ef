import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Heart-rate sources in a session")
struct HeartRateSourceOrderTests {
  @Test("What was due before a second source took over is emitted before it")
  func order() throws {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "moment:every=60")
    var pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    _ = pipeline.take(Sample(.heartRate(125), at: .seconds(10), source: "strap"), into: &events)
    _ = pipeline.take(Sample(.heartRate(126), at: .seconds(100), source: "watch"), into: &events)
    #expect(events.compactMap { $0.time?.seconds } == [0, 25, 60, 100, 100])
    guard events.count == 5, case .sourceChanged(_, from: "strap", to: "watch") = events[3] else {
      Issue.record("\(events)")
      return
    }
  }
}
