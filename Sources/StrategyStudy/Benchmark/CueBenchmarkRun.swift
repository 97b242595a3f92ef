package import OutsidePolicies
package import TextFormats
package import ZoneEngine

/// Runs a policy through all cells of ``CueBenchmark``, beside all arms that it is held against.
///
/// Each population and gait is a ``Study``, so that outcomes are those of `coach study` for the same arms, runners and seed.
package struct CueBenchmarkRun: Sendable {
  /// The policy, as it was written.
  package let text: String
  /// The policy.
  package let policy: FeedbackStrategy
  /// Whose seeds.
  package let seeds: CueBenchmark.Seeds
  /// How many runners a cell has; ``CueBenchmark/runners`` where it is the benchmark.
  package let runners: Int
  /// People of a file, whose cells stand apart, with the SHA-256 of the file; absent without one.
  package let fitted: (population: FittedPopulation, hash: String)?
  private let policies: Policies?

  /// Prepares a run.
  ///
  /// - Parameter policies: the programs that are asked, where the policy is one.
  package init(
    _ text: String, _ policy: FeedbackStrategy, _ seeds: CueBenchmark.Seeds, runners: Int? = nil,
    fitted: (population: FittedPopulation, hash: String)? = nil, policies: Policies? = nil
  ) {
    self.text = text
    self.policy = policy
    self.seeds = seeds
    self.runners = runners ?? CueBenchmark.runners
    self.fitted = fitted
    self.policies = policies
  }

  /// The place of the policy among the arms: behind the references, or that of the reference that it is.
  private var place: Int {
    CueBenchmark.references.firstIndex {
      (try? FeedbackStrategy(specification: $0.specification)) == policy
    } ?? CueBenchmark.references.count
  }

  private struct Group {
    let gait: Gait
    let population: CueBenchmark.Population
    let model: RunnerModel
    let isFitted: Bool
  }

  private var groups: [Group] {
    var groups = CueBenchmark.gaits.flatMap { gait in
      CueBenchmark.populations.map {
        Group(gait: gait, population: $0, model: CueBenchmark.model(gait, $0), isFitted: false)
      }
    }
    if let fitted {
      groups.append(
        Group(
          gait: fitted.population.gait,
          population: CueBenchmark.Population(name: "fitted", people: .wise, heart: .firstOrder),
          model: fitted.population.model, isFitted: true))
    }
    return groups
  }

  /// Simulates all cells.
  ///
  /// - Parameters:
  ///   - threads: how many threads work; the result does not depend on it.
  ///   - places: which of the gaits and populations, in their order; all when nothing is said.
  ///   - progress: called from any thread; `false` stops the work.
  /// - Returns: what was found; `nil` when it was stopped or a program was given up.
  /// - Throws: ``CueBenchmarkError`` when the policy cannot be an arm.
  package func run(
    threads: Int, only places: Range<Int>? = nil, progress: @Sendable (WorkProgress) -> Bool
  ) throws(CueBenchmarkError) -> CueBenchmarkResult? {
    let place = place
    let isReference = place < CueBenchmark.references.count
    var cells: [CueBenchmarkCell] = []
    var sums = ArmSums(arms: max(place + 1, CueBenchmark.references.count), runners: runners)
    let groups = Array(groups[places ?? groups.indices])
    for (index, group) in groups.enumerated() {
      var study = try CueBenchmark.study(
        group.gait, group.population, model: group.model, policy: isReference ? nil : policy, seeds: seeds,
        runners: runners)
      study.policies = policies
      let before = index * runners
      let outcomes = StudySimulation.run(study, runners: 0..<runners, threads: threads) { done in
        progress(WorkProgress(done: before + done.done, total: groups.count * runners))
      }
      guard let outcomes, policies?.failure == nil else { return nil }
      let layout = StudyLayout(study)
      for behaviour in study.behaviours.indices {
        let sessions = study.courses[0].arms.indices.map { outcomes.all(layout.arm($0, 0, behaviour)) }
        let cell = CueBenchmarkCell(
          gait: group.gait, population: group.population.name,
          behaviour: CueBenchmark.behaviours[behaviour / CueBenchmark.artefacts.count],
          artefacts: CueBenchmark.artefacts[behaviour % CueBenchmark.artefacts.count].name,
          isFitted: group.isFitted, sessions: sessions)
        if !group.isFitted { sums.add(sessions, best: cell.best) }
        cells.append(cell)
      }
    }
    return CueBenchmarkResult(run: self, place: place, cells: cells, sums: sums)
  }
}

/// What the arms gave each runner over all cells.
struct ArmSums: Sendable {
  /// Seconds in target of each arm and runner.
  private(set) var inTarget: [[Int]]
  /// Seconds in target that the best other arms had more, of each arm and runner.
  private(set) var behind: [[Int]]
  /// Cues of each arm and runner.
  private(set) var cues: [[Int]]
  /// Cells so far.
  private(set) var cells = 0

  init(arms: Int, runners: Int) {
    let nothing = Array(repeating: Array(repeating: 0, count: runners), count: arms)
    (inTarget, behind, cues) = (nothing, nothing, nothing)
  }

  /// Adds a cell: the sessions of each arm, and the best other one of each.
  mutating func add(_ sessions: [[RunOutcome]], best: [Int]) {
    cells += 1
    for (arm, outcomes) in sessions.enumerated() {
      let others = sessions[best[arm]]
      for (runner, outcome) in outcomes.enumerated() {
        inTarget[arm][runner] += Int(outcome.secondsInTarget)
        behind[arm][runner] += Int(others[runner].secondsInTarget - outcome.secondsInTarget)
        cues[arm][runner] += Int(outcome.cues)
      }
    }
  }

  /// The share of the time in target of each runner, mean over the cells.
  func shares(_ arm: Int) -> [Double] { inTarget[arm].map(share) }

  /// The regret of each runner, mean over the cells.
  func regrets(_ arm: Int) -> [Double] { behind[arm].map(share) }

  private func share(_ seconds: Int) -> Double { Double(seconds) / Double(cells * CueBenchmark.seconds) }
}
