@testable import StrategyStudy
import TestSupport
import Testing
import ZoneEngine

@Suite("Sweeps over seconds, from seeds")
struct SessionSweepPropertyTests {
  @Test("Every decision and every total is that of the engine", arguments: [UInt64(0), 1, 2, 3, 4, 5, 6, 7])
  func engine(block: UInt64) throws {
    var seen: [String: Int] = [:]
    for seed in (block * 260)..<(block * 260 + 260) {
      var random = SplitMix64(seed: seed)
      let zones = try Self.zones(using: &random)
      let limits = zones.zones.compactMap { $0.lowerBPM ?? $0.upperBPM }
      let session = RandomSeconds(around: limits, longest: 240, using: &random)
      let target = Self.target(in: zones, using: &random)
      let guardrails = try Self.guardrails(using: &random)
      let seconds = try #require(SecondTrack(session.readings, endSeconds: session.endSeconds))
      let held = HeldSeconds(seconds)
      let scale = try #require(try BandScale(target, in: zones))
      let sweep = SessionSweep(held, by: scale)
      var summary: SessionSummary?
      for strategy in [try Self.moment(using: &random), try Self.period(using: &random)] {
        let settings = try Self.settings(zones, target, strategy, guardrails)
        let swept = try #require(SweptStrategy(strategy, guardrails: guardrails))
        let expected = Self.engine(session.track, settings)
        var decisions: [TimedOutcome] = []
        sweep.forEachDecision(of: swept) {
          decisions.append(
            TimedOutcome(
              seconds: Double($0.second), outcome: $0.outcome.word, band: scale.band(ofLane: $0.lane)?.description))
        }
        #expect(decisions == expected.decisions, "seed \(seed), \(strategy.specification)")
        #expect(sweep.counts(of: swept).cues == expected.summary.cues, "seed \(seed), \(strategy.specification)")
        summary = expected.summary
        for decision in decisions { seen[decision.outcome, default: 0] += 1 }
      }
      // Those that judge the same share what it shows.
      var grid: [SweptStrategy] = []
      for _ in 0..<3 {
        let (some, guardrails) = (try Self.guardrails(using: &random), try Self.guardrails(using: &random))
        grid.append(try #require(SweptStrategy(try Self.period(using: &random), guardrails: some)))
        grid.append(try #require(SweptStrategy(try Self.moment(using: &random), guardrails: guardrails)))
        grid += grid.suffix(2)
      }
      let counts = grid.map { sweep.counts(of: $0) }
      #expect(sweep.counts(of: SweptGrid(grid)) == counts, "seed \(seed)")
      // Prepared for them alone, and for each alone, which takes a row of counts where they look.
      let prepared = SessionSweep(held, by: scale, for: SweptGrid(grid))
      #expect(prepared.counts(of: SweptGrid(grid)) == counts, "seed \(seed)")
      for (strategy, count) in zip(grid, counts) {
        let alone = SweptGrid([strategy])
        #expect(SessionSweep(held, by: scale, for: alone).counts(of: alone) == [count], "seed \(seed)")
        #expect(SessionSweep(held, by: scale, for: alone).counts(of: strategy) == count, "seed \(seed)")
        seen["rows \(alone.rowSeconds > 1)", default: 0] += 1
      }
      try Self.check(
        SecondsAtHeartRate(held), scale, try #require(summary), maximum: zones.maximum?.beatsPerMinute, "seed \(seed)")
      seen["rejected", default: 0] += held.displayedBPM == seconds.readings ? 0 : 1
    }
    // The seeds hold what they are for.
    let words = ["speedUp", "hold", "slowDown", "signalLost", "lowCoverage", "warmUp", "minimumInterval", "inTarget"]
    for word in words + ["rejected", "rows true", "rows false"] {
      #expect(seen[word, default: 0] > 10, "\(word): \(seen)")
    }
  }

  @Test("One sweep after another in the same storage gives what a new one gives, for every target")
  func reuse() throws {
    var random = SplitMix64(seed: 7)
    let zones = try Self.zones(using: &random)
    let other = try HeartRateZones(
      model: .custom(boundsBPM: [90, 100, 110, 120, 130, 140, 150, 160, 170, 180]), maximum: nil)
    let first = try #require(try BandScale(.zone(1), in: zones))
    var sweep = SessionSweep(HeldSeconds(try #require(SecondTrack([], endSeconds: 900))), by: first)
    for _ in 0..<60 {
      let session = RandomSeconds(around: [110, 130], longest: 300, using: &random)
      let held = HeldSeconds(try #require(SecondTrack(session.readings, endSeconds: session.endSeconds)))
      sweep.move(to: held, by: sweep.scale)
      for (target, zones) in [
        (TrainingTarget.zone(1), zones), (.zone(2), zones), (.zone(7), other),
        (.range(lowerBPM: 110, upperBPM: 130), other),
      ] {
        guard let scale = try BandScale(target, in: zones) else { continue }
        sweep.retarget(scale)
        let strategy = try #require(SweptStrategy(try Self.period(using: &random), guardrails: .off))
        #expect(sweep.counts(of: strategy) == SessionSweep(held, by: scale).counts(of: strategy))
      }
    }
  }

  @Test("Counters of 16 bits that come around are not felt, up to the longest window")
  func longSession() throws {
    var random = SplitMix64(seed: 3)
    var readings = [UInt8](repeating: 0, count: 140_001)
    // Every 12 s, by a watch that saves; in one band most of the time, so that a counter comes around.
    for second in stride(from: 0, through: 140_000, by: 12) {
      readings[second] = UInt8(random.chance(0.9) ? 124 : 142)
    }
    let seconds = try #require(SecondTrack(readings, endSeconds: 140_000))
    let measured = readings.indices.filter { readings[$0] != 0 }
    let track = HeartRateTrack(
      times: measured.map { .seconds($0) }, beatsPerMinute: measured.map { Double(readings[$0]) }, turns: [],
      end: .seconds(140_000))
    for specification in ["period:every=5000,window=65535", "period:every=1000,window=60"] {
      let settings = try CoachingSettings.compared("120-130", specification)
      let swept = try #require(SweptStrategy(settings.strategy, guardrails: .off))
      let sweep = SessionSweep(HeldSeconds(seconds), by: try #require(try BandScale(settings)))
      #expect(sweep.counts(of: swept).cues == Self.engine(track, settings).summary.cues, "\(specification)")
    }
  }

  // MARK: - Choices

  static func zones(using random: inout SplitMix64) throws -> HeartRateZones {
    let maximum = try MaximumHeartRate(measured: random.int(160...210))
    switch random.int(0...5) {
    case 0:
      return try HeartRateZones(
        model: .threeZone(firstThresholdBPM: random.int(100...130), secondThresholdBPM: 150), maximum: nil)
    case 1:
      return try HeartRateZones(
        model: .percentOfThreshold(thresholdBPM: random.int(140...180), scheme: .frielRunning), maximum: maximum)
    case 2:
      // Nine zones need more lanes than a vector has.
      let lowest = random.int(40...90)
      return try HeartRateZones(
        model: .custom(boundsBPM: (0...random.int(1...9)).map { lowest + 14 * $0 }), maximum: maximum)
    case 3: return try HeartRateZones(model: .heartRateReserve(restingBPM: 55), maximum: maximum)
    default: return try HeartRateZones(model: .percentOfMaximum, maximum: maximum)
    }
  }

  static func target(in zones: HeartRateZones, using random: inout SplitMix64) -> TrainingTarget {
    if random.chance(0.6) { return .zone(random.int(1...zones.zones.count)) }
    let lower = random.int(80...170)
    return .range(lowerBPM: lower, upperBPM: lower + random.int(0...30))
  }

  private static func moment(using random: inout SplitMix64) throws -> FeedbackStrategy {
    .moment(
      try MomentStrategy(
        schedule: CheckSchedule(every: .seconds(random.pick([1, 2, 7, 15, 30, 60]))), saysHold: random.chance(0.7)))
  }

  private static func period(using random: inout SplitMix64) throws -> FeedbackStrategy {
    .period(
      try PeriodStrategy(
        schedule: CheckSchedule(every: .seconds(random.pick([1, 1, 5, 13, 30, 60]))),
        window: .seconds(random.pick([1, 2, 10, 15, 15, 30, 31, 60, 120, 300])), saysHold: random.chance(0.7)))
  }

  private static func guardrails(using random: inout SplitMix64) throws -> Guardrails {
    guard random.chance(0.6) else { return .off }
    let times = [0, 0.5, 1, 10, 29.3, 30, 60, 150].map { SessionTime.at($0) }
    return try Guardrails(warmUp: random.pick(times), minimumInterval: random.pick(times))
  }

  private static func settings(
    _ zones: HeartRateZones, _ target: TrainingTarget, _ strategy: FeedbackStrategy, _ guardrails: Guardrails
  ) throws -> CoachingSettings {
    try CoachingSettings(
      zones: zones,
      athlete: Athlete(ageYears: 40, sex: .female, weightKilograms: nil, restingHeartRate: 55),
      plan: TrainingPlan(constant: target), strategy: strategy, guardrails: guardrails,
      fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
  }

  // MARK: - The engine

  private struct TimedOutcome: Equatable {
    let seconds: Double
    let outcome: String
    let band: String?
  }

  private static func engine(
    _ track: HeartRateTrack, _ settings: CoachingSettings
  ) -> (decisions: [TimedOutcome], summary: SessionSummary) {
    var decisions: [TimedOutcome] = []
    let engine = track.replay(settings) { event in
      guard case .decision(let decision) = event else { return }
      decisions.append(
        TimedOutcome(seconds: decision.time.seconds, outcome: decision.outcome.word, band: decision.band?.description))
    }
    return (decisions, engine.summary)
  }

  private static func check(
    _ seconds: SecondsAtHeartRate, _ scale: BandScale, _ summary: SessionSummary, maximum: Int?, _ place: Comment
  ) throws {
    #expect(SessionTime.seconds(seconds.noData) == summary.noData, place)
    #expect(SessionTime.seconds(seconds.inTarget(scale.target)) == summary.inTarget, place)
    if case .zone = scale.target.target {
      let lanes = seconds.secondsInLanes(scale)
      #expect(lanes.dropFirst().map { SessionTime.seconds($0) } == summary.inBand.map(\.duration), place)
    }
    if let banister = summary.banister, let maximum {
      #expect(seconds.banister(restingBPM: 55, maximumBPM: maximum, sex: .female) == banister, place)
    }
  }
}
