import Foundation
import StrategyStudy
import TestSupport
import Testing
import ZoneEngine

@Suite("Virtual runners")
struct VirtualRunnerTests {
  private static let target = StudyTarget(lowerBPM: 119, upperBPM: 137)

  @Test("Oxygen uptake of running is ACSM's, of walking LCDA's with ACSM's grade")
  func oxygen() {
    // 80, 93.8 and 160 m/min, from the vectors of the formula.
    #expect((Gait.run.oxygenUptake(speed: 80 / 60.0, grade: 0) - 19.5).magnitude < 1e-9)
    #expect((Gait.run.oxygenUptake(speed: 93.8 / 60, grade: 0.1) - 30.702).magnitude < 1e-9)
    #expect((Gait.run.oxygenUptake(speed: 160 / 60.0, grade: 0) - 35.5).magnitude < 1e-9)
    // 2.87 · (1.44 + 1.94 + 0.24) at 1 m/s, and 1.8 · 60 · 0.05 more on a grade of 5 %.
    #expect((Gait.walk.oxygenUptake(speed: 1, grade: 0) - 10.389_4).magnitude < 1e-9)
    #expect((Gait.walk.oxygenUptake(speed: 1, grade: 0.05) - 15.789_4).magnitude < 1e-9)
  }

  @Test("The table gives what the equations give", arguments: Gait.allCases)
  func table(gait: Gait) {
    let cost = OxygenCost(gait)
    let (slow, fast) = (gait.speeds.lowerBound, gait.speeds.upperBound)
    for step in 0...10_000 {
      let speed = slow + (fast - slow) * Double(step) / 10_000
      for grade in [-0.03, 0, 0.03] {
        let exact = gait.oxygenUptake(speed: speed, grade: grade) - 3.5
        #expect((cost.aboveRest(speed: speed, grade: grade) - exact).magnitude < 2e-5, "\(speed) m/s")
      }
    }
  }

  @Test("Who may walk and run pays for what costs less, without a step between")
  func either() {
    #expect((OxygenCost.transition - 2.27).magnitude < 0.02)
    var last = -Double.infinity
    for step in 0...10_000 {
      let speed = 0.7 + (5.5 - 0.7) * Double(step) / 10_000
      let walking = Gait.walk.oxygenUptake(speed: speed, grade: 0) - 3.5
      let cost = OxygenCost.ofEither.aboveRest(speed: speed, grade: 0)
      #expect((cost - min(walking, 12 * speed)).magnitude < 3e-3 || speed < 0.9, "\(speed) m/s")
      #expect(cost > last - 1e-9, "faster is never cheaper")
      last = cost
    }
  }

  @Test(
    "Who changes the gait pays for walking below that speed and for running from it on",
    arguments: [1.2, 1.86, 3.2]
  )
  func changing(_ transition: Double) {
    let cost = OxygenCost.changing(at: transition)
    for step in 0...10_000 {
      let speed = 0.7 + (5.5 - 0.7) * Double(step) / 10_000
      let gait: Gait = speed < transition ? .walk : .run
      for grade in [-0.03, 0, 0.03] {
        let exact = gait.oxygenUptake(speed: speed, grade: grade) - 3.5
        // Tangents of faster walking are a little farther off.
        #expect((cost.aboveRest(speed: speed, grade: grade) - exact).magnitude < 1e-4, "\(speed) m/s")
      }
    }
    #expect(cost.aboveRest(speed: transition, grade: 0) == 12 * transition)
  }

