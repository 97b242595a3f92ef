import StrategyStudy
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("The closed loop")
struct ClosedLoopTests {
  /// The outcomes and the trace of one runner of the usual people.
  private func run(
    _ strategy: String, _ behaviour: String, seed: UInt64 = 4, gait: Gait = .run
  ) throws -> (RunOutcome, RunTrace) {
    let model = RunnerModel.standard(gait)
    let course = try StudyCourse(
      person: .ofAge23, target: "weight-control",
      arms: [StudyArm(name: nil, strategy: FeedbackStrategy(specification: strategy), seconds: 1_500)], model: model,
      contrasts: nil, observed: nil)
    let traits = RunnerTraits(model, formulaMaximum: 197, seed: seed, runner: 0)
    var day = Disturbances()
    day.draw(model, seed: seed, runner: 0, day: 0, seconds: 1_500)
    let runner = VirtualRunner(
      traits, model, cost: OxygenCost(gait), target: course.target, dayBias: day.dayBias)
    var loop = ClosedLoop()
    var trace: RunTrace? = RunTrace()
    let outcome = loop.run(
      runner, try Behaviour(behaviour), coachedBy: course.settings[0], on: day, seconds: 1_500, tracing: &trace)
    let traced = try #require(trace)
    return (outcome, traced)
  }

  @Test("A trial has every point of a session, the last outcome with its end, and those after it missing")
  func pointsUpToTheEnd() throws {
    let text =
      #"{"version":1,"type":"microRandomizedTrial","name":"pilot","probability":{"constant":0.5},"#
      + #""outcomeSeconds":[60,120],"seed":7}"#
    var study = try SmallStudy.make(arms: ["moment:every=60"], behaviours: ["reflex"], runners: 2, seconds: 1_500)
    let alone = try SmallStudy.outcomes(study)
    let trial = StudyTrial(try TrialProtocol(json: text.utf8.span))
    study.trial = trial
    let drawn = try SmallStudy.outcomes(study)
    // What is judged at exactly the end nobody hears, with a trial or without one.
    #expect(drawn.sessions.map(\.checks) == alone.sessions.map(\.checks))
    for runner in ["0", "1"] {
      let points = trial.rows.filter { $0.participant == runner }
      #expect(points.map(\.number).sorted() == Array(1...24))
      for point in points {
        let expected = [60, 120].filter { point.number * 60 + $0 <= 1_500 }
        #expect(point.outcomes.keys.sorted() == expected, "point \(point.number)")
      }
    }
  }

  @Test("Who follows no cue, or whose step is nothing, runs as without a coach", arguments: UInt64(1)...8)
  func deaf(seed: UInt64) throws {
    let (alone, path) = try run("none", "reflex", seed: seed)
    for behaviour in ["reflex:compliance=0", "reflex:step=0"] {
      let (outcome, other) = try run("moment:every=60", behaviour, seed: seed)
      #expect(other.points == path.points)
      #expect(outcome.secondsInTarget == alone.secondsInTarget)
      #expect(outcome.cues > 0)
    }
    #expect(alone.cues == 0)
    #expect(alone.checks == 0)
    #expect(alone.checkMinusMidway == nil)
  }

  @Test("Without a coach nobody's behaviour matters")
  func noCoach() throws {
    let (_, path) = try run("none", "reflex")
    for behaviour in ["relapse:tau=30", "visible", "anticipate:rho=1", "visible+anticipate:rho=spread"] {
      #expect(try run("none", behaviour).1.points == path.points)
    }
  }

