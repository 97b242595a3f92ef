import SessionStore
import TestSupport
import Testing
import WorkoutSession
import WorkoutTestSupport
import ZoneEngine

@Suite("The adaptive strategy over all scenarios, calculated a second time")
struct AdaptiveScenarioTests {
  /// The heart rates and pauses of a scenario.
  private func timeline(_ scenario: Scenario) -> Timeline {
    var timeline = Timeline(end: 0)
    var pausedAt: Double?
    for arrival in scenario.arrivals {
      let seconds = arrival.time.seconds
      switch arrival.content {
      case .sample(let sample):
        guard case .heartRate(let bpm) = sample.reading else { continue }
        timeline.samples.append((seconds, bpm))
      case .command(.pause): pausedAt = pausedAt ?? seconds
      case .command(.resume):
        if let from = pausedAt, from < seconds { timeline.pauses.append((from, seconds)) }
        pausedAt = nil
      case .command: break
      }
    }
    // Those that arrive late are read here where they belong.
    timeline.samples.sort { $0.seconds < $1.seconds }
    timeline.end = max(timeline.samples.last?.seconds ?? 0, timeline.pauses.last?.1 ?? 0) + 1
    return timeline
  }

  @Test("says the same", arguments: ScenarioFolder.files)
  func agrees(file: String) throws {
    let timeline = timeline(try Scenario(path: file))
    let settings = try CoachingSettings.testing(strategy: FeedbackStrategy(specification: "adaptive"))
    let run = EngineRun(timeline, settings: settings)
    let reference = ReferenceSession.run(
      samples: timeline.samples, pauses: timeline.pauses, end: timeline.end, maximumBPM: 197, target: .zone(2),
      strategy: .adaptive(every: 5, price: 50))
    #expect(run.judgements == reference.judgements, "\(file)")
  }
}
