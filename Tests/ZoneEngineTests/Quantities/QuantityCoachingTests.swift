import TestSupport
import Testing

@testable import ZoneEngine

@Suite("An engine that is asked for a pace or a cadence")
struct QuantityCoachingTests {
  /// A reading of a device that is no heart rate.
  private enum Reading {
    case meters(Double), speed(Double), cadence(Double), heartRate(Double), fix(LocationFix)
  }

  private static func settings(_ plan: TrainingPlan, _ strategy: String, warmUp: Int = 0) throws -> CoachingSettings {
    try .testing(
      plan: plan, strategy: FeedbackStrategy(specification: strategy),
      guardrails: Guardrails(warmUp: .seconds(warmUp), minimumInterval: .zero))
  }

  private static func target(_ text: String) throws -> TrainingTarget {
    try TrainingTarget(text, in: HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 197)))
  }

  private static func give(_ reading: Reading, at second: Double, to run: inout CoachedRun) {
    switch reading {
    case .meters(let meters): run.engine.recordedDistance(meters, at: .at(second))
    case .speed(let speed): run.engine.speed(speed, at: .at(second))
    case .fix(let fix): run.engine.location(fix, at: .at(second))
    case .cadence(let cadence): run.engine.cadence(cadence, at: .at(second))
    case .heartRate(let bpm): run.heartRate(bpm, at: second)
    }
  }

  private static func run(
    _ text: String, _ strategy: String, until end: Int, _ readings: (Int) -> [Reading]
  ) throws -> CoachedRun {
    var run = CoachedRun(try settings(TrainingPlan(constant: target(text)), strategy))
    for second in 0...end {
      run.advance(to: Double(second))
      for reading in readings(second) { give(reading, at: Double(second), to: &run) }
    }
    run.finish(at: Double(end))
    return run
  }

  @Test("A pace that is too slow is cued to speed up, and one that is too fast to slow down")
  func actions() throws {
    for (speed, words) in [(2.5, "speedUp under"), (1_000 / 330, "hold in"), (3.5, "slowDown over")] {
      let run = try Self.run("5:20-5:40/km", "moment:every=60", until: 130) { _ in [.speed(speed)] }
      #expect(run.emitted == ["60 \(words)", "120 \(words)"])
    }
  }

  @Test("A pace faster than 7 m/s is judged by the speed of a receiver, also where its positions are too far apart")
  func sprint() throws {
    for metersEach in [7.2, 20] {
      let run = try Self.run("2:15-2:25/km", "moment:every=60", until: 130) { second in
        let latitude = Double(second) * metersEach / 110_574.3
        guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 0) else { return [] }
        return [.fix(LocationFix(coordinate: place, horizontalAccuracyMeters: 4, speedMetersPerSecond: 7.2))]
      }
      #expect(run.emitted == ["60 hold in", "120 hold in"], "\(metersEach) m each second")
    }
    // A receiver that does not know where it is does not know how fast it is.
    let lost = try Self.run("2:15-2:25/km", "moment:every=60", until: 70) { _ in
      guard let place = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0) else { return [] }
      return [.fix(LocationFix(coordinate: place, horizontalAccuracyMeters: 50, speedMetersPerSecond: 7.2))]
    }
    #expect(!lost.emitted.contains { $0.hasSuffix("in") })
  }

  @Test("A sprint that a device counts in metres is judged by all of them")
  func countedSprint() throws {
    var meters = 0.0
    let run = try Self.run("2:00-2:10/km", "moment:every=60", until: 70) { second in
      if second > 0 { meters += second > 40 ? 8 : 3 }
      return [.meters(meters)]
    }
    #expect(run.emitted == ["60 hold in"])
  }

  @Test("Every strategy judges a cadence")
  func strategies() throws {
    for strategy in ["moment:every=60,median=20", "period:every=60,window=60", "trend:every=60,window=30,horizon=60"] {
      let run = try Self.run("170-180spm", strategy, until: 125) { _ in [.cadence(150)] }
      #expect(run.emitted == ["60 speedUp under", "120 speedUp under"], "\(strategy)")
    }
    let change = try Self.run("170-180spm", "zone-change:dwell=10,reminder=60", until: 100) { _ in [.cadence(150)] }
    // The first mean of 5 s takes effect at 7 s.
    #expect(change.emitted == ["17 speedUp under", "77 speedUp under"])
  }

  @Test("A reading takes effect two seconds after its time and is held for fifteen, which is what counts as covered")
  func covered() throws {
    let run = try Self.run("5:20-5:40/km", "moment:every=30", until: 100) { $0 <= 40 ? [.speed(3.03)] : [] }
    let summary = run.engine.summary
    #expect(summary.inTarget == .seconds(48), "from 7 s to 55 s")
    #expect(summary.coveredWithTarget == .seconds(48))
    #expect(summary.activeWithTarget == .seconds(100))
    #expect(run.emitted == ["30 hold in", "55 pace lost", "60 signalLost", "90 signalLost"])
  }

  @Test("Nothing is held across a pause")
  func pause() throws {
    var run = CoachedRun(try Self.settings(TrainingPlan(constant: Self.target("5:30/km")), "none"))
    for second in 0..<40 { run.engine.speed(3.03, at: .seconds(second)) }
    run.pause(at: 40)
    for second in 40..<60 { run.engine.speed(3.03, at: .seconds(second)) }
    run.resume(at: 60)
    for second in 61...80 { run.engine.speed(3.03, at: .seconds(second)) }
    run.finish(at: 80)
    // From 7 s to 40 s, and from 61 + 5 + 2 s to 80 s.
    #expect(run.engine.summary.coveredWithTarget == .seconds(33 + 12))
  }

  @Test("What is decided does not depend on the order in which readings of two seconds come")
  func order() throws {
    func decided(_ readings: [(second: Double, reading: Reading)]) throws -> [String] {
      var run = CoachedRun(
        try Self.settings(TrainingPlan(constant: Self.target("5:20-5:40/km")), "zone-change:dwell=5,reminder=20"))
      for (second, reading) in readings { Self.give(reading, at: second, to: &run) }
      run.finish(at: 300)
      return run.emitted
    }
    var generator = SplitMix64(seed: 7)
    var readings: [(second: Double, reading: Reading)] = []
    for second in 0...300 {
      readings.append((Double(second), .heartRate(140)))
      readings.append((Double(second) + 0.5, .speed(2.7 + 0.3 * Double(second / 60))))
    }
    let inOrder = try decided(readings)
    #expect(inOrder.count > 4)
    for _ in 0..<10 {
      // Each stream keeps its own order; speeds are late by up to 2 s, or ahead by as much.
      let shift = Double(generator.int(-19...19)) / 10
      let shifted = readings.sorted { left, right in
        func arrival(_ entry: (second: Double, reading: Reading)) -> Double {
          if case .speed = entry.reading { entry.second + shift } else { entry.second }
        }
        return arrival(left) < arrival(right)
      }
      #expect(try decided(shifted) == inOrder, "shifted by \(shift) s")
    }
  }

  @Test("Heart rates and a pace in one plan are each covered by their own")
  func mixed() throws {
    let plan = try TrainingPlan(steps: [
      .init(name: nil, duration: .seconds(60), target: .zone(2)),
      .init(name: nil, duration: .seconds(60), target: Self.target("5:30/km")),
      .init(name: nil, duration: nil, target: .open),
    ])
    var run = CoachedRun(try Self.settings(plan, "none"))
    for second in 0...150 {
      if second < 30 || second > 100 { run.heartRate(128, at: Double(second)) }
      run.engine.speed(second < 90 ? 3.03 : 1, at: .seconds(second))
      run.advance(to: Double(second))
    }
    run.finish(at: 150)
    let summary = run.engine.summary
    // The heart rate is held to 29 + 15 s; the pace leaves the target with the mean of 90 s, 353 s for a kilometre, which counts
    // from 92 s on.
    #expect(summary.inTarget == .seconds(44 + 32))
    #expect(summary.coveredWithTarget == .seconds(44 + 60))
    #expect(summary.activeWithTarget == .seconds(120))
  }

  @Test("A heart rate that is lost silences no pace, and a pace that is lost no heart rate")
  func losses() throws {
    let pace = try Self.run("5:30/km", "moment:every=60", until: 125) { second in
      second < 20 ? [.heartRate(140), .speed(3.03)] : [.speed(3.03)]
    }
    #expect(pace.emitted == ["34 signalLost", "60 hold in", "120 hold in"])
    let heart = try Self.run("z2", "moment:every=60", until: 125) { second in
      let heartRate = Reading.heartRate(Double(128 + second % 2))
      return second < 20 ? [heartRate, .speed(3.03)] : [heartRate]
    }
    #expect(heart.emitted == ["60 hold zone2", "120 hold zone2"])
  }

  @Test("A zone-change returns when the pace moves back, and leaves the target beyond the margin only")
  func margin() throws {
    // 5:45 is 1.5 % beyond the limit of 5:40, 5:50 is 3 %.
    let within = try Self.run("5:20-5:40/km", "zone-change:dwell=10,margin=2", until: 200) { second in
      [.speed(second < 60 ? 1_000 / 330 : 1_000 / 345)]
    }
    #expect(within.emitted == [])
    let beyond = try Self.run("5:20-5:40/km", "zone-change:dwell=10,margin=2,reminder=0", until: 200) { second in
      [.speed(second < 60 ? 1_000 / 330 : 1_000 / 350)]
    }
    #expect(beyond.emitted.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == ["speedUp under"])
  }

  @Test("A session that asks for heart rates follows no movement")
  func heartOnly() throws {
    let run = try Self.run("z2", "moment:every=60", until: 10) { _ in [.heartRate(128), .speed(3)] }
    #expect(run.engine.motion == nil)
    #expect(run.engine.currentQuantity == nil)
  }
}