  @Test(
    "A person who changes the gait runs as one who does not, and walks at the cost of walking, by oxygen or by gain"
  )
  func changingPerson() throws {
    for gain in [nil, StudyParameter(21, spread: 0, .source("me"))] {
      var model = RunnerModel.standard(.run)
      model.gain = gain
      let keeps = VirtualRunner(
        RunnerTraits(model, formulaMaximum: 197, seed: 2, runner: 5), model, cost: OxygenCost(.run),
        target: Self.target, dayBias: 0)
      model.transition = StudyParameter(1.86, spread: 0, .source("me"))
      #expect(model.speeds == 0.7...5.5)
      let changes = VirtualRunner(
        RunnerTraits(model, formulaMaximum: 197, seed: 2, runner: 5), model, cost: OxygenCost(.run),
        target: Self.target, dayBias: 0)
      #expect(changes.speeds == 0.7...5.5)
      #expect(changes.traits.transition == 1.86)
      #expect(keeps.traits.transition == nil)
      for speed in [1.86, 2, 2.7] {
        let rates = [keeps, changes].map { $0.steadyHeartRate(speed: speed, grade: 0.01) }
        #expect((rates[0] - rates[1]).magnitude < 1e-9, "\(speed) m/s")
      }
      // Beats a ml/(kg·min): those of running.
      let rest = keeps.traits.restingHeartRate
      let perUptake: Double = (keeps.steadyHeartRate(speed: 2, grade: 0) - rest) / 24
      let walking: Double = Gait.walk.oxygenUptake(speed: 1.5, grade: 0) - 3.5
      let expected: Double = rest + perUptake * walking
      let found = changes.steadyHeartRate(speed: 1.5, grade: 0)
      #expect((found - expected).magnitude < 1e-3)
      #expect(found < keeps.steadyHeartRate(speed: 1.5, grade: 0) - 5)
    }
  }

  @Test("A walker who changes the gait walks with the gain that was drawn, at the speed that is preferred, and may run")
  func changingWalker() throws {
    var model = RunnerModel.standard(.walk, .hunt)
    model.transition = StudyParameter(2.1, spread: 0, .source("me"))
    for number in 0..<200 {
      let traits = RunnerTraits(model, formulaMaximum: 197, seed: 2, runner: number)
      let walker = VirtualRunner(traits, model, cost: OxygenCost(.walk), target: Self.target, dayBias: 0)
      let speed = walker.preferredSpeed
      guard (1...2).contains(speed) else { continue }
      let gain = try #require(traits.gain)
      let rates = [speed - 0.01, speed + 0.01].map { walker.steadyHeartRate(speed: $0, grade: 0) }
      let slope: Double = (rates[1] - rates[0]) / 0.02
      #expect((slope - gain).magnitude < 0.02 * gain, "\(number)")
      #expect(walker.speeds == 0.7...5.5)
    }
  }

  @Test("Delays and changes of gait are drawn by mean and spread, and change nothing else of a person")
  func lateAndChanging() throws {
    let plain = RunnerModel.standard(.run)
    var model = plain
    model.delay = StudyParameter(9, spread: 2, .source("me"))
    model.transition = StudyParameter(1.9, spread: 0.15, .source("me"))
    let people = (0..<4_000).map { RunnerTraits(model, formulaMaximum: 197, seed: 9, runner: $0) }
    let delays = try #require(SampleMoments(people.map { Double($0.delaySeconds) }))
    #expect((delays.mean - 9).magnitude < 0.15)
    #expect((try #require(delays.standardDeviation) - 2).magnitude < 0.15)
    let speeds = try #require(SampleMoments(people.compactMap(\.transition)))
    #expect(speeds.count == 4_000)
    #expect((speeds.mean - 1.9).magnitude < 0.01)
    #expect((try #require(speeds.standardDeviation) - 0.15).magnitude < 0.01)
    #expect(people.allSatisfy { (0...20).contains($0.delaySeconds) })
    for number in 0..<50 {
      let other = RunnerTraits(plain, formulaMaximum: 197, seed: 9, runner: number)
      #expect(other.delaySeconds == 0)
      #expect(other.transition == nil)
      #expect(other.maximumHeartRate == people[number].maximumHeartRate)
      #expect(other.timeConstant == people[number].timeConstant)
      #expect(other.compliance == people[number].compliance)
      #expect(other.bias == people[number].bias)
    }
    let quiet = model.withoutSpreadAndNoise
    #expect(quiet.delay?.value == 9)
    #expect(quiet.delay?.spread == 0)
    #expect(quiet.transition?.spread == 0)
  }

