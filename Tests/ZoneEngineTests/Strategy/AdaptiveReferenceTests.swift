import TestSupport
import Testing
import ZoneEngine

/// A runner whose heart answers: what an engine says changes what comes next.
private struct AnsweringRunner {
  let timeConstant: Double
  let perCue: Double
  let relapse: Double
  let follows: Double
  let artefacts: Double
  let interval: Int
  var pace: Double
  var changed = 0.0
  var heartRate: Double

  init(using generator: inout SplitMix64) {
    timeConstant = Double(generator.int(20...110))
    perCue = Double(generator.int(3...25))
    relapse = generator.pick([0, 0, 1.0 / 90, 1.0 / 230])
    follows = generator.pick([0.3, 0.85, 1])
    artefacts = generator.pick([0, 0, 0.1])
    interval = generator.pick([1, 1, 5])
    pace = Double(generator.int(95...170))
    heartRate = Double(generator.int(70...100))
  }

  /// Goes on for a second; returns what the sensor shows.
  mutating func second(using generator: inout SplitMix64) -> Double {
    pace += Double(generator.int(-10...10)) / 20
    changed *= 1 - relapse
    heartRate += (pace + changed - heartRate) / timeConstant
    let shown = (heartRate + Double(generator.int(-2...2))).rounded()
    return min(220, max(40, generator.chance(artefacts / 5) ? shown + 45 : shown))
  }
}

@Suite("The adaptive strategy, calculated a second time")
struct AdaptiveReferenceTests {
  @Test("says the same to runners who answer, of whom nothing is known", arguments: 1...40)
  func anybody(seed: Int) throws { try closedLoop(seed: seed, .init()) }

  @Test("says the same to runners who answer, of whom something was thought before", arguments: 41...80)
  func known(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed) &* 104_729)
    var prior = ReferencePrior()
    (prior.slow, prior.follows) = (generator.int(1...97), generator.int(1...97))
    (prior.loses, prior.steers, prior.cue) = (generator.int(1...48), generator.int(1...48), generator.int(3...30))
    try closedLoop(seed: seed, prior)
  }

  private func closedLoop(seed: Int, _ prior: ReferencePrior) throws {
    var generator = SplitMix64(seed: UInt64(seed) &* 7_919)
    var runner = AnsweringRunner(using: &generator)
    let target = generator.pick([(119, 137), (138, 157), (120, 124), (100, 160)])
    let (every, price) = (generator.pick([1, 5, 5, 5, 7]), generator.pick([50, 50, 20, 120]))
    let plan = try TrainingPlan(constant: .between(target.0, target.1))
    let strategy = try FeedbackStrategy(
      specification: "adaptive:every=\(every),price=\(price),slow=\(prior.slow),loses=\(prior.loses),"
        + "steers=\(prior.steers),follows=\(prior.follows),cue=\(prior.cue)")
    var run = CoachedRun(try .testing(plan: plan, strategy: strategy))
    var timeline = Timeline(end: 1_200)
    var taken = 0
    for second in 0..<1_200 {
      let shown = runner.second(using: &generator)
      guard second.isMultiple(of: runner.interval) else { continue }
      timeline.samples.append((Double(second), shown))
      run.heartRate(shown, at: Double(second))
      for case .decision(let decision) in run.events[taken...] {
        guard case .cue(let action) = decision.outcome, generator.chance(runner.follows) else { continue }
        runner.changed += action == .speedUp ? runner.perCue : -runner.perCue
      }
      taken = run.events.count
    }
    run.finish(at: timeline.end)
    let judged = run.events.compactMap { event -> ReferenceSession.Judgement? in
      guard case .decision(let decision) = event else { return nil }
      return .init(seconds: decision.time.seconds, outcome: decision.outcome.word, band: decision.band?.description)
    }
    let reference = ReferenceSession.run(
      samples: timeline.samples, pauses: [], end: timeline.end, maximumBPM: 197,
      target: .range(target.0, target.1), strategy: .adaptive(every: every, price: price, prior: prior))
    #expect(judged.count == 1_200 / every, "seed \(seed)")
    #expect(judged == reference.judgements, "seed \(seed)")
  }
}
