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
    let worst = try #require(evaluation.worstPerson)
    #expect(worst.macroF1 == evaluation.byPerson.map(\.macroF1).min())
    #expect(evaluation.unlearnedLabels.isEmpty)
    #expect(evaluation.untested.isEmpty)
  }

  /// Two labels, of which each person's windows are all recognised or none is.
  private func evaluation(_ people: [(name: String, isRecognized: Bool?)]) -> MotionEvaluation {
    let counts = people.map { person in
      var counts = ConfusionCounts(labels: 2)
      guard let isRecognized = person.isRecognized else { return counts }
      for label in 0..<2 { counts.add(label, taken: isRecognized ? label : 1 - label) }
      return counts
    }
    return MotionEvaluation(
      plan: plan(.compact, seed: 0), labels: ["a", "b"], people: people.map(\.name), folds: 1, byPerson: counts,
      secondsToTrain: 1, microsecondsPerWindow: 1, secondsToTune: nil)
  }

  @Test("The interval is over people: from the worst to the best of two, and none of one")
  func interval() {
    let two = evaluation([("p0", true), ("p1", false), ("p2", nil)])
    #expect(two.confidence95 == 0...1)
    #expect(two.worstPerson?.name == "p1")
    #expect(two.worstPerson?.macroF1 == 0)
    #expect(two.untested == ["p2"])
    #expect(evaluation([("p0", true), ("p2", nil)]).confidence95 == nil)
    #expect(evaluation([("p0", true), ("p1", true)]).confidence95 == 1...1)
  }

  @Test("A label that only the tested have is named, and tuning on all that somebody has leaves nothing to test")
  func nothingToLearn() throws {
    var motion = MadeUpMotion(seed: 4)
    let own = Self.changed(motion.corpus(people: 3), person: 0) { label in label == 0 ? 3 : label }
    let data = try LabelledWindows(
      MotionCorpus(
        own.recordings, persons: own.persons, people: own.people, labels: own.labels + ["spin"], notices: []),
      plan(.compact, seed: 0).shape, .motion)
    let first = try MotionEvaluation.run(data, groups: [[0]], plan(.compact, seed: 0)) { _ in }
    #expect(first.unlearnedLabels == ["spin"])
    let others = try MotionEvaluation.run(data, groups: [[1, 2]], plan(.compact, seed: 0)) { _ in }
    // The one that is learned from has another label for it.
    #expect(others.unlearnedLabels == ["run"])
    #expect(throws: MotionTrainingProblem.nothingBesideTuned(1)) {
      _ = try MotionEvaluation.run(data, groups: [[1]], plan(.compact, seed: 0), tunedRecordings: 1) { _ in }
    }
  }

  @Test("Who is tuned on a first recording is tuned on all of it, also behind a gap, and on no other trial")
  func firstRecordings() {
    func stretch(_ source: String, _ trial: String = "") -> MotionRecording {
      MotionRecording(source: source, trial: trial, hasRotationRate: false, samples: [.zero], labels: [-1])
    }
    let recordings = [
      stretch("a.csv"), stretch("b.csv"), stretch("a.csv"), stretch("c.csv", "1"), stretch("c.csv", "2"),
      stretch("c.csv", "1"),
    ]
    let corpus = MotionCorpus(recordings, persons: [0, 1, 0, 0, 0, 0], people: ["a", "b"], labels: [], notices: [])
    #expect(corpus.firstRecordings(1, of: 0) == [0, 2])
    #expect(corpus.firstRecordings(2, of: 0) == [0, 2, 3, 5])
    #expect(corpus.firstRecordings(3, of: 0) == [0, 2, 3, 4, 5])
    #expect(corpus.firstRecordings(1, of: 1) == [1])
  }

  /// A corpus in which a person's labels are others, and the samples so many times as large.
  private static func changed(
    _ corpus: MotionCorpus, person: Int, times factor: Float = 1, _ label: (Int16) -> Int16
  ) -> MotionCorpus {
    let recordings = zip(corpus.recordings, corpus.persons).map { recording, owner in
      guard owner == person else { return recording }
      var recording = recording
      for index in recording.labels.indices where recording.labels[index] >= 0 {
        recording.labels[index] = label(recording.labels[index])
      }
      for index in recording.samples.indices { recording.samples[index] *= factor }
      return recording
    }
    return MotionCorpus(
      recordings, persons: corpus.persons, people: corpus.people, labels: corpus.labels, notices: corpus.notices)
  }

  @Test("What was learned of a person changes nothing of what others are tested by")
  func nobodyInBothHalves() throws {
    var motion = MadeUpMotion(seed: 2)
    let corpus = motion.corpus(people: 3, secondsEach: 3)
    func counts(_ corpus: MotionCorpus, _ groups: [[Int]]) throws -> [ConfusionCounts] {
      let data = try LabelledWindows(corpus, plan(.compact, seed: 0).shape, .motion)
      return try MotionEvaluation.run(data, groups: groups, plan(.compact, seed: 0)) { _ in }.byPerson
    }
    // By other labels of the first person nothing changes but which row of the table a window stands in.
    let plain = try counts(corpus, [[0], [1, 2]])
    let relabelled = try counts(Self.changed(corpus, person: 0) { ($0 + 1) % 3 }, [[0], [1, 2]])
    for label in 0..<3 { #expect(relabelled[0].counts[(label + 1) % 3] == plain[0].counts[label]) }
    // The others have learned from the first person, and who is tested together from neither.
    #expect(Array(relabelled.dropFirst()) != Array(plain.dropFirst()))
    let together = try counts(corpus, [[0, 1], [2]])
    let stronger = try counts(Self.changed(corpus, person: 0, times: 3) { ($0 + 1) % 3 }, [[0, 1], [2]])
    #expect(stronger[1] == together[1])
    let data = try LabelledWindows(corpus, plan(.compact, seed: 0).shape, .motion)
    #expect(throws: MotionTrainingProblem.tooFewPeople(found: ["p0", "p1", "p2"], needed: 2)) {
      _ = try MotionEvaluation.run(data, groups: [[0, 1, 2]], plan(.compact, seed: 0)) { _ in }
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
