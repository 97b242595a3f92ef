package import TextFormats

/// How well an activity is recognised as unknown of which nothing was learned: each label is left out in turn.
///
/// Nobody is learned and tested, as in ``MotionEvaluation``. The limits by which windows of a group of people are judged are those
/// that refuse ``UnknownLimits/refusedPart`` of the known windows of all other groups each, label by label.
package struct UnknownEvaluation: Hashable, Sendable {
  /// The label that was left out.
  package let label: String
  /// How many windows of it were tested.
  package let windows: Int
  /// How many windows of the other labels were tested.
  package let knownWindows: Int
  /// The probability that a window of the label has a lower largest probability than one of a known activity.
  package let probabilityAUROC: Double
  /// The probability that a window of the label is farther from all known activities than one of a known activity.
  package let distanceAUROC: Double
  /// The part of the label's windows that the limits take for unknown.
  package let found: Double
  /// The part of known windows that the limits take for unknown although they are not.
  package let refused: Double

  /// What is measured of a tested window.
  private struct Score {
    let group: Int
    let isKnown: Bool
    /// The label that it was taken for.
    let guess: Int
    let probability: Float
    let distance: Float
  }

  /// Leaves out each label in turn; for each every group of people is tested by one network that learned from the others.
  ///
  /// - Throws: `MotionTrainingProblem` when somebody would be in both halves, or there are fewer than three labels or two groups.
  package static func run(
    _ data: LabelledWindows, groups: [[Int]], _ plan: TrainingPlan,
    progress: @escaping @Sendable (WorkProgress) -> Void
  ) throws(MotionTrainingProblem) -> [UnknownEvaluation] {
    guard data.labels.count > 2 else { throw .tooFewLabelsToLeaveOut(data.labels) }
    guard groups.count > 1 else { throw .tooFewPeople(found: data.corpus.people, needed: 2) }
    let learned = data.learned
    let table = FeatureTable(
      data.corpus, learned, plan.network.features, plan.shape, copies: plan.network.copies, seed: plan.seed,
      threads: plan.threads)
    let counter = EpochCounter(total: data.labels.count * groups.count * plan.settings.epochs, progress)
    // One network a label and group, so that threads take whole networks.
    let scores = OrderedWork.map(data.labels.count * groups.count, threads: plan.threads) { piece in
      let (label, group) = (piece / groups.count, piece % groups.count)
      return Self.scores(without: label, group, Set(groups[group]), table, learned: learned.count, data, plan, counter)
    }
    return data.labels.indices.map { label in
      UnknownEvaluation(
        data.labels[label], scores[label * groups.count..<(label + 1) * groups.count].flatMap(\.self),
        groups: groups.count, classes: data.labels.count)
    }
  }

  private static func scores(
    without label: Int, _ group: Int, _ tested: Set<Int>, _ table: FeatureTable, learned: Int, _ data: LabelledWindows,
    _ plan: TrainingPlan, _ counter: EpochCounter
  ) -> [Score] {
    let rows = (0..<table.count).filter { !tested.contains(table.persons[$0]) && table.labels[$0] != label }
    let ensemble = NetworkEnsemble.trained(
      table, rows: rows, classes: data.labels.count, plan.network, plan.settings, seed: plan.seed, threads: 1, seeds: 1
    ) { _ in counter.count() }
    let known = rows.filter { $0 < learned }
    let before = MotionTrainer.answers(ensemble, table, rows: known)
    let limits = UnknownLimits(
      hidden: before.hidden, labels: known.map { table.labels[$0] }, classes: data.labels.count, without: label)
    let windows = (0..<learned).filter { tested.contains(table.persons[$0]) }
    let after = MotionTrainer.answers(ensemble, table, rows: windows)
    return windows.indices.map { place in
      Score(
        group: group, isKnown: table.labels[windows[place]] != label, guess: after.guesses[place],
        probability: after.best[place], distance: limits.distance(after.hidden[place]))
    }
  }

  private init(_ label: String, _ scores: [Score], groups: Int, classes: Int) {
    self.label = label
    let known = scores.filter(\.isKnown)
    windows = scores.count - known.count
    knownWindows = known.count
    probabilityAUROC = Self.areaUnderCurve(scores.map { (-$0.probability, $0.isKnown) })
    distanceAUROC = Self.areaUnderCurve(scores.map { ($0.distance, $0.isKnown) })
    var (found, refused) = (0, 0)
    for group in 0..<groups {
      let others = known.filter { $0.group != group }
      guard !others.isEmpty else { continue }
      var limits = UnknownLimits(refusingNothingOf: classes)
      limits.set(others.map { ($0.guess, $0.probability, $0.distance) })
      for score in scores
      where score.group == group && limits.isUnknown(score.guess, score.probability, distance: score.distance) {
        if score.isKnown { refused += 1 } else { found += 1 }
      }
    }
    self.found = windows > 0 ? Double(found) / Double(windows) : 0
    self.refused = known.isEmpty ? 0 : Double(refused) / Double(known.count)
  }

  /// The probability that what is unknown has the larger number of two that are drawn, one of each kind; a half where one kind is
  /// missing.
  ///
  /// Source: Mann & Whitney 1947; equal numbers count half.
  static func areaUnderCurve(_ scores: [(value: Float, isKnown: Bool)]) -> Double {
    let sorted = scores.sorted { $0.value < $1.value }
    var (known, pairs, start) = (0, 0.0, 0)
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].value == sorted[start].value { end += 1 }
      let equal = sorted[start..<end].count(where: \.isKnown)
      pairs += Double(end - start - equal) * (Double(known) + Double(equal) / 2)
      known += equal
      start = end
    }
    let unknown = sorted.count - known
    return known > 0 && unknown > 0 ? pairs / (Double(known) * Double(unknown)) : 0.5
  }
}
