import TestSupport
import Testing
import ZoneEngine

@Suite("A training plan")
struct TrainingPlanTests {
  private static func step(_ name: String, _ seconds: Int?, _ target: TrainingTarget) throws -> TrainingPlan.Step {
    try TrainingPlan.Step(name: name, duration: seconds.map { .seconds($0) }, target: target)
  }

  @Test("has 1 to 1,000 steps, each of more than 0 and at most 24 h")
  func limits() throws {
    #expect(throws: ZoneError.plan("0 steps: expected 1 to 1000")) { try TrainingPlan(steps: []) }
    let step = try Self.step("a", 86_400, .open)
    #expect(try TrainingPlan(steps: Array(repeating: step, count: 1_000)).steps.count == 1_000)
    #expect(throws: ZoneError.plan("1001 steps: expected 1 to 1000")) {
      try TrainingPlan(steps: Array(repeating: step, count: 1_001))
    }
    for seconds in [0, -5, 86_401] {
      #expect(throws: ZoneError.plan("a step of \(seconds) s: expected more than 0 and at most 86400 s")) {
        try Self.step("a", seconds, .open)
      }
    }
    #expect(try TrainingPlan.Step(name: nil, duration: SessionTime(nanoseconds: 1), target: .open).name == nil)
  }

  @Test("begins, changes step by active time, and ends")
  func steps() throws {
    let plan = try TrainingPlan(steps: [
      Self.step("warm-up", 60, .zone(1)), Self.step("work", 30, .range(lowerBPM: 140, upperBPM: 150)),
      Self.step("rest", 30, .open),
    ])
    var run = CoachedRun(try .testing(plan: plan))
    run.pause(at: 70)
    run.resume(at: 100)
    run.finish(at: 200)
    #expect(
      run.emitted == [
        "0 step 1: warm-up 98-118", "60 step 2: work 140-150", "70 paused", "100 resumed", "120 step 3: rest open",
        "150 step 4: the plan is over",
      ])
    #expect(run.engine.target == nil)
  }

  @Test("of one step for ever emits no step")
  func constant() throws {
    var run = CoachedRun(try .testing())
    run.finish(at: 100)
    #expect(run.emitted.isEmpty)
    #expect(run.engine.summary.activeWithTarget == .seconds(100))
  }

  @Test("goes on from an open step by a lap, and only from an open one; the lap that ends the last one ends the plan")
  func lap() throws {
    let plan = try TrainingPlan(steps: [
      Self.step("easy", nil, .zone(1)), Self.step("hard", 60, .zone(4)), Self.step("home", nil, .open),
    ])
    var run = CoachedRun(try .testing(plan: plan))
    var laps = [run.lap(at: 45), run.lap(at: 50)]
    run.pause(at: 60)
    laps.append(run.lap(at: 65))
    run.resume(at: 70)
    laps.append(run.lap(at: 130))
    laps.append(run.lap(at: 135))
    run.finish(at: 140)
    laps.append(run.lap(at: 140))
    #expect(laps == [true, false, false, true, false, false])
    #expect(
      run.emitted == [
        "0 step 1: easy 98-118", "45 step 2: hard 158-177", "60 paused", "70 resumed", "115 step 3: home open",
        "130 step 4: the plan is over",
      ])
  }

  @Test(
    "is over by a lap in its last step where that is open or lasts some metres, and not where it lasts some time",
    arguments: [
      (StepLength.untilLap, true), (.distance(meters: 5_000), true), (.time(.seconds(600)), false),
    ])
  func lapInTheLastStep(length: StepLength, isOver: Bool) throws {
    let last = try TrainingPlan.Step(
      name: "last", length: length, target: .zone(2), repetition: StepRepetition(number: 2, count: 2))
    for steps in [[try Self.step("first", 10, .zone(1)), last], [last]] {
      var run = CoachedRun(try .testing(plan: TrainingPlan(steps: steps)))
      run.advance(to: 30)
      let hasEnded = run.lap(at: 30)
      #expect(hasEnded == isOver)
      #expect((run.engine.target == nil) == isOver)
      #expect((run.engine.position.step == nil) == isOver)
      #expect(run.engine.position.number == steps.count + (isOver ? 1 : 0))
      #expect(run.engine.position.remainingMeters == nil)
      run.finish(at: 40)
      #expect(run.emitted.contains("30 step \(steps.count + 1): the plan is over") == isOver)
    }
  }

  @Test("that is one target for the whole session keeps it through every lap")
  func lapWithoutAPlan() throws {
    var run = CoachedRun(try .testing())
    let hasEnded = run.lap(at: 30)
    run.finish(at: 60)
    #expect(!hasEnded)
    #expect(run.emitted.isEmpty)
    #expect(run.engine.summary.activeWithTarget == .seconds(60))
    let step = try TrainingPlan.Step(name: nil, duration: nil, target: .zone(2))
    #expect(TrainingPlan(constant: .zone(2)).isConstant)
    #expect(try !TrainingPlan(steps: [step]).isConstant)
  }

  @Test("stays in an open step when a lap is pressed in a pause")
  func lapInAPause() throws {
    let plan = try TrainingPlan(steps: [Self.step("easy", nil, .zone(1)), Self.step("hard", 60, .zone(4))])
    var run = CoachedRun(try .testing(plan: plan))
    run.pause(at: 10)
    let inThePause = run.lap(at: 15)
    run.resume(at: 20)
    let afterIt = run.lap(at: 20)
    #expect(!inThePause)
    #expect(afterIt)
    #expect(run.emitted == ["0 step 1: easy 98-118", "10 paused", "20 resumed", "20 step 2: hard 158-177"])
  }

  @Test("changes a step that is over at the very end, once")
  func stepAtTheEnd() throws {
    let plan = try TrainingPlan(steps: [Self.step("a", 60, .zone(1)), Self.step("b", 60, .zone(2))])
    var run = CoachedRun(try .testing(plan: plan))
    run.finish(at: 60)
    #expect(run.emitted == ["0 step 1: a 98-118", "60 step 2: b 119-137"])
  }

  @Test("emits a step that is due in a pause's first instant when the session goes on")
  func stepAtAPause() throws {
    let plan = try TrainingPlan(steps: [Self.step("a", 60, .zone(1)), Self.step("b", 60, .zone(2))])
    var run = CoachedRun(try .testing(plan: plan))
    run.pause(at: 60)
    run.resume(at: 90)
    run.finish(at: 100)
    #expect(run.emitted == ["0 step 1: a 98-118", "60 paused", "90 resumed", "90 step 2: b 119-137"])
  }

  @Test("is judged by the target in force at the moment, also in a window from before")
  func newTarget() throws {
    let plan = try TrainingPlan(steps: [Self.step("a", 60, .zone(1)), Self.step("b", 60, .zone(3))])
    let strategy = try FeedbackStrategy(specification: "period:every=60,window=60")
    var run = CoachedRun(try .testing(plan: plan, strategy: strategy))
    run.heartRate(110, from: 0, until: 120)
    run.finish(at: 121)
    #expect(
      run.emitted == [
        "0 step 1: a 98-118", "60 step 2: b 138-157", "60 speedUp zone1", "120 step 3: the plan is over",
        "120 noTarget zone1",
      ])
  }

  @Test("with a range after a zone sorts the window by the range")
  func zoneThenRange() throws {
    let plan = try TrainingPlan(steps: [
      Self.step("a", 60, .zone(2)), Self.step("b", nil, .range(lowerBPM: 100, upperBPM: 109)),
    ])
    let strategy = try FeedbackStrategy(specification: "period:every=50,window=100")
    var run = CoachedRun(try .testing(plan: plan, strategy: strategy))
    run.heartRate(110, from: 0, until: 101)
    run.finish(at: 101)
    #expect(
      run.emitted == [
        "0 step 1: a 119-137", "50 speedUp zone1", "60 step 2: b 100-109", "100 slowDown over",
      ])
  }

  @Test("counts an open step in neither compliance")
  func openStep() throws {
    let plan = try TrainingPlan(steps: [
      Self.step("a", 100, .open), Self.step("b", 100, .zone(2)), Self.step("c", nil, .open),
    ])
    var run = CoachedRun(try .testing(plan: plan))
    run.heartRate(120, from: 0, until: 150)
    run.finish(at: 300)
    let summary = run.engine.summary
    #expect(summary.activeWithTarget == .seconds(100))
    #expect(summary.coveredWithTarget == .seconds(64))
    #expect(summary.inTarget == .seconds(64))
    #expect(summary.compliance == 1)
    #expect(summary.complianceOfActive == 0.64)
    var open = CoachedRun(try .testing(plan: TrainingPlan(constant: .open)))
    open.heartRate(120, from: 0, until: 50)
    open.finish(at: 50)
    #expect(open.engine.summary.compliance == nil)
    #expect(open.engine.summary.complianceOfActive == nil)
  }
}
