import TestSupport
import Testing
import ZoneEngine

@Suite("A reading holds")
struct HoldTests {
  private static func covered(_ body: (inout CoachedRun) -> Void) throws -> SessionTime {
    var run = CoachedRun(try .testing())
    body(&run)
    return run.engine.summary.active - run.engine.summary.noData
  }

  @Test("at most 15 s")
  func limit() throws {
    let lone = try Self.covered { run in
      run.heartRate(120, at: 10)
      run.finish(at: 100)
    }
    #expect(lone == .seconds(15))
    let exactly = try Self.covered { run in
      run.heartRate(120, at: 10)
      run.heartRate(120, at: 25)
      run.finish(at: 26)
    }
    #expect(exactly == .seconds(16))
    let justOver = try Self.covered { run in
      run.heartRate(120, at: 10)
      run.heartRate(120, at: 25.001)
      run.finish(at: 26)
    }
    #expect(justOver == .at(15.999))
  }

  @Test("not past the end")
  func end() throws {
    let covered = try Self.covered { run in
      run.heartRate(120, at: 10)
      run.finish(at: 12)
    }
    #expect(covered == .seconds(2))
  }

  @Test("through rejected readings")
  func rejected() throws {
    let covered = try Self.covered { run in
      run.heartRate(120, at: 0)
      run.heartRate(0, at: 1)
      run.heartRate(200, at: 2)
      run.heartRate(250, at: 3)
      run.finish(at: 60)
    }
    #expect(covered == .seconds(15))
  }

  @Test("never across a pause, and not in one")
  func pause() throws {
    let across = try Self.covered { run in
      run.heartRate(120, at: 10)
      run.pause(at: 12)
      run.resume(at: 14)
      run.finish(at: 60)
    }
    #expect(across == .seconds(2))
    let inside = try Self.covered { run in
      run.pause(at: 12)
      run.heartRate(120, at: 13)
      run.resume(at: 14)
      run.finish(at: 60)
    }
    #expect(inside == .zero)
  }

  @Test("from the resume when it comes in that very instant, before or after it")
  func resume() throws {
    let before = try Self.covered { run in
      run.pause(at: 12)
      run.heartRate(120, at: 14)
      run.resume(at: 14)
      run.finish(at: 60)
    }
    let after = try Self.covered { run in
      run.pause(at: 12)
      run.resume(at: 14)
      run.heartRate(120, at: 14)
      run.finish(at: 60)
    }
    #expect(before == .seconds(15))
    #expect(after == .seconds(15))
  }

  @Test("from now on when it is late, and only for what is left of its 15 s")
  func late() throws {
    let covered = try Self.covered { run in
      run.advance(to: 20)
      run.heartRate(120, at: 10)
      run.finish(at: 60)
    }
    #expect(covered == .seconds(5))
    let tooLate = try Self.covered { run in
      run.advance(to: 20)
      run.heartRate(120, at: 2)
      run.finish(at: 60)
    }
    #expect(tooLate == .zero)
  }
}