  @Test("People are as the model says, and anyone can be drawn alone")
  func traits() throws {
    let model = RunnerModel.standard(.run)
    let people = (0..<4_000).map { RunnerTraits(model, formulaMaximum: 197, seed: 9, runner: $0) }
    func check(_ value: (RunnerTraits) -> Double, _ mean: Double, _ spread: Double) throws {
      let moments = try #require(SampleMoments(people.map(value)))
      // Cut at 2.5 deviations a normal number keeps 95 % of its deviation.
      #expect((moments.mean - mean).magnitude < 0.08 * spread, "\(moments)")
      #expect((try #require(moments.standardDeviation) / spread - 0.98).magnitude < 0.07, "\(moments)")
    }
    try check(\.maximumHeartRate, 197, 10.8)
    try check(\.restingHeartRate, 65, 8)
    try check(\.maximalOxygenUptake, 45, 8)
    try check(\.compliance, 0.85, 0.078)
    try check(\.step, 0.1, 0.04)
    try check(\.anticipation, 0.5, 0.288_7)
    try check(\.bias, 0, 1)
    let constants = try #require(SampleMoments(people.map(\.timeConstant)))
    #expect((constants.mean - 57.6).magnitude < 1.5)
    #expect(people.allSatisfy { (1...20).contains($0.latencySeconds) && $0.driftPerSecond >= 0 })
    #expect(people[1_234] == RunnerTraits(model, formulaMaximum: 197, seed: 9, runner: 1_234))
    #expect(people[7] != RunnerTraits(model, formulaMaximum: 197, seed: 10, runner: 7))
  }

  @Test(
    "The people of Hunt are those of wise but for the gain, which is the one that he measured", arguments: Gait.allCases
  )
  func huntsGain(gait: Gait) throws {
    let (wise, hunt) = (RunnerModel.standard(gait), RunnerModel.standard(gait, .hunt))
    let cost = OxygenCost(gait)
    var gains: [Double] = []
    for number in 0..<4_000 {
      let same = RunnerTraits(wise, formulaMaximum: 197, seed: 9, runner: number)
      let other = RunnerTraits(hunt, formulaMaximum: 197, seed: 9, runner: number)
      #expect(same.gain == nil)
      #expect(same.timeConstant == other.timeConstant)
      #expect(same.bias == other.bias)
      let runner = VirtualRunner(other, hunt, cost: cost, target: Self.target, dayBias: 0)
      let gain = try #require(other.gain)
      gains.append(gain)
      // A straight line wherever the heart rate is between rest and maximum.
      let (slow, fast) = (runner.speeds.lowerBound + 0.1, runner.speeds.lowerBound + 0.3)
      let rates = [slow, fast].map { runner.steadyHeartRate(speed: $0, grade: 0) }
      guard rates[0] > other.restingHeartRate, rates[1] < other.maximumHeartRate else { continue }
      #expect(((rates[1] - rates[0]) / 0.2 - gain).magnitude < 1e-9, "runner \(number)")
    }
    let moments = try #require(SampleMoments(gains))
    #expect((moments.mean - 24.2).magnitude < 0.4)
    #expect((try #require(moments.standardDeviation) - 8.3).magnitude < 0.4)
  }

  @Test("Runners of Hunt have the resting heart rate at no speed, walkers the speed that they prefer by its cost")
  func huntsLine() throws {
    for number in 0..<200 {
      let (run, walk) = (RunnerModel.standard(.run, .hunt), RunnerModel.standard(.walk, .hunt))
      let traits = RunnerTraits(run, formulaMaximum: 197, seed: 2, runner: number)
      let gain = try #require(traits.gain)
      let runner = VirtualRunner(traits, run, cost: OxygenCost(.run), target: Self.target, dayBias: 0.5)
      let expected = min(traits.maximumHeartRate, traits.restingHeartRate + 2 * gain)
      #expect((runner.steadyHeartRate(speed: 2, grade: 0) - expected).magnitude < 1e-9)
      let walker = VirtualRunner(
        RunnerTraits(walk, formulaMaximum: 197, seed: 2, runner: number), walk, cost: OxygenCost(.walk),
        target: Self.target, dayBias: 0.5)
      var byCost = walk
      byCost.gain = nil
      let other = VirtualRunner(
        RunnerTraits(byCost, formulaMaximum: 197, seed: 2, runner: number), byCost, cost: OxygenCost(.walk),
        target: Self.target, dayBias: 0.5)
      #expect((walker.preferredSpeed - other.preferredSpeed).magnitude < 1e-9)
      let rates = [walker, other].map { $0.steadyHeartRate(speed: $0.preferredSpeed, grade: 0) }
      #expect((rates[0] - rates[1]).magnitude < 1e-6)
    }
  }

