/// What a model is trained with.
package struct TrainingPlan: Hashable, Sendable {
  /// The network.
  package var network: NetworkKind
  /// The windows.
  package var shape: WindowShape
  /// Where everything by chance follows from.
  package var seed: UInt64
  /// How often every row is learned, where it is not the network's own number.
  package var epochs: Int?
  /// How many threads work; results do not depend on it.
  package var threads: Int

  /// The most windows that are learned; of more every second, third, … is taken.
  package static let mostWindows = 24_000
  /// The fewest windows of a label that is learned.
  package static let fewestWindows = 5

  /// A plan.
  package init(network: NetworkKind, shape: WindowShape, seed: UInt64, epochs: Int?, threads: Int) {
    self.network = network
    self.shape = shape
    self.seed = seed
    self.epochs = epochs
    self.threads = threads
  }

  /// How the network is trained.
  package var settings: TrainingSettings {
    var settings = network.settings
    if let epochs { (settings.epochs, settings.fewestSteps) = (epochs, 0) }
    return settings
  }
}

/// A label and how many windows it has.
package struct LabelCount: Hashable, Sendable {
  /// The label.
  package let label: String
  /// The windows.
  package let windows: Int
}

/// Why nothing can be learned of recordings, or nobody can be tested.
package enum MotionTrainingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Fewer than two labels with enough windows; each label with how many it has.
  case tooFewLabels([LabelCount])
  /// Fewer than three labels, so that without one of them nothing is left to distinguish.
  case tooFewLabelsToLeaveOut([String])
  /// Fewer people than folds.
  case tooFewPeople(found: [String], needed: Int)
  /// Somebody is among those who are learned from and among those who are tested.
  case samePerson(String)
  /// Recordings without turning rates among others with them.
  case rotationRateMissing(source: String)
  /// No window of anybody who is tested counts.
  case nothingToTest
  /// Nobody who is tested has labelled windows both in so many first recordings and in later ones.
  case nothingBesideTuned(Int)
  /// A label that is the name of what is not known.
  case reservedLabel
  /// The same in another case.
  case reservedSpelling(String)
  /// More labels than a model has.
  case tooManyLabels(Int)

  /// What is wrong and what was expected.
  package var description: String {
    switch self {
    case .tooFewLabels(let labels):
      "expected at least two labels with \(TrainingPlan.fewestWindows) windows each, found "
        + (labels.isEmpty ? "no label" : labels.map { "\($0.label) with \($0.windows)" }.joined(separator: ", "))
    case .tooFewLabelsToLeaveOut(let labels):
      "expected at least three labels, one of which is left out in turn; found \(labels.joined(separator: ", "))"
    case .tooFewPeople(let found, let needed):
      "expected recordings of at least \(needed) people, so that nobody is learned from and tested; found "
        + "\(found.count)\(found.count == 1 ? ", \(found[0])" : "") (--person-from says whose a recording is)"
    case .samePerson(let name):
      "\(name) is among those who are learned from and those who are tested: expected different people "
        + "(--person-from says whose a recording is)"
    case .rotationRateMissing(let source):
      "\(source): no turning rates (gyroscope), which the other recordings have: expected all with them or all without"
    case .nothingToTest: "no window of the tested people has a label: expected labelled recordings"
    case .nothingBesideTuned(let count):
      "--tuned \(count): nobody who is tested has labelled windows in the first \(count == 1 ? "recording" : "\(count) recordings") "
        + "and in a later one: expected a smaller number, or more recordings"
    case .reservedLabel: "\(Self.reservedSpelling(MotionModel.unknownLabel))"
    case .reservedSpelling(let label):
      "\(label): so is reported what is not known: expected another name of that activity, such as by --merge other=\(label)"
    case .tooManyLabels(let count):
      "\(count) labels: expected at most \(MotionModel.mostLabels), such as by --merge"
    }
  }
}

/// The windows of a corpus that can be learned and tested.
package struct LabelledWindows: Sendable {
  /// The recordings.
  package let corpus: MotionCorpus
  /// The names of the labels that have enough windows, by the numbers that windows have here.
  package let labels: [String]
  /// The windows, in order.
  package let windows: [MotionWindow]
  /// The labels that were left out, with how many windows they have.
  package let leftOut: [(label: String, windows: Int)]

  /// Cuts a corpus into windows.
  ///
  /// - Throws: `MotionTrainingProblem` when there are fewer than two labels to distinguish or too many, or one that has another meaning, or
  ///   only some recordings have turning rates where the features need them.
  package init(_ corpus: MotionCorpus, _ shape: WindowShape, _ features: FeatureSet) throws(MotionTrainingProblem) {
    if features.usesRotationRate, let without = corpus.recordings.first(where: { !$0.hasRotationRate }),
      corpus.recordings.contains(where: \.hasRotationRate)
    {
      throw .rotationRateMissing(source: without.source)
    }
    let all = corpus.windows(shape)
    var counts = [Int](repeating: 0, count: corpus.labels.count)
    for window in all { counts[window.label] += 1 }
    let kept = counts.indices.filter { counts[$0] >= TrainingPlan.fewestWindows }
    guard kept.count > 1 else {
      throw .tooFewLabels(counts.indices.map { LabelCount(label: corpus.labels[$0], windows: counts[$0]) })
    }
    guard kept.count <= MotionModel.mostLabels else { throw .tooManyLabels(kept.count) }
    if let label = kept.map({ corpus.labels[$0] }).first(where: ActivityLabel.meansUnknown) {
      throw label == MotionModel.unknownLabel ? .reservedLabel : .reservedSpelling(label)
    }
    var numbers = [Int?](repeating: nil, count: counts.count)
    for (number, label) in kept.enumerated() { numbers[label] = number }
    self.corpus = corpus
    labels = kept.map { corpus.labels[$0] }
    leftOut = counts.indices.filter { numbers[$0] == nil }.map { (corpus.labels[$0], counts[$0]) }
    windows = all.compactMap { window in
      numbers[window.label].map {
        MotionWindow(recording: window.recording, start: window.start, label: $0, person: window.person)
      }
    }
  }

  /// The labels that differ by nothing but case, those of one spelling together.
  package var labelsOfOneSpelling: [[String]] {
    var spellings: [String: [String]] = [:]
    for label in labels { spellings[label.lowercased(), default: []].append(label) }
    return spellings.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// The windows that are learned where there are more than ``TrainingPlan/mostWindows``: every second, third, …
  package var learned: [MotionWindow] {
    let step = (windows.count + TrainingPlan.mostWindows - 1) / TrainingPlan.mostWindows
    return step < 2 ? windows : stride(from: 0, to: windows.count, by: step).map { windows[$0] }
  }
}
