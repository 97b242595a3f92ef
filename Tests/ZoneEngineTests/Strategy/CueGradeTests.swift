import TestSupport
import Testing

@testable import ZoneEngine

@Suite("How much of a cue is needed")
struct CueGradeTests {
  @Test(
    "is little up to 5 bpm beyond the target, much from 15 bpm on, and not said between",
    arguments: [
      (-20, .little), (0, .little), (5, .little), (6, nil), (14, nil), (15, .much), (60, .much),
    ] as [(Int, CueGrade?)])
  func limits(distance: Int, grade: CueGrade?) {
    #expect(AdaptiveStrategy.grade(beyond: distance) == grade)
  }

  /// What is decided in 20 minutes of a heart rate that wanders in and out of 119 to 137.
  private func decisions(seed: Int, by specification: String) throws -> [Decision] {
    var generator = SplitMix64(seed: UInt64(seed))
    var (pace, bpm) = (Double(generator.int(80...180)), Double(generator.int(80...150)))
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
        guardrails: .off))
    for second in 0..<1_200 {
      pace = min(190, max(70, pace + Double(generator.int(-10...10)) / 5))
      bpm += (pace - bpm) / 50
      run.heartRate(bpm.rounded(), at: Double(second))
    }
    run.finish(at: 1_200)
    return run.events.compactMap { event in
      if case .decision(let decision) = event { decision } else { nil }
    }
  }

  @Test("is said of cues alone, by what is expected without a word, and changes no decision", arguments: 1...20)
  func said(seed: Int) throws {
    let plain = try decisions(seed: seed, by: "adaptive")
    let graded = try decisions(seed: seed, by: "adaptive:graded=1")
    #expect(plain.map(\.outcome) == graded.map(\.outcome), "seed \(seed)")
    #expect(plain.map(\.evidence.expectedBPM) == graded.map(\.evidence.expectedBPM), "seed \(seed)")
    #expect(plain.allSatisfy { $0.grade == nil }, "seed \(seed)")
    for decision in graded {
      guard case .cue(let action) = decision.outcome, let expected = decision.evidence.expectedBPM else {
        #expect(decision.grade == nil, "seed \(seed)")
        continue
      }
      let beyond = action == .slowDown ? expected - 137 : 119 - expected
      let meant: CueGrade? = beyond <= 5 ? .little : beyond >= 15 ? .much : nil
      #expect(decision.grade == meant, "seed \(seed), second \(decision.time.seconds)")
    }
  }

  @Test("comes in all three ways")
  func ways() throws {
    let cues = try (1...20).flatMap { try decisions(seed: $0, by: "adaptive:graded=1") }.filter {
      if case .cue = $0.outcome { true } else { false }
    }
    #expect(Set(cues.map(\.grade)) == [nil, .little, .much])
  }

  @Test("stands in the specification where it is asked for")
  func specification() throws {
    #expect(try FeedbackStrategy(specification: "adaptive:graded=0").specification == "adaptive:every=5")
    let graded = try FeedbackStrategy(specification: "adaptive:graded=1,price=40")
    #expect(graded.specification == "adaptive:every=5,price=40,graded=1")
    guard case .adaptive(let strategy) = graded else {
      Issue.record("another strategy")
      return
    }
    #expect(strategy.isGraded)
    #expect(strategy.beginning(with: .anybody).isGraded)
    #expect(throws: ZoneError.self) { try FeedbackStrategy(specification: "adaptive:graded=2") }
    #expect(throws: ZoneError.self) { try FeedbackStrategy(specification: "moment:graded=1") }
  }
}
