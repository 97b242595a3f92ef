import TestSupport
import Testing
import ZoneEngine

@Suite("A ceiling for the heart rate")
struct SafetyCeilingTests {
  private static func run(
    _ strategy: String = "none", ceiling: Int = 190, after: Int = 30, warmUp: Int = 0, grace: Int = 0,
    target: TrainingTarget = .zone(2)
  ) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: target), strategy: FeedbackStrategy(specification: strategy),
        guardrails: Guardrails(warmUp: .seconds(warmUp), minimumInterval: .zero, grace: .seconds(grace)),
        ceiling: SafetyCeiling(beatsPerMinute: ceiling, after: .seconds(after))))
  }

  private static func decided(_ run: CoachedRun) -> [String] {
    run.events.compactMap { event in
      guard case .decision(let decision) = event else { return nil }
      return "\(Int(decision.time.seconds)) \(decision.outcome.word) \(decision.reason)"
    }
  }

  /// One heart rate a second: 191 but where `bpm` says another; the first second is 0.
  private static func feed(_ run: inout CoachedRun, until end: Int, _ bpm: (Int) -> Int? = { _ in 191 }) {
    for second in 0...end {
      guard let value = bpm(second) else { continue }
      run.heartRate(Double(value), at: Double(second))
    }
    run.advance(to: Double(end) + 0.5)
  }

  @Test("says slow down after 30 s above it, again each minute, with what it is based on, under every strategy")
  func story() throws {
    for strategy in ["none", "zone-change:dwell=600", "moment:every=600"] {
      var run = try Self.run(strategy, warmUp: 600)
      Self.feed(&run, until: 160)
      #expect(
        Self.decided(run) == [
          "30 slowDown aboveCeiling", "90 slowDown aboveCeiling", "150 slowDown aboveCeiling",
        ], "\(strategy)")
      guard case .decision(let decision)? = run.events.first(where: { if case .decision = $0 { true } else { false } })
      else {
        Issue.record("no decision under \(strategy)")
        continue
      }
      #expect(decision.evidence.ceiling?.beatsPerMinute == 190)
      #expect(decision.evidence.ceiling?.above == .seconds(30))
      #expect(decision.evidence.heartRateBPM == 191)
      #expect(decision.band?.description == "zone5")
      #expect(run.engine.summary.cues.given == [.slowDown: 3])
    }
  }

  @Test("is not reached at the ceiling itself, nor by less than its time")
  func edge() throws {
    var at = try Self.run()
    Self.feed(&at, until: 300) { _ in 190 }
    #expect(Self.decided(at).isEmpty)
    var short = try Self.run()
    Self.feed(&short, until: 100) { $0 < 30 ? 191 : 183 }
    #expect(Self.decided(short).isEmpty)
    var exact = try Self.run()
    exact.heartRate(191, from: 0, until: 30.5)
    exact.finish(at: 30)
    #expect(Self.decided(exact) == ["30 slowDown aboveCeiling"])
  }

  @Test("counts a dip of a beat for at most 5 s, and begins anew after a longer or a deeper one")
  func dips() throws {
    var shallow = try Self.run()
    Self.feed(&shallow, until: 40) { (10...14).contains($0) ? 190 - $0 % 2 : 191 }
    #expect(Self.decided(shallow) == ["30 slowDown aboveCeiling"])
    var long = try Self.run()
    Self.feed(&long, until: 50) { (10...15).contains($0) ? 189 : 191 }
    #expect(Self.decided(long) == ["46 slowDown aboveCeiling"])
    var deep = try Self.run()
    Self.feed(&deep, until: 50) { $0 == 10 ? 188 : 191 }
    #expect(Self.decided(deep) == ["41 slowDown aboveCeiling"])
    var due = try Self.run()
    Self.feed(&due, until: 50) { (28...31).contains($0) ? 190 : 191 }
    #expect(Self.decided(due) == ["32 slowDown aboveCeiling"])
  }

  @Test("counts a gap as long as the heart rate holds, and begins anew after a lost signal and after a pause")
  func gaps() throws {
    var bridged = try Self.run()
    Self.feed(&bridged, until: 40) { (10..<24).contains($0) ? nil : 191 }
    #expect(Self.decided(bridged) == ["30 slowDown aboveCeiling"])
    var lost = try Self.run()
    Self.feed(&lost, until: 60) { (10..<26).contains($0) ? nil : 191 }
    #expect(Self.decided(lost) == ["56 slowDown aboveCeiling"])
    var paused = try Self.run()
    paused.heartRate(191, from: 0, until: 20)
    paused.pause(at: 20)
    paused.heartRate(191, from: 20, until: 60)
    paused.resume(at: 60)
    paused.heartRate(191, from: 60, until: 95)
    #expect(Self.decided(paused) == ["90 slowDown aboveCeiling"])
  }

  @Test("keeps back whatever says anything but slow down while it lasts, and asks for no target")
  func keepsBack() throws {
    var hold = try Self.run("moment:every=20", target: .range(lowerBPM: 180, upperBPM: 195))
    Self.feed(&hold, until: 65) { $0 < 50 ? 191 : 186 }
    #expect(
      Self.decided(hold) == [
        "20 hold inTarget", "30 slowDown aboveCeiling", "40 aboveCeiling aboveCeiling", "60 hold inTarget",
      ])
    var agrees = try Self.run("moment:every=40")
    Self.feed(&agrees, until: 45)
    #expect(Self.decided(agrees) == ["30 slowDown aboveCeiling", "40 slowDown aboveTarget"])
    var faster = try Self.run("zone-change:dwell=10,reminder=0", target: .range(lowerBPM: 200, upperBPM: 205))
    Self.feed(&faster, until: 70) { $0 < 55 ? 191 : 180 }
    #expect(
      Self.decided(faster) == [
        "10 aboveCeiling aboveCeiling", "20 aboveCeiling aboveCeiling", "30 slowDown aboveCeiling",
        "30 aboveCeiling aboveCeiling", "40 aboveCeiling aboveCeiling", "50 aboveCeiling aboveCeiling",
        "60 speedUp belowTarget",
      ])
    var late = try Self.run("zone-change:dwell=35,reminder=0", target: .range(lowerBPM: 200, upperBPM: 205))
    Self.feed(&late, until: 70) { $0 < 50 ? 191 : 180 }
    #expect(
      Self.decided(late) == [
        "30 slowDown aboveCeiling", "35 aboveCeiling aboveCeiling", "45 aboveCeiling aboveCeiling",
        "55 speedUp belowTarget",
      ])
    var open = try Self.run("moment:every=600", target: .open)
    Self.feed(&open, until: 35)
    #expect(Self.decided(open) == ["30 slowDown aboveCeiling"])
  }

  /// A pace of 6:40/km where 5:30 is asked for, with a heart rate of each second, judged every 10 s.
  private static func slow(
    _ strategy: String, until end: Int, pauses: [ClosedRange<Int>] = [], _ bpm: (Int) -> Int?
  ) throws -> CoachedRun {
    let pace = try TrainingTarget("5:20-5:40/km", in: CoachingSettings.testing().zones)
    var run = try Self.run(strategy, target: pace)
    for second in 0...end {
      let time = Double(second)
      run.advance(to: time)
      run.engine.speed(2.5, at: .at(time))
      if let value = bpm(second) { run.heartRate(Double(value), at: time) }
      if pauses.contains(where: { $0.lowerBound == second }) { run.pause(at: time) }
      if pauses.contains(where: { $0.upperBound == second }) { run.resume(at: time) }
    }
    run.advance(to: Double(end) + 0.5)
    return run
  }

  @Test("says speed up at no moment above it, also before its time is over and after a pause; hold as before")
  func neverFaster() throws {
    let at = try Self.slow("moment:every=10", until: 35) { _ in 190 }
    #expect(Self.decided(at) == ["10 speedUp belowTarget", "20 speedUp belowTarget", "30 speedUp belowTarget"])
    let above = try Self.slow("moment:every=10", until: 35) { $0 < 15 ? 190 : 191 }
    #expect(
      Self.decided(above) == ["10 speedUp belowTarget", "20 aboveCeiling aboveCeiling", "30 aboveCeiling aboveCeiling"])
    let paused = try Self.slow("moment:every=20", until: 95, pauses: [30...60]) { $0 < 80 ? 191 : 188 }
    // The moments of 40 and 60 s of active time come at 70 and 90 s.
    #expect(
      Self.decided(paused).suffix(2) == ["70 aboveCeiling aboveCeiling", "90 speedUp belowTarget"])
    // A strap that is gone says nothing of the ceiling once its last heart rate does not hold any more.
    let lost = try Self.slow("moment:every=5", until: 30) { $0 <= 10 ? 191 : nil }
    #expect(
      Self.decided(lost).suffix(2) == ["25 aboveCeiling aboveCeiling", "30 speedUp belowTarget"])
    var inside = try Self.run("moment:every=10", target: .range(lowerBPM: 180, upperBPM: 195))
    Self.feed(&inside, until: 15)
    #expect(Self.decided(inside) == ["10 hold inTarget"])
  }

  @Test("is a ceiling for every way to come to speed up: a window that lags, and a target above it", arguments: 0..<6)
  func againstNone(block: Int) throws {
    let targets = ["z2", "200-205", "5:20-5:40/km", "170-180spm"]
    let strategies = ["moment:every=7", "period:every=10,window=30", "moment:every=5,median=20", "trend:every=10"]
    var withheld = 0
    for seed in (block * 8)..<(block * 8 + 8) {
      var random = SplitMix64(seed: UInt64(seed))
      let target = try TrainingTarget(targets[seed % 4], in: CoachingSettings.testing().zones)
      let strategy = try FeedbackStrategy(specification: strategies[seed / 4 % 4])
      // So long that it never sounds: whatever is withheld is withheld at once.
      let ceiling = try SafetyCeiling(beatsPerMinute: 150, after: .seconds(600))
      let plan = TrainingPlan(constant: target)
      var with = CoachedRun(try .testing(plan: plan, strategy: strategy, ceiling: ceiling))
      var without = CoachedRun(try .testing(plan: plan, strategy: strategy))
      var (readings, bpm, pauseEnds): ([(second: Int, bpm: Int)], Int, Int?) = ([], 150, nil)
      for second in 1..<500 {
        if pauseEnds == second {
          pauseEnds = nil
          with.resume(at: Double(second))
          without.resume(at: Double(second))
        } else if pauseEnds == nil, random.chance(0.01) {
          pauseEnds = second + random.int(1...30)
          with.pause(at: Double(second))
          without.pause(at: Double(second))
        }
        with.engine.speed(2.5, at: .seconds(second))
        without.engine.speed(2.5, at: .seconds(second))
        with.engine.cadence(150, at: .seconds(second))
        without.engine.cadence(150, at: .seconds(second))
        if random.chance(0.8), !(200..<230).contains(second) {
          bpm = min(max(bpm + random.int(-3...3), 100), 170)
          readings.append((second, bpm))
          with.heartRate(Double(bpm), at: Double(second))
          without.heartRate(Double(bpm), at: Double(second))
        }
      }
      with.finish(at: 499.5)
      without.finish(at: 499.5)
      let expected = Self.decided(without).map { line in
        let words = line.split(separator: " ")
        guard words[1] == "speedUp", let time = Int(words[0]),
          let newest = readings.last(where: { $0.second <= time }), time - newest.second <= 15, newest.bpm > 150
        else { return line }
        withheld += 1
        return "\(time) aboveCeiling aboveCeiling"
      }
      #expect(Self.decided(with) == expected, "seed \(seed)")
    }
    #expect(withheld > 10)
  }

  @Test("changes nothing for a heart rate that stays under it", arguments: 0..<6)
  func silent(block: Int) throws {
    let strategies = ["moment:every=20", "period:every=30,window=60", "zone-change:dwell=3", "trend:every=20", "none"]
    for seed in (block * 5)..<(block * 5 + 5) {
      var random = SplitMix64(seed: UInt64(seed))
      let strategy = try FeedbackStrategy(specification: strategies[seed % strategies.count])
      var with = CoachedRun(try .testing(strategy: strategy, ceiling: SafetyCeiling(beatsPerMinute: 190)))
      var without = CoachedRun(try .testing(strategy: strategy))
      var time = 0.0
      for _ in 0..<400 {
        time += random.chance(0.03) ? Double(random.int(2...40)) : 1
        let bpm = Double(random.int(90...189))
        with.heartRate(bpm, at: time)
        without.heartRate(bpm, at: time)
      }
      #expect(with.events == without.events, "seed \(seed)")
    }
  }

  @Test("is a heart rate from 60 to 255 for 1 to 600 s, and 5 above a maximum when nothing is said")
  func limits() throws {
    #expect(throws: ZoneError.self) { try SafetyCeiling(beatsPerMinute: 59) }
    #expect(throws: ZoneError.self) { try SafetyCeiling(beatsPerMinute: 256) }
    #expect(throws: ZoneError.self) { try SafetyCeiling(beatsPerMinute: 190, after: .zero) }
    #expect(throws: ZoneError.self) { try SafetyCeiling(beatsPerMinute: 190, after: .seconds(601)) }
    let usual = SafetyCeiling(above: try MaximumHeartRate(measured: 197))
    #expect(usual.beatsPerMinute == 202)
    #expect(usual.after == .seconds(30))
  }
}