  @Test("What is said of a population is what its runners are")
  func population() throws {
    let study = try SmallStudy.make(runners: 500)
    let course = study.courses[0]
    let described = PopulationDescription(of: course, seed: study.seed, runners: study.runners)
    #expect(
      described.quantities.map(\.name) == [
        "preferredSpeedMetersPerSecond", "preferredHeartRateBPM", "gainBPMPerMeterPerSecond", "timeConstantSeconds",
      ])
    // The first second of an arm without a coach is at the preferred speed, but for the noise of the pace.
    var simulator = RunnerSimulator(study)
    let first = (0..<500).compactMap {
      simulator.trace(runner: $0, course: 0, behaviour: 0, arm: 0).points.first?.speed
    }
    let moments = try #require(SampleMoments(first))
    #expect((moments.mean - described.quantities[0].moments.mean).magnitude < 0.02)
    #expect(described.quantities[0].quantiles == described.quantities[0].quantiles.sorted())
    #expect(described.shareAtSlowest > 0.2, "a third of the runners of wise would go slower than the gait allows")
    #expect(try #require(described.shareBelowRunning) > 0.7)
  }

  @Test("Without spread everybody is the same, and goes at the speed of the middle of the target")
  func noSpread() {
    let model = RunnerModel.standard(.run).withoutSpreadAndNoise
    let traits = RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 3)
    #expect(traits.timeConstant == 57.6)
    #expect(traits.compliance == 0.85)
    #expect(traits.latencySeconds == 4)
    let runner = VirtualRunner(traits, model, cost: OxygenCost(.run), target: Self.target, dayBias: 2)
    #expect((runner.steadyHeartRate(speed: runner.preferredSpeed, grade: 0) - 128).magnitude < 1e-6)
    // 132 bpm of reserve over 41.5 ml/(kg·min) at 12 ml/(kg·min) a m/s.
    #expect((runner.slope - 132 / 41.5 * 12).magnitude < 1e-6)
    #expect(runner.startBPM == 80)
  }

  @Test("A step of speed is answered as by the first-order equation, second by second")
  func stepResponse() throws {
    var model = RunnerModel.standard(.run).withoutSpreadAndNoise
    model[.speedLagSeconds] = StudyParameter(1, .assumption("at once"))
    let traits = RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 0)
    let runner = VirtualRunner(
      traits, model, cost: OxygenCost(.run), target: Self.target, preferredSpeed: 2.2)
    #expect((runner.steadyHeartRate(speed: 2.2, grade: 0) - 148.971_084_337_349_4).magnitude < 1e-9)
    var day = Disturbances()
    day.draw(model, seed: 1, runner: 0, day: 0, seconds: 601)
    var loop = ClosedLoop()
    var trace: RunTrace? = RunTrace()
    let settings = try CoachingSettings.testing(strategy: .none)
    _ = loop.run(runner, .reflex, coachedBy: settings, on: day, seconds: 601, tracing: &trace)
    let points = try #require(trace?.points)
    // Euler's steps of 1 s from 80 bpm, calculated outside of this package; the first second is a step too.
    for (second, heartRate) in [30: 108.187_491_083_370_22, 120: 140.538_884_936_536_7, 600: 148.969_203_359_3] {
      #expect((points[second - 1].heartRate - heartRate).magnitude < 1e-4, "after \(second) s")
    }
  }

  @Test("The driven treadmill holds the middle of the target, and noise is what it cannot remove")
  func treadmill() throws {
    for (noise, most) in [(0.0, 0.5), (2.2, 2.6)] {
      var model = RunnerModel.standard(.run).withoutSpreadAndNoise
      model[.heartRateNoiseBPM] = StudyParameter(noise, .assumption("as asked for"))
      let traits = RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 0)
      let runner = VirtualRunner(traits, model, cost: OxygenCost(.run), target: Self.target, dayBias: 0)
      var day = Disturbances()
      day.draw(model, seed: 1, runner: 0, day: 0, seconds: 1_500)
      let outcome = DrivenTreadmill.run(runner, on: day, seconds: 1_500)
      #expect(Double(try #require(outcome.rootMeanSquareErrorBPM)) < most)
      #expect(outcome.secondsInTargetAfterStart == 1_200)
      #expect(outcome.secondsInTarget < 1_500, "the start is under the target")
    }
  }
}
