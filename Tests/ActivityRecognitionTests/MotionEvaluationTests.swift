import TestSupport
import Testing

@testable import ActivityRecognition

private func plan(_ network: NetworkKind, seed: UInt64, threads: Int = 1) -> TrainingPlan {
  TrainingPlan(
    network: network, shape: WindowShape(seconds: 1, stepSeconds: 0.5, pastSeconds: 0), seed: seed, epochs: 6,
    threads: threads)
}

@Suite("Learning and testing people")
struct MotionEvaluationTests {
  @Test("Activities of people who never lived are recognised, everybody tested once by what others did")
  func evaluated() throws {
    var motion = MadeUpMotion(seed: 1)
    let corpus = motion.corpus(people: 4)
    let data = try LabelledWindows(corpus, plan(.compact, seed: 0).shape, .motion)
    #expect(data.labels == ["run", "stand", "walk"])
    let evaluation = try MotionEvaluation.run(data, groups: [[0, 1], [2, 3]], plan(.compact, seed: 0)) { _ in }
    #expect(evaluation.people == ["p0", "p1", "p2", "p3"])
    #expect(evaluation.confusion.total == data.windows.count)
    #expect(evaluation.confusion.accuracy > 0.9)
    #expect(evaluation.confidence95.contains(evaluation.confusion.macroF1))
    #expect(evaluation.worstPerson != nil)
  }

  @Test("What was learned of a person changes nothing of what others are tested by")
  func nobodyInBothHalves() throws {
    var motion = MadeUpMotion(seed: 2)
    let corpus = motion.corpus(people: 3, secondsEach: 3)
    let data = try LabelledWindows(corpus, plan(.swiftHAR, seed: 0).shape, .rawAcceleration)
    #expect(throws: MotionTrainingProblem.self) {
      _ = try MotionEvaluation.run(data, groups: [[0, 1, 2]], plan(.swiftHAR, seed: 0)) { _ in }
    }
  }

  @Test(
    "The same seed gives the same bytes of a model twice, on one thread and on two",
    arguments: [(NetworkKind.compact, 6), (.standard, 1), (.swiftHARBoth, 2)])
  func sameModel(network: NetworkKind, epochs: Int) throws {
    var motion = MadeUpMotion(seed: 3)
    let corpus = motion.corpus(people: 2, secondsEach: 4)
    func bytes(threads: Int) throws -> [UInt8] {
      var plan = plan(network, seed: 5, threads: threads)
      plan.epochs = epochs
      let data = try LabelledWindows(corpus, plan.shape, network.features)
      return MotionModelFile.bytes(of: MotionTrainer.train(data, plan) { _ in })
    }
    let first = try bytes(threads: 1)
    #expect(try bytes(threads: 1) == first)
    #expect(try bytes(threads: 2) == first)
    let model = try MotionModelFile.model(from: first.span)
    #expect(model.network == network)
    #expect(model.origin.heldOut?.people == 1)
    if network == .compact { #expect(model.origin.training.accuracy > 0.9) }
  }

  @Test("The name of what is not known is no label")
  func reservedLabel() throws {
    var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_y,gyro_z,label\n"
    for point in 0..<1_000 { text += "\(Double(point) / 100),0,0,1,0,0,0,\(point < 500 ? "walk" : "unknown")\n" }
    let corpus = MotionCorpus([try #require(MadeUpMotion.file("a.csv", text))], personFrom: .file)
    let error = #expect(throws: MotionTrainingProblem.reservedLabel) {
      _ = try LabelledWindows(corpus, .standard, .motion)
    }
    #expect(error?.description.contains("--merge other=unknown") == true)
    let merged = try corpus.merging([LabelGroup(name: "other", labels: ["unknown"])])
    #expect(try LabelledWindows(merged, .standard, .motion).labels == ["other", "walk"])
  }

  @Test("A label with too little of it is left out, and fewer than two are refused")
  func fewWindows() throws {
    var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_y,gyro_z,label\n"
    for point in 0..<1_000 {
      let label = point < 450 ? "a" : point < 900 ? "b" : "c"
      text += "\(Double(point) / 100),0,0,1,0,0,0,\(label)\n"
    }
    let file = try #require(MadeUpMotion.file("a.csv", text))
    let data = try LabelledWindows(MotionCorpus([file], personFrom: .file), .standard, .motion)
    #expect(data.labels == ["a", "b"])
    #expect(data.leftOut.map(\.label) == ["c"])
    let short = try #require(
      MadeUpMotion.file("a.csv", String(text.split(separator: "\n").prefix(400).joined(separator: "\n"))))
    #expect(throws: MotionTrainingProblem.tooFewLabels([LabelCount(label: "a", windows: 12)])) {
      _ = try LabelledWindows(MotionCorpus([short], personFrom: .file), .standard, .motion)
    }
  }
}
