public import ZoneEngine

/// An engine that was fed with a timeline, and what it emitted.
public struct EngineRun: Sendable {
  /// The engine at the end.
  public private(set) var engine: CoachingEngine
  /// What it emitted, in order.
  public private(set) var events: [EngineEvent] = []
  /// What became of each heart rate, in order.
  public private(set) var verdicts: [SignalFilter.Verdict] = []

  /// What is done to an engine, in the order of one instant: readings, then the end of a pause, then its beginning.
  enum Step {
    case reading(Double)
    case resume
    case pause
  }

  /// Feeds a timeline to a new engine.
  ///
  /// - Parameter advances: a generator that puts extra small steps of time between everything; absent for none.
  /// - Parameter copyAt: after how many steps the engine is copied; one of the two is driven elsewhere, the other goes on
  ///   with the timeline. Absent for never.
  public init(
    _ timeline: Timeline, settings: CoachingSettings, advances: SplitMix64? = nil, copyAt: Int? = nil
  ) {
    engine = CoachingEngine(settings: settings)
    engine.begin(into: &events)
    var advances = advances
    for (index, (seconds, step)) in Self.steps(of: timeline).enumerated() {
      if index == copyAt { divert() }
      if var generator = advances {
        dawdle(until: .at(seconds), using: &generator)
        advances = generator
      }
      switch step {
      case .reading(let bpm): verdicts.append(engine.heartRate(bpm, at: .at(seconds), into: &events))
      case .resume: engine.resume(at: .at(seconds), into: &events)
      case .pause: engine.pause(at: .at(seconds), into: &events)
      }
    }
    engine.finish(at: .at(timeline.end), into: &events)
  }

  /// The decisions among the events.
  public var decisions: [Decision] {
    events.compactMap { event in
      guard case .decision(let decision) = event else { return nil }
      return decision
    }
  }

  /// The decisions in the words of the reference.
  public var judgements: [ReferenceSession.Judgement] {
    decisions.map { .init(seconds: $0.time.seconds, outcome: $0.outcome.word, band: $0.band?.description) }
  }

  /// Drives one of two copies elsewhere, which must not be felt by the other.
  private mutating func divert() {
    let other = engine
    var ignored: [EngineEvent] = []
    for second in 1...40 {
      let time = engine.now + .seconds(second)
      engine.heartRate(second < 20 ? 60 : 180, at: time, into: &ignored)
    }
    engine.pause(at: engine.now, into: &ignored)
    engine = other
  }

  private mutating func dawdle(until time: SessionTime, using generator: inout SplitMix64) {
    while generator.chance(0.6) {
      let left = (time - engine.now).nanoseconds
      guard left > 0 else { return }
      engine.advance(
        to: engine.now + SessionTime(nanoseconds: Int64(generator.unit() * Double(left))), into: &events)
      if generator.chance(0.1) { engine.advance(to: time, into: &events) }
    }
  }

  private static func steps(of timeline: Timeline) -> [(Double, Step)] {
    var steps: [(seconds: Double, rank: Int, step: Step)] = []
    for sample in timeline.samples { steps.append((sample.seconds, 0, .reading(sample.bpm))) }
    for pause in timeline.pauses where pause.0 <= timeline.end {
      steps.append((pause.0, 2, .pause))
      if pause.1 <= timeline.end { steps.append((pause.1, 1, .resume)) }
    }
    // Stable, so that readings of one instant stay in the order of their arrival.
    return steps.enumerated().sorted { left, right in
      (left.element.seconds, left.element.rank, left.offset) < (right.element.seconds, right.element.rank, right.offset)
    }.map { ($0.element.seconds, $0.element.step) }
  }
}

extension SessionTime {
  /// An instant in seconds, for tests.
  ///
  /// - Precondition: the number is finite and within 292 years.
  public static func at(_ seconds: Double) -> SessionTime {
    guard let time = SessionTime(seconds: seconds) else { preconditionFailure("\(seconds) s is no session time") }
    return time
  }
}

extension Decision.Outcome {
  /// The cue or the reason, as in records.
  public var word: String {
    switch self {
    case .cue(let action): return action.rawValue
    case .withheld(let reason): return reason.rawValue
    }
  }
}

extension CoachingSettings {
  /// Settings for a person with a measured maximum, zones by percent of it, and speeds on foot.
  public static func testing(
    maximum: Int = 197, plan: TrainingPlan = TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy = .none,
    guardrails: Guardrails = .off, athlete: Athlete = .unknown, ceiling: SafetyCeiling? = nil
  ) throws -> CoachingSettings {
    try CoachingSettings(
      zones: HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: maximum)),
      athlete: athlete, plan: plan, strategy: strategy, guardrails: guardrails,
      fastestMetersPerSecond: DistanceTotal.fastestOnFoot, ceiling: ceiling)
  }
}
