import TestSupport
import Testing
import ZoneEngine

@Suite("Guardrails")
struct GuardrailsTests {
  private static func run(
    _ specification: String, warmUp: Int = 0, minimumInterval: Int = 0, grace: Int = 0,
    target: TrainingTarget = .zone(2), plan: TrainingPlan? = nil
  ) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: plan ?? TrainingPlan(constant: target), strategy: FeedbackStrategy(specification: specification),
        guardrails: Guardrails(
          warmUp: .seconds(warmUp), minimumInterval: .seconds(minimumInterval), grace: .seconds(grace))))
  }

  @Test("keep cues back until the warm-up has passed, in active time")
  func warmUp() throws {
    var run = try Self.run("moment:every=60", warmUp: 120)
    run.heartRate(125, from: 0, until: 30)
    run.pause(at: 30)
    run.resume(at: 90)
    run.heartRate(126, from: 90, until: 181)
    run.finish(at: 181)
    #expect(run.emitted == ["30 paused", "90 resumed", "120 warmUp zone2", "180 hold zone2"])
  }

  @Test("keep cues apart, in time of the session, counted from the last cue that was given")
  func minimumInterval() throws {
    var run = try Self.run("moment:every=60", minimumInterval: 120)
    for second in 0..<400 { run.heartRate(Double(125 + second % 3), at: Double(second)) }
    #expect(
      run.emitted == [
        "60 hold zone2", "120 minimumInterval zone2", "180 hold zone2", "240 minimumInterval zone2", "300 hold zone2",
        "360 minimumInterval zone2",
      ])
  }

  @Test("let a pause count towards the interval between cues")
  func pauseCounts() throws {
    var run = try Self.run("moment:every=60", minimumInterval: 120)
    run.heartRate(125, from: 0, until: 70)
    run.pause(at: 70)
    run.resume(at: 130)
    run.heartRate(126, from: 130, until: 181)
    run.finish(at: 181)
    #expect(run.emitted == ["60 hold zone2", "70 paused", "130 resumed", "180 hold zone2"])
  }

  @Test("speak in one order: paused, no target, signal lost, low coverage, warm-up, interval")
  func order() throws {
    var open = try Self.run("moment:every=60", warmUp: 600, target: .open)
    open.pause(at: 60)
    open.resume(at: 70)
    open.finish(at: 130)
    #expect(open.emitted == ["60 paused", "60 paused", "70 resumed", "130 noTarget"])

    var lost = try Self.run("period:every=60,window=60", warmUp: 600, minimumInterval: 600)
    lost.heartRate(125, from: 0, until: 10)
    lost.heartRate(125, from: 110, until: 121)
    lost.finish(at: 121)
    #expect(
      lost.emitted == ["24 signalLost", "60 signalLost", "110 signalRestored 125", "120 lowCoverage"])

    var warm = try Self.run("moment:every=60", warmUp: 61, minimumInterval: 600)
    for second in 0..<190 { warm.heartRate(Double(125 + second % 2), at: Double(second)) }
    #expect(warm.emitted == ["60 warmUp zone2", "120 hold zone2", "180 minimumInterval zone2"])
    #expect(warm.engine.summary.cues.withheld == [.warmUp: 1, .minimumInterval: 1])
    #expect(warm.engine.summary.cues.withheldTotal == 2)
    #expect(warm.engine.summary.cues.givenTotal == 1)
    let reasons = WithholdingReason.allCases.map(\.rawValue)
    #expect(
      reasons == [
        "paused", "noTarget", "signalLost", "noAltitude", "artefacts", "lowCoverage", "aboveCeiling", "warmUp", "grace",
        "minimumInterval", "returning", "notWorthACue", "inTarget", "silent", "unanswered", "drawn",
      ])
  }

  @Test("give the heart rate time after a step, a target and a pause, in active time, and not at the start")
  func grace() throws {
    let plan = try TrainingPlan(steps: [
      TrainingPlan.Step(name: nil, duration: .seconds(100), target: .zone(1)),
      TrainingPlan.Step(name: nil, duration: nil, target: .zone(3)),
    ])
    var run = try Self.run("moment:every=20", grace: 30, plan: plan)
    for second in 0...400 where !(200..<250).contains(second) {
      if second == 250 { run.resume(at: 250) }
      run.heartRate(Double(110 + second % 2), at: Double(second))
      if second == 199 { run.pause(at: 199.5) }
      if second == 345 { run.change(target: nil, at: 345) }
    }
    run.finish(at: 400)
    let decided = run.emitted.filter { !$0.contains("step") && !$0.contains("signal") }
    #expect(
      decided == [
        "20 hold zone1", "40 hold zone1", "60 hold zone1", "80 hold zone1", "100 grace zone1", "120 grace zone1",
        "140 speedUp zone1", "160 speedUp zone1", "180 speedUp zone1", "199.5 paused", "250 resumed",
        "250.5 grace zone1", "270.5 grace zone1", "290.5 speedUp zone1", "310.5 speedUp zone1", "330.5 speedUp zone1",
        "345 target zone3 to open", "350.5 noTarget zone1", "370.5 noTarget zone1", "390.5 noTarget zone1",
      ])
  }

  @Test("let zone-change speak when the grace is over, and say once that it was kept back")
  func graceOfZoneChange() throws {
    let plan = try TrainingPlan(steps: [
      TrainingPlan.Step(name: nil, duration: .seconds(100), target: .zone(1)),
      TrainingPlan.Step(name: nil, duration: nil, target: .zone(3)),
    ])
    var run = try Self.run("zone-change:dwell=10,reminder=0", grace: 60, plan: plan)
    for second in 0...200 { run.heartRate(Double(110 + second % 2), at: Double(second)) }
    #expect(run.emitted.filter { !$0.contains("step") } == ["110 grace zone1", "160 speedUp zone1"])
  }

  @Test("are spans from 0 to 24 h")
  func limits() throws {
    #expect(try Guardrails(warmUp: .zero, minimumInterval: .zero) == .off)
    #expect(try Guardrails(warmUp: .seconds(86_400), minimumInterval: .zero).warmUp == .seconds(86_400))
    #expect(throws: ZoneError.outOfRange(quantity: "warm-up in seconds", value: "-1", expected: "0…86400")) {
      try Guardrails(warmUp: .seconds(-1), minimumInterval: .zero)
    }
    #expect(
      throws: ZoneError.outOfRange(quantity: "minimum interval in seconds", value: "86400.5", expected: "0…86400")
    ) { try Guardrails(warmUp: .zero, minimumInterval: .at(86_400.5)) }
  }

  @Test("have a cue of its own colour, vibration and reason for each side")
  func cues() {
    #expect(TargetSide.allCases.map { CueAction(side: $0) } == [.speedUp, .hold, .slowDown])
    #expect(CueAction.allCases.map(\.indicator) == ["yellow", "blue", "red"])
    #expect(CueAction.allCases.map(\.reason) == ["belowTarget", "inTarget", "aboveTarget"])
    #expect(Set(CueAction.allCases.map(\.haptic)).count == 3)
  }
}