@Suite("The signal")
struct SignalLossTests {
  @Test("is lost 15 s after the last reading and restored by the next accepted one")
  func lostAndRestored() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(120, at: 10)
    run.advance(to: 25)
    #expect(run.emitted.isEmpty)
    run.heartRate(0, at: 30)
    run.heartRate(125.5, at: 40)
    run.finish(at: 41)
    #expect(run.emitted == ["25 signalLost", "40 signalRestored 126"])
  }

  @Test("is not lost when the next reading comes after exactly 15 s")
  func exactly() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(120, at: 10)
    run.heartRate(120, at: 25)
    run.finish(at: 40)
    #expect(run.emitted.isEmpty)
  }

  @Test("is not lost before there ever was one")
  func never() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(0, at: 1)
    run.finish(at: 1_000)
    #expect(run.emitted.isEmpty)
  }

  @Test("is not lost in a pause, but 15 s after it")
  func pause() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(120, at: 10)
    run.pause(at: 12)
    run.resume(at: 100)
    run.finish(at: 200)
    #expect(run.emitted == ["12 paused", "100 resumed", "115 signalLost"])
  }

  @Test("that was lost before a pause stays lost until a reading of the active session")
  func lostBeforeAPause() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(120, at: 0)
    run.pause(at: 50)
    run.heartRate(120, at: 60)
    run.resume(at: 70)
    run.heartRate(121, at: 75)
    #expect(run.emitted == ["15 signalLost", "50 paused", "70 resumed", "75 signalRestored 121"])
  }

  @Test("is restored by a reading of the very instant of the resume, before it as after it")
  func restoredAtResume() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(120, at: 0)
    run.pause(at: 50)
    run.heartRate(130, at: 70)
    run.resume(at: 70)
    run.finish(at: 100)
    #expect(run.emitted == ["15 signalLost", "50 paused", "70 resumed", "70 signalRestored 130", "85 signalLost"])
    #expect(run.engine.summary.readings.count == 2)
    #expect(run.engine.summary.readings.maximum == 130)
  }

  @Test("counts every accepted reading, but averages only those of the active session")
  func statistics() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, at: 0)
    run.heartRate(110, at: 10)
    run.pause(at: 15)
    run.heartRate(90, at: 20)
    run.resume(at: 25)
    run.heartRate(120, at: 31)
    run.heartRate(0, at: 32)
    run.finish(at: 41)
    let summary = run.engine.summary
    #expect(summary.acceptedHeartRates == 4)
    #expect(summary.rejectedHeartRates == 1)
    #expect(summary.readings.count == 3)
    #expect(summary.readings.sum == 330)
    #expect(summary.readings.minimum == 100)
    #expect(summary.readings.maximum == 120)
    #expect(summary.readings.mean == 110)
    // 10 s at 100, 5 s at 110, 10 s at 120.
    #expect(summary.timeWeightedMeanHeartRate == 110)
    #expect(summary.elapsed == .seconds(41))
    #expect(summary.active == .seconds(31))
  }
}

