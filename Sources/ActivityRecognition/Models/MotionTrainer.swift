package import TextFormats

/// Trains models.
package enum MotionTrainer {
  /// Trains a model on all windows of a corpus, after a smaller training without the last fifth of the people, by which it is said
  /// how it does with people whom it has not learned, and where unknown begins.
  package static func train(
    _ data: LabelledWindows, _ plan: TrainingPlan, progress: @escaping @Sendable (WorkProgress) -> Void
  ) -> MotionModel {
    let (kind, classes) = (plan.network, data.labels.count)
    let learned = data.learned
    let table = FeatureTable(
      data.corpus, learned, kind.features, plan.shape, copies: kind.copies, networks: kind.seeds, seed: plan.seed,
      threads: plan.threads)
    let people = data.corpus.people.count
    let heldPeople = people > 1 ? Set(PeopleFolds.runs(people: people, folds: min(5, people))[min(5, people) - 1]) : []
    let counter = EpochCounter(total: (kind.seeds + (heldPeople.isEmpty ? 0 : 1)) * plan.settings.epochs, progress)
    func networks(_ rows: [Int], seeds: Int) -> NetworkEnsemble {
      NetworkEnsemble.trained(
        table, rows: rows, classes: classes, kind, plan.settings, seed: plan.seed, threads: plan.threads, seeds: seeds
      ) { _ in counter.count() }
    }
    let originals = Array(0..<learned.count)
    let ensemble = networks(Array(0..<table.count), seeds: kind.seeds)
    let own = answers(ensemble, table, rows: originals)
    var unknown = UnknownLimits(hidden: own.hidden, labels: originals.map { table.labels[$0] }, classes: classes)
    var heldOut: MotionModel.HeldOut?
    let known = originals.filter { !heldPeople.contains(table.persons[$0]) }
    let tested = originals.filter { heldPeople.contains(table.persons[$0]) }
    if !known.isEmpty, !tested.isEmpty {
      let others = networks((0..<table.count).filter { !heldPeople.contains(table.persons[$0]) }, seeds: 1)
      let before = answers(others, table, rows: known)
      let after = answers(others, table, rows: tested)
      let limits = UnknownLimits(hidden: before.hidden, labels: known.map { table.labels[$0] }, classes: classes)
      unknown.set(after.measured(limits))
      heldOut = MotionModel.HeldOut(people: heldPeople.count, windows: tested.count, figures: .init(after.counts))
    } else {
      unknown.set(own.measured(unknown))
    }
    return MotionModel(
      network: kind, shape: plan.shape, usesRotationRate: kind.features.usesRotationRate && data.corpus.hasRotationRate,
      labels: data.labels, ensemble: ensemble, unknown: unknown,
      rehearsal: RehearsalRows(of: table, rows: originals, classes: classes, ensemble.scale),
      origin: MotionModel.Origin(
        seed: plan.seed, epochs: plan.settings.adapted(rows: learned.count * (kind.copies + 1)).epochs, people: people,
        windows: learned.count, tunedWindows: 0,
        training: .init(own.counts), heldOut: heldOut))
  }

  /// What networks make of rows of a table.
  struct Answers {
    var counts: ConfusionCounts
    /// The most probable label of each row, and how probable it is.
    var guesses: [Int] = []
    var best: [Float] = []
    var hidden: [[Float]] = []

    /// What limits of unknown look at.
    func measured(_ limits: UnknownLimits) -> [(label: Int, probability: Float, distance: Float)] {
      guesses.indices.map { (guesses[$0], best[$0], limits.distance(hidden[$0])) }
    }
  }

  static func answers(_ ensemble: NetworkEnsemble, _ table: FeatureTable, rows: [Int]) -> Answers {
    var answers = Answers(counts: ConfusionCounts(labels: ensemble.classes))
    let runner = EnsembleRunner(ensemble)
    for start in stride(from: 0, to: rows.count, by: EnsembleRunner.rowsAtOnce) {
      let part = rows[start..<min(rows.count, start + EnsembleRunner.rowsAtOnce)]
      let features = part.flatMap { table[$0] }
      var next = part.startIndex
      runner.run(features[...]) { probabilities, hidden in
        let guess = probabilities.indexOfLargest
        answers.counts.add(table.labels[part[next]], taken: guess)
        answers.guesses.append(guess)
        answers.best.append(probabilities[guess])
        answers.hidden.append(hidden)
        next += 1
      }
    }
    return answers
  }
}
