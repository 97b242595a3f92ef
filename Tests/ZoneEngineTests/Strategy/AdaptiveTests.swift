import TestSupport
import Testing
import ZoneEngine

@Suite("The adaptive strategy")
struct AdaptiveTests {
  private func decisions(_ heartRates: [Double], by specification: String = "adaptive") throws -> [Decision] {
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
        guardrails: .off))
    for (second, bpm) in heartRates.enumerated() { run.heartRate(bpm, at: Double(second)) }
    run.finish(at: Double(heartRates.count))
    return run.events.compactMap { event in
      guard case .decision(let decision) = event else { return nil }
      return decision
    }
  }

  private func cues(_ decisions: [Decision]) -> [(CueAction, Double)] {
    decisions.compactMap { decision in
      guard case .cue(let action) = decision.outcome else { return nil }
      return (action, decision.time.seconds)
    }
  }

  /// A heart of 58 s on its way from one heart rate to another.
  private func way(from start: Double, to end: Double, seconds: Int) -> [Double] {
    var (bpm, rates) = (start, [Double]())
    for _ in 0..<seconds {
      rates.append(bpm)
      bpm += (end - bpm) / 58
    }
    return rates
  }

  @Test("speaks before the target is left, and says what is expected without a word")
  func early() throws {
    // Zone 2 is 119 to 137. On the way from 80 to 165 bpm, 137 is passed at 58·ln(85/28) = 64 s.
    let all = try decisions(way(from: 80, to: 165, seconds: 150))
    let first = try #require(cues(all).first)
    #expect(first.0 == .slowDown)
    #expect(first.1 <= 64)
    #expect(first.1 >= 15, "it is still on its way into the target")
    let decision = try #require(all.first { $0.time.seconds == first.1 })
    #expect(try #require(decision.evidence.expectedBPM) > 137)
    #expect(decision.reason == "aboveTarget")
  }

  @Test("is silent in the target, and where the heart rate comes back by itself")
  func silent() throws {
    let steady = try decisions(Array(repeating: 128, count: 1_200))
    #expect(cues(steady).isEmpty)
    #expect(steady.allSatisfy { $0.outcome == .withheld(.inTarget) })
    // From 152 bpm it is in the target again after 58·ln(24/9) = 57 s.
    let back = try decisions(Array(repeating: 128, count: 300) + way(from: 152, to: 128, seconds: 300))
    #expect(cues(back).count <= 1, "\(cues(back))")
  }

  @Test("says the heart rate is on its way only where it is expected in the target, else that a cue gains too little")
  func reasons() throws {
    var counts: [WithholdingReason: Int] = [:]
    // Back from 152 bpm by itself; from 80 bpm towards the target; and always under it, whatever is said.
    let courses = [
      Array(repeating: 128, count: 300) + way(from: 152, to: 128, seconds: 300),
      way(from: 80, to: 125, seconds: 300), way(from: 75, to: 116, seconds: 900),
    ]
    for rates in courses {
      for decision in try decisions(rates) {
        guard case .withheld(let reason) = decision.outcome else { continue }
        counts[reason, default: 0] += 1
        guard let expected = decision.evidence.expectedBPM else { continue }
        if reason == .returning { #expect((119...137).contains(expected)) }
        if reason == .notWorthACue { #expect(!(119...137).contains(expected)) }
      }
    }
    #expect(counts[.returning, default: 0] > 0, "\(counts)")
    #expect(counts[.notWorthACue, default: 0] > 0, "\(counts)")
  }

  @Test("lets the answer to a cue show before the next one", arguments: 1...20)
  func silences(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    var (bpm, rates) = (100.0, [Double]())
    for _ in 0..<1_500 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bpm = min(180, max(70, bpm + Double(state >> 62) - 1.5))
      rates.append(bpm)
    }
    let all = try decisions(rates)
    #expect(all.count == 300, "a look every 5 s")
    let times = cues(all).map(\.1)
    for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= 17, "seed \(seed)") }
    for decision in all {
      guard case .cue(let action) = decision.outcome else { continue }
      let judged = try #require(decision.evidence.judgedBPM)
      #expect(action == (judged > 137 ? .slowDown : .speedUp), "seed \(seed)")
      #expect(judged > 137 || judged < 119, "seed \(seed)")
    }
    // The same again, to the last number.
    #expect(try decisions(rates) == all)
  }

  @Test(
    "gives nobody up who stays out of the target, and lets every answer show",
    arguments: [60.0, 100, 118, 138, 160, 200])
  func patience(bpm: Double) throws {
    // Whatever is learned, nothing has to be bought any more 90 s after the last cue (or the start) where 60 s later is no better;
    // looks come every 5 s. A heart rate that never moves is expected where it is, once its level is known.
    let times = cues(try decisions(Array(repeating: bpm, count: 1_500))).map(\.1)
    #expect(try #require(times.first) <= 180)
    for (one, next) in zip(times, times.dropFirst()) {
      #expect(next - one >= 20, "17 s, on looks every 5 s")
      #expect(next - one <= 95)
    }
    #expect(try #require(times.last) >= 1_405)
  }

  @Test("takes any heart rates, gaps and changes, and expects heart rates", arguments: 1...30)
  func hostile(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .between(119, 137)),
        strategy: FeedbackStrategy(specification: "adaptive:every=\(generator.int(1...60))"), guardrails: .off))
    var second = 0.0
    for _ in 0..<400 {
      second += generator.pick([0, 1, 1, 5, 5, 16, 61, 4_000])
      run.heartRate(generator.pick([30, 31, 100, 128, 137.5, 138, 229, 230]), at: second)
    }
    run.finish(at: second + 1)
    for case .decision(let decision) in run.events {
      guard let expected = decision.evidence.expectedBPM else { continue }
      #expect(expected >= 0, "seed \(seed)")
      #expect(expected <= 255, "seed \(seed)")
    }
  }

  @Test("asks a higher price where its parameters say so")
  func price() throws {
    let rates = way(from: 80, to: 165, seconds: 600)
    let counts = try ["adaptive:price=5", "adaptive", "adaptive:price=120"].map {
      cues(try decisions(rates, by: $0)).count
    }
    #expect(counts[0] >= counts[1])
    #expect(counts[1] > counts[2])
  }

  @Test("cues no single artefact, and goes on after a while on another level")
  func artefacts() throws {
    var rates = Array(repeating: 128.0, count: 900)
    for second in stride(from: 100, to: 900, by: 90) { rates[second] = 175 }
    #expect(cues(try decisions(rates)).isEmpty)
  }

  @Test("has no heart rate, no target, no word")
  func signal() throws {
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: "adaptive"),
        guardrails: .off))
    run.heartRate(100, at: 0)
    run.finish(at: 60)
    let withheld = run.events.compactMap { event -> WithholdingReason? in
      guard case .decision(let decision) = event, case .withheld(let reason) = decision.outcome else { return nil }
      return reason
    }
    #expect(withheld.last == .signalLost)
  }

  @Test("has parameters with limits")
  func parameters() throws {
    #expect(try FeedbackStrategy(specification: "adaptive").specification == "adaptive:every=5")
    #expect(
      try FeedbackStrategy(specification: "adaptive:every=10,price=25").specification == "adaptive:every=10,price=25")
    #expect(try FeedbackStrategy(specification: "adaptive").schedule == nil, "nobody foresees when it speaks")
    for wrong in [
      "adaptive:every=0", "adaptive:every=61", "adaptive:price=-1", "adaptive:price=241", "adaptive:tau=58",
    ] {
      #expect(throws: ZoneError.self) { try FeedbackStrategy(specification: wrong) }
    }
  }
}
