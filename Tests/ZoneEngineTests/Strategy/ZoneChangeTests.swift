import TestSupport
import Testing
import ZoneEngine

@Suite("The strategy zone-change")
struct ZoneChangeTests {
  /// Age 23, target 119…137.
  private static func run(
    _ specification: String, warmUp: Int = 0, minimumInterval: Int = 0, plan: TrainingPlan? = nil
  ) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: plan ?? TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
        guardrails: Guardrails(warmUp: .seconds(warmUp), minimumInterval: .seconds(minimumInterval))))
  }

  private static func decided(_ run: CoachedRun) -> [String] {
    run.events.compactMap { event in
      guard case .decision = event else { return nil }
      return event.words
    }
  }

  @Test("cues once that the target was left for the dwell time, reminds slowly, and cues coming back")
  func story() throws {
    var run = try Self.run("zone-change:dwell=10,margin=2,reminder=60,returning=0")
    for second in 0..<260 {
      let bpm =
        switch second {
        case ..<30: 128
        case ..<60: 139 - second % 2  // Beyond the edge, within the margin.
        case ..<66: 145  // Beyond the margin, for less than the dwell time.
        case ..<80: 130
        case ..<200: 140 + second % 2
        default: 137
        }
      run.heartRate(Double(bpm), at: Double(second))
    }
    run.finish(at: 260)
    #expect(
      Self.decided(run) == ["90 slowDown zone3", "150 slowDown zone3", "210 hold zone2"])
    let evidence = run.events.compactMap { event -> Evidence? in
      guard case .decision(let decision) = event else { return nil }
      return decision.evidence
    }
    #expect(evidence.map(\.sideHeld) == [.seconds(10), .seconds(70), .seconds(10)])
  }

  @Test("never speaks of a heart rate on the edge, nor of one that was in the target from the beginning")
  func edge() throws {
    var run = try Self.run("zone-change:dwell=5,margin=2,reminder=20")
    for second in 0..<600 { run.heartRate(Double(136 + second % 4), at: Double(second)) }
    for second in 600..<900 { run.heartRate(Double(118 + second % 3), at: Double(second)) }
    run.finish(at: 900)
    #expect(Self.decided(run) == [])
  }

  @Test("begins with a cue when it begins out of the target, judged again when the warm-up is over")
  func beginning() throws {
    var early = try Self.run("zone-change:dwell=10,reminder=0")
    early.heartRate(100, from: 0, until: 100)
    early.finish(at: 100)
    #expect(Self.decided(early) == ["10 speedUp zone1"])
    var warm = try Self.run("zone-change:dwell=10,reminder=0", warmUp: 120)
    for second in 0..<200 { warm.heartRate(Double(100 + second % 2), at: Double(second)) }
    warm.finish(at: 200)
    #expect(Self.decided(warm) == ["10 warmUp zone1", "120 speedUp zone1"])
    var spaced = try Self.run("zone-change:dwell=10,reminder=30,returning=0", minimumInterval: 45)
    for second in 0..<120 { spaced.heartRate(Double(100 + second % 2), at: Double(second)) }
    spaced.finish(at: 120)
    #expect(
      Self.decided(spaced) == [
        "10 speedUp zone1", "40 minimumInterval zone1", "70 speedUp zone1", "100 minimumInterval zone1",
      ])
  }

  @Test("keeps a reminder back while the heart rate is returning, and only a reminder")
  func returning() throws {
    var run = try Self.run("zone-change:dwell=10,reminder=30,returning=0.1")
    for second in 0..<200 {
      let bpm = second < 60 ? 170 - Double(second) * 0.25 : 155 + Double(second % 2)
      run.heartRate(bpm, at: Double(second))
    }
    run.finish(at: 200)
    #expect(
      Self.decided(run) == [
        "10 slowDown zone4", "40 returning zone4", "70 slowDown zone3", "100 slowDown zone3", "130 slowDown zone3",
        "160 slowDown zone3", "190 slowDown zone3",
      ])
    var away = try Self.run("zone-change:dwell=10,reminder=30,returning=0.1")
    for second in 0..<60 { away.heartRate(150 + Double(second) * 0.25, at: Double(second)) }
    away.finish(at: 60)
    #expect(Self.decided(away) == ["10 slowDown zone3", "40 slowDown zone4"])
  }

  @Test("is silent on coming back where that is asked for, and speaks again when the target is left again")
  func silent() throws {
    var run = try Self.run("zone-change:dwell=5,margin=0,reminder=0,hold=0")
    for second in 0..<90 {
      let bpm = second < 20 || second >= 40 && second < 60 ? 130 : 140
      run.heartRate(Double(bpm + second % 2), at: Double(second))
    }
    run.finish(at: 90)
    #expect(Self.decided(run) == ["25 slowDown zone3", "65 slowDown zone3"])
  }

  @Test("begins anew after a pause, a change of the target and a lost signal, with the grace that is asked for")
  func restarts() throws {
    var paused = try Self.run("zone-change:dwell=10,reminder=0,grace=20")
    for second in 0..<50 { paused.heartRate(Double(150 + second % 2), at: Double(second)) }
    paused.pause(at: 50)
    paused.resume(at: 200)
    for second in 200..<250 { paused.heartRate(Double(150 + second % 2), at: Double(second)) }
    paused.finish(at: 250)
    // The dwell time counts from the start; the grace keeps only changes and pauses silent.
    #expect(Self.decided(paused) == ["10 slowDown zone3", "220 slowDown zone3"])

    let plan = try TrainingPlan(
      steps: [
        .init(name: nil, duration: .seconds(60), target: .zone(2)), .init(name: nil, duration: nil, target: .zone(4)),
      ])
    var changed = try Self.run("zone-change:dwell=10,reminder=0,grace=30", plan: plan)
    for second in 0..<120 { changed.heartRate(Double(130 + second % 2), at: Double(second)) }
    changed.finish(at: 120)
    #expect(Self.decided(changed) == ["90 speedUp zone2"])

    var lost = try Self.run("zone-change:dwell=10,reminder=30,returning=0")
    for second in 0..<20 { lost.heartRate(Double(150 + second % 2), at: Double(second)) }
    lost.advance(to: 100)
    for second in 100..<125 { lost.heartRate(Double(150 + second % 2), at: Double(second)) }
    lost.finish(at: 125)
    // It is the same side as before, so it is a reminder, due long ago.
    #expect(
      lost.emitted.filter { !$0.contains("step") } == [
        "10 slowDown zone3", "34 signalLost", "100 signalRestored 150", "100 slowDown zone3",
      ])
  }

  @Test("judges by the median where that is asked for")
  func median() throws {
    var newest = try Self.run("zone-change:dwell=1,margin=0,reminder=0,hold=0")
    var median = try Self.run("zone-change:dwell=1,margin=0,reminder=0,hold=0,median=15")
    for second in 0..<60 {
      let bpm = (20..<25).contains(second) ? 139 : 131 + second % 2
      newest.heartRate(Double(bpm), at: Double(second))
      median.heartRate(Double(bpm), at: Double(second))
    }
    newest.finish(at: 60)
    median.finish(at: 60)
    #expect(Self.decided(newest) == ["21 slowDown zone3"])
    #expect(Self.decided(median) == [])
  }

  /// The definition, second by second, without anything of the engine.
  private struct Reference {
    let (dwell, margin, reminder, warmUp): (Int, Int, Int, Int)
    let saysHold: Bool
    var side: String?
    var cued: String?
    var since = 0
    var judged = 0
    var silentUntil = 0

    mutating func second(_ now: Int, _ bpm: Int) -> String? {
      let plain = bpm < 119 ? "speedUp" : bpm > 137 ? "slowDown" : "hold"
      var new = plain
      if side == nil || side == "hold", bpm >= 119 - margin, bpm <= 137 + margin { new = "hold" }
      if new != side {
        side = new
        since = now
        if new == "hold", cued == nil || !saysHold { cued = "hold" }
      }
      let due =
        new != cued
        ? max(since + dwell, silentUntil)
        : new != "hold" && reminder > 0 ? max(judged + reminder, silentUntil) : Int.max
      guard due <= now else { return nil }
      judged = now
      if now < warmUp {
        silentUntil = warmUp
        return "\(now) warmUp"
      }
      cued = new
      return "\(now) \(new)"
    }
  }

  @Test("decides as its definition, second by second, on random heart rates and settings", arguments: 0..<60)
  func reference(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let (dwell, margin, reminder) = (generator.int(0...30), generator.int(0...6), generator.pick([0, 1, 7, 30, 90]))
    let (warmUp, saysHold) = (generator.pick([0, 0, 45, 180]), generator.chance(0.5))
    let specification =
      "zone-change:dwell=\(dwell),margin=\(margin),reminder=\(reminder),returning=0,hold=\(saysHold ? 1 : 0)"
    var run = try Self.run(specification, warmUp: warmUp)
    var reference = Reference(
      dwell: dwell, margin: margin, reminder: reminder, warmUp: warmUp, saysHold: saysHold)
    var expected: [String] = []
    var bpm = generator.int(95...160)
    for second in 0...1_200 {
      bpm = min(max(bpm + generator.int(-3...3), 80), 190)
      run.heartRate(Double(bpm), at: Double(second))
      if let line = reference.second(second, bpm) { expected.append(line) }
    }
    run.finish(at: 1_200)
    let found = Self.decided(run).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(found == expected, "\(specification), warm-up \(warmUp)")
    #expect(run.engine.summary.cues.givenTotal + run.engine.summary.cues.withheldTotal == expected.count)
  }
}
