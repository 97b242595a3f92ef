/// A network that can be trained, with the settings that belong to it.
package enum NetworkKind: String, CaseIterable, Hashable, Sendable {
  /// 621 features, layers of 240 and 60, three seeds averaged, each with three changed copies of every window of its own.
  case standard
  /// 621 features, one layer of 64.
  case compact
  /// As published: 300 accelerations without their mean, one layer of 240, no copies.
  case swiftHAR = "swift-har"
  /// The published network with what its author wished for: the turning rates, 600 numbers.
  case swiftHARGyroscope = "swift-har-gyroscope"
  /// The published network with what its author wished for: 12 frequencies of each axis, 336 numbers.
  case swiftHARFrequencies = "swift-har-frequencies"
  /// The published network with both, 672 numbers.
  case swiftHARBoth = "swift-har-both"

  /// What the network is given.
  package var features: FeatureSet {
    switch self {
    case .standard, .compact: .motion
    case .swiftHAR: .rawAcceleration
    case .swiftHARGyroscope: .rawMotion
    case .swiftHARFrequencies: .rawAccelerationSpectrum
    case .swiftHARBoth: .rawMotionSpectrum
    }
  }

  /// How many units the layers between have.
  package var hiddenWidths: [Int] {
    switch self {
    case .standard: [240, 60]
    case .compact: [64]
    case .swiftHAR, .swiftHARGyroscope, .swiftHARFrequencies, .swiftHARBoth: [240]
    }
  }

  /// How many networks are trained from different seeds and averaged.
  package var seeds: Int { self == .standard ? 3 : 1 }

  /// How many changed copies of each window a network learns too, other ones than those of the other seeds.
  ///
  /// Source: Breiman 1996, *Bagging predictors*: what is averaged errs less the less it errs alike.
  package var copies: Int { self == .standard ? 3 : 0 }

  /// How it is trained.
  package var settings: TrainingSettings {
    switch self {
    case .standard: TrainingSettings(epochs: 10)
    case .compact: TrainingSettings(epochs: 30)
    case .swiftHAR, .swiftHARGyroscope, .swiftHARFrequencies, .swiftHARBoth: .published
    }
  }
}

/// How a network is trained.
package struct TrainingSettings: Hashable, Sendable {
  /// How often every row is learned at most.
  package var epochs: Int
  /// The largest step of a weight.
  package var learningRate: Double
  /// What a weight loses of itself at each step, as a part of the rate.
  package var weightDecay: Double
  /// The probability of a unit being left out of a step.
  package var dropout: Double
  /// The shape of the beta distribution by which two rows are mixed; 0 for none.
  package var mixup: Double
  /// How many rows a step has.
  package var batch: Int
  /// Whether the rate falls to 0 along a cosine, after a rise over ``warmUpSteps``.
  package var fallsToZero: Bool
  /// The mean error (cross-entropy) of an epoch at which training ends; 0 for never.
  package var errorThreshold: Double

  /// Over how many steps the rate rises; over a tenth of all where that is less.
  package var warmUpSteps = 100
  /// How many steps there are at least: of few rows every row is learned more often.
  package var fewestSteps = 400
  /// Into how many batches an epoch falls at least, down to batches of ``smallestBatch``.
  package static let fewestBatches = 10
  /// The smallest batch that few rows lead to.
  package static let smallestBatch = 8

  /// The settings for so many rows.
  package func adapted(rows: Int) -> TrainingSettings {
    var settings = self
    settings.batch = min(batch, max(Self.smallestBatch, rows / Self.fewestBatches))
    let steps = max(1, (rows + settings.batch - 1) / settings.batch)
    settings.epochs = max(epochs, (fewestSteps + steps - 1) / steps)
    settings.warmUpSteps = min(warmUpSteps, max(1, settings.epochs * steps / 10))
    return settings
  }

  /// What served best in measurements by person.
  ///
  /// Sources: Loshchilov & Hutter 2019, arXiv 1711.05101 (AdamW); the same 2017, arXiv 1608.03983 (cosine rate); Srivastava et
  /// al. 2014 (dropout); Zhang et al. 2018, arXiv 1710.09412 (mixup).
  package init(epochs: Int) {
    self.epochs = epochs
    learningRate = 2e-3
    weightDecay = 1e-2
    dropout = 0.3
    mixup = 0.2
    batch = 64
    fallsToZero = true
    errorThreshold = 0
  }

  /// The published network's: at most 30 epochs, an error of 0.05 ends it. How it steps was not published; here by Adam.
  package static let published: TrainingSettings = {
    var settings = TrainingSettings(epochs: 30)
    settings.learningRate = 1e-3
    settings.weightDecay = 0
    settings.dropout = 0
    settings.mixup = 0
    settings.batch = 200
    settings.fallsToZero = false
    settings.errorThreshold = 0.05
    settings.fewestSteps = 0
    return settings
  }()
}
