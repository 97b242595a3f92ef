import TestSupport
import Testing

@testable import ActivityRecognition

private func plan(threads: Int) -> TrainingPlan {
  TrainingPlan(
    network: .compact, shape: WindowShape(seconds: 1, stepSeconds: 0.5, pastSeconds: 0), seed: 1, epochs: 6,
    threads: threads)
}

@Suite("Activities that were not learned")
struct UnknownEvaluationTests {
  @Test("The area under the curve is the part of pairs in order, of which equal ones count half")
  func areaUnderCurve() {
    #expect(UnknownEvaluation.areaUnderCurve([(1, true), (2, true), (3, false)]) == 1)
    #expect(UnknownEvaluation.areaUnderCurve([(3, true), (2, true), (1, false)]) == 0)
    #expect(UnknownEvaluation.areaUnderCurve([(1, true), (1, false)]) == 0.5)
    #expect(UnknownEvaluation.areaUnderCurve([(1, true), (2, false), (3, true), (4, false)]) == 0.75)
    #expect(UnknownEvaluation.areaUnderCurve([(1, false)]) == 0.5)
  }

  @Test("Each label is left out once, every window counts once, and threads change nothing")
  func leftOut() throws {
    var motion = MadeUpMotion(seed: 6)
    let data = try LabelledWindows(motion.corpus(people: 3), plan(threads: 1).shape, .motion)
    let groups = [[0], [1], [2]]
    let found = try UnknownEvaluation.run(data, groups: groups, plan(threads: 1)) { _ in }
    #expect(found.map(\.label) == ["run", "stand", "walk"])
    #expect(found.allSatisfy { $0.windows + $0.knownWindows == data.windows.count })
    // Running is unlike standing and walking.
    #expect(found[0].distanceAUROC > 0.9)
    #expect(try UnknownEvaluation.run(data, groups: groups, plan(threads: 2)) { _ in } == found)
  }

  @Test("With two labels, or all people in one group, nothing can be left out")
  func tooFew() throws {
    var motion = MadeUpMotion(seed: 7)
    let corpus = motion.corpus(people: 2)
    let data = try LabelledWindows(corpus, plan(threads: 1).shape, .motion)
    #expect(throws: MotionTrainingProblem.tooFewPeople(found: ["p0", "p1"], needed: 2)) {
      _ = try UnknownEvaluation.run(data, groups: [[0, 1]], plan(threads: 1)) { _ in }
    }
    let two = try corpus.merging([LabelGroup(name: "go", labels: ["run", "walk"])])
    let few = try LabelledWindows(two, plan(threads: 1).shape, .motion)
    #expect(throws: MotionTrainingProblem.tooFewLabelsToLeaveOut(["go", "stand"])) {
      _ = try UnknownEvaluation.run(few, groups: [[0], [1]], plan(threads: 1)) { _ in }
    }
  }
}
