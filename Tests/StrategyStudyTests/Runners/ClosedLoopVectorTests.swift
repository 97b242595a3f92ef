import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

/// A runner without noise whose steady heart rates are known, age 23, target Aerobic: calculated once, outside of this
/// package, by an independent simulation of 900 s.
@Suite("The closed loop without noise")
struct ClosedLoopVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let strategy: String
    let preferredSpeed: Double
    let secondsInTarget: Int32
    let cues: [Int: Int]
    let finalSpeed: Double
    let finalHeartRate: Double
    var testDescription: String { "\(strategy) at \(preferredSpeed) m/s" }
  }

  static let vectors = [
    Vector(
      strategy: "none", preferredSpeed: 1.6, secondsInTarget: 0, cues: [:], finalSpeed: 1.6,
      finalHeartRate: 128.8778729693538),
    Vector(
      strategy: "moment:every=120", preferredSpeed: 1.6, secondsInTarget: 580, cues: [120: 1, 240: 1],
      finalSpeed: 1.936, finalHeartRate: 141.70246539653493),
    Vector(
      strategy: "moment:every=60", preferredSpeed: 1.6, secondsInTarget: 734, cues: [60: 2, 120: 1],
      finalSpeed: 2.111999999999999, finalHeartRate: 148.4202187852436),
    Vector(
      strategy: "period:every=60,window=60", preferredSpeed: 1.6, secondsInTarget: 734,
      cues: [60: 2, 120: 1, 180: 1], finalSpeed: 2.3231999999999995, finalHeartRate: 156.48141181470325),
    Vector(
      strategy: "period:every=120,window=60", preferredSpeed: 1.6, secondsInTarget: 649, cues: [120: 2, 240: 1],
      finalSpeed: 2.111999999999999, finalHeartRate: 148.42013718313237),
    Vector(
      strategy: "none", preferredSpeed: 2.8, secondsInTarget: 49, cues: [:], finalSpeed: 2.8,
      finalHeartRate: 174.68027606996213),
    Vector(
      strategy: "moment:every=120", preferredSpeed: 2.8, secondsInTarget: 665, cues: [120: -1, 240: -1],
      finalSpeed: 2.268000000000001, finalHeartRate: 154.3746615465994),
    Vector(
      strategy: "moment:every=60", preferredSpeed: 2.8, secondsInTarget: 726, cues: [120: -1, 180: -1],
      finalSpeed: 2.268000000000001, finalHeartRate: 154.37459259991363),
    Vector(
      strategy: "period:every=60,window=60", preferredSpeed: 2.8, secondsInTarget: 578,
      cues: [60: 1, 180: -1, 240: -1, 300: -1, 360: -1], finalSpeed: 2.020788000000001,
      finalHeartRate: 144.9400164079317),
    Vector(
      strategy: "period:every=120,window=60", preferredSpeed: 2.8, secondsInTarget: 534, cues: [240: -1, 360: -1],
      finalSpeed: 2.268000000000001, finalHeartRate: 154.37552607500788),
  ]

  @Test("Cues, time in target and the end are those of an independent simulation", arguments: vectors)
  func vector(_ vector: Vector) throws {
    var model = RunnerModel.standard(.run).withoutSpreadAndNoise
    model[.driftBPMPerMinute] = StudyParameter(
      ClosedLoopVectorTests.driftPerMinute, spread: 0, .assumption("the vector's"))
    let traits = RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 0)
    let course = try StudyCourse(
      person: .ofAge23, target: "aerobic",
      arms: [StudyArm(name: nil, strategy: FeedbackStrategy(specification: vector.strategy), seconds: 900)],
      model: model, contrasts: nil, observed: nil)
    let runner = VirtualRunner(
      traits, model, cost: OxygenCost(.run), target: course.target, preferredSpeed: vector.preferredSpeed)
    var day = Disturbances()
    day.draw(model, seed: 1, runner: 0, day: 0, seconds: 900)
    var loop = ClosedLoop()
    var trace: RunTrace? = RunTrace()
    let outcome = loop.run(
      runner, try Behaviour("reflex:compliance=1,latency=4,step=0.1"), coachedBy: course.settings[0], on: day,
      seconds: 900, tracing: &trace)
    #expect(outcome.secondsInTarget == vector.secondsInTarget)
    let directional = (trace?.cues ?? []).filter(\.isFollowed)
    #expect(directional.map { Int($0.decision.time.seconds) } == vector.cues.keys.sorted())
    for cue in directional {
      let size = try #require(vector.cues[Int(cue.decision.time.seconds)])
      #expect(cue.decision.outcome == .cue(size > 0 ? .speedUp : .slowDown))
    }
    let last = try #require(trace?.points.last)
    #expect((last.speed - vector.finalSpeed).magnitude < 1e-9)
    #expect((last.heartRate - vector.finalHeartRate).magnitude < 1e-9)
  }

  /// In bpm a minute.
  static let driftPerMinute = 0.2
}

extension AthleteProfile {
  /// Somebody of 23 years, as in the Wise paper.
  static var ofAge23: AthleteProfile {
    var profile = AthleteProfile()
    profile.ageYears = 23
    return profile
  }
}
