import TestSupport
import Testing
import ZoneEngine

@Suite("A sensor that repeats one reading")
struct StuckSignalTests {
  @Test("is reported once, after two minutes, with its beginning")
  func stuck() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, from: 0, until: 10)
    run.heartRate(101, from: 10, until: 400)
    #expect(run.emitted == ["130 stuck since 10"])
  }

  @Test("is reported for equal displayed readings, whatever their decimals")
  func decimals() throws {
    var run = CoachedRun(try .testing())
    for second in 0...120 { run.heartRate(second.isMultiple(of: 2) ? 99.5 : 100.4, at: Double(second)) }
    #expect(run.emitted == ["120 stuck since 0"])
  }

  @Test("is not reported when one reading differs, and reported again when it sticks again")
  func differs() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, from: 0, until: 119)
    run.heartRate(102, at: 119)
    run.heartRate(100, from: 120, until: 250)
    #expect(run.emitted == ["240 stuck since 120"])
  }

  @Test("is reported for two neighbours after five minutes, once, with their beginning")
  func twoNeighbors() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(103, at: 0)
    for second in 1...600 { run.heartRate(second.isMultiple(of: 2) ? 100 : 101, at: Double(second)) }
    #expect(run.emitted == ["301 stuck since 1"])
  }

  @Test("is reported for a drift from one value over its neighbour only where one of them lasts")
  func drift() throws {
    var run = CoachedRun(try .testing())
    for second in 0..<900 { run.heartRate(Double(100 + second / 85), at: Double(second)) }
    #expect(run.emitted.isEmpty)
    run.heartRate(112, from: 900, until: 1_100)
    #expect(run.emitted == ["1020 stuck since 900"])
  }

  @Test("is reported for readings that are rejected because no heart beats so", arguments: [243.0, 12, 1e12])
  func outOfRange(beatsPerMinute: Double) throws {
    var run = CoachedRun(try .testing())
    for second in 0...400 { run.heartRate(beatsPerMinute + Double(second % 2), at: Double(second)) }
    let emitted = run.emitted.filter { $0.contains("stuck") }
    #expect(emitted == ["120 stuck since 0"])
  }

  @Test("is not reported for rejected readings that scatter, nor of those in a pause")
  func scattered() throws {
    var run = CoachedRun(try .testing())
    for second in 0..<300 { run.heartRate(240 + Double(second * 7 % 10), at: Double(second)) }
    run.pause(at: 300)
    for second in 301..<600 { run.heartRate(243, at: Double(second)) }
    #expect(!run.emitted.contains { $0.contains("stuck") })
  }

  @Test("is not reported for fewer than 12 readings")
  func fewReadings() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, each: 12, from: 0, until: 132)
    #expect(run.emitted.isEmpty)
    run.heartRate(100, at: 132)
    #expect(run.emitted == ["132 stuck since 0"])
  }

  @Test("begins anew after a gap longer than a reading holds")
  func gap() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, from: 0, until: 100)
    run.heartRate(100, from: 115, until: 200)
    #expect(run.emitted == ["114 signalLost", "115 signalRestored 100"])
  }

  @Test("keeps the cues")
  func cuesGoOn() throws {
    var run = CoachedRun(try .testing(strategy: FeedbackStrategy(specification: "moment:every=150")))
    run.heartRate(120, from: 0, until: 160)
    #expect(run.emitted == ["120 stuck since 0", "150 hold zone2"])
  }
}

@Suite("A heart rate that is really the cadence")
struct CadenceLockTests {
  /// A heart rate each second with a cadence reported by the device every 5 s.
  private static func emitted(cadence: Double, seconds: Int, _ bpm: (Int) -> Double) throws -> [String] {
    var run = CoachedRun(try .testing())
    for second in 0..<seconds {
      if second.isMultiple(of: 5) { run.engine.cadence(cadence, at: .seconds(second)) }
      // The last digit moves, so that nothing is stuck.
      run.heartRate(bpm(second) + Double(second % 2), at: Double(second))
    }
    return run.emitted
  }

  @Test("is reported once when it jumps onto the cadence and stays there for 20 s")
  func jumpIn() throws {
    // The jump is believed with its third reading, at 32 s.
    let emitted = try Self.emitted(cadence: 170, seconds: 120) { $0 < 30 ? 130 : 169 }
    #expect(emitted == ["52 cadenceLock since 32"])
  }

  @Test("is reported when it jumps away from the cadence after 20 s")
  func jumpOut() throws {
    let emitted = try Self.emitted(cadence: 170, seconds: 60) { $0 < 30 ? 169 : 130 }
    #expect(emitted == ["32 cadenceLock since 0"])
    #expect(try Self.emitted(cadence: 170, seconds: 60) { $0 < 15 ? 169 : 130 } == [])
  }

  @Test("is reported for half and for double the cadence", arguments: [85.0, 170, 340])
  func halfAndDouble(cadence: Double) throws {
    #expect(try Self.emitted(cadence: cadence, seconds: 80) { $0 < 30 ? 130 : 169 } == ["52 cadenceLock since 32"])
  }

  @Test("is not reported for a real 170 at 170 steps per minute that was reached without a jump")
  func honest() throws {
    #expect(try Self.emitted(cadence: 170, seconds: 300) { 170 - Double(max(0, 60 - $0)) / 2 } == [])
    #expect(try Self.emitted(cadence: 170, seconds: 300) { _ in 169 } == [])
    #expect(try Self.emitted(cadence: 170, seconds: 300) { 169 - Double(max(0, $0 - 60)) / 5 } == [])
  }

  @Test("is not reported without steps, of other steps, or of steps of long ago")
  func noSteps() throws {
    #expect(try Self.emitted(cadence: 0, seconds: 80) { $0 < 30 ? 130 : 169 } == [])
    #expect(try Self.emitted(cadence: 160, seconds: 80) { $0 < 30 ? 130 : 169 } == [])
    var run = CoachedRun(try .testing())
    run.engine.cadence(170, at: .zero)
    for second in 0..<80 { run.heartRate(Double((second < 5 ? 130 : 169) + second % 2), at: Double(second)) }
    #expect(run.emitted.isEmpty)
  }

  @Test("is reported from steps that were counted, too")
  func countedSteps() throws {
    var run = CoachedRun(try .testing())
    for second in 0..<90 {
      if second.isMultiple(of: 6) { run.engine.steps(17, at: .seconds(second)) }
      run.heartRate(Double((second < 30 ? 130 : 169) + second % 2), at: Double(second))
    }
    #expect(run.emitted == ["52 cadenceLock since 32"])
  }

  @Test("does not take a number that is no cadence")
  func impossibleCadence() throws {
    var run = CoachedRun(try .testing())
    for cadence in [Double.nan, .infinity, -170] { run.engine.cadence(cadence, at: .zero) }
    #expect(run.engine.summary.cadenceStepsPerMinute == nil)
  }
}