  @Test("Who gives up nothing, or begins to work at the last check, works always")
  func alwaysAtWork() throws {
    var resting = 0
    for seed in UInt64(1)...8 {
      for strategy in ["moment:every=120", "period:every=120,window=60"] {
        let reflex = try run(strategy, "reflex", seed: seed).1
        #expect(try run(strategy, "anticipate:rho=0", seed: seed).1 == reflex)
        #expect(try run(strategy, "anticipate:lead=120", seed: seed).1 == reflex)
        // The judged minute is part of the work: 60 s before it are all there is, but not before a moment.
        let lead60 = try run(strategy, "anticipate:lead=60", seed: seed).1
        if strategy.hasPrefix("period") { #expect(lead60 == reflex) } else if lead60 != reflex { resting += 1 }
      }
    }
    // Who gets no cue to change the speed has nothing to give up.
    #expect((4...8).contains(resting), "\(resting) of 8")
  }

  @Test("Where no check can be foreseen, who works only for them works always or never, as is said")
  func unforeseen() throws {
    var cues = 0
    for seed in UInt64(1)...8 {
      for strategy in ["moment:every=120,jitter=30", "zone-change"] {
        let (outcome, reflex) = try run(strategy, "reflex", seed: seed)
        cues += Int(outcome.followedCues)
        #expect(try run(strategy, "anticipate:lead=15", seed: seed).1 == reflex)
        let (_, alone) = try run("none", "reflex", seed: seed)
        #expect(try run(strategy, "anticipate:unforeseen=never", seed: seed).1.points == alone.points)
      }
    }
    #expect(cues > 8)
  }

  @Test(
    "Decisions that fall between two readings are emitted in their second",
    arguments: ["zone-change", "moment:every=7"])
  func betweenReadings(strategy: String) throws {
    for seed in UInt64(1)...8 {
      let (outcome, path) = try run(strategy, "reflex:compliance=1,latency=1", seed: seed)
      let (_, alone) = try run("none", "reflex", seed: seed)
      #expect(strategy == "zone-change" || outcome.checks == 214)
      guard let first = path.cues.first(where: \.isFollowed) else { continue }
      let second = Int(first.decision.time.seconds)
      #expect(path.points.prefix(second + 1) == alone.points.prefix(second + 1))
      #expect(path.points[second + 1].speed != alone.points[second + 1].speed, "seed \(seed)")
    }
  }

  @Test("Between checks who works only for them goes at the preferred speed")
  func rest() throws {
    let (_, path) = try run("moment:every=120", "anticipate:lead=15")
    let (_, alone) = try run("none", "reflex")
    // 60 s after a check the speed has forgotten the work, up to what five time constants leave.
    for second in [180, 300, 1_260] {
      #expect((path.points[second].speed - alone.points[second].speed).magnitude < 1e-3, "at \(second) s")
    }
  }

  @Test("A sensor that reports nothing leaves the coach without a heart rate: no cue, and it says why")
  func dropout() throws {
    let (outcome, path) = try run("moment:every=60", "visible:dropout=1")
    #expect(outcome.cues == 0)
    #expect(outcome.checks == 24)
    #expect(path.cues.allSatisfy { $0.decision.outcome == .withheld(.signalLost) })
    #expect(path.points.allSatisfy { $0.reading == nil })
  }

  @Test("Artefacts are reported in their share of the spans, between 150 and 185")
  func artifacts() throws {
    var locked = 0
    for seed in UInt64(0)..<20 {
      let clean = try run("none", "reflex", seed: seed).1.points.compactMap(\.reading)
      let dirty = try run("none", "reflex:artifact=0.1", seed: seed).1.points.compactMap(\.reading)
      #expect(clean.count == 300)
      #expect(dirty.count == 300)
      for (reported, wanted) in zip(dirty, clean) where reported != wanted {
        locked += 1
        #expect((150...185).contains(reported))
      }
    }
    // 6,000 readings; five standard errors around a tenth, and an artefact may be the truth by chance.
    #expect((480...720).contains(locked), "\(locked)")
  }

  @Test("A cue takes effect after the latency, as a step of the speed, twice as large from two zones off")
  func step() throws {
    for seed in UInt64(1)...20 {
      let (_, path) = try run("moment:every=120", "reflex:compliance=1,latency=7,step=0.1", seed: seed)
      let (_, alone) = try run("none", "reflex", seed: seed)
      guard let first = path.cues.first(where: \.isFollowed), case .cue(let action) = first.decision.outcome else {
        continue
      }
      let effect = Int(first.decision.time.seconds) + 7
      #expect(path.points.prefix(effect) == alone.points.prefix(effect))
      let change = path.points[effect].speed - alone.points[effect].speed
      #expect(action == .speedUp ? change > 0 : change < 0, "seed \(seed)")
    }
  }

  @Test("Cues, checks and directions are counted as the trace shows them", arguments: UInt64(1)...10)
  func counts(seed: UInt64) throws {
    let (outcome, path) = try run("moment:every=60", "reflex", seed: seed, gait: seed % 2 == 0 ? .run : .walk)
    var actions: [CueAction] = []
    for cue in path.cues { if case .cue(let action) = cue.decision.outcome { actions.append(action) } }
    let directional = actions.filter { $0 != .hold }
    #expect(Int(outcome.cues) == actions.count)
    #expect(Int(outcome.directionalCues) == directional.count)
    #expect(Int(outcome.followedCues) == path.cues.count(where: \.isFollowed))
    #expect(Int(outcome.directionChanges) == zip(directional, directional.dropFirst()).count { $0 != $1 })
    let inTarget = path.points.map { (119...137).contains(Int($0.heartRate + 0.5)) }
    #expect(Int(outcome.secondsInTarget) == inTarget.count { $0 })
    #expect(Int(outcome.secondsInTargetAfterStart) == inTarget.dropFirst(180).count { $0 })
    #expect(outcome.secondsToTarget.map(Int.init) == inTarget.firstIndex(of: true))
    let checks = Array(stride(from: 60, to: 1_500, by: 60))
    #expect(Int(outcome.checks) == checks.count)
    #expect(Int(outcome.midways) == checks.count - 1)
    #expect(Int(outcome.checksInTarget) == checks.count { inTarget[$0] })
    #expect(Int(outcome.midwaysInTarget) == checks.dropFirst().count { inTarget[$0 - 30] })
    let late = path.points.dropFirst(180).map { ($0.heartRate - 128) * ($0.heartRate - 128) }
    let error = (late.reduce(0, +) / Double(late.count)).squareRoot()
    #expect((Double(try #require(outcome.rootMeanSquareErrorBPM)) - error).magnitude < 1e-4)
    let highest = path.points.reduce(0) { max($0, $1.heartRate) }
    #expect((Double(outcome.overshootBPM) - max(0, highest - 137)).magnitude < 1e-4)
  }
}