@Suite("A moment")
struct MomentTests {
  private static func run(_ specification: String, target: TrainingTarget = .zone(2)) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: target), strategy: FeedbackStrategy(specification: specification)))
  }

  @Test("is judged at every multiple of the interval, also at exactly the end")
  func multiples() throws {
    var run = try Self.run("moment:every=120")
    for second in stride(from: 0, to: 360, by: 5) { run.heartRate(second < 200 ? 110 : 125, at: Double(second)) }
    run.finish(at: 360)
    #expect(run.emitted.filter { !$0.contains("stuck") } == ["120 speedUp zone1", "240 hold zone2", "360 hold zone2"])
    let cues = run.engine.summary.cues
    #expect(cues.given == [.speedUp: 1, .hold: 2])
    #expect(cues.withheld.isEmpty)
  }

  @Test("counts a reading of exactly that instant")
  func exactly() throws {
    var run = try Self.run("moment:every=60")
    run.heartRate(110, at: 55)
    run.heartRate(140, at: 61.5)
    run.heartRate(150, at: 120)
    run.heartRate(100, at: 180)
    run.finish(at: 180)
    #expect(
      run.emitted == [
        "60 speedUp zone1", "76.5 signalLost", "120 signalRestored 150", "120 slowDown zone3", "135 signalLost",
        "180 signalRestored 100", "180 speedUp zone1",
      ])
  }

  @Test("takes a heart rate of 15 s ago and none that is older")
  func age() throws {
    var run = try Self.run("moment:every=60")
    run.heartRate(125, at: 45)
    run.heartRate(125, at: 104.999)
    run.finish(at: 120)
    #expect(
      run.emitted == [
        "60 hold zone2", "60 signalLost", "104.999 signalRestored 125", "119.999 signalLost", "120 signalLost",
      ])
    let decisions = run.events.compactMap { event -> Decision? in
      guard case .decision(let decision) = event else { return nil }
      return decision
    }
    #expect(decisions[0].evidence.heartRateBPM == 125)
    #expect(decisions[0].evidence.heartRateAge == .seconds(15))
    #expect(decisions[0].evidence.window == nil)
    #expect(decisions[0].evidence.held.isEmpty)
    #expect(decisions[1].evidence.heartRateAge == .at(15.001))
    #expect(decisions[1].band == nil)
  }

  @Test("reports under, in and over when the target is a range")
  func range() throws {
    var run = try Self.run("moment:every=10", target: .between(120, 130))
    for (index, bpm) in [119, 120, 130, 131, 230].enumerated() {
      run.heartRate(Double(bpm), each: 1, from: Double(index * 10 + 5), until: Double(index * 10 + 10))
    }
    run.finish(at: 50)
    #expect(run.emitted == ["10 speedUp under", "20 hold in", "30 hold in", "40 slowDown over", "50 slowDown over"])
  }

  @Test("has cues under the first zone and over the last")
  func outside() throws {
    var run = try Self.run("moment:every=30", target: .zone(5))
    run.heartRate(90, from: 20, until: 30)
    run.heartRate(198, from: 50, until: 60)
    run.finish(at: 60)
    #expect(
      run.emitted == ["30 speedUp below", "44 signalLost", "50 signalRestored 198", "60 slowDown aboveMaximum"])
  }

  @Test("stands still in a pause, is withheld in its first instant and not repeated")
  func pauses() throws {
    var run = try Self.run("moment:every=60")
    run.heartRate(125, from: 0, until: 60)
    run.pause(at: 60)
    run.resume(at: 90)
    run.heartRate(125.4, from: 90, until: 130)
    run.pause(at: 130)
    run.resume(at: 200)
    run.heartRate(124, from: 200, until: 220)
    run.finish(at: 220)
    #expect(
      run.emitted == [
        "60 paused zone2", "60 paused", "90 resumed", "130 paused", "200 resumed", "220 hold zone2",
      ])
    #expect(run.engine.summary.cues.withheld == [.paused: 1])
  }

  @Test("takes a heart rate from within a pause, and one from before it")
  func readingsOfAPause() throws {
    var inside = try Self.run("moment:every=60")
    inside.pause(at: 50)
    inside.heartRate(125, at: 95)
    inside.resume(at: 100)
    inside.finish(at: 110)
    #expect(inside.emitted == ["50 paused", "100 resumed", "110 hold zone2"])
    var before = try Self.run("moment:every=60")
    before.heartRate(125, at: 50)
    before.pause(at: 51)
    before.resume(at: 52)
    before.finish(at: 61)
    #expect(before.emitted == ["51 paused", "52 resumed", "61 hold zone2"])
  }

  @Test("is never judged without a strategy")
  func none() throws {
    var run = try Self.run("none")
    run.heartRate(125, from: 0, until: 100)
    run.finish(at: 1_000)
    #expect(run.emitted == ["114 signalLost"])
    #expect(run.engine.timeToNextCheck == nil)
  }

  @Test("is announced in active time")
  func announced() throws {
    var run = try Self.run("moment:every=60")
    #expect(run.engine.timeToNextCheck == .seconds(60))
    run.advance(to: 20)
    run.pause(at: 25)
    #expect(run.engine.timeToNextCheck == .seconds(35))
    #expect(run.engine.isPaused)
    #expect(run.engine.time(whenActive: .seconds(60)) == nil)
    run.resume(at: 100)
    #expect(run.engine.time(whenActive: .seconds(60)) == .seconds(135))
    #expect(run.engine.time(whenActive: .seconds(25)) == .seconds(100))
    #expect(run.engine.time(whenActive: .seconds(24)) == nil)
  }

  @Test("does not come from a pause or a resume that is none")
  func repeatedCommands() throws {
    var run = try Self.run("moment:every=60")
    run.resume(at: 5)
    run.pause(at: 10)
    run.pause(at: 20)
    run.resume(at: 30)
    run.resume(at: 40)
    run.finish(at: 50)
    #expect(run.emitted == ["10 paused", "30 resumed"])
    #expect(run.engine.active == .seconds(30))
  }
}
