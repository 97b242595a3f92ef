/// A trained model: everything that is needed to recognise, to be tuned, and to say where it came from.
package struct MotionModel: Hashable, Sendable {
  /// Which network it is.
  package let network: NetworkKind
  /// How recordings are cut.
  package let shape: WindowShape
  /// Whether it was trained with turning rates, and so needs them.
  package let usesRotationRate: Bool
  /// The names of the labels, in the order of the classes.
  package let labels: [String]
  /// The networks.
  package let ensemble: NetworkEnsemble
  /// When a window is of no known activity.
  package let unknown: UnknownLimits
  /// Some windows that were learned, for tuning.
  package let rehearsal: RehearsalRows
  /// How it was trained.
  package let origin: Origin

  /// How a model was trained.
  package struct Origin: Hashable, Sendable {
    /// The seed.
    package var seed: UInt64
    /// How often every row was learned.
    package var epochs: Int
    /// How many people were learned from.
    package var people: Int
    /// How many windows.
    package var windows: Int
    /// How many windows of the wearer it was tuned on.
    package var tunedWindows: Int
    /// How well it recognises the windows that it has learned.
    package var training: Figures
    /// How well networks trained like it do for people whom they have not learned; absent where only one person is there.
    package var heldOut: HeldOut?

    /// The largest of those numbers that a file has.
    static let largestCount = 1_000_000_000

    /// A way in which a model was trained.
    package init(
      seed: UInt64, epochs: Int, people: Int, windows: Int, tunedWindows: Int, training: Figures, heldOut: HeldOut?
    ) {
      self.seed = seed
      self.epochs = epochs
      self.people = people
      self.windows = windows
      self.tunedWindows = tunedWindows
      self.training = training
      self.heldOut = heldOut
    }
  }

  /// Two figures.
  package struct Figures: Hashable, Sendable {
    /// The mean of F1 over the labels.
    package var macroF1: Double
    /// The part of windows that were recognised.
    package var accuracy: Double

    init(_ counts: ConfusionCounts) { (macroF1, accuracy) = (counts.macroF1, counts.accuracy) }

    /// Two figures.
    package init(macroF1: Double, accuracy: Double) {
      self.macroF1 = macroF1
      self.accuracy = accuracy
    }
  }

  /// Figures of people who were left out of a training.
  package struct HeldOut: Hashable, Sendable {
    /// How many people.
    package var people: Int
    /// How many windows.
    package var windows: Int
    /// The figures.
    package var figures: Figures

    /// Figures of some people.
    package init(people: Int, windows: Int, figures: Figures) {
      self.people = people
      self.windows = windows
      self.figures = figures
    }
  }

  /// Joins the parts.
  ///
  /// - Precondition: classes and inputs are as many as labels and features.
  package init(
    network: NetworkKind, shape: WindowShape, usesRotationRate: Bool, labels: [String], ensemble: NetworkEnsemble,
    unknown: UnknownLimits, rehearsal: RehearsalRows, origin: Origin
  ) {
    precondition(ensemble.classes == labels.count, "every label has a class")
    precondition(ensemble.inputs == network.features.count(shape), "every feature goes in")
    self.network = network
    self.shape = shape
    self.usesRotationRate = usesRotationRate
    self.labels = labels
    self.ensemble = ensemble
    self.unknown = unknown
    self.rehearsal = rehearsal
    self.origin = origin
  }

  /// The name of what is not known.
  package static let unknownLabel = ActivityLabel.unknown
  /// How many labels a model has at most.
  package static let mostLabels = 1_000
}

/// Some windows that a model has learned, as rows of scaled features, each in bytes and a factor.
package struct RehearsalRows: Hashable, Sendable {
  /// How many rows of a label are kept at most.
  static let rowsPerLabel = 60

  /// The numbers of the labels.
  package let labels: [Int]
  /// What a byte of each row is worth.
  package let factors: [Float]
  /// The rows, one after another.
  package let values: [Int8]

  /// Rows.
  ///
  /// - Precondition: there are as many values as the rows need.
  package init(labels: [Int], factors: [Float], values: [Int8], width: Int) {
    precondition(labels.count == factors.count && values.count == labels.count * width, "every row is whole")
    self.labels = labels
    self.factors = factors
    self.values = values
  }

  /// Takes rows of a table, of each label evenly spread over those there are.
  init(of table: FeatureTable, rows: [Int], classes: Int, _ scale: FeatureScale) {
    var byLabel = [[Int]](repeating: [], count: classes)
    for row in rows { byLabel[table.labels[row]].append(row) }
    var (labels, factors, values): ([Int], [Float], [Int8]) = ([], [], [])
    for (label, own) in byLabel.enumerated() {
      let count = min(Self.rowsPerLabel, own.count)
      for place in 0..<count {
        let row = Array(table[own[place * own.count / count]])
        let scaled = row.indices.map { column in
          min(scale.limit, max(-scale.limit, (row[column] - scale.means[column]) / scale.spreads[column]))
        }
        let factor = max(scaled.reduce(0) { max($0, $1.magnitude) } / 127, 1e-9)
        labels.append(label)
        factors.append(factor)
        values += scaled.map { Int8(($0 / factor).rounded()) }
      }
    }
    self.init(labels: labels, factors: factors, values: values, width: table.width)
  }

  /// The rows as features again.
  func features(_ scale: FeatureScale) -> [Float] {
    let width = scale.means.count
    var features: [Float] = []
    features.reserveCapacity(values.count)
    for row in labels.indices {
      for column in 0..<width {
        features.append(
          Float(values[row * width + column]) * factors[row] * scale.spreads[column] + scale.means[column])
      }
    }
    return features
  }
}
