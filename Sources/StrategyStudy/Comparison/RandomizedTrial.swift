package import WorkoutSession

/// What the arms of a study did to the outcomes of the sessions for which they were drawn, weighted by the inverse of the
/// probability that each draw had.
///
/// The mean of an arm is Σ(outcome ÷ probability) ÷ Σ(1 ÷ probability) over its sessions, which counts every session of
/// every person the same. The intervals are percentiles of a bootstrap over persons, whose sessions stay together.
///
/// Source: Hájek 1971, in *Foundations of statistical inference*, the ratio estimator; for micro-randomised trials Boruvka,
/// Almirall, Witkiewitz & Murphy 2018, J. Am. Stat. Assoc. 113:1112–1121, 10.1080/01621459.2017.1305274.
package struct RandomizedTrial: Sendable {
  /// A number with how sure it is.
  package struct Estimate: Hashable, Sendable {
    /// The number.
    package let value: Double
    /// Its interval; absent with one person, and where a draw of persons can leave out an arm.
    package let confidence: ConfidenceInterval?
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
  }

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

  /// What of each person adds up to the means of the arms: of each outcome and arm the weights, and the weighted outcomes.
  private struct Sums {
    var weight: [Double]
    var weighted: [Double]
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
    let pairs = (0..<armCount).flatMap { a in (0..<armCount).dropFirst(a + 1).map { (a: a, b: $0) } }
    // The means of every outcome and arm, then the differences of every outcome and pair.
    func statistics(_ drawn: [Int]) -> [Double?] {
      var weight = [Double](repeating: 0, count: outcomes.count * armCount)
      var weighted = weight
      for person in drawn {
        for place in weight.indices {
          weight[place] += sums[person].weight[place]
          weighted[place] += sums[person].weighted[place]
        }
      }
      let means = weight.indices.map { weight[$0] > 0 ? weighted[$0] / weight[$0] : nil }
      let differences = outcomes.indices.flatMap { outcome in
        pairs.map { pair -> Double? in
          guard let a = means[outcome * armCount + pair.a], let b = means[outcome * armCount + pair.b] else {
            return nil
          }
          return a - b
        }
      }
      return means + differences
    }
    let values = statistics(Array(people.indices))
    let intervals = Bootstrap.intervals(of: people.count, seed: Comparison.seed, statistics)
    func estimate(_ place: Int) -> Estimate? {
      values[place].map { Estimate(value: $0, confidence: intervals?[place]) }
    }
    arms = (0..<armCount).map { arm in
      let own = counted.filter { $0.randomization.arm == arm }
      return Arm(
        sessions: own.count, people: Set(own.map(\.person)).count,
        means: outcomes.indices.map { estimate($0 * armCount + arm) })
    }
    contrasts = outcomes.enumerated().flatMap { index, outcome in
      pairs.enumerated().compactMap { place, pair in
        estimate(outcomes.count * armCount + index * pairs.count + place)
          .map { Contrast(a: pair.a, b: pair.b, outcome: outcome, difference: $0) }
      }
    }
  }

  private static func sums(_ sessions: [RandomizedSession], _ armCount: Int) -> Sums {
    let count = RandomizedOutcome.allCases.count * armCount
    var sums = Sums(weight: Array(repeating: 0, count: count), weighted: Array(repeating: 0, count: count))
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

/// The sessions of a comparison whose strategies were drawn, and what each study says of its arms.
package struct RandomizedTrials: Sendable {
  /// What an estimate takes for granted, so that nobody takes it for more.
  package static let needed =
    "weighted by the inverse of the recorded probabilities, over live sessions alone; the intervals are over persons, and "
    + "with fewer than some 20 of them too narrow; a session is taken to leave nothing behind for the next one, and every "
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
