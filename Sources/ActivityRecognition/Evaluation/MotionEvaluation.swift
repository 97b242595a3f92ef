package import TextFormats

/// How well a network recognises activities of people of whom it has learned nothing.
package struct MotionEvaluation: Sendable {
  /// The plan that was tested.
  package let plan: TrainingPlan
  /// The names of the labels.
  package let labels: [String]
  /// The tested people.
  package let people: [String]
  /// How many times was trained.
  package let folds: Int
  /// What each person's windows were taken for, in the order of the people.
  package let byPerson: [ConfusionCounts]
  /// The mean time of a training, features not counted.
  package let secondsToTrain: Double
  /// The mean time of a window: features and network, on one thread.
  package let microsecondsPerWindow: Double
  /// The mean time of tuning on somebody's own recordings, features counted; absent where nobody was tuned on.
  package let secondsToTune: Double?
  /// The labels that were tested and of which nothing was learned, so that they could not be recognised.
  package var unlearnedLabels: [String] = []

  /// How many times people are drawn with replacement for the interval.
  package static let draws = 2_000

  /// Everybody's windows together.
  package var confusion: ConfusionCounts { byPerson.reduce(into: ConfusionCounts(labels: labels.count)) { $0 += $1 } }

  /// The person whose activities are recognised worst, the first of equals.
  package var worstPerson: (name: String, macroF1: Double)? {
    zip(people, byPerson).filter { $0.1.total > 0 }.map { ($0, $1.macroF1) }.min { $0.1 < $1.1 }
  }

  /// Those of ``people`` of whom no window was tested.
  package var untested: [String] { zip(people, byPerson).filter { $0.1.total == 0 }.map(\.0) }

  /// How many windows of how many people were recognised, in words.
  package var extent: String {
    "\(confusion.total) windows of \(Self.people(people.count - untested.count))"
  }

  /// So many people in words: `one person`, `2 people`.
  package static func people(_ count: Int) -> String { count == 1 ? "one person" : "\(count) people" }

  /// What macro-F1 would be of other people: the 2.5 % and the 97.5 % quantile over draws of people with replacement; absent where
  /// fewer than two were tested, because one says nothing about others.
  ///
  /// Source: Efron & Tibshirani 1993, *An Introduction to the Bootstrap*, 13.3 (percentile interval).
  package var confidence95: ClosedRange<Double>? {
    let tested = byPerson.filter { $0.total > 0 }
    guard tested.count > 1 else { return nil }
    var random = SeededRandom(seed: 0, 5)
    let values = (0..<Self.draws).map { _ in
      var sum = ConfusionCounts(labels: labels.count)
      for _ in tested { sum += tested[random.below(tested.count)] }
      return sum.macroF1
    }.sorted()
    func quantile(_ part: Double) -> Double {
      let place = part * Double(values.count - 1)
      let low = Int(place)
      return values[low] + (values[min(low + 1, values.count - 1)] - values[low]) * (place - Double(low))
    }
    return quantile(0.025)...quantile(0.975)
  }

  /// Tests groups of people, each with networks that have learned from all others.
  ///
  /// - Parameters:
  ///   - groups: the numbers of the people that are tested together.
  ///   - tunedRecordings: how many first recordings of everybody who is tested are tuned on; their others are tested then.
  /// - Throws: `MotionTrainingProblem` when somebody would be in both halves, or nobody in one.
  package static func run(
    _ data: LabelledWindows, groups: [[Int]], _ plan: TrainingPlan, tunedRecordings: Int? = nil,
    progress: @escaping @Sendable (WorkProgress) -> Void
  ) throws(MotionTrainingProblem) -> MotionEvaluation {
    let learned = data.learned
    let table = FeatureTable(
      data.corpus, learned, plan.network.features, plan.shape, copies: plan.network.copies,
      networks: plan.network.seeds, seed: plan.seed, threads: plan.threads)
    var counts = data.corpus.people.map { _ in ConfusionCounts(labels: data.labels.count) }
    var (trainingSeconds, testingSeconds, tuningSeconds, tested) = (0.0, 0.0, 0.0, 0)
    var unlearned: Set<Int> = []
    let counter = EpochCounter(total: groups.count * plan.network.seeds * plan.settings.epochs, progress)
    for group in groups {
      let isTested = Set(group)
      let rows = (0..<table.count).filter { !isTested.contains(table.persons[$0]) }
      let windows = data.windows.filter { isTested.contains($0.person) }
      guard !rows.isEmpty else { throw .tooFewPeople(found: data.corpus.people, needed: 2) }
      // Who is tuned is taught their own labels.
      if tunedRecordings == nil {
        unlearned.formUnion(Set(windows.map(\.label)).subtracting(rows.map { Int(table.labels[$0]) }))
      }
      let begin = MonotonicClock.now
      let ensemble = NetworkEnsemble.trained(
        table, rows: rows, classes: data.labels.count, plan.network, plan.settings, seed: plan.seed,
        threads: plan.threads
      ) { _ in counter.count() }
      trainingSeconds += Double(MonotonicClock.now - begin) / 1e9
      let originals = rows.filter { $0 < learned.count }
      for part in parts(of: group, windows, data, plan, ensemble, table, originals, tunedRecordings) {
        let begin = MonotonicClock.now
        test(part.ensemble, data.corpus, part.windows, plan, &counts)
        testingSeconds += Double(MonotonicClock.now - begin) / 1e9
        tuningSeconds += part.seconds
        tested += part.windows.count
      }
    }
    guard tested > 0 else { throw tunedRecordings.map { .nothingBesideTuned($0) } ?? .nothingToTest }
    let people = groups.flatMap(\.self).sorted()
    return MotionEvaluation(
      plan: plan, labels: data.labels, people: people.map { data.corpus.people[$0] }, folds: groups.count,
      byPerson: people.map { counts[$0] }, secondsToTrain: trainingSeconds / Double(groups.count),
      microsecondsPerWindow: testingSeconds / Double(tested) * 1e6,
      secondsToTune: tunedRecordings.map { _ in tuningSeconds / Double(people.count) },
      unlearnedLabels: unlearned.sorted().map { data.labels[$0] })
  }

  /// What is tested by which networks.
  private struct Part {
    let ensemble: NetworkEnsemble
    let windows: [MotionWindow]
    let seconds: Double
  }

  /// The windows of people who are tested together, by the same networks or, tuned, each by networks of their own.
  private static func parts(
    of group: [Int], _ windows: [MotionWindow], _ data: LabelledWindows, _ plan: TrainingPlan,
    _ ensemble: NetworkEnsemble, _ table: FeatureTable, _ originals: [Int], _ tunedRecordings: Int?
  ) -> [Part] {
    guard let tunedRecordings else { return [Part(ensemble: ensemble, windows: windows, seconds: 0)] }
    let rehearsal = RehearsalRows(of: table, rows: originals, classes: data.labels.count, ensemble.scale)
    return group.compactMap { person in
      let isOwn = data.corpus.firstRecordings(tunedRecordings, of: person)
      let mine = windows.filter { $0.person == person }
      let own = mine.filter { isOwn.contains($0.recording) }
      guard !own.isEmpty else { return nil }
      let begin = MonotonicClock.now
      let features = FeatureTable(
        data.corpus, own, plan.network.features, plan.shape, threads: plan.threads)
      let tuned = MotionTuning.tuned(
        ensemble, plan.network, own: features, rehearsal: rehearsal, seed: plan.seed, threads: plan.threads)
      return Part(
        ensemble: tuned, windows: mine.filter { !isOwn.contains($0.recording) },
        seconds: Double(MonotonicClock.now - begin) / 1e9)
    }
  }

  /// Counts what windows are taken for, a thousand at a time.
  static func test(
    _ ensemble: NetworkEnsemble, _ corpus: MotionCorpus, _ windows: [MotionWindow], _ plan: TrainingPlan,
    _ counts: inout [ConfusionCounts]
  ) {
    let extractor = FeatureExtractor(plan.network.features, plan.shape)
    let runner = EnsembleRunner(ensemble)
    var features: [Float] = []
    for start in stride(from: 0, to: windows.count, by: 1024) {
      let part = windows[start..<min(windows.count, start + 1024)]
      features.removeAll(keepingCapacity: true)
      for window in part { extractor.append(corpus.recordings[window.recording], at: window.start, to: &features) }
      var next = part.startIndex
      runner.run(features[...]) { probabilities, _ in
        counts[part[next].person].add(part[next].label, taken: probabilities.indexOfLargest)
        next += 1
      }
    }
  }
}

extension MotionCorpus {
  /// The places of all stretches of the first recordings of a person. What lies before and behind a gap is of one recording, a trial
  /// that a file names is one of its own.
  func firstRecordings(_ count: Int, of person: Int) -> Set<Int> {
    var names: [[String]: Int] = [:]
    return Set(
      recordings.indices.filter { place in
        guard persons[place] == person else { return false }
        let name = [recordings[place].source, recordings[place].trial]
        let number = names[name] ?? names.count
        names[name] = number
        return number < count
      })
  }
}
