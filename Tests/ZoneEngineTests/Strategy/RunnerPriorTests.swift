import TestSupport
import Testing
import ZoneEngine

/// A runner who keeps what followed cues change.
private struct PlainRunner {
  let isFollower: Bool
  let perCue: Double
  var pace = 165.0
  var heartRate = 90.0

  mutating func second(_ number: Int) -> Double {
    // Hills to come back from: 12 bpm to either side, five minutes each.
    let hill = (number / 300).isMultiple(of: 2) ? 12.0 : -12
    heartRate += (pace + hill - heartRate) / 40
    return heartRate.rounded()
  }

  mutating func hear(_ action: CueAction) {
    guard isFollower else { return }
    pace += action == .speedUp ? perCue : action == .slowDown ? -perCue : 0
  }
}

@Suite("What is thought of a runner before a session")
struct RunnerPriorTests {
  /// Coaches a runner, and returns the engine at the end with the number of cues.
  private func session(
    _ runner: PlainRunner, by specification: String = "adaptive", seconds: Int = 1_500
  ) throws -> (prior: RunnerPrior?, cues: Int) {
    var runner = runner
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
        guardrails: .off))
    var (taken, cues) = (0, 0)
    for second in 0..<seconds {
      run.heartRate(runner.second(second), at: Double(second))
      for case .decision(let decision) in run.events[taken...] {
        guard case .cue(let action) = decision.outcome else { continue }
        cues += 1
        runner.hear(action)
      }
      taken = run.events.count
    }
    run.finish(at: Double(seconds))
    return (run.engine.learnedPrior, cues)
  }

  private let follower = PlainRunner(isFollower: true, perCue: 12)
  private let ignorer = PlainRunner(isFollower: false, perCue: 0)

  @Test("is that of anybody unless something is said, and stands in the specification where it is another one")
  func specification() throws {
    let plain = try FeedbackStrategy(specification: "adaptive:follows=70,cue=11")
    #expect(plain == .adaptive(try AdaptiveStrategy(schedule: CheckSchedule(every: .seconds(5)))))
    #expect(plain.specification == "adaptive:every=5")
    let text = "adaptive:every=5,slow=20,loses=60,steers=5,follows=90,cue=14"
    let known = try FeedbackStrategy(specification: text)
    #expect(known.specification == text)
    guard case .adaptive(let strategy) = known, case .adaptive(let anybody) = plain else {
      Issue.record("no adaptive strategy")
      return
    }
    #expect(strategy.prior.losesPercent == 60)
    #expect(anybody.beginning(with: strategy.prior) == strategy)
    #expect(strategy.beginning(with: .anybody) == anybody)
  }

  @Test(
    "is refused where nobody would be left, or something would be certain",
    arguments: [
      "loses=60,steers=39", "follows=0", "follows=98", "slow=0", "slow=50.5", "cue=2", "cue=31", "loses=-1",
    ])
  func refused(parameters: String) {
    #expect(throws: ZoneError.self) { try FeedbackStrategy(specification: "adaptive:" + parameters) }
  }

  @Test("becomes half of what a session shows: who follows cues, and who does not")
  func learns() throws {
    let followed = try session(follower)
    let ignored = try session(ignorer)
    let (yes, no) = (try #require(followed.prior), try #require(ignored.prior))
    #expect(yes.followsPercent > 70, "\(yes)")
    #expect(no.followsPercent < 70, "\(no)")
    // Half of 70 stays whatever is shown.
    #expect(yes.followsPercent <= 85)
    #expect(no.followsPercent >= 35)
    // Who was learned of is known better after two sessions than after one.
    let again = try session(
      ignorer,
      by: "adaptive:slow=\(no.slowPercent),loses=\(no.losesPercent),steers=\(no.steersPercent),"
        + "follows=\(no.followsPercent),cue=\(no.cueBPM)")
    #expect(try #require(again.prior).followsPercent < no.followsPercent)
    #expect(again.cues >= 1)
  }

  @Test("stays as it is after a session that is too short, or almost without cues, and under another strategy")
  func tooLittle() throws {
    #expect(try session(ignorer, seconds: 599).prior == nil)
    #expect(try session(ignorer, by: "moment:every=30").prior == nil)
    var quiet = PlainRunner(isFollower: true, perCue: 12)
    (quiet.pace, quiet.heartRate) = (128, 128)
    let calm = try session(quiet, by: "adaptive:price=240", seconds: 700)
    #expect(calm.cues < 5, "\(calm.cues)")
    #expect(calm.prior == nil)
  }
}
