import TestSupport
import Testing
import TextFormats

@testable import ActivityRecognition

/// A model of made-up people, with a new window every half second; trained once for all tests.
private let model = Result { try trained(seed: 1, people: 2) }

private func trained(seed: UInt64, people: Int) throws -> MotionModel {
  var motion = MadeUpMotion(seed: seed)
  let plan = TrainingPlan(
    network: .compact, shape: WindowShape(seconds: 1, stepSeconds: 0.5, pastSeconds: 0), seed: seed, epochs: 8,
    threads: 1)
  let data = try LabelledWindows(motion.corpus(people: people), plan.shape, .motion)
  return MotionTrainer.train(data, plan) { _ in }
}

@Suite("Recognising activities")
struct RecognitionTests {
  @Test("Spans follow each other without a gap, from the beginning of a recording to its end")
  func spans() throws {
    var model = try model.get()
    var motion = MadeUpMotion(seed: 2)
    let samples = motion.samples(0, seconds: 6, tilt: 0.1) + motion.samples(2, seconds: 6, tilt: 0.1)
    let recording = MotionRecording(
      source: "a", startSeconds: 10, hasRotationRate: true, samples: samples,
      labels: Array(repeating: -1, count: samples.count))
    var spans = ActivityRecognizer(model).spans(recording)
    #expect(spans.first?.fromSeconds == 10)
    #expect(spans.last?.untilSeconds == 22)
    #expect(zip(spans, spans.dropFirst()).filter { $0.untilSeconds != $1.fromSeconds }.isEmpty)
    #expect(zip(spans, spans.dropFirst()).filter { $0.activity == $1.activity }.isEmpty)
    // Without limits every window has one of the labels, the right one but near the change.
    model = model.withoutLimits
    spans = ActivityRecognizer(model).spans(recording)
    #expect(spans.first?.activity == "stand")
    #expect(spans.last?.activity == "run")
    #expect((spans.first?.untilSeconds ?? 0) > 14)
  }

  @Test("What is far from all that was learned is unknown")
  func unknown() throws {
    let model = try model.get()
    let samples = (0..<400).map { index in SIMD8<Float>(index / 7 % 2 == 0 ? 6 : -6, 5, 0, 0, 0, 0, 0, 0) }
    let recording = MotionRecording(
      source: "a", hasRotationRate: true, samples: samples, labels: Array(repeating: -1, count: 400))
    let answers = ActivityRecognizer(model).answers(recording)
    #expect(answers.count == 6)
    #expect(answers.filter { $0.label != nil }.isEmpty)
  }

  @Test("Each label has limits of its own, which refuse at most one in forty each of what is taken for it")
  func limits() {
    var limits = UnknownLimits(refusingNothingOf: 3)
    // A label that is always sure, one that seldom is, and one that nothing is taken for.
    var windows: [(label: Int, probability: Float, distance: Float)] = []
    for index in 0..<400 {
      let place = Float(index)
      windows.append((label: 0, probability: 0.99 + place / 100_000, distance: place / 400))
      windows.append((label: 1, probability: 0.5 + place / 1_000, distance: place))
    }
    limits.set(windows)
    for (label, refused) in [0, 10].enumerated() {
      let own = windows.filter { $0.label == label }
      #expect(own.count { $0.probability < limits.leastProbabilities[label] } == refused, "label \(label)")
      #expect(own.count { $0.distance > limits.largestDistances[label] } == 10, "label \(label)")
    }
    // What is probable enough is not refused, however sure others are.
    #expect(!limits.isUnknown(0, 0.6, distance: 0))
    #expect(limits.isUnknown(0, 0.59, distance: 0))
    #expect(!limits.isUnknown(1, 0.59, distance: 300))
    #expect(limits.isUnknown(0, 1, distance: 300))
    #expect(!limits.isUnknown(2, 0, distance: .greatestFiniteMagnitude))
    // A label that is learned later refuses what all others refuse.
    let (probabilities, distances) = limits.limits(forClasses: 4)
    #expect(probabilities == limits.leastProbabilities + [0])
    #expect(distances == limits.largestDistances + [.greatestFiniteMagnitude])
  }

  @Test("A recording that is shorter than a window has no span")
  func short() throws {
    let recording = MotionRecording(
      source: "a", hasRotationRate: true, samples: Array(repeating: .zero, count: 100),
      labels: Array(repeating: -1, count: 100))
    #expect(ActivityRecognizer(try model.get()).spans(recording).isEmpty)
  }

