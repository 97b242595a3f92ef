package import OutsidePolicies
internal import WorkoutSession
package import ZoneEngine

/// Whom a recording belongs to: the unit of the bootstrap.
package struct ComparedPerson: Hashable, Comparable, Sendable {
  /// What distinguishes persons.
  package let identity: String
  /// How the person is called in results.
  package let name: String

  /// Creates a person.
  package init(identity: String, name: String) {
    self.identity = identity
    self.name = name
  }

  /// Whether one person comes before another in results, by the bytes of name and identity.
  package static func < (left: ComparedPerson, right: ComparedPerson) -> Bool {
    left.name == right.name
      ? left.identity.utf8.lexicographicallyPrecedes(right.identity.utf8)
      : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

/// What programs know a recording by.
package struct RecordedRunner: Hashable, Sendable {
  /// Whose its lines are: a label, which says which of the recordings that are asked about at once it is.
  package let number: Int
  /// What decides the seed of the runner: the content of the recording.
  package let fingerprint: UInt64

  /// Creates what a recording is known by.
  package init(number: Int, fingerprint: UInt64) {
    self.number = number
    self.fingerprint = fingerprint
  }
}

/// Who answers for the strategies of a comparison. The answers are the same.
package enum DecisionPath: CaseIterable, Hashable, Sendable {
  /// A ``SessionSweep`` where it can, an engine for the rest.
  case sweep
  /// An engine for each strategy.
  case engine
}

/// A recording that was given to every strategy.
package struct ComparedRecording: Sendable {
  /// Whom it belongs to.
  package let person: ComparedPerson
  /// What was counted, in the order of the strategies.
  package let tallies: [StrategyTally]
  /// Where the runner was at the moments of the strategy that coached it; absent when none did on a schedule.
  package let phase: CheckPhase?
  /// What came of a session whose strategy was drawn; absent for all others.
  package var randomized: RandomizedSession?
  /// Where it was read; absent for a track that was made.
  package var source: ComparedSource?
  /// Whether no person was measured.
  package var isSimulated: Bool { source?.origin == .simulated }

  /// Gives a track to strategies.
  ///
  /// - Parameters:
  ///   - guidance: zones, targets and guardrails; its strategy is not asked.
  ///   - strategies: those that are compared.
  ///   - path: who answers for them.
  ///   - policies: the programs that strategies ask.
  ///   - runner: what they know the recording by; without it they are not asked.
  /// - Throws: `ZoneError` when a target is not one of the zones.
  package init(
    _ track: HeartRateTrack, of person: ComparedPerson, guidance: CoachingSettings, strategies: [FeedbackStrategy],
    phase: CheckPhase?, path: DecisionPath, asking policies: Policies? = nil,
    about runner: RecordedRunner? = nil
  ) throws(ZoneError) {
    self.person = person
    self.phase = phase
    let course = MedianCourse(track, settings: try guidance.judged(by: .none))
    let excursions = course.excursions
    let swept = path == .sweep ? strategies.map { SweptStrategy($0, guardrails: guidance.guardrails) } : []
    var sweep: SessionSweep?
    if swept.contains(where: { $0 != nil }), let seconds = SecondTrack(track), let scale = try BandScale(guidance) {
      sweep = SessionSweep(HeldSeconds(seconds), by: scale)
    }
    var tallies: [StrategyTally] = []
    for (index, strategy) in strategies.enumerated() {
      if let sweep, let swept = swept[index] {
        tallies.append(StrategyTally(sweep, swept, course: course, excursions: excursions))
        continue
      }
      let settings = try guidance.judged(by: strategy)
      let asked = runner.flatMap { policies?.session(of: $0.number, drawingFrom: $0.fingerprint, settings) }
      tallies.append(StrategyTally(track, settings, asking: asked, course: course, excursions: excursions))
      if let asked, let runner { policies?.end(asked, of: runner.number) }
    }
    self.tallies = tallies
  }
}

extension CoachingSettings {
  /// The same settings with another strategy.
  ///
  /// - Throws: `ZoneError` when a target is not one of the zones.
  package func judged(by strategy: FeedbackStrategy) throws(ZoneError) -> CoachingSettings {
    try CoachingSettings(
      zones: zones, athlete: athlete, plan: plan, strategy: strategy, guardrails: guardrails,
      fastestMetersPerSecond: fastestMetersPerSecond)
  }
}
