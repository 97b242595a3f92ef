package import WorkoutSession

/// What the arms of a study did to the outcomes of the sessions for which they were drawn, weighted by the inverse of the
/// probability that each draw had.
///
/// The mean of an arm is Σ(outcome ÷ probability) ÷ Σ(1 ÷ probability) over its sessions, which counts every session of
/// every person the same. Its error is the jackknife's over persons, whose sessions stay together, with Student's t of one
/// degree of freedom less than the arm with the fewest persons has.
///
/// Source: Hájek 1971, in *Foundations of statistical inference*, the ratio estimator; for micro-randomised trials Boruvka,
/// Almirall, Witkiewitz & Murphy 2018, J. Am. Stat. Assoc. 113:1112–1121, 10.1080/01621459.2017.1305274; Efron & Tibshirani
/// 1993, *An introduction to the bootstrap*, equation 11.5, the jackknife's error.
package struct RandomizedTrial: Sendable {
  /// A number with how sure it is.
  package struct Estimate: Hashable, Sendable {
    /// The number.
    package let value: Double
    /// Its interval; absent where an arm has too few persons, see ``PeopleInterval``.
    package let confidence: ConfidenceInterval?
    /// The probability of a value at least so far from zero if the true one is zero; absent without an interval.
    package let probability: Double?
    /// How many persons have a session by an arm of it.
    package let people: Int
  }

  /// What came of an arm.
  package struct Arm: Hashable, Sendable {
    /// How many sessions and persons count.
    package let sessions, people: Int
    /// The mean of each outcome, in the order of the outcomes; absent without a session.
    package let means: [Estimate?]
  }

  /// How two arms differ, `a` less `b`, by their places.
  package struct Contrast: Hashable, Sendable {
    /// The arms.
    package let a, b: Int
    /// In what they differ.
    package let outcome: RandomizedOutcome
    /// By how much.
    package let difference: Estimate
    /// Its probability, adjusted by Holm for all contrasts of the study in this outcome.
    package fileprivate(set) var adjustedProbability: Double?
  }

  /// What records call the method of the intervals.
  package static let intervalMethod = "jackknife-t"

  /// What was drawn from.
  package let design: RandomizedDesign
  /// How many sessions count, and of how many persons.
  package let sessions, people: Int
  /// Sessions that were imported, whose cues nobody heard.
  package let imported: Int
  /// Sessions without a target or a heart rate.
  package let withoutOutcome: Int
  /// The arms, in the order of the study.
  package let arms: [Arm]
  /// Every pair of arms that both have a session.
  package let contrasts: [Contrast]

  /// How many intervals there are.
  package var intervalCount: Int {
    (arms.flatMap(\.means).compactMap { $0 } + contrasts.map(\.difference)).count { $0.confidence != nil }
  }

  /// What of each person adds up to the means of the arms: of each outcome and arm the weights, and the weighted outcomes.
  private struct Sums {
    var weight: [Double]
    var weighted: [Double]

    init(count: Int) {
      weight = Array(repeating: 0, count: count)
      weighted = weight
    }

    func mean(at place: Int) -> Double? {
      // What is left of a sum without its only part is no weight.
      weight[place] > 1e-9 ? weighted[place] / weight[place] : nil
    }

    static func + (left: Sums, right: Sums) -> Sums { left.combined(right, +) }
    static func - (left: Sums, right: Sums) -> Sums { left.combined(right, -) }

    private func combined(_ other: Sums, _ combine: (Double, Double) -> Double) -> Sums {
      var result = self
      for place in weight.indices {
        result.weight[place] = combine(weight[place], other.weight[place])
        result.weighted[place] = combine(weighted[place], other.weighted[place])
      }
      return result
    }
  }

  /// Estimates from sessions that were drawn from one design.
  init(_ design: RandomizedDesign, _ all: [RandomizedSession]) {
    self.design = design
    let heard = all.filter { $0.randomization.loop == .closed }
    let counted = heard.filter { RandomizedOutcome.compliance.value(of: $0) != nil }
    imported = all.count - heard.count
    withoutOutcome = heard.count - counted.count
    sessions = counted.count
    let byPerson = Dictionary(grouping: counted, by: \.person)
    let people = byPerson.keys.sorted().map { byPerson[$0] ?? [] }
    self.people = people.count
    let armCount = design.arms.count
    let outcomes = RandomizedOutcome.allCases
    let sums = people.map { Self.sums($0, armCount) }
    let total = sums.reduce(Sums(count: outcomes.count * armCount), +)
    /// The mean of an arm, or the difference of two, with the interval of the persons who have a session by one of them.
    func estimate(_ outcome: Int, _ arms: [Int]) -> Estimate? {
      let places = arms.map { outcome * armCount + $0 }
      func value(_ sums: Sums) -> Double? {
        let means = places.compactMap { sums.mean(at: $0) }
        guard means.count == places.count else { return nil }
        return means.count == 1 ? means[0] : means[0] - means[1]
      }
      guard let whole = value(total) else { return nil }
      let taking = sums.filter { person in places.contains { person.weight[$0] > 0 } }
      let fewest = places.map { place in taking.count { $0.weight[place] > 0 } }.min() ?? 0
      var error: Double?
      if fewest >= PeopleInterval.fewestPeople {
        let without = taking.compactMap { value(total - $0) }
        if without.count == taking.count { error = Self.jackknifeError(without) }
      }
      return Estimate(whole, error: error, degreesOfFreedom: fewest - 1, people: taking.count)
    }
    arms = (0..<armCount).map { arm in
      let own = counted.filter { $0.randomization.arm == arm }
      return Arm(
        sessions: own.count, people: Set(own.map(\.person)).count,
        means: outcomes.indices.map { estimate($0, [arm]) })
    }
    let pairs = (0..<armCount).flatMap { a in (0..<armCount).dropFirst(a + 1).map { (a: a, b: $0) } }
    contrasts = outcomes.enumerated().flatMap { index, outcome in
      var contrasts = pairs.compactMap { pair in
        estimate(index, [pair.a, pair.b]).map { Contrast(a: pair.a, b: pair.b, outcome: outcome, difference: $0) }
      }
      let adjusted = HolmAdjustment.adjusted(contrasts.map(\.difference.probability))
      for (place, probability) in adjusted.enumerated() { contrasts[place].adjustedProbability = probability }
      return contrasts
    }
  }

  /// The error of a number by its values without each of the units in turn.
  private static func jackknifeError(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((count - 1) / count * squares).squareRoot()
  }

  private static func sums(_ sessions: [RandomizedSession], _ armCount: Int) -> Sums {
    var sums = Sums(count: RandomizedOutcome.allCases.count * armCount)
    for session in sessions {
      let weight = 1 / session.randomization.drawnArm.probability
      for (index, outcome) in RandomizedOutcome.allCases.enumerated() {
        guard let value = outcome.value(of: session) else { continue }
        let place = index * armCount + session.randomization.arm
        sums.weight[place] += weight
        sums.weighted[place] += weight * value
      }
    }
    return sums
  }
}

