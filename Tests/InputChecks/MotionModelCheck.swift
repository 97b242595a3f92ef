internal import ActivityRecognition
internal import TextFormats

extension InputCheck {
  /// Files of motion models: as they are, and with a checksum that is right, so that what is behind it is reached.
  package static let motionModel = InputCheck(
    name: "motion-model", longestInput: 16_384, seeds: MotionModelSeeds.all,
    violation: { bytes in
      violation(of: bytes) ?? violation(of: sealed(bytes))
    },
    isUsable: { (try? MotionModelFile.model(from: sealed($0).span)) != nil })

  /// The bytes without their last 32, and a checksum of them.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let body = Array(bytes.dropLast(32))
    var hash = SHA256()
    hash.update(body.span)
    return body + hash.finish()
  }

  private static func violation(of bytes: [UInt8]) -> String? {
    let model: MotionModel
    do throws(MotionModelError) {
      model = try MotionModelFile.model(from: bytes.span)
    } catch {
      return "\(error)".contains("\n") ? "an error of several lines: \(error)" : nil
    }
    let written = MotionModelFile.bytes(of: model)
    guard let again = try? MotionModelFile.model(from: written.span), again == model else {
      return "a model that is not read as it was written"
    }
    guard MotionModelFile.bytes(of: again) == written else { return "a model with two files" }
    let samples = (0..<130).map { SIMD8<Float>(0, Float($0 % 9) / 10, 1, 0, 0, 0.1, 0, 0) }
    let recording = MotionRecording(
      source: "-", hasRotationRate: true, samples: samples, labels: Array(repeating: -1, count: samples.count))
    guard model.shape.points + model.shape.pastPoints < samples.count else { return nil }
    let spans = ActivityRecognizer(model).spans(recording)
    let isWhole = Swift.zip(spans, spans.dropFirst()).allSatisfy { $0.untilSeconds == $1.fromSeconds }
    return isWhole ? nil : "spans with a gap"
  }
}

/// Small models.
enum MotionModelSeeds {
  static let all = [
    InputCheck.Seed("two-labels", MotionModelFile.bytes(of: model(["stand", "walk"]))),
    InputCheck.Seed("three-labels", MotionModelFile.bytes(of: model(["run", "stand", "walk"]))),
    InputCheck.Seed("two-networks", MotionModelFile.bytes(of: model(["stand", "walk"], networks: 2))),
    InputCheck.Seed("one-label", MotionModelFile.bytes(of: model(["walk"]))),
    InputCheck.Seed("odd-labels", MotionModelFile.bytes(of: model(["\u{1B}[2J", "a\nb", "\u{202E}"]))),
  ]

  /// A small model that has learned nothing.
  static func model(_ labels: [String], networks: Int = 1) -> MotionModel {
    func numbers(_ count: Int) -> [Float] { (0..<count).map { Float($0 % 17) / 32 - 0.25 } }
    let widths = [300, 2, labels.count]
    let network = Perceptron(
      widths: widths, weights: [numbers(600), numbers(2 * labels.count)], biases: [numbers(2), numbers(labels.count)])
    return MotionModel(
      network: .swiftHAR, shape: .standard, usesRotationRate: false, labels: labels,
      ensemble: NetworkEnsemble(
        scale: FeatureScale(means: numbers(300), spreads: numbers(300).map { $0 + 1 }, limit: 5),
        networks: Array(repeating: network, count: networks)),
      unknown: UnknownLimits(
        centres: numbers(2 * labels.count), whitening: numbers(3),
        leastProbabilities: labels.map { _ in 0.5 }, largestDistances: labels.map { _ in 9 }),
      rehearsal: RehearsalRows(
        labels: [0, labels.count - 1], factors: numbers(2), values: (0..<600).map { Int8($0 % 100) }, width: 300),
      origin: MotionModel.Origin(
        seed: 1, epochs: 3, people: 4, windows: 50, tunedWindows: 0,
        training: MotionModel.Figures(macroF1: 0.9, accuracy: 0.95),
        heldOut: MotionModel.HeldOut(
          people: 1, windows: 9, figures: MotionModel.Figures(macroF1: 0.8, accuracy: 0.85))))
  }
}
