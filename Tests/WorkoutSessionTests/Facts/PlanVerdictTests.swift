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
    return try #require(course.verdict(heartRates: held, sides: []))
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

  /// The verdict on steps of 100 s that ask for these targets, one after another, each with a side held at each second: 0 for none,
  /// 1 under, 2 in, 3 over the target. Heart rates are 130 throughout.
  private static func verdict(_ steps: [(target: String, sides: [UInt8])]) throws -> PlanVerdict {
    let zones = try HeartRateZones(percentOf: MaximumHeartRate(measured: 190))
    var course = PlanCourse()
    var sides: [UInt8] = []
    for (place, step) in steps.enumerated() {
      let target = try TrainingTarget(step.target, in: zones)
      course.begin(
        try TrainingPlan.Step(name: "effort", duration: .seconds(step.sides.count), target: target), number: place + 1,
        at: .seconds(sides.count), target: try ResolvedTarget(target, in: zones))
      sides += step.sides
    }
    return try #require(course.verdict(heartRates: [UInt8](repeating: 130, count: sides.count), sides: sides))
  }

  @Test("goes by what each step asks for: a pace has 20 s to be found, a heart rate a minute, α1 two minutes and 7 s")
  func otherQuantities() throws {
    // Each comes at second 60: 40 s too late for a pace of which the mean is over 10 s, in time for a heart rate (which is 130
    // throughout, and needs no time) and, in a step of 400 s, for α1.
    let sides = Self.seconds((1, 60), (2, 340))
    let paces = ["5:30/km", "12km/h", "170-180spm", "5:30/km-gap", "a1:0.75-1.0", "120-140", "65-75%"]
    let verdict = try Self.verdict(paces.map { ($0, sides) })
    #expect(
      verdict.steps.map(\.quantity) == [.pace, .speed, .cadence, .gradeAdjustedPace, .alpha1, nil, nil])
    #expect(verdict.steps.map(\.lateSeconds) == [40, 40, 40, 40, nil, nil, nil])
    #expect(verdict.steps.map(\.secondsToTarget) == [60, 60, 60, 60, 60, 0, 0])
    #expect(verdict.steps.map(\.inTargetSeconds) == [340, 340, 340, 340, 340, 400, 400])
    #expect(verdict.inTarget == 3)
    let slow = try Self.verdict([("a1:0.75-1.0", Self.seconds((1, 130), (2, 270)))])
    #expect(slow.steps.map(\.lateSeconds) == [3])
    let short = try Self.verdict([("5:30/km", Self.seconds((1, 11), (2, 19)))])
    #expect(short.steps.map(\.lateSeconds) == [nil], "a step of 30 s has 15")
  }

  /// Efforts at 5:30/km, which is 5:20 to 5:40, so 3.125 to 2.937 m/s as it is shown, of a runner whose speed is known.
  ///
  /// A mean over 10 s counts 2 s after its reading, and the first one after 5 s of readings.
  @Test("judges the pace that the engine holds, to the second that is derived by hand")
  func paceOfASession() throws {
    let plan = PlanRequest(steps: [
      .init(name: "effort 1", duration: .seconds(60), target: "5:30/km"),
      .init(name: "rest", duration: .seconds(30), target: nil),
      .init(name: "effort 2", duration: .seconds(100), target: "5:30/km"),
      .init(name: "effort 3", duration: .seconds(100), target: "5:30/km"),
    ])
    let settings = try CoachingRequest.runner(nil, "moment:every=30", plan: plan).settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    pipeline.observe(from: .morning(), utcOffsetSeconds: 0, within: .live)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for second in 0...290 {
      let speed = second <= 60 ? 3 : second <= 115 ? 2 : second <= 190 ? 3 : 3.5
      _ = pipeline.take(Sample(.heartRate(150), at: .seconds(second)), into: &events)
      _ = pipeline.take(Sample(.speed(speed), at: .seconds(second)), into: &events)
    }
    pipeline.finish(at: .seconds(290), reason: .endOfInput, into: &events)
    let observation = try #require(pipeline.observation)
    #expect(observation.isExact)
    let verdict = try #require(observation.verdict)
    #expect(verdict.steps.map(\.number) == [1, 3, 4])
    #expect(verdict.steps.map(\.quantity) == [.pace, .pace, .pace])
    // 1: held from second 7 on. 2: the mean of ten readings of 3 m/s is that of second 125, which counts from 127, 37 s into
    // the step. 3: second 193 has a mean of 3.15 m/s, 5:17/km, which counts from 195.
    #expect(verdict.steps.map(\.secondsToTarget) == [7, 37, 0])
    #expect(verdict.steps.map(\.inTargetSeconds) == [53, 63, 5])
    #expect(verdict.steps.map(\.coveredSeconds) == [53, 100, 100])
    #expect(verdict.steps.map(\.lateSeconds) == [nil, 17, nil])
    #expect(
      VerdictWords.sentence(verdict, of: nil) == "1 of 3 efforts in target; the second 17 s late, the third too fast.")
  }

  @Test(
    "A last step of some metres that was run to its end is not cut short, whenever the session ends then",
    arguments: [399, 400, 401, 402, 403, 410])
  func lastMeters(end: Int) throws {
    let plan = PlanRequest(steps: [
      .init(name: "easy", duration: .seconds(300), target: "z1"),
      .init(name: "effort", length: .distance(meters: 400), target: "120-160"),
    ])
    let settings = try CoachingRequest.runner(nil, "moment:every=30", plan: plan).settings(on: nil)
    var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    pipeline.observe(from: .morning(), utcOffsetSeconds: 0, within: .live)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for second in 0...end {
      _ = pipeline.take(Sample(.heartRate(140), at: .seconds(second)), into: &events)
      _ = pipeline.take(Sample(.distance(4 * Double(second)), at: .seconds(second)), into: &events)
    }
    pipeline.finish(at: .seconds(end), reason: .stop, into: &events)
    let verdict = try #require(pipeline.observation?.verdict)
    #expect(verdict.steps.last?.number == 2)
    #expect((verdict.steps.last?.result == .cutShort) == (end < 400), "\(end)")
  }

  @Test("says what a runner calls it: too slow, too fast, too low, too hard, no readings of the pace")
  func words() throws {
    let sides = { (first: UInt8, last: UInt8) in Self.seconds((first, 60), (last, 240)) }
    let verdict = try Self.verdict([
      ("5:30/km", sides(2, 1)), ("12km/h", sides(2, 3)), ("170-180spm", sides(2, 1)), ("a1:0.75-1.0", sides(2, 3)),
      ("a1:0.75-1.0", sides(2, 1)), ("5:30/km", sides(2, 0)), ("5:30/km", sides(1, 2)),
    ])
    #expect(
      VerdictWords.sentence(verdict, of: nil)
        == "0 of 7 efforts in target; the first too slow, the second too fast, the third too low, the fourth too hard, "
        + "the fifth too easy, the sixth without enough readings of the pace, the seventh 40 s late.")
  }

  @Test("names a step by its place among those that count, and as tables call it where that is another number")
  func names() throws {
    let step = { (number: Int, result: PlanVerdict.Result) in
      PlanVerdict.Step(
        number: number, name: "effort", quantity: nil, start: .seconds(60 * number), activeSeconds: 60,
        coveredSeconds: 60, inTargetSeconds: 50, secondsToTarget: 5, lateSeconds: nil, result: result)
    }
    let twice = PlanRequest.repeated([.init(name: "effort", duration: .seconds(60), target: "z4")], times: 2)
    let plan = PlanRequest(steps: twice + twice)
    let verdict = try #require(
      PlanVerdict(steps: [step(1, .inTarget), step(2, .tooLow), step(3, .inTarget), step(4, .tooHigh)]))
    #expect(
      VerdictWords.sentence(verdict, of: plan)
        == "2 of 4 efforts in target; the second too low, the fourth (effort 2 of 2) too high.")
    let titles = (1...5).map { plan.title(ofStep: $0) }
    #expect(titles == ["effort 1 of 2", "effort 2 of 2", "effort 1 of 2", "effort 2 of 2", nil])
    #expect(PlanRequest(steps: [.init(name: nil, duration: nil, target: nil)]).title(ofStep: 1) == "step 1")
  }

  @Test("names a step without a name by its number in the plan where that is not its place, in a bracket too")
  func unnamed() throws {
    let step = { (number: Int, result: PlanVerdict.Result) in
      PlanVerdict.Step(
        number: number, name: nil, quantity: nil, start: .seconds(60 * number), activeSeconds: 60, coveredSeconds: 60,
        inTargetSeconds: 50, secondsToTarget: 5, lateSeconds: nil, result: result)
    }
    func plain(_ target: TargetRequest?) -> PlanRequest.Step {
      .init(name: nil, duration: .seconds(60), target: target)
    }
    // 1min z1, 3x(1min z3, 1min without a target), 1min z1: the fifth with a target is step 8.
    let plan = PlanRequest(
      steps: [plain("z1")] + PlanRequest.repeated([plain("z3"), plain(nil)], times: 3) + [plain("z1")])
    let results: [(Int, PlanVerdict.Result)] = [
      (1, .inTarget), (2, .tooLow), (4, .inTarget), (6, .inTarget), (8, .tooHigh),
    ]
    let verdict = try #require(PlanVerdict(steps: results.map { step($0.0, $0.1) }))
    #expect(
      VerdictWords.sentence(verdict, of: plan)
        == "3 of 5 steps in target; the second too low, the fifth (step 8) too high.")
    // Two without a target in front: the first with one is step 3.
    let late = PlanRequest(steps: [plain(nil), plain(nil), plain("z5"), plain("z5")])
    let two = try #require(PlanVerdict(steps: [step(3, .tooLow), step(4, .inTarget)]))
    #expect(VerdictWords.sentence(two, of: late) == "1 of 2 steps in target; the first (step 3) too low.")
    let one = try #require(PlanVerdict(steps: [step(3, .tooLow)]))
    #expect(VerdictWords.sentence(one, of: late) == "0 of 1 step in target; it (step 3) was too low.")
    let first = try #require(PlanVerdict(steps: [step(1, .tooLow)]))
    #expect(
      VerdictWords.sentence(first, of: PlanRequest(steps: [plain("z5"), plain(nil)]))
        == "0 of 1 step in target; it was too low.")
  }

  @Test("has one rule for a step that is over and for one of a session that is")
  func keeping() {
    let short = PlanVerdict.keeping(nil, activeSeconds: 31, secondsToTarget: 16, inside: 10, ofCounted: 14)
    #expect(short.lateSeconds == 1)
    #expect(!short.isLongEnough)
    let long = PlanVerdict.keeping(.pace, activeSeconds: 300, secondsToTarget: 20, inside: 210, ofCounted: 280)
    #expect(long.lateSeconds == nil)
    #expect(long.isLongEnough)
    let never = PlanVerdict.keeping(nil, activeSeconds: 300, secondsToTarget: nil, inside: 0, ofCounted: 300)
    #expect(never.lateSeconds == nil)
    #expect(!never.isLongEnough)
  }

  @Test("says by how many seconds a step was late, and a short one has half of its time")
  func late() throws {
    let verdict = try Self.verdict([Self.seconds((100, 100), (130, 200)), Self.seconds((100, 30), (130, 30))])
    #expect(verdict.steps.map(\.lateSeconds) == [40, nil])
    #expect(verdict.steps.map(\.result) == [.late, .inTarget])
    let short = try Self.verdict([Self.seconds((100, 31), (130, 29)), Self.seconds((100, 1), (130, 60))])
    #expect(short.steps.map(\.lateSeconds) == [1, nil])
  }

  @Test("distinguishes too low, too high and nothing known, the limit of three quarters included")
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

  @Test("judges a last step that a lap ended by what it was until then, and cuts none short that was over")
  func lastStepEndedByALap() throws {
    for length in [StepLength.untilLap, .distance(meters: 5_000)] {
      let plan = PlanRequest(steps: [
        .init(name: "easy", duration: .seconds(30), target: nil),
        .init(name: "effort", length: length, target: "120-140"),
      ])
      let settings = try CoachingRequest.runner(nil, "none", plan: plan).settings(on: nil)
      var pipeline = SessionPipeline(settings: settings, durationLimit: nil)
      pipeline.observe(from: .morning(), utcOffsetSeconds: 0, within: .live)
      var events: [SessionEvent] = []
      pipeline.begin(into: &events)
      for second in 0...300 {
        _ = pipeline.take(Sample(.heartRate(second < 180 ? 130 : 125), at: .seconds(second)), into: &events)
        if second == 150 { pipeline.perform(.lap, at: .seconds(second), into: &events) }
      }
      pipeline.finish(at: .seconds(300), reason: .endOfInput, into: &events)
      let verdict = try #require(pipeline.observation?.verdict)
      #expect(verdict.steps.map(\.activeSeconds) == [120])
      #expect(verdict.steps.map(\.result) == [.inTarget])
    }
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
