import TestSupport
import Testing
import ZoneEngine

@Suite("Steps")
struct StepTotalTests {
  @Test("are unknown without a sample, and known to be none with an empty one")
  func unknown() {
    var total = StepTotal()
    #expect(total.steps == nil)
    #expect(total.cadence == nil)
    #expect(total.meanCadence == nil)
    _ = total.admit(steps: 0, at: .zero)
    #expect(total.steps == 0)
  }

  @Test("make a cadence of the steps in 10 s")
  func cadence() {
    var total = StepTotal()
    var cadences: [Int: Double] = [:]
    for second in 0...30 { cadences[second] = total.admit(steps: 3, at: .seconds(second)) }
    #expect(cadences == [10: 180, 20: 180, 30: 180])
    #expect(total.steps == 93)
    #expect(total.meanCadence == 180)
    #expect(total.cadence?.stepsPerMinute == 180)
    #expect(total.cadence?.time == .seconds(30))
  }

  @Test("make no cadence over a gap of more than 15 s")
  func gap() {
    var total = StepTotal()
    let cadences = [(0, 0), (15, 40), (31, 40), (41, 30)].map { total.admit(steps: $0.1, at: .seconds($0.0)) }
    #expect(cadences == [nil, 160, nil, 180])
    #expect(total.steps == 110)
  }

  @Test("in a pause do not count, and a pause is no slow cadence")
  func pause() throws {
    var run = CoachedRun(try .testing())
    for second in 0..<60 {
      if second == 25 { run.pause(at: 25) }
      if second == 32 { run.resume(at: 32) }
      run.advance(to: Double(second))
      run.engine.steps(3, at: .seconds(second))
    }
    #expect(run.engine.stepCount == 3 * 53)
    #expect(run.engine.summary.steps == 159)
    #expect(run.engine.summary.cadenceStepsPerMinute == 180)
  }

  @Test("leave the mean cadence to what a device reports; standing still is no cadence")
  func device() throws {
    var run = CoachedRun(try .testing())
    for cadence in [160.0, 170, 0, 180] { run.engine.cadence(cadence, at: .zero) }
    #expect(run.engine.summary.cadenceStepsPerMinute == 170)
    #expect(run.engine.summary.steps == nil)
  }
}
