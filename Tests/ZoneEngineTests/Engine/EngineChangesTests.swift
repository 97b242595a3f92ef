import TestSupport
import Testing
import ZoneEngine

@Suite("A target or strategy that is changed in a run")
struct EngineChangesTests {
  private static let strategies = [
    "moment:every=20", "moment:every=30,median=20,hold=0", "moment:every=25,jitter=10,seed=4",
    "period:every=20,window=60", "period:every=60,window=30", "zone-change", "zone-change:dwell=3,median=10,grace=20",
    "zone-change:dwell=0,margin=0,reminder=7,returning=0,hold=0", "trend:every=20", "none",
  ]

  /// A heart rate that wanders over several zones in small steps, each second, none of which the filter refuses.
  private static func wandering(_ random: inout SplitMix64, seconds: Int) -> [Double] {
    var level = 128.0
    return (0...seconds).map { _ in
      level = min(176, max(92, level + Double(random.int(-4...4))))
      return level
    }
  }

  private static func decisions(_ run: CoachedRun) -> [Decision] {
    run.events.compactMap { event in
      guard case .decision(let decision) = event else { return nil }
      return decision
    }
  }

  @Test("is a target judged like that of a step of a plan that begins then", arguments: 0..<10)
  func targetIsAStep(block: Int) throws {
    for seed in (block * 12)..<(block * 12 + 12) {
      var random = SplitMix64(seed: UInt64(seed))
      let strategy = try FeedbackStrategy(specification: Self.strategies[seed % Self.strategies.count])
      let guardrails = try Guardrails(
        warmUp: .seconds(random.int(0...60)), minimumInterval: .seconds(random.int(0...40)),
        grace: .seconds(random.int(0...1) * random.int(0...90)))
      let change = random.int(5...200)
      let heartRates = Self.wandering(&random, seconds: 320)
      let plan = try TrainingPlan(steps: [
        TrainingPlan.Step(name: nil, duration: .seconds(change), target: .zone(2)),
        TrainingPlan.Step(name: nil, duration: nil, target: .range(lowerBPM: 130, upperBPM: 141)),
      ])
      let settings = try CoachingSettings.testing(strategy: strategy, guardrails: guardrails)
      var changed = CoachedRun(settings)
      var planned = CoachedRun(try .testing(plan: plan, strategy: strategy, guardrails: guardrails))
      let target = try ResolvedTarget(.between(130, 141), in: settings.zones)
      for (second, bpm) in heartRates.enumerated() {
        changed.heartRate(bpm, at: Double(second))
        planned.heartRate(bpm, at: Double(second))
        if second == change { changed.change(target: target, at: Double(second)) }
      }
      changed.finish(at: 320)
      planned.finish(at: 320)
      #expect(Self.decisions(changed) == Self.decisions(planned), "seed \(seed)")
      let (left, right) = (changed.engine.summary, planned.engine.summary)
      #expect(left.inTarget == right.inTarget, "seed \(seed)")
      #expect(left.coveredWithTarget == right.coveredWithTarget, "seed \(seed)")
      #expect(left.cues.given == right.cues.given, "seed \(seed)")
      #expect(left.cues.withheld == right.cues.withheld, "seed \(seed)")
    }
  }

