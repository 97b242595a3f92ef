package import WorkoutSession
package import ZoneEngine

/// Strategies side by side on recordings: what each would have said, never what it would have done.
package struct Comparison: Sendable {
  /// The metrics that a replay cannot show.
  package static let refused = ["timeInTarget", "rmse", "overshoot", "secondsToTarget"]
  /// Why it cannot.
  package static let why =
    "a recorded heart rate does not answer cues, so these are the same for every strategy; coach study compares them "
    + "on runners that respond"
  /// A strategy over all recordings and over those of each person.
  package struct Row: Sendable {
    /// The strategy.
    package let strategy: FeedbackStrategy
    /// Over all recordings.
    package let overall: StrategyTally
    /// Of each person, in the order of ``Comparison/people``.
    package let perPerson: [StrategyTally]
  }

  /// The difference of two strategies in a metric, one of each person, `a` less `b`.
  package struct Contrast: Hashable, Sendable {
    /// The places of the two among the strategies.
    package let a, b: Int
    /// What is compared.
    package let metric: ComparisonMetric
    /// The mean of the differences, and how sure it is.
    package let difference: PersonMean
    /// The probability of such a difference if there is none, adjusted by Holm for all contrasts of the comparison; absent
    /// where ``PersonMean/probability`` is.
    package fileprivate(set) var adjustedProbability: Double?
  }

  /// A mean over persons, of whom each counts the same.
  package struct PersonMean: Hashable, Sendable {
    /// The mean.
    package let mean: Double
    /// The interval by ``PeopleInterval``; absent with too few persons to say how persons differ.
    package let confidence: ConfidenceInterval?
    /// The probability of a mean at least so far from zero if the true one is zero; absent with too few persons, and where
    /// all persons have the same value, unless that is zero.
    package let probability: Double?
    /// How many persons have a value.
    package let count: Int

    /// The mean of values of one a person; `nil` without any.
    package init?(_ values: [Double]) {
      guard let moments = SampleMoments(values) else { return nil }
      (mean, count) = (moments.mean, moments.count)
      let isEnough = count >= PeopleInterval.fewestPeople
      confidence = isEnough ? moments.confidence95 : nil
      let isKnown = isEnough && (moments.standardDeviation != 0 || moments.mean == 0)
      probability = isKnown ? moments.probabilityOfZero : nil
    }
  }

  /// Whom the recordings belong to, in a decided order.
  package let people: [ComparedPerson]
  /// How many recordings each person has.
  package let recordingsPerPerson: [Int]
  /// The strategies, in the order in which they were asked for.
  package let rows: [Row]
  /// Every pair of strategies, in every metric that both have for some person.
  package let contrasts: [Contrast]
  /// Where the runners were at the moments of the strategies that coached the recordings; absent without such.
  package let checkMinusMidway: PersonMean?
  /// The same of each person, in the order of ``people``.
  package let checkMinusMidwayPerPerson: [Double?]

  /// The sessions whose strategies were drawn; absent without such.
  package let randomized: RandomizedTrials?

  /// How many recordings come from where; what is not known counts nowhere.
  package let origins: [SessionOrigin: Int]

  /// How many intervals there are in all: those of the contrasts, of the moments, and of sessions whose strategies were drawn.
  package var intervalCount: Int {
    contrasts.count { $0.difference.confidence != nil } + (checkMinusMidway?.confidence == nil ? 0 : 1)
      + (randomized?.trials.reduce(0) { $0 + $1.intervalCount } ?? 0)
  }

  /// How many recordings there are.
  package var recordings: Int { recordingsPerPerson.reduce(0, +) }
  /// The active time of all of them.
  package var active: SessionTime { rows.first?.overall.active ?? .zero }

  /// Compares strategies on recordings, whose order does not matter.
  ///
  /// - Precondition: every recording was given to these strategies, in this order.
  package init(_ recordings: [ComparedRecording], strategies: [FeedbackStrategy]) {
    let byPerson = Dictionary(grouping: recordings, by: \.person)
    let people = byPerson.keys.sorted()
    let groups = people.map { byPerson[$0] ?? [] }
    self.people = people
    recordingsPerPerson = groups.map(\.count)
    origins = Dictionary(recordings.compactMap(\.source?.origin).map { ($0, 1) }, uniquingKeysWith: +)
    let rows = strategies.indices.map { index in
      let perPerson = groups.map { group in
        group.reduce(StrategyTally()) { $0 + $1.tallies[index] }
      }
      return Row(
        strategy: strategies[index], overall: perPerson.reduce(StrategyTally(), +), perPerson: perPerson)
    }
    self.rows = rows
    var contrasts = rows.indices.flatMap { a in
      rows.indices.dropFirst(a + 1).flatMap { b in
        ComparisonMetric.allCases.compactMap { metric in
          let differences = zip(rows[a].perPerson, rows[b].perPerson).compactMap { left, right -> Double? in
            guard let left = metric.value(of: left), let right = metric.value(of: right) else { return nil }
            return left - right
          }
          return PersonMean(differences).map { Contrast(a: a, b: b, metric: metric, difference: $0) }
        }
      }
    }
    for (index, adjusted) in HolmAdjustment.adjusted(contrasts.map(\.difference.probability)).enumerated() {
      contrasts[index].adjustedProbability = adjusted
    }
    self.contrasts = contrasts
    checkMinusMidwayPerPerson = groups.map { group in
      group.compactMap(\.phase).reduce(CheckPhase(), +).checkMinusMidway
    }
    checkMinusMidway = PersonMean(checkMinusMidwayPerPerson.compactMap { $0 })
    randomized = RandomizedTrials(recordings.compactMap(\.randomized))
  }
}
