import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What became of the steps of a plan")
struct PlanVerdictTests {
  /// The verdict on a plan of an easy step of 100 s without a target, then steps of 120 to 140 bpm of some seconds, in which
  /// the heart rates are held that are given; 0 for none, 255 for a pause.
  private static func verdict(_ efforts: [[UInt8]], lasts: Int? = nil) throws -> PlanVerdict {
    let target = TrainingTarget.range(lowerBPM: 120, upperBPM: 140)
    let zones = try HeartRateZones(percentOf: MaximumHeartRate(measured: 190))
    var course = PlanCourse()
    var held = [UInt8](repeating: 100, count: 100)
    course.begin(
      try TrainingPlan.Step(name: "easy", duration: .seconds(100), target: .open), number: 1, at: .zero, target: nil)
    for (index, values) in efforts.enumerated() {
      let step = try TrainingPlan.Step(
        name: "effort", duration: .seconds(lasts ?? values.count { $0 != 255 }), target: target)
      course.begin(
        step, number: index + 2, at: .seconds(held.count), target: try ResolvedTarget(target, in: zones))
      held += values
    }
    return try #require(course.verdict(held))
  }

  private static func seconds(_ parts: (UInt8, Int)...) -> [UInt8] {
    parts.flatMap { [UInt8](repeating: $0.0, count: $0.1) }
  }

  @Test("is in target when the heart rate comes there within a minute and stays")
  func inTarget() throws {
    let verdict = try Self.verdict([Self.seconds((100, 60), (130, 240))])
    let step = try #require(verdict.steps.first)
    #expect(step.result == .inTarget)
    #expect(step.number == 2)
    #expect(step.activeSeconds == 300)
    #expect(step.inTargetSeconds == 240)
    #expect(step.secondsToTarget == 60)
    #expect(step.lateSeconds == nil)
    #expect(verdict.inTarget == 1)
  }

  @Test("leaves a step that asks for no heart rate out")
  func otherQuantity() throws {
    let zones = try HeartRateZones(percentOf: MaximumHeartRate(measured: 190))
    var course = PlanCourse()
    for (place, text) in ["5:30/km", "120-140", "170-180spm"].enumerated() {
      let target = try TrainingTarget(text, in: zones)
      course.begin(
        try TrainingPlan.Step(name: "effort", duration: .seconds(100), target: target), number: place + 1,
        at: .seconds(place * 100), target: try ResolvedTarget(target, in: zones))
    }
    let verdict = try #require(course.verdict([UInt8](repeating: 130, count: 300)))
    #expect(verdict.steps.map(\.number) == [2])
    #expect(verdict.inTarget == 1)
  }

  @Test("says by how many seconds a step was late, and a short one has half of its time")
  func late() throws {
    let verdict = try Self.verdict([Self.seconds((100, 100), (130, 200)), Self.seconds((100, 30), (130, 30))])
    #expect(verdict.steps.map(\.lateSeconds) == [40, nil])
    #expect(verdict.steps.map(\.result) == [.late, .inTarget])
    let short = try Self.verdict([Self.seconds((100, 31), (130, 29)), Self.seconds((100, 1), (130, 60))])
    #expect(short.steps.map(\.lateSeconds) == [1, nil])
  }

  @Test("tells too low, too high and nothing known apart, the limit of three quarters included")
  func sides() throws {
    let verdict = try Self.verdict([
      Self.seconds((130, 60), (130, 180), (110, 60)), Self.seconds((130, 60), (130, 179), (110, 61)),
      Self.seconds((130, 60), (150, 200)), Self.seconds((0, 200), (130, 60)), Self.seconds((110, 200)),
    ])
    // The last one of a session is over when its time is.
    #expect(verdict.steps.map(\.result) == [.inTarget, .tooLow, .tooHigh, .noData, .tooLow])
  }

  @Test("counts no pause, and says of a step that the session ended before that it was cut short")
  func pausedAndCut() throws {
    let verdict = try Self.verdict([Self.seconds((100, 30), (255, 500), (130, 270))])
    #expect(verdict.steps.first?.activeSeconds == 300)
    #expect(verdict.steps.first?.secondsToTarget == 30)
    #expect(verdict.steps.first?.result == .inTarget)
    let cut = try Self.verdict([Self.seconds((130, 100))], lasts: 300)
    #expect(cut.steps.first?.result == .cutShort)
  }

  @Test("counts efforts where steps are called so, else all that ask for something")
  func efforts() throws {
    let verdict = try Self.verdict([Self.seconds((130, 100)), Self.seconds((110, 100))])
    #expect(verdict.isOfEfforts)
    #expect(verdict.judged.count == 2)
    #expect(verdict.inTarget == 1)
    #expect(PlanVerdict(steps: []) == nil)
  }

  @Test("goes by the heart rate that is held at each second, at most 15 s, and by pauses")
  func heldSeconds() {
    var held = HeldSeconds()
    held.admit(heartRate: 120.4, at: at(1.5))
    held.admit(heartRate: 121.5, at: at(3))
    held.run(false, at: at(20))
    held.run(true, at: at(22))
    held.run(false, at: at(24))
    let expected: [UInt8] =
      [0, 0, 120] + [UInt8](repeating: 122, count: 15) + [0, 0] + [255, 255] + [0, 0]
    #expect(held.values == expected)
  }
}
