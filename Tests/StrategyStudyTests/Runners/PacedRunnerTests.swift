@testable import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

@Suite("A virtual runner second by second")
struct PacedRunnerTests {
  private static let strategies = ["moment:every=60", "period:every=60,window=60", "zone-change", "trend"]
  private static let behaviours = [
    "reflex", "visible", "relapse:tau=120", "anticipate:rho=1,lead=20+visible", "reflex:artifact=0.1,dropout=0.1",
  ]

  @Test("walks where running would be too much, when that is allowed")
  func walks() {
    func mean(_ seed: UInt64, mayWalk: Bool) -> (heartRate: Double, speed: Double) {
      var runner = PacedRunner(
        .run, maximumHeartRate: 197, target: StudyTarget(lowerBPM: 98, upperBPM: 118), behaviour: .reflex,
        strategy: .none, mayWalk: mayWalk, seed: seed, longest: 600)
      var (sum, count, slowest) = (0.0, 0.0, Double.infinity)
      while let second = runner.run() {
        slowest = min(slowest, second.speed)
        guard second.number >= 300, let reading = second.heartRate else { continue }
        sum += reading
        count += 1
      }
      return (sum / count, slowest)
    }
    let seeds = UInt64(1)...60
    let either = seeds.map { mean($0, mayWalk: true) }
    let running = seeds.map { mean($0, mayWalk: false) }
    let gain = zip(either, running).map { $1.heartRate - $0.heartRate }.reduce(0, +) / Double(seeds.count)
    #expect(gain > 1, "\(gain) bpm")
    #expect(running.allSatisfy { $0.speed >= 1.2 })
    #expect(either.contains { $0.speed < 1 })
    #expect(either.allSatisfy { $0.heartRate > 60 })
  }

  @Test("has the heart rates and the speeds of the study, with the same engine", arguments: strategies, behaviours)
  func sameAsStudy(specification: String, text: String) throws {
    let behaviour = try StudyBehaviour(text).behaviour
    let strategy = try FeedbackStrategy(specification: specification)
    for gait in Gait.allCases {
      for seed in UInt64(1)...3 {
        let seconds = 900
        let model = RunnerModel.standard(gait)
        var day = Disturbances()
        day.draw(model, seed: seed, runner: 0, day: 0, seconds: seconds)
        let traits = RunnerTraits(model, formulaMaximum: 185, seed: seed, runner: 0)
        let target = StudyTarget(lowerBPM: 120, upperBPM: 138)
        let runner = VirtualRunner(traits, model, cost: OxygenCost(gait), target: target, dayBias: day.dayBias)
        var request = CoachingRequest()
        request.profile.maximumHeartRate = 185
        request.target = "120-138"
        request.strategy = strategy
        let settings = try request.settings(on: nil)
        var loop = ClosedLoop()
        var trace: RunTrace? = RunTrace()
        _ = loop.run(runner, behaviour, coachedBy: settings, on: day, seconds: seconds, tracing: &trace)
        let expected = try #require(trace)

        var paced = PacedRunner(runner, behaviour, strategy, on: day, longest: seconds)
        var engine = CoachingEngine(settings: settings)
        var events: [EngineEvent] = []
        var readings: [Double?] = []
        var speeds: [Double] = []
        while let second = paced.run() {
          readings.append(second.heartRate)
          speeds.append(second.speed)
          if let reading = second.heartRate {
            engine.heartRate(reading, at: .seconds(second.number), into: &events)
          }
          engine.advance(to: .seconds(second.number) + SessionTime(nanoseconds: 1), into: &events)
          for case .decision(let decision) in events { paced.hear(decision) }
          events.removeAll()
        }
        #expect(readings == expected.points.map(\.reading))
        #expect(speeds == expected.points.map(\.speed))
        #expect(readings.count == seconds)
        #expect(paced.run() == nil)
      }
    }
  }
}
