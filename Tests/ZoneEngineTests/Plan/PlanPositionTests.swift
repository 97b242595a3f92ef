import TestSupport
import Testing
import ZoneEngine

@Suite("Where a session stands in its plan")
struct PlanPositionTests {
  private static let plan = Result {
    try TrainingPlan(steps: [
      TrainingPlan.Step(name: "warm-up", duration: .seconds(60), target: .zone(1)),
      TrainingPlan.Step(name: "free", duration: nil, target: .open),
      TrainingPlan.Step(name: "work", duration: .seconds(30), target: .zone(4)),
    ])
  }

  @Test("gives the step, what is left of it, and what comes next")
  func counted() throws {
    let plan = try Self.plan.get()
    var run = CoachedRun(try .testing(plan: plan))
    let first = run.engine.position
    #expect(first.number == 1)
    try #require(first.count == 3)
    #expect(first.step == plan.steps[0])
    #expect(first.next == plan.steps[1])
    #expect(first.remaining == .seconds(60))
    #expect(first.nextTarget == nil)
    run.pause(at: 20)
    run.resume(at: 50)
    #expect(run.engine.position.remaining == .seconds(40))

    run.advance(to: 95)
    let open = run.engine.position
    #expect(open.number == 2)
    #expect(open.step == plan.steps[1])
    #expect(open.remaining == nil)
    #expect(open.next == plan.steps[2])
    #expect(open.nextTarget?.lowerBPM == 158)
    #expect(open.nextTarget?.upperBPM == 177)

    let hasBegun = run.lap(at: 110)
    #expect(hasBegun)
    let last = run.engine.position
    #expect(last.number == 3)
    #expect(last.remaining == .seconds(30))
    #expect(last.next == nil)
    #expect(last.nextTarget == nil)
  }

  @Test("is behind the last step when the plan is over")
  func over() throws {
    let plan = try TrainingPlan(steps: [TrainingPlan.Step(name: nil, duration: .seconds(60), target: .zone(1))])
    var run = CoachedRun(try .testing(plan: plan))
    run.finish(at: 90)
    let position = run.engine.position
    #expect(position.number == 2)
    #expect(position.count == 1)
    #expect(position.step == nil)
    #expect(position.remaining == nil)
    #expect(position.next == nil)
  }

  @Test("is one open step in a session with one target throughout")
  func constant() throws {
    var run = CoachedRun(try .testing())
    run.finish(at: 90)
    let position = run.engine.position
    #expect(position.number == 1)
    #expect(position.count == 1)
    #expect(position.step?.target == .zone(2))
    #expect(position.remaining == nil)
    #expect(position.next == nil)
  }
}
