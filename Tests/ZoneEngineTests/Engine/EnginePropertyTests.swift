import TestSupport
import Testing

@testable import ZoneEngine

/// One random session with random questions to it.
private struct Draw {
  let timeline: Timeline
  let maximum: Int
  let target: ReferenceSession.Target
  let strategy: ReferenceSession.Strategy
  let warmUp: Int
  let minimumInterval: Int
  var generator: SplitMix64

  init(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let maximum = generator.int(150...215)
    var limits = (1...4).map { maximum * (50 + 10 * $0) / 100 }
    switch generator.int(0...5) {
    case 0: target = .open
    case 1, 2, 3: target = .zone(generator.int(1...5))
    default:
      let lower = generator.int(80...170)
      let upper = lower + generator.int(0...30)
      target = .range(lower, upper)
      limits = [lower, upper]
    }
    self.maximum = maximum
    timeline = Timeline.random(around: limits, using: &generator)
    switch generator.int(0...10) {
    case 0: strategy = .none
    case 7, 8:
      strategy = .zoneChange(
        ReferenceSession.ZoneChange(
          dwell: generator.pick([0, 1, 10, generator.int(0...60)]), margin: generator.int(0...6),
          reminder: generator.pick([0, 1, 7, 20, 60, generator.int(1...120)]),
          returning: generator.pick([0, 0.1, 0.1, 0.5]), grace: generator.pick([0, 0, 1, 30]),
          saysHold: generator.chance(0.6)))
    case 9, 10:
      strategy = .trend(
        ReferenceSession.Trend(
          every: generator.pick([1, 30, 60, generator.int(1...200)]), window: generator.int(10...120),
          horizon: generator.pick([0, 30, 60, generator.int(0...300)]),
          tau: generator.pick([58, generator.int(5...300)]),
          saysHold: generator.chance(0.6)))
    case 1, 2: strategy = .moment(every: generator.pick([1, 30, 60, 120, generator.int(1...200)]))
    default:
      strategy = .period(
        every: generator.pick([1, 30, 60, 120, generator.int(1...200)]),
        window: generator.pick([1, 30, 60, 120, generator.int(1...300)]))
    }
    warmUp = generator.chance(0.25) ? generator.int(0...200) : 0
    minimumInterval = generator.chance(0.25) ? generator.int(0...200) : 0
    self.generator = generator
  }

  func settings() throws -> CoachingSettings {
    let target: TrainingTarget
    switch self.target {
    case .open: target = .open
    case .zone(let number): target = .zone(number)
    case .range(let lower, let upper): target = try .between(lower, upper)
    }
    let strategy: FeedbackStrategy
    switch self.strategy {
    case .none: strategy = .none
    case .moment(let every): strategy = .moment(try MomentStrategy(every: .seconds(every)))
    case .period(let every, let window):
      strategy = .period(try PeriodStrategy(every: .seconds(every), window: .seconds(window)))
    case .zoneChange(let change):
      strategy = .zoneChange(
        try ZoneChangeStrategy(
          dwell: .seconds(change.dwell), marginBPM: change.margin, reminder: .seconds(change.reminder),
          returningBPMPerSecond: change.returning, grace: .seconds(change.grace), saysHold: change.saysHold))
    case .trend(let trend):
      strategy = .trend(
        try TrendStrategy(
          schedule: CheckSchedule(every: .seconds(trend.every)), window: .seconds(trend.window),
          horizon: .seconds(trend.horizon), timeConstant: .seconds(trend.tau), saysHold: trend.saysHold))
    case .adaptive(let every, let price, _):
      strategy = .adaptive(
        try AdaptiveStrategy(schedule: CheckSchedule(every: .seconds(every)), priceSeconds: Double(price)))
    }
    return try .testing(
      maximum: maximum, plan: TrainingPlan(constant: target), strategy: strategy,
      guardrails: Guardrails(warmUp: .seconds(warmUp), minimumInterval: .seconds(minimumInterval)))
  }

  var reference: ReferenceSession {
    ReferenceSession.run(
      samples: timeline.samples, pauses: timeline.pauses, end: timeline.end, maximumBPM: maximum, target: target,
      strategy: strategy, warmUp: warmUp, minimumInterval: minimumInterval)
  }
}

@Suite("A random session")
struct EnginePropertyTests {
  static let seeds = 1...800
  /// A random session and an engine that went through it as it came.
  private typealias Drawn = (draw: Draw, settings: CoachingSettings, run: EngineRun)
  /// Made once, because most tests compare with them.
  private static let drawn = Result<[Drawn], any Error>(catching: {
    try seeds.map { seed in
      let draw = Draw(seed: seed)
      let settings = try draw.settings()
      return (draw, settings, EngineRun(draw.timeline, settings: settings))
    }
  })

