import TestSupport
import Testing
import ZoneEngine

@Suite("The schedule of judgements")
struct CheckScheduleTests {
  @Test("has the multiples of the interval when nothing is moved")
  func regular() throws {
    let schedule = try CheckSchedule(every: .seconds(90))
    #expect(schedule.isForeseeable)
    for number in 1...1_000 { #expect(schedule.moment(number) == .seconds(90 * number)) }
  }

  @Test("moves each moment by whole seconds within the jitter, evenly, and never lets two change places")
  func jitter() throws {
    for seed in UInt32(0)..<20 {
      let schedule = try CheckSchedule(every: .seconds(60), jitter: .seconds(25), seed: seed)
      var counts: [Int: Int] = [:]
      var last = SessionTime.zero
      for number in 1...5_100 {
        let moment = schedule.moment(number)
        #expect(moment > last)
        last = moment
        counts[Int(moment.seconds) - 60 * number, default: 0] += 1
        #expect(moment.nanoseconds % 1_000_000_000 == 0)
      }
      #expect(counts.keys.min() == -25)
      #expect(counts.keys.max() == 25)
      // 100 expected each; six standard deviations.
      #expect(counts.values.allSatisfy { (40...160).contains($0) })
    }
    let one = try CheckSchedule(every: .seconds(60), jitter: .seconds(25), seed: 1)
    let two = try CheckSchedule(every: .seconds(60), jitter: .seconds(25), seed: 2)
    #expect((1...50).contains { one.moment($0) != two.moment($0) })
    #expect(!one.isForeseeable)
    #expect(throws: ZoneError.self) { try CheckSchedule(every: .seconds(60), jitter: .seconds(30)) }
    #expect(throws: ZoneError.self) { try CheckSchedule(every: .seconds(60), jitter: .seconds(-1)) }
  }

  @Test("is followed by the engine to the second, and nobody is shown the next moment")
  func engine() throws {
    for specification in [
      "moment:every=60,jitter=20,seed=5", "period:every=60,jitter=20,seed=5", "trend:jitter=20,seed=5",
    ] {
      let strategy = try FeedbackStrategy(specification: specification)
      var run = CoachedRun(
        try .testing(plan: TrainingPlan(constant: .zone(2)), strategy: strategy, guardrails: .off))
      #expect(run.engine.timeToNextCheck == nil)
      for second in 0...1_000 { run.heartRate(Double(125 + second % 2), at: Double(second)) }
      run.finish(at: 1_000)
      let schedule = try #require(strategy.schedule)
      let moments = (1...17).map { schedule.moment($0) }.filter { $0 <= .seconds(1_000) }
      #expect(
        run.events.compactMap { event -> SessionTime? in
          guard case .decision(let decision) = event else { return nil }
          return decision.time
        } == moments)
    }
  }
}

@Suite("The median of the last seconds")
struct MomentMedianTests {
  @Test("is the heart rate that splits the held time in halves, as by brute force", arguments: 0..<30)
  func median(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    var timeline: [(at: Double, bpm: Int)] = []
    var at = 0.0
    while at < 120 {
      timeline.append((at, generator.int(123...127)))
      at += Double(generator.int(1...40)) / 10
    }
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: .zone(2)),
        strategy: FeedbackStrategy(specification: "moment:every=60,median=15"), guardrails: .off))
    for sample in timeline { run.heartRate(Double(sample.bpm), at: sample.at) }
    run.finish(at: 120)
    for event in run.events {
      guard case .decision(let decision) = event else { continue }
      // Tenths of seconds of the window, each with its heart rate.
      let end = Int(decision.time.seconds * 10)
      let held = ((end - 150)..<end).compactMap { tenth in
        timeline.last { ($0.at * 10).rounded() <= Double(tenth) }?.bpm
      }.sorted()
      #expect(decision.evidence.judgedBPM == held[(held.count - 1) / 2])
      #expect(decision.evidence.window == .seconds(15))
    }
  }

  @Test("is not moved by one wrong reading at the moment, which the newest is")
  func artefact() throws {
    for (specification, outcome) in [
      ("moment:every=60", "slowDown zone3"), ("moment:every=60,median=15", "hold zone2"),
    ] {
      var run = CoachedRun(
        try .testing(
          plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
          guardrails: .off))
      for second in stride(from: 0, to: 60, by: 5) { run.heartRate(130, at: Double(second)) }
      run.heartRate(155, at: 60)
      run.finish(at: 60)
      #expect(run.emitted.last == "60 \(outcome)")
    }
  }

  @Test("says nothing in the target where silence is asked for")
  func silence() throws {
    for specification in ["moment:every=60,hold=0", "period:every=60,hold=0", "runnerup-like"] {
      var run = CoachedRun(
        try .testing(
          plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
          guardrails: .off))
      for second in 0...60 { run.heartRate(Double(130 + second % 2), at: Double(second)) }
      run.finish(at: 60)
      #expect(run.emitted.last == "60 inTarget zone2")
      #expect(run.engine.summary.cues.givenTotal == 0)
    }
  }

  @Test("Every preset is a specification that can be read, with a name of its own")
  func presets() throws {
    let names = StrategyPreset.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.hasSuffix("-like") })
    for preset in StrategyPreset.all {
      let strategy = try FeedbackStrategy(specification: preset.name)
      #expect(try strategy == FeedbackStrategy(specification: preset.specification))
      #expect(!preset.summary.isEmpty)
    }
  }
}