  @Test("A new label becomes a new class, and those before are still known")
  func tuned() throws {
    let model = try model.get()
    var motion = MadeUpMotion(seed: 6)
    var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,label\n"
    let samples = motion.samples(1, seconds: 12, tilt: 0).map { SIMD8($0[1], $0[2], $0[0] * 3, 0, 0, 0, 0, 0) }
    for (index, sample) in samples.enumerated() {
      text += "\(Double(index) / 100),\(sample[0]),\(sample[1]),\(sample[2]),0,0,0,hop\n"
    }
    let own = MotionCorpus([try #require(MadeUpMotion.file("me.csv", text))], personFrom: .file)
    let tuned = try MotionTuning.tuned(model, on: own, threads: 1)
    #expect(tuned.labels == ["run", "stand", "walk", "hop"])
    #expect(tuned.origin.tunedWindows > 0)
    let one = MotionModelFile.bytes(of: tuned)
    let two = MotionModelFile.bytes(of: try MotionTuning.tuned(model, on: own, threads: 2))
    #expect(one == two)
    let hop = ActivityRecognizer(tuned.withoutLimits).answers(own.recordings[0])
    #expect(hop.count { $0.label == 3 } * 10 >= hop.count * 9)
    let run = MotionRecording(
      source: "a", hasRotationRate: true, samples: motion.samples(2, seconds: 5, tilt: 0),
      labels: Array(repeating: -1, count: 500))
    let still = ActivityRecognizer(tuned.withoutLimits).answers(run)
    #expect(still.count { $0.label == 0 } * 10 >= still.count * 9)
  }

  @Test("The name of what is not known is no new label")
  func tunedUnknown() throws {
    var motion = MadeUpMotion(seed: 6)
    var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,label\n"
    for (index, sample) in motion.samples(1, seconds: 12, tilt: 0).enumerated() {
      text += "\(Double(index) / 100),\(sample[0]),\(sample[1]),\(sample[2]),0,0,0,unknown\n"
    }
    let own = MotionCorpus([try #require(MadeUpMotion.file("me.csv", text))], personFrom: .file)
    #expect(throws: MotionTuningProblem.reservedLabel) {
      _ = try MotionTuning.tuned(model.get(), on: own, threads: 1)
    }
  }

  @Test("Windows of which networks make no number are unknown, alone and as they come")
  func noNumber() throws {
    let broken = try model.get().withHugeWeights.withoutLimits
    var motion = MadeUpMotion(seed: 7)
    let samples = motion.samples(1, seconds: 6, tilt: 0.1)
    let recording = MotionRecording(
      source: "a", hasRotationRate: true, samples: samples, labels: Array(repeating: -1, count: samples.count))
    let spans = ActivityRecognizer(broken).spans(recording)
    #expect(spans.map(\.activity) == ["unknown"])
    #expect(spans.map(\.probability) == [0])
    let shared = SharedModel(broken, name: "a", hash: "")
    var stream = ActivityStream(shared.activities, shape: broken.shape)
    var changes: [ActivityStream.Change] = []
    for (index, sample) in samples.enumerated() {
      let events = shared.asking { stream.take(sample, at: Int64(index) * 10_000_000, asking: $0) }
      for case .change(let change) in events { changes.append(change) }
    }
    #expect(changes.map(\.name) == ["unknown"])
    #expect(changes.map(\.probability) == [0])
  }

  @Test("What is learned from weights that are no weights is seen to be no model")
  func tunedOfHuge() throws {
    let broken = try model.get().withHugeWeights
    var motion = MadeUpMotion(seed: 6)
    let tuned = try MotionTuning.tuned(broken, on: motion.corpus(people: 1), threads: 1)
    #expect(throws: MotionModelError.self) {
      _ = try MotionModelFile.model(from: MotionModelFile.bytes(of: tuned).span)
    }
  }

  @Test("An ONNX file has the layers of every network and their mean")
  func onnx() throws {
    let model = try model.get()
    let bytes = ONNXFile.bytes(of: model)
    let text = String(decoding: bytes, as: UTF8.self)
    for word in ["features", "Gemm", "Relu", "Softmax", "Mean", "probabilities", "featureHash"] {
      #expect(text.contains(word), "\(word)")
    }
    #expect(bytes.count > model.ensemble.networks.reduce(0) { $0 + 4 * $1.parameterCount })
  }
}

extension MotionModel {
  /// The same model with networks whose sums are beyond all numbers.
  fileprivate var withHugeWeights: MotionModel {
    let huge = ensemble.networks.map { network in
      Perceptron(
        widths: network.widths,
        // Whatever goes in, the units before the classes are as large as what goes to the classes.
        weights: network.weights.enumerated().map { layer, row in row.map { _ in layer == 0 ? 0 : 3e38 } },
        biases: network.biases.map { $0.map { _ in 3e38 } })
    }
    return MotionModel(
      network: network, shape: shape, usesRotationRate: usesRotationRate, labels: labels,
      ensemble: NetworkEnsemble(scale: ensemble.scale, networks: huge), unknown: unknown, rehearsal: rehearsal,
      origin: origin)
  }

  /// The same model, to which nothing is unknown.
  fileprivate var withoutLimits: MotionModel {
    var limits = unknown
    limits = UnknownLimits(
      centres: limits.centres, whitening: limits.whitening, leastProbabilities: labels.map { _ in 0 },
      largestDistances: labels.map { _ in .greatestFiniteMagnitude })
    return MotionModel(
      network: network, shape: shape, usesRotationRate: usesRotationRate, labels: labels, ensemble: ensemble,
      unknown: limits, rehearsal: rehearsal, origin: origin)
  }
}
