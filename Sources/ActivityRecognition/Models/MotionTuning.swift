/// Teaches a model its wearer: a few epochs over the wearer's own windows and over those that the model rehearses, so that it
/// forgets nothing. A label that is new becomes a new class.
package enum MotionTuning {
  /// How often an own window stands among those that are rehearsed.
  static let repeats = 3
  /// How often every row is learned.
  static let epochs = 10
  /// The fewest steps, of few rows.
  static let fewestSteps = 100
  /// The largest step of a weight, a quarter of that of a training.
  static let learningRate = 5e-4
  /// The same where a new class begins with nothing.
  static let learningRateOfNewClass = 2e-3

  /// How it is tuned, by how the network is trained.
  static func settings(_ kind: NetworkKind, hasNewClass: Bool) -> TrainingSettings {
    var settings = kind.settings
    settings.batch = 64
    (settings.epochs, settings.fewestSteps) = (epochs, fewestSteps)
    settings.learningRate = hasNewClass ? learningRateOfNewClass : learningRate
    settings.warmUpSteps = 10
    settings.fallsToZero = true
    settings.errorThreshold = 0
    return settings
  }

  /// Networks that have learned own rows too.
  static func tuned(
    _ ensemble: NetworkEnsemble, _ kind: NetworkKind, own: FeatureTable, rehearsal: RehearsalRows, seed: UInt64,
    threads: Int,
    hasNewClass: Bool = false
  ) -> NetworkEnsemble {
    let table = joined(own, rehearsal, ensemble.scale)
    let rows = (0..<repeats).flatMap { _ in 0..<own.count } + Array(own.count..<table.count)
    return NetworkEnsemble.trained(
      table, rows: rows, classes: ensemble.classes, kind,
      settings(kind, hasNewClass: hasNewClass), seed: seed, threads: threads, from: ensemble
    ) { _ in }
  }

  private static func joined(_ own: FeatureTable, _ rehearsal: RehearsalRows, _ scale: FeatureScale) -> FeatureTable {
    FeatureTable(
      width: own.width, values: own.values + rehearsal.features(scale), labels: own.labels + rehearsal.labels,
      persons: own.persons + rehearsal.labels.map { _ in -1 })
  }

  /// The model, tuned on recordings of its wearer.
  ///
  /// - Throws: `MotionTuningProblem` when they cannot be learned by this model.
  package static func tuned(
    _ model: MotionModel, on corpus: MotionCorpus, threads: Int
  ) throws(MotionTuningProblem) -> MotionModel {
    if model.usesRotationRate, let without = corpus.recordings.first(where: { !$0.hasRotationRate }) {
      throw .noRotationRate(without.source)
    }
    let windows = corpus.windows(model.shape)
    guard !windows.isEmpty else { throw .noWindows }
    var labels = model.labels
    var ensemble = model.ensemble
    for (number, label) in corpus.labels.enumerated() where !labels.contains(label) {
      let count = windows.count { $0.label == number }
      guard count >= TrainingPlan.fewestWindows else {
        if count == 0 { continue }
        throw .tooFewWindows(label, count)
      }
      guard !ActivityLabel.meansUnknown(label) else {
        throw label == MotionModel.unknownLabel ? .reservedLabel : .reservedSpelling(label)
      }
      labels.append(label)
      ensemble = NetworkEnsemble(scale: ensemble.scale, networks: ensemble.networks.map { $0.addingClass() })
    }
    guard labels.count <= MotionModel.mostLabels else { throw .tooManyLabels(labels.count) }
    let own = windows.map { window in
      MotionWindow(
        recording: window.recording, start: window.start,
        label: labels.firstIndex(of: corpus.labels[window.label]) ?? 0, person: window.person)
    }
    let table = FeatureTable(
      corpus, own, model.network.features, model.shape, threads: threads, usesRotationRate: model.usesRotationRate)
    let tuned = Self.tuned(
      ensemble, model.network, own: table, rehearsal: model.rehearsal, seed: model.origin.seed, threads: threads,
      hasNewClass: labels.count > model.labels.count)
    let all = joined(table, model.rehearsal, ensemble.scale)
    let answers = MotionTrainer.answers(tuned, all, rows: Array(0..<all.count))
    var unknown = UnknownLimits(hidden: answers.hidden, labels: all.labels, classes: labels.count)
    (unknown.leastProbabilities, unknown.largestDistances) = model.unknown.limits(forClasses: labels.count)
    var origin = model.origin
    origin.tunedWindows = min(origin.tunedWindows + own.count, MotionModel.Origin.largestCount)
    origin.training = .init(answers.counts)
    origin.heldOut = nil
    return MotionModel(
      network: model.network, shape: model.shape, usesRotationRate: model.usesRotationRate, labels: labels,
      ensemble: tuned, unknown: unknown,
      rehearsal: RehearsalRows(of: all, rows: Array(0..<all.count), classes: labels.count, ensemble.scale),
      origin: origin)
  }
}

/// Why a model cannot be tuned on recordings.
package enum MotionTuningProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// No window has a label.
  case noWindows
  /// A new label with too little of it.
  case tooFewWindows(String, Int)
  /// A recording lacks turning rates, which the model needs.
  case noRotationRate(String)
  /// A new label that is the name of what is not known.
  case reservedLabel
  /// The same in another case.
  case reservedSpelling(String)
  /// More labels than a model has, with those that it knew.
  case tooManyLabels(Int)

  /// What is wrong and what was expected.
  package var description: String {
    switch self {
    case .noWindows: "no window of the recordings has a label: expected recordings with labels"
    case .tooFewWindows(let label, let count):
      "\(label): \(count) windows: expected at least \(TrainingPlan.fewestWindows) of a new label"
    case .noRotationRate(let source):
      "\(source): no turning rates (gyroscope), with which the model was trained: expected them"
    case .reservedLabel: "\(MotionTrainingProblem.reservedLabel)"
    case .reservedSpelling(let label): "\(MotionTrainingProblem.reservedSpelling(label))"
    case .tooManyLabels(let count): "\(MotionTrainingProblem.tooManyLabels(count))"
    }
  }
}
