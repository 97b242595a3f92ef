/// A cell of the benchmark: what all arms did with the same runners.
package struct CueBenchmarkCell: Hashable, Sendable {
  /// How they moved.
  package let gait: Gait
  /// Who they were.
  package let population: String
  /// What they made of the coach.
  package let behaviour: String
  /// What their sensors made of their hearts.
  package let artefacts: String
  /// Whether they are the people of a file, and no part of the benchmark.
  package let isFitted: Bool
  /// Share of the time in target of each arm, the policy last unless it is one of the references.
  package let timeInTarget: [SampleMoments]
  /// Cues an hour of each arm.
  package let cuesPerHour: [SampleMoments]
  /// The best reference but one, for each arm which that one is: an arm is held against the others.
  package let best: [Int]
  /// Time in target of the best other arm less that of the arm, runner by runner; of each arm.
  package let regret: [SampleMoments]

  init(
    gait: Gait, population: String, behaviour: String, artefacts: String, isFitted: Bool, sessions: [[RunOutcome]]
  ) {
    self.gait = gait
    self.population = population
    self.behaviour = behaviour
    self.artefacts = artefacts
    self.isFitted = isFitted
    let shares = sessions.map { $0.map { Double($0.secondsInTarget) / Double(CueBenchmark.seconds) } }
    timeInTarget = shares.map(CueBenchmarkResult.moments)
    let cues = sessions.map { CueBenchmarkResult.cuesPerHour($0.map { Int($0.cues) }, inSessions: 1) }
    cuesPerHour = cues
    let means = timeInTarget.map(\.mean)
    let able = CueBenchmark.references.indices.filter { cues[$0].mean <= CueBenchmark.mostCuesPerHour }
    // The first of those that are equal. `none` never cues, so that there is one; it is its own where it is alone.
    let best = sessions.indices.map { arm in
      var best = 0
      for other in able where other != arm && (best == arm || means[other] > means[best]) { best = other }
      return best
    }
    self.best = best
    regret = sessions.indices.map { arm in
      CueBenchmarkResult.moments(zip(shares[best[arm]], shares[arm]).map { $0 - $1 })
    }
  }

  /// The cell in words, such as `run, hunt, relapse:tau=90, artefacts 5 s`.
  package var words: String { Self.words(gait.rawValue, population, behaviour, artefacts) }

  /// A cell in words.
  static func words(_ activity: String, _ population: String, _ behaviour: String, _ artefacts: String) -> String {
    "\(activity), \(population), \(behaviour)" + (artefacts == "none" ? "" : ", artefacts \(artefacts)")
  }
}

/// What the benchmark found of a policy.
package struct CueBenchmarkResult: Sendable {
  /// What was run.
  package let run: CueBenchmarkRun
  /// The place of the policy among the arms of each cell.
  package let place: Int
  /// All cells, those of a file last.
  package let cells: [CueBenchmarkCell]
  /// The policy first, then every reference.
  package let arms: [CueBenchmarkArm]

  init(run: CueBenchmarkRun, place: Int, cells: [CueBenchmarkCell], sums: ArmSums) {
    self.run = run
    self.place = place
    self.cells = cells
    let counted = cells.filter { !$0.isFitted }
    let policy = sums.shares(place)
    arms = ([place] + CueBenchmark.references.indices).enumerated().map { index, arm in
      let shares = sums.shares(arm)
      return CueBenchmarkArm(
        name: index == 0 ? run.text : CueBenchmark.references[arm].name, arm: arm, cells: counted,
        timeInTarget: Self.moments(shares), lead: Self.moments(zip(policy, shares).map { $0 - $1 }),
        cuesPerHour: Self.cuesPerHour(sums.cues[arm], inSessions: sums.cells),
        meanRegret: Self.moments(sums.regrets(arm)))
    }
  }

  /// The policy.
  package var policy: CueBenchmarkArm { arms[0] }

  /// The moments of values of which there is at least one.
  static func moments(_ values: [Double]) -> SampleMoments {
    guard let moments = SampleMoments(values) else { preconditionFailure("a cell has runners") }
    return moments
  }

  /// Cues an hour where each runner got so many in some sessions.
  static func cuesPerHour(_ cues: [Int], inSessions sessions: Int) -> SampleMoments {
    let moments = SampleMoments(wholes: cues, times: 3_600, over: sessions * CueBenchmark.seconds)
    guard let moments else { preconditionFailure("a cell has runners") }
    return moments
  }
}

/// What an arm did over all cells of the benchmark.
package struct CueBenchmarkArm: Hashable, Sendable {
  /// What it is called.
  package let name: String
  /// Share of the time in target, mean over the cells, runner by runner.
  package let timeInTarget: SampleMoments
  /// By how much the policy is ahead of it, runner by runner.
  package let lead: SampleMoments
  /// Cues an hour, mean over the cells, runner by runner.
  package let cuesPerHour: SampleMoments
  /// Cues an hour of the best other arms, mean over the cells.
  package let bestCuesPerHour: Double
  /// Regret, mean over the cells, runner by runner. The best other arm of a cell is the same for all runners, and its interval does
  /// not know that they chose it.
  package let meanRegret: SampleMoments
  /// The cell with the largest regret, by its place.
  package let worstCell: Int
  /// The regret there.
  package let worstRegret: SampleMoments

  init(
    name: String, arm: Int, cells: [CueBenchmarkCell], timeInTarget: SampleMoments, lead: SampleMoments,
    cuesPerHour: SampleMoments, meanRegret: SampleMoments
  ) {
    self.name = name
    self.timeInTarget = timeInTarget
    self.lead = lead
    self.cuesPerHour = cuesPerHour
    self.meanRegret = meanRegret
    bestCuesPerHour = cells.map { $0.cuesPerHour[$0.best[arm]].mean }.reduce(0, +) / Double(cells.count)
    worstCell = cells.indices.max { cells[$0].regret[arm].mean < cells[$1].regret[arm].mean } ?? 0
    worstRegret = cells[worstCell].regret[arm]
  }
}
