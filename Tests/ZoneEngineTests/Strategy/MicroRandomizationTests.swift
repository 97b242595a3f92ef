import TestSupport
import Testing
import ZoneEngine

@Suite("A micro-randomised trial within a session")
struct MicroRandomizationTests {
  private static let always = DrawProbability(of: nil, steps: [.init(from: 0, probability: 0.999_999_999)])

  private func settings(
    _ probability: DrawProbability?, key: UInt64 = 1, outcomes: [Int] = [60, 120], strategy: String = "moment:every=60",
    guardrails: Guardrails = .off, ceiling: SafetyCeiling? = nil
  ) throws -> CoachingSettings {
    var settings = try CoachingSettings.testing(
      strategy: FeedbackStrategy(specification: strategy), guardrails: guardrails, ceiling: ceiling)
    settings.trial = try MicroRandomization(
      probability: #require(probability), draws: CounterRandom(seed: key), outcomeSeconds: outcomes)
    return settings
  }

  /// Heart rates every 5 s, those of a function of the second; what is emitted until the end.
  private func run(_ settings: CoachingSettings, seconds: Int = 600, _ bpm: (Int) -> Double) -> [EngineEvent] {
    var engine = CoachingEngine(settings: settings)
    var events: [EngineEvent] = []
    for second in stride(from: 0, through: seconds, by: 5) {
      engine.heartRate(bpm(second), at: .seconds(second), into: &events)
    }
    engine.finish(at: .seconds(seconds), into: &events)
    return events
  }

  private func points(_ events: [EngineEvent]) -> [TrialPoint] {
    events.compactMap { if case .trialPoint(_, let point) = $0 { point } else { nil } }.sorted { $0.number < $1.number }
  }

  @Test("A cue that is drawn away is withheld as drawn, one that is not is given; both have a point with its draw")
  func draws() throws {
    let half = DrawProbability(of: nil, steps: [.init(from: 0, probability: 0.5)])
    let events = run(try settings(half, key: 5), seconds: 3_000) { _ in 110 }
    let decisions = events.compactMap { if case .decision(let decision) = $0 { decision } else { nil } }
    let found = points(events)
    #expect(found.count == 50)
    #expect(found.map(\.number) == Array(1...50))
    let random = CounterRandom(seed: 5)
    for (point, decision) in zip(found, decisions) {
      #expect(point.time == decision.time)
      #expect(point.cue == .speedUp)
      #expect(point.probability == 0.5)
      #expect(point.isGiven == (random.unit(at: UInt64(point.number)) < 0.5))
      #expect(decision.outcome == (point.isGiven ? .cue(.speedUp) : .withheld(.drawn)))
    }
    let given = found.count { $0.isGiven }
    #expect((10...40).contains(given))
    #expect(run(try settings(half, key: 5), seconds: 3_000) { _ in 110 } == events)
  }

  @Test(
    "Outcomes are the seconds in target and covered after the point, to the nanosecond, and those after the end are missing"
  )
  func outcomes() throws {
    // In the target from 90 s on; nothing is measured from 150 s to 170 s, so that 15 of the 20 s are held.
    let settings = try settings(Self.always)
    var engine = CoachingEngine(settings: settings)
    var events: [EngineEvent] = []
    for second in stride(from: 0, through: 300, by: 5) where !(151..<170).contains(second) {
      engine.heartRate(second < 90 ? 110 : 125, at: .seconds(second), into: &events)
    }
    engine.finish(at: .seconds(300), into: &events)
    let found = points(events)
    #expect(found.map { $0.time.seconds } == [60, 120, 180, 240, 300])
    #expect(found[0].outcomes.map(\.seconds) == [60, 120])
    #expect(found[0].outcomes[0].inTarget == .seconds(30))
    #expect(found[0].outcomes[0].covered == .seconds(60))
    #expect(found[0].outcomes[1].inTarget == .seconds(30 + 55))
    #expect(found[0].outcomes[1].covered == .seconds(115))
    #expect(found[1].outcomes[0].inTarget == .seconds(55))
    #expect(found[2].outcomes.map(\.inTarget) == [.seconds(60), .seconds(120)])
    #expect(found[3].outcomes.map(\.seconds) == [60])
    #expect(found[4].outcomes.isEmpty)
    // What is emitted stands in the order of time.
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test("What keeps a cue back makes it unavailable, and is never drawn; nor is what the ceiling says")
  func guardrails() throws {
    let never = DrawProbability(of: nil, steps: [.init(from: 0, probability: 1e-12)])
    let guarded = try settings(
      never, guardrails: Guardrails(warmUp: .seconds(150), minimumInterval: .zero),
      ceiling: SafetyCeiling(beatsPerMinute: 180, after: .seconds(30)))
    let events = run(guarded, seconds: 600) { $0 < 300 ? 150 : 185 }
    let found = points(events)
    #expect(found.prefix(2).map(\.reason) == [.warmUp, .warmUp])
    #expect(found.prefix(2).allSatisfy { $0.cue == nil && $0.probability == 0 && !$0.isGiven })
    #expect(found.dropFirst(2).allSatisfy { $0.cue == .slowDown && !$0.isGiven })
    let cues = events.compactMap { event -> Decision? in
      if case .decision(let decision) = event, case .cue = decision.outcome { decision } else { nil }
    }
    // Only the ceiling speaks, and it does.
    #expect(!cues.isEmpty)
    #expect(cues.allSatisfy { $0.evidence.ceiling != nil })
  }

  @Test("A rule by steps has the probability of what is in the record")
  func steps() throws {
    let bySilence = DrawProbability(
      of: .secondsSinceCue,
      steps: [.init(from: 0, probability: 0.2), .init(from: 90, probability: 0.6), .init(from: 200, probability: 0.9)])
    let found = points(run(try settings(bySilence, key: 3), seconds: 3_000) { _ in 110 })
    #expect(Set(found.map(\.probability)) == [0.2, 0.6, 0.9])
    for point in found {
      let since = point.sinceCue?.seconds ?? point.time.seconds
      #expect(point.probability == (since < 90 ? 0.2 : since < 200 ? 0.6 : 0.9))
    }
    let byTarget = DrawProbability(
      of: .secondsOffTarget, steps: [.init(from: 0, probability: 0.1), .init(from: 30, probability: 0.8)])
    let off = points(run(try settings(byTarget), seconds: 600) { $0 % 120 < 60 ? 110 : 125 })
    for point in off {
      #expect(point.probability == (point.offTarget >= .seconds(30) ? 0.8 : 0.1))
      #expect(point.beatsOff == (Int(point.time.seconds) % 120 < 60 ? -9 : 0))
    }
    #expect(Set(off.map(\.probability)) == [0.1, 0.8])
    for wrong: [DrawProbability.Step] in [
      [], [.init(from: 1, probability: 0.5)], [.init(from: 0, probability: 0)], [.init(from: 0, probability: 1)],
      [.init(from: 0, probability: 0.5), .init(from: 0, probability: 0.4)],
    ] { #expect(DrawProbability(of: .secondsSinceCue, steps: wrong) == nil) }
  }

  @Test("An outcome stands still in a pause", arguments: [UInt64(1), 2])
  func pause(key: UInt64) throws {
    var engine = CoachingEngine(settings: try settings(Self.always, key: key, outcomes: [60]))
    var events: [EngineEvent] = []
    func feed(_ range: ClosedRange<Int>) {
      for second in stride(from: range.lowerBound, through: range.upperBound, by: 5) {
        engine.heartRate(125, at: .seconds(second), into: &events)
      }
    }
    feed(0...80)
    engine.pause(at: .seconds(80), into: &events)
    engine.resume(at: .seconds(380), into: &events)
    feed(380...500)
    engine.finish(at: .seconds(500), into: &events)
    let first = try #require(points(events).first)
    #expect(first.outcomes.map(\.inTarget) == [.seconds(60)])
    #expect(events.contains { if case .trialPoint(let time, first) = $0 { time == .seconds(420) } else { false } })
  }

  @Test("Without a trial nothing is drawn, and everything else of a session with one that gives each cue is the same")
  func same() throws {
    var plain = try settings(Self.always, strategy: "zone-change")
    let with = run(plain) { 125 + 20 * Double(($0 / 100) % 3 - 1) }
    plain.trial = nil
    let without = run(plain) { 125 + 20 * Double(($0 / 100) % 3 - 1) }
    #expect(with.filter { if case .trialPoint = $0 { false } else { true } } == without)
    #expect(without.count < with.count)
  }
}
