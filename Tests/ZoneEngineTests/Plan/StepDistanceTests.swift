import TestSupport
import Testing
import ZoneEngine

@Suite("A step that lasts some metres")
struct StepDistanceTests {
  private static func run(_ lengths: [StepLength]) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: TrainingPlan(
          steps: lengths.enumerated().map { index, length in
            try TrainingPlan.Step(name: "s\(index + 1)", length: length, target: .zone(index % 2 == 0 ? 4 : 1))
          })))
  }

  /// Heart rates and a device's metres at a speed, each second of a span.
  private func go(_ run: inout CoachedRun, from start: Int, until end: Int, metersPerSecond: Double) {
    for second in start..<end {
      run.heartRate(150, at: Double(second))
      run.engine.recordedDistance(Double(second) * metersPerSecond, at: .seconds(second))
    }
  }

  private func steps(_ run: CoachedRun) -> [String] { run.emitted.filter { $0.contains(" step ") } }

  @Test("is over 2 s after the reading that completes it, and what was run beyond its end counts for the next")
  func repetitions() throws {
    var run = try Self.run([.distance(meters: 100), .distance(meters: 100), .time(.seconds(10)), .distance(meters: 50)])
    go(&run, from: 0, until: 81, metersPerSecond: 3)
    // 100 m at 33.3 s, emitted at 34 s; 200 m at 66.7 s, emitted at 67 s.
    #expect(
      steps(run) == [
        "0 step 1: s1 158-177", "36 step 2: s2 98-118", "69 step 3: s3 158-177", "79 step 4: s4 98-118",
      ])
  }

  @Test("says how many metres are left, and a lap ends it before")
  func remaining() throws {
    var run = try Self.run([.distance(meters: 100), .distance(meters: 400)])
    go(&run, from: 0, until: 11, metersPerSecond: 4)
    #expect(run.engine.position.remainingMeters == 60)
    #expect(run.engine.position.remaining == nil)
    let hasBegun = run.lap(at: 11)
    #expect(hasBegun)
    #expect(run.engine.position.remainingMeters == 400)
    #expect(run.engine.position.number == 2)
  }

  @Test("counts no metres of a pause, and goes on after it where it was")
  func pause() throws {
    var run = try Self.run([.distance(meters: 100), .time(.seconds(60))])
    go(&run, from: 0, until: 21, metersPerSecond: 3)
    run.pause(at: 20)
    go(&run, from: 21, until: 60, metersPerSecond: 3)
    #expect(run.engine.position.remainingMeters == 40)
    run.resume(at: 60)
    go(&run, from: 60, until: 80, metersPerSecond: 3)
    // At 59 s the device had 177 m; 40 m more are there at 73 s.
    #expect(steps(run) == ["0 step 1: s1 158-177", "75 step 2: s2 98-118"])
  }

  @Test("One reading may complete several steps; without any distance none is completed")
  func jump() throws {
    var run = try Self.run([.distance(meters: 100), .distance(meters: 100), .distance(meters: 500)])
    run.heartRate(150, at: 0)
    run.engine.recordedDistance(250, at: .seconds(1))
    run.heartRate(150, at: 10)
    #expect(steps(run) == ["0 step 1: s1 158-177", "3 step 2: s2 98-118", "3 step 3: s3 158-177"])
    #expect(run.engine.position.remainingMeters == 450)
    var silent = try Self.run([.distance(meters: 100), .time(.seconds(60))])
    silent.heartRate(150, each: 1, from: 0, until: 600)
    #expect(steps(silent).count == 1)
  }

  /// What was decided of the steps to zone 4 behind the first step, with its time.
  private func decided(
    _ lengths: [StepLength], _ strategy: String, grace: Int, metersPerSecond: Double, lead: Double = 0,
    until end: Int = 200
  ) throws -> [String] {
    var run = CoachedRun(
      try .testing(
        plan: TrainingPlan(
          steps: lengths.enumerated().map { index, length in
            try TrainingPlan.Step(name: nil, length: length, target: .zone(index % 2 == 0 ? 1 : 4))
          }),
        strategy: FeedbackStrategy(specification: strategy),
        guardrails: Guardrails(warmUp: .zero, minimumInterval: .zero, grace: .seconds(grace))))
    var arrivals: [(at: Double, isMeters: Bool, second: Int)] = []
    for second in 0..<end {
      arrivals.append((Double(second), false, second))
      arrivals.append((Double(second) - lead, true, second))
    }
    for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
      if arrival.isMeters {
        run.engine.recordedDistance(Double(arrival.second) * metersPerSecond, at: .seconds(arrival.second))
      } else {
        run.heartRate(Double(110 + arrival.second % 2), at: Double(arrival.second))
      }
    }
    return run.emitted.filter { $0.contains("grace") || $0.contains("speedUp") }
  }

  @Test("A grace ends where half of the metres are covered, as it does after half of a step of some time")
  func grace() throws {
    let zoneChange = "zone-change:dwell=10,reminder=0"
    // The step of some metres begins at 40 s, and 100 m later it is 65 s.
    let lengths: [StepLength] = [.time(.seconds(40)), .distance(meters: 200), .time(.seconds(500))]
    let found = try decided(lengths, zoneChange, grace: 60, metersPerSecond: 4)
    #expect(found == ["50 grace zone1", "67 speedUp zone1"])
    let timed = try decided(
      [.time(.seconds(40)), .time(.seconds(50)), .time(.seconds(500))], zoneChange, grace: 60, metersPerSecond: 4)
    #expect(timed == ["50 grace zone1", "65 speedUp zone1"])
    // A shorter one is what it was, so is one of a longer step, and none of a step that is jumped over is left.
    #expect(
      try decided(lengths, zoneChange, grace: 15, metersPerSecond: 4) == ["50 grace zone1", "55 speedUp zone1"])
    let long: [StepLength] = [.time(.seconds(40)), .distance(meters: 2_000)]
    #expect(try decided(long, zoneChange, grace: 60, metersPerSecond: 4) == ["50 grace zone1", "100 speedUp zone1"])
    let own = try decided(lengths, "zone-change:dwell=10,reminder=0,grace=60", grace: 0, metersPerSecond: 4)
    #expect(own == ["67 speedUp zone1"])
    let moments = try decided(lengths, "moment:every=8", grace: 60, metersPerSecond: 4)
    #expect(
      moments.prefix(5) == [
        "40 grace zone1", "48 grace zone1", "56 grace zone1", "64 grace zone1", "72 speedUp zone1",
      ])
  }

  @Test("It ends at the same instant whether positions run ahead or come late", arguments: [-1.9, -1, 0, 1, 1.9])
  func skewedGrace(lead: Double) throws {
    for meters in [4.0, 40, 200] {
      let lengths: [StepLength] = [.time(.seconds(40)), .distance(meters: meters), .distance(meters: 160)]
      func found(_ lead: Double) throws -> [String] {
        try decided(lengths, "moment:every=3", grace: 60, metersPerSecond: 4, lead: lead)
      }
      #expect(try found(lead) == found(0), "\(meters) m")
    }
  }

  @Test("A position reported up to 2 s late gives the same steps as in the order of time")
  func late() throws {
    var results: [[String]] = []
    for delay in [0.0, 1.9] {
      var run = try Self.run([.distance(meters: 100), .distance(meters: 100), .time(.seconds(500))])
      for second in 0..<120 {
        let measured = Double(second) - delay
        run.heartRate(150, at: Double(second))
        if measured >= 0 {
          run.engine.recordedDistance((measured.rounded(.up)) * 3, at: .seconds(Int(measured.rounded(.up))))
        }
      }
      results.append(steps(run))
    }
    #expect(results[0].count == 3)
    #expect(results[0] == results[1])
  }

  @Test("Whether positions run ahead or come late, a step behind one of some time begins and ends at the same instants")
  func skewed() throws {
    var results: [[String]] = []
    for lead in [-1.9, -1.0, 0, 1.0, 1.9] {
      var run = try Self.run([.time(.seconds(20)), .distance(meters: 40), .distance(meters: 4), .distance(meters: 60)])
      var arrivals: [(at: Double, isMeters: Bool, second: Int)] = []
      for second in 0..<90 {
        arrivals.append((Double(second), false, second))
        arrivals.append((Double(second) - lead, true, second))
      }
      for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
        if arrival.isMeters {
          run.engine.recordedDistance(Double(arrival.second) * 3, at: .seconds(arrival.second))
        } else {
          run.heartRate(150, at: Double(arrival.second))
        }
      }
      results.append(steps(run))
    }
    // 40 m beyond the 60 m of second 20 are there at 34 s, 4 m more at 35 s, 60 m more at 55 s.
    #expect(
      results[2] == [
        "0 step 1: s1 158-177", "20 step 2: s2 98-118", "36 step 3: s3 158-177", "37 step 4: s4 98-118",
        "57 step 5: the plan is over",
      ])
    for result in results { #expect(result == results[2]) }
  }

  @Test(
    "A step of less than a metre or of more than 1,000 km is none", arguments: [0, 0.5, -4, 1_000_001, .nan, .infinity])
  func impossible(meters: Double) {
    #expect(throws: ZoneError.self) {
      try TrainingPlan.Step(name: nil, length: .distance(meters: meters), target: .open)
    }
  }
}