  private func drawn(_ seed: Int) throws -> Drawn { try Self.drawn.get()[seed - Self.seeds.lowerBound] }

  @Test("is calculated as the reference calculates it", arguments: seeds)
  func equalsTheReference(seed: Int) throws {
    let (draw, _, run) = try drawn(seed)
    let reference = draw.reference
    let summary = run.engine.summary
    #expect(run.verdicts.map { $0 == .accepted } == reference.accepted, "seed \(seed)")
    #expect(summary.acceptedHeartRates == reference.accepted.count { $0 }, "seed \(seed)")
    #expect(summary.rejectedHeartRates == reference.accepted.count { !$0 }, "seed \(seed)")
    var inBand = Dictionary(
      uniqueKeysWithValues: summary.inBand.map { ($0.band.description, $0.duration.seconds) })
    inBand["noData"] = summary.noData.seconds
    #expect(inBand == reference.secondsInBand, "seed \(seed)")
    #expect(summary.active.seconds == reference.activeSeconds, "seed \(seed)")
    #expect(summary.inTarget.seconds == reference.secondsInTarget, "seed \(seed)")
    #expect(summary.compliance == reference.compliance, "seed \(seed)")
    #expect(summary.complianceOfActive == reference.complianceOfActive, "seed \(seed)")
    #expect(run.judgements == reference.judgements, "seed \(seed)")
  }

  @Test("is one of many that together meet everything that can happen")
  func variety() throws {
    var outcomes: Set<String> = []
    var bands: Set<String> = []
    var verdicts: Set<SignalFilter.Verdict> = []
    var losses = 0
    var newLevels = 0
    for seed in Self.seeds {
      let run = try drawn(seed).run
      outcomes.formUnion(run.judgements.map(\.outcome))
      bands.formUnion(run.judgements.compactMap(\.band))
      verdicts.formUnion(run.verdicts)
      losses += run.events.count { if case .signalLost = $0 { true } else { false } }
      for index in run.verdicts.indices.dropFirst(2)
      where run.verdicts[(index - 2)...index] == [.jump, .jump, .accepted] {
        newLevels += 1
      }
    }
    // The reference knows neither a ceiling nor the grace of the guardrails, only heart rates, no program, no trial and no price of a cue.
    let strangers: Set<WithholdingReason> = [
      .aboveCeiling, .grace, .noAltitude, .artefacts, .silent, .unanswered, .drawn, .notWorthACue,
    ]
    let reasons = WithholdingReason.allCases.filter { !strangers.contains($0) }
    #expect(outcomes == Set(CueAction.allCases.map(\.rawValue) + reasons.map(\.rawValue)))
    #expect(bands == ["below", "zone1", "zone2", "zone3", "zone4", "zone5", "aboveMaximum", "under", "in", "over"])
    #expect(verdicts == [.accepted, .noReading, .outOfRange, .jump])
    #expect(losses > 500, "\(losses) losses, \(newLevels) new levels")
    #expect(newLevels > 1_000, "\(losses) losses, \(newLevels) new levels")
  }

  @Test("keeps every invariant", arguments: seeds)
  func keepsTheInvariants(seed: Int) throws {
    let (draw, _, run) = try drawn(seed)
    let summary = run.engine.summary
    let inBands = summary.inBand.reduce(into: SessionTime.zero) { $0 += $1.duration }
    #expect(inBands + summary.noData == summary.active, "seed \(seed)")
    #expect(summary.noData >= .zero, "seed \(seed)")
    #expect(summary.elapsed == .at(draw.timeline.end), "seed \(seed)")
    #expect(summary.inTarget <= summary.coveredWithTarget, "seed \(seed)")
    #expect(summary.coveredWithTarget <= summary.activeWithTarget, "seed \(seed)")
    #expect(summary.cues.givenTotal + summary.cues.withheldTotal == run.decisions.count, "seed \(seed)")
    #expect(zip(run.events, run.events.dropFirst()).allSatisfy { $0.time <= $1.time }, "seed \(seed)")
    if let every = draw.strategyEvery {
      let moments = run.decisions.map { draw.active(at: $0.time) }
      let due = (0..<moments.count).map { SessionTime.seconds(every * ($0 + 1)) }
      #expect(moments == due, "seed \(seed)")
      #expect(Int(summary.active.nanoseconds) / (every * 1_000_000_000) == moments.count, "seed \(seed)")
    } else if draw.strategy == .none {
      #expect(run.decisions.isEmpty, "seed \(seed)")
    }
    var isLost = false
    for event in run.events {
      if case .signalLost = event {
        #expect(!isLost, "seed \(seed): lost twice")
        isLost = true
      }
      if case .signalRestored = event {
        #expect(isLost, "seed \(seed): restored without a loss")
        isLost = false
      }
    }
  }

