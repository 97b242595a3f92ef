package import ZoneEngine

/// Strategies side by side on recordings: what each would have said, never what it would have done.
package struct Comparison: Sendable {
  /// What a replay cannot tell of a strategy.
  package static let refused = ["timeInTarget", "rmse", "overshoot", "secondsToTarget"]
  /// Why it cannot.
  package static let why =
    "a recorded heart rate does not answer cues, so these are the same for every strategy; coach study compares them "
    + "on runners that respond"
  /// Seed of the bootstrap, so that the same recordings give the same intervals everywhere.
  package static let seed: UInt64 = 1

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
  }

  /// A mean over persons, of whom each counts the same.
  package struct PersonMean: Hashable, Sendable {
    /// The mean.
    package let mean: Double
    /// The interval of a bootstrap over persons; absent with one person, who tells nothing of how persons differ.
    package let confidence: ConfidenceInterval?
    /// How many persons have a value.
    package let count: Int

    /// The mean of values of one a person; `nil` without any.
    package init?(_ values: [Double]) {
      guard !values.isEmpty else { return nil }
      mean = values.reduce(0, +) / Double(values.count)
      confidence = Bootstrap.meanInterval(of: values, seed: Comparison.seed)
      count = values.count
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
    let rows = strategies.indices.map { index in
      let perPerson = groups.map { group in
        group.reduce(StrategyTally()) { $0 + $1.tallies[index] }
      }
      return Row(
        strategy: strategies[index], overall: perPerson.reduce(StrategyTally(), +), perPerson: perPerson)
    }
    self.rows = rows
    contrasts = rows.indices.flatMap { a in
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
    checkMinusMidwayPerPerson = groups.map { group in
      group.compactMap(\.phase).reduce(CheckPhase(), +).checkMinusMidway
    }
    checkMinusMidway = PersonMean(checkMinusMidwayPerPerson.compactMap { $0 })
    randomized = RandomizedTrials(recordings.compactMap(\.randomized))
  }
}