extension RandomizedTrial.Estimate {
  /// A number with its error; without an error there is no interval.
  fileprivate init(_ value: Double, error: Double?, degreesOfFreedom: Int, people: Int) {
    self.value = value
    self.people = people
    guard let error, degreesOfFreedom > 0 else {
      (confidence, probability) = (nil, nil)
      return
    }
    let student = StudentT(degreesOfFreedom: Double(degreesOfFreedom))
    let half = student.twoSidedQuantile(PeopleInterval.alpha) * error
    confidence = ConfidenceInterval(lower: value - half, upper: value + half)
    probability = error > 0 ? student.twoSidedProbability(value / error) : value == 0 ? 1 : nil
  }
}

/// The sessions of a comparison whose strategies were drawn, and what each study says of its arms.
package struct RandomizedTrials: Sendable {
  /// What an estimate takes for granted, so that nobody takes it for more.
  package static let needed =
    "weighted by the inverse of the recorded probabilities, over live sessions alone; the intervals are over persons, by the "
    + "jackknife and Student's t; a session is taken to leave nothing behind for the next one, and every "
    + "session that was drawn has to be among those compared, whatever came of it"

  /// The sessions, by person and in the order of the draws.
  package let sessions: [RandomizedSession]
  /// The studies, each file and course for itself.
  package let trials: [RandomizedTrial]

  /// Gathers sessions, whose order does not matter; `nil` without any.
  init?(_ sessions: [RandomizedSession]) {
    guard !sessions.isEmpty else { return nil }
    self.sessions = sessions.sorted(by: RandomizedSession.comesBefore)
    let byDesign = Dictionary(grouping: self.sessions, by: \.randomization.design)
    trials = byDesign.map { RandomizedTrial($0.key, $0.value) }.sorted { left, right in
      let (a, b) = (left.design, right.design)
      return [a.study, a.course, a.studyHash].lexicographicallyPrecedes([b.study, b.course, b.studyHash])
    }
  }
}