  @Test("is not changed by extra small steps of time", arguments: seeds)
  func extraStepsChangeNothing(seed: Int) throws {
    let (draw, settings, plain) = try drawn(seed)
    let dawdling = EngineRun(draw.timeline, settings: settings, advances: draw.generator)
    #expect(plain.events == dawdling.events, "seed \(seed)")
    #expect(plain.verdicts == dawdling.verdicts, "seed \(seed)")
    #expect(Totals(plain) == Totals(dawdling), "seed \(seed)")
  }

  @Test("is the same when its heart rates are given all at once, up to the next event", arguments: seeds)
  func heartRatesAtHand(seed: Int) throws {
    let (draw, settings, _) = try drawn(seed)
    let samples = draw.timeline.samples
    let (rates, times) = (samples.map(\.bpm), samples.map { SessionTime.at($0.seconds) })
    var (single, batched) = (CoachingEngine(settings: settings), CoachingEngine(settings: settings))
    var (emitted, emittedInBatches): ([EngineEvent], [EngineEvent]) = ([], [])
    for index in samples.indices { single.heartRate(rates[index], at: times[index], into: &emitted) }
    let (rateSpan, timeSpan) = (rates.span, times.span)
    var next = 0
    while next < samples.count {
      let first = next
      var events: [EngineEvent] = []
      next = batched.heartRates(rateSpan, at: timeSpan, next..<samples.count, into: &events)
      #expect(next > first, "seed \(seed)")
      #expect(next == samples.count || !events.isEmpty, "seed \(seed)")
      emittedInBatches += events
    }
    #expect(emitted == emittedInBatches, "seed \(seed)")
    #expect(single.summary.acceptedHeartRates == batched.summary.acceptedHeartRates, "seed \(seed)")
    #expect(single.summary.inTarget == batched.summary.inTarget, "seed \(seed)")
    #expect(batched.heartRates(rateSpan, at: timeSpan, 0..<0, into: &emitted) == 0)
  }

  @Test("goes on in a copy of the engine as in the original", arguments: seeds)
  func copiesAreIndependent(seed: Int) throws {
    let (draw, settings, plain) = try drawn(seed)
    var generator = draw.generator
    let middle = generator.int(0...max(0, draw.timeline.samples.count - 1))
    let copied = EngineRun(draw.timeline, settings: settings, copyAt: middle)
    #expect(plain.events == copied.events, "seed \(seed)")
    #expect(Totals(plain) == Totals(copied), "seed \(seed)")
  }

  @Test("has the same totals when it begins later", arguments: seeds)
  func shiftDoesNotMatter(seed: Int) throws {
    let (draw, settings, plain) = try drawn(seed)
    var generator = draw.generator
    let shift = generator.int(1...5_000)
    let later = EngineRun(draw.timeline.shifted(by: Double(shift)), settings: settings)
    #expect(later.verdicts == plain.verdicts, "seed \(seed)")
    #expect(Totals(later).inBand == Totals(plain).inBand, "seed \(seed)")
    #expect(later.engine.summary.inTarget == plain.engine.summary.inTarget, "seed \(seed)")
    #expect(later.engine.summary.noData == plain.engine.summary.noData + .seconds(shift), "seed \(seed)")
  }
}

extension Draw {
  fileprivate var strategyEvery: Int? {
    switch strategy {
    case .none, .zoneChange: return nil
    case .moment(let every), .period(let every, _), .adaptive(let every, _, _): return every
    case .trend(let trend): return trend.every
    }
  }

  fileprivate func active(at time: SessionTime) -> SessionTime {
    var active = time
    for pause in timeline.pauses where .at(pause.0) < time {
      active = active - (min(.at(pause.1), time) - .at(pause.0))
    }
    return active
  }
}

/// What must be equal when two runs are equal.
private struct Totals: Equatable {
  let inBand: [SessionTime]
  let noData: SessionTime
  let inTarget: SessionTime
  let active: SessionTime
  let readings: HeartRateStatistics
  let cues: CueCounts

  init(_ run: EngineRun) {
    let summary = run.engine.summary
    inBand = summary.inBand.map(\.duration)
    noData = summary.noData
    inTarget = summary.inTarget
    active = summary.active
    readings = summary.readings
    cues = summary.cues
  }
}