  @Test("is a strategy that begins as at the start of a session", arguments: 0..<10)
  func strategyBegins(block: Int) throws {
    for seed in (block * 12)..<(block * 12 + 12) {
      var random = SplitMix64(seed: UInt64(seed))
      let old = try FeedbackStrategy(specification: random.pick(Self.strategies))
      let new = try FeedbackStrategy(specification: Self.strategies[seed % Self.strategies.count])
      let change = random.int(1...150)
      let heartRates = Self.wandering(&random, seconds: 400)
      var changed = CoachedRun(try .testing(strategy: old))
      var fresh = CoachedRun(try .testing(strategy: new))
      for (second, bpm) in heartRates.enumerated() {
        changed.heartRate(bpm, at: Double(second))
        if second >= change { fresh.heartRate(bpm, at: Double(second - change)) }
        if second == change { changed.change(strategy: new, at: Double(second)) }
      }
      changed.finish(at: 400)
      fresh.finish(at: Double(400 - change))
      let index = try #require(
        changed.events.firstIndex { if case .strategyChanged = $0 { true } else { false } }, "seed \(seed)")
      let after = changed.events[(index + 1)...].compactMap { event -> Decision? in
        guard case .decision(let decision) = event else { return nil }
        return decision
      }
      let expected = Self.decisions(fresh)
      #expect(after.map(\.outcome) == expected.map(\.outcome), "seed \(seed)")
      #expect(after.map(\.evidence) == expected.map(\.evidence), "seed \(seed)")
      #expect(after.map { $0.time - .seconds(change) } == expected.map(\.time), "seed \(seed)")
      #expect(changed.engine.strategy == new, "seed \(seed)")
      #expect(changed.engine.settings.strategy == old, "seed \(seed)")
    }
  }

  @Test("to what it is already decides as before: a target always, a strategy at one of its own moments")
  func same() throws {
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(seed))
      let specification = ["moment:every=20", "period:every=60,window=30", "period:every=20,window=20"][seed % 3]
      let strategy = try FeedbackStrategy(specification: specification)
      let settings = try CoachingSettings.testing(strategy: strategy)
      let every = try #require(strategy.schedule).every
      let change = random.int(1...3) * Int(every.seconds)
      let heartRates = Self.wandering(&random, seconds: 300)
      var plain = CoachedRun(settings)
      var retargeted = plain
      var restarted = plain
      for (second, bpm) in heartRates.enumerated() {
        plain.heartRate(bpm, at: Double(second))
        retargeted.heartRate(bpm, at: Double(second))
        restarted.heartRate(bpm, at: Double(second))
        if second == change - 7 { retargeted.change(target: retargeted.engine.target, at: Double(second)) }
        if second == change { restarted.change(strategy: strategy, at: Double(second)) }
      }
      plain.finish(at: 300)
      retargeted.finish(at: 300)
      restarted.finish(at: 300)
      #expect(Self.decisions(retargeted) == Self.decisions(plain), "seed \(seed)")
      #expect(Self.decisions(restarted) == Self.decisions(plain), "seed \(seed)")
    }
  }

  @Test("reports what it was and is, and the plan's next step asks for its own target again")
  func emitted() throws {
    let plan = try TrainingPlan(steps: [
      TrainingPlan.Step(name: "a", duration: .seconds(60), target: .zone(1)),
      TrainingPlan.Step(name: "b", duration: .seconds(60), target: .zone(2)),
    ])
    var run = CoachedRun(try .testing(plan: plan, strategy: FeedbackStrategy(specification: "moment:every=50")))
    run.change(target: try ResolvedTarget(.zone(3), in: run.engine.settings.zones), at: 10)
    run.change(strategy: try FeedbackStrategy(specification: "moment:every=30"), at: 15)
    #expect(run.engine.timeToNextCheck == .seconds(30))
    run.change(target: nil, at: 20)
    #expect(run.engine.target == nil)
    run.heartRate(125, from: 46, until: 80)
    run.finish(at: 80)
    #expect(
      run.emitted == [
        "0 step 1: a 98-118", "10 target zone1 to zone3", "15 moment:every=50 to moment:every=30",
        "20 target zone3 to open", "45 noTarget", "60 step 2: b 119-137", "75 hold zone2",
      ])
  }

  @Test("comes after the step that is over in its instant, and the old strategy judges what is due then")
  func instant() throws {
    let plan = try TrainingPlan(steps: [
      TrainingPlan.Step(name: "a", duration: .seconds(60), target: .zone(1)),
      TrainingPlan.Step(name: "b", duration: nil, target: .zone(2)),
    ])
    var run = CoachedRun(try .testing(plan: plan, strategy: FeedbackStrategy(specification: "moment:every=60")))
    run.heartRate(125, from: 0, until: 61)
    run.change(strategy: try FeedbackStrategy(specification: "moment:every=45"), at: 60)
    run.change(target: nil, at: 60)
    #expect(
      run.emitted == [
        "0 step 1: a 98-118", "60 step 2: b 119-137", "60 hold zone2", "60 moment:every=60 to moment:every=45",
        "60 target zone2 to open",
      ])
  }

  @Test("in a pause counts from the resume, and time goes to the target in force")
  func paused() throws {
    var run = CoachedRun(try .testing(strategy: FeedbackStrategy(specification: "moment:every=20")))
    run.heartRate(125, from: 0, until: 11)
    run.pause(at: 10)
    run.change(strategy: try FeedbackStrategy(specification: "moment:every=15"), at: 12)
    run.change(target: nil, at: 13)
    run.resume(at: 40)
    run.heartRate(125, from: 40, until: 60)
    run.finish(at: 60)
    #expect(run.emitted.suffix(2) == ["40 resumed", "55 noTarget zone2"])
    let summary = run.engine.summary
    #expect(summary.active == .seconds(30))
    #expect(summary.activeWithTarget == .seconds(10))
    #expect(summary.inTarget == .seconds(10))
  }
}
