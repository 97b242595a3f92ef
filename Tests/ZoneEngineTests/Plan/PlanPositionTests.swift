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

  @Test("tells the step, what is left of it, and what comes next")
  func counted() throws {
    let plan = try Self.plan.get()
    var run = CoachedRun(try .testing(plan: plan))
    let first = run.engine.position
    #expect(first.number == 1 && first.count == 3 && first.step == plan.steps[0] && first.next == plan.steps[1])
    #expect(first.remaining == .seconds(60) && first.nextTarget == nil)
    run.pause(at: 20)
    run.resume(at: 50)
    #expect(run.engine.position.remaining == .seconds(40))

    run.advance(to: 95)
    let open = run.engine.position
    #expect(open.number == 2 && open.step == plan.steps[1] && open.remaining == nil)
    #expect(open.next == plan.steps[2] && open.nextTarget?.lowerBPM == 158 && open.nextTarget?.upperBPM == 177)

    let hasBegun = run.lap(at: 110)
    #expect(hasBegun)
    let last = run.engine.position
    #expect(last.number == 3 && last.remaining == .seconds(30) && last.next == nil && last.nextTarget == nil)
  }

  @Test("is behind the last step when the plan is over")
  func over() throws {
    let plan = try TrainingPlan(steps: [TrainingPlan.Step(name: nil, duration: .seconds(60), target: .zone(1))])
    var run = CoachedRun(try .testing(plan: plan))
    run.finish(at: 90)
    let position = run.engine.position
    #expect(position.number == 2 && position.count == 1 && position.step == nil && position.remaining == nil)
    #expect(position.next == nil)
  }

  @Test("is one open step in a session with one target throughout")
  func constant() throws {
    var run = CoachedRun(try .testing())
    run.finish(at: 90)
    let position = run.engine.position
    #expect(position.number == 1 && position.count == 1 && position.step?.target == .zone(2))
    #expect(position.remaining == nil && position.next == nil)
  }
}
