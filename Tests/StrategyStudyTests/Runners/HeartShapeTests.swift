import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

/// One person without noise and drift: rest 65, maximum 197, 45 ml/(kg·min), time constant 50 s, standing at 80 bpm, who then
/// runs at 2 m/s on the level. By ACSM that raises the steady heart rate by 12·2·132/41.5 = 76.337 bpm, to 141.337.
@Suite("Hearts that do not follow as strategies assume")
struct HeartShapeTests {
  /// Seconds of running and the heart rate then, each from a closed form of the sum of what the seconds bring, with 1 − 1/τ a
  /// second: first order 141.337 − 61.337·0.98ⁿ; two phases with 0.96 and 0.992; saturating to 65 + 1.5·132·76.337/208.337; delayed
  /// by 20 s; heat with the first-order answer to 0.4·76.337·(1 − (1 − 1/1800)^(n−600)) besides.
  static let answers: [(HeartShape, [Int: Double])] = [
    (.firstOrder, [1: 81.226_746_987_952, 50: 119.000_146_490_078, 300: 141.194_279_682_463]),
    (.secondOrder, [1: 81.962_795_180_723, 50: 125.099_819_168_900, 300: 139.959_390_446_172]),
    (.saturating, [1: 81.150_992_366_412, 50: 116.591_792_227_658, 300: 137.415_383_509_689]),
    (.delayed, [1: 80, 20: 80, 21: 81.226_746_987_952, 50: 107.878_787_108_723, 300: 141.123_047_410_227]),
    (.heat, [1: 81.226_746_987_952, 600: 141.337_015_686_669, 2_100: 158.233_445_672_428]),
  ]

  private func model(_ shape: HeartShape) -> RunnerModel {
    var model = RunnerModel.standard(.run).withoutSpreadAndNoise
    model[.timeConstantSeconds] = StudyParameter(50, spread: 0, .assumption("of this test"))
    model.heart = shape
    return model
  }

  private func runner(_ model: RunnerModel) -> VirtualRunner {
    VirtualRunner(
      RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 0), model, cost: OxygenCost(.run),
      target: StudyTarget(lowerBPM: 119, upperBPM: 137), preferredSpeed: 2)
  }

  private func heartRates(_ shape: HeartShape, seconds: Int, delay: Int? = nil) throws -> [Double] {
    var model = model(shape)
    model.delay = delay.map { StudyParameter(Double($0), spread: 0, .assumption("of this test")) }
    let course = try StudyCourse(
      person: .ofAge23, target: "119-137",
      arms: [StudyArm(name: nil, strategy: .none, seconds: seconds)], model: model, contrasts: nil, observed: nil)
    var day = Disturbances()
    day.draw(model, seed: 1, runner: 0, day: 0, seconds: seconds)
    var trace: RunTrace? = RunTrace()
    var loop = ClosedLoop()
    _ = loop.run(
      runner(model), .reflex, coachedBy: course.settings[0], on: day, seconds: seconds, tracing: &trace)
    return try #require(trace).points.map(\.heartRate)
  }

  @Test("The answer to a step is that of the formula", arguments: answers.indices)
  func step(_ index: Int) throws {
    let (shape, expected) = Self.answers[index]
    let rates = try heartRates(shape, seconds: expected.keys.max() ?? 1)
    for (seconds, rate) in expected {
      #expect((rates[seconds - 1] - rate).magnitude < 1e-6, "\(shape) after \(seconds) s: \(rates[seconds - 1])")
    }
  }

  @Test(
    "A heart of any kind answers as many seconds later as the delay of its runner says, and a late one as late as ever",
    arguments: HeartShape.allCases)
  func late(_ shape: HeartShape) throws {
    let atOnce = try heartRates(shape, seconds: 400)
    for delay in [1, 9, 20] {
      let late = try heartRates(shape, seconds: 400, delay: delay)
      if shape == .delayed {
        #expect(late == atOnce)
        continue
      }
      #expect(late[..<delay].allSatisfy { $0 == 80 }, "\(shape) by \(delay) s")
      for second in 0..<400 - delay { #expect((late[second + delay] - atOnce[second]).magnitude < 1e-9) }
    }
  }

  @Test("From the 10th minute to the 45th heat adds 14 % to 130 bpm, as is said of it")
  func heatOverAnHour() {
    // 0.4 · 65 · (1 − e^(−2100/1800)).
    let added = 0.4 * 65 * (1 - PortableMath.exp(-2_100.0 / 1_800))
    #expect((added - 17.9).magnitude < 0.05)
    #expect((added / 130 - 0.14).magnitude < 0.005)
  }

  @Test(
    "The speed that is preferred leads to the heart rate that is preferred, whatever the heart",
    arguments: HeartShape.allCases)
  func preferred(_ shape: HeartShape) {
    let model = model(shape)
    let runner = VirtualRunner(
      RunnerTraits(model, formulaMaximum: 197, seed: 1, runner: 0), model, cost: OxygenCost(.run),
      target: StudyTarget(lowerBPM: 119, upperBPM: 137), dayBias: 0)
    #expect((runner.steadyHeartRate(speed: runner.preferredSpeed, grade: 0) - 128).magnitude < 1e-6)
    // 1.5·R²/(R + r)² of the straight line at 128 bpm, where r = R·63/(1.5·R − 63) = 61.6 bpm.
    let line = 12 * 132 / 41.5
    let expected = shape == .saturating ? line * 1.5 * 132 * 132 / (193.6 * 193.6) : line
    #expect((runner.slope - expected).magnitude < 0.05, "\(runner.slope)")
  }

  @Test(
    "A treadmill brings every heart into the target and keeps it there",
    arguments: HeartShape.allCases, [Double?.none, 9]
  )
  func treadmill(_ shape: HeartShape, _ delay: Double?) {
    var model = model(shape)
    model.delay = delay.map { StudyParameter($0, spread: 0, .assumption("of this test")) }
    var day = Disturbances()
    day.draw(model, seed: 1, runner: 0, day: 0, seconds: 3_600)
    let outcome = DrivenTreadmill.run(runner(model), on: day, seconds: 3_600)
    #expect(outcome.secondsInTarget > 3_300)
    #expect(outcome.secondsInTargetAfterStart == 3_300)
  }

  @Test("Only the heart of first order is a study as ever; all others are of other hearts, and none is another's")
  func kinds() throws {
    let ends = try HeartShape.allCases.map { try heartRates($0, seconds: 1_500)[1_499] }
    for (one, end) in ends.enumerated() {
      for (other, another) in ends.enumerated() where other < one {
        // Who is late gets there too.
        let isSame = HeartShape.allCases[one] == .delayed && HeartShape.allCases[other] == .firstOrder
        #expect(((end - another).magnitude < 1e-6) == isSame, "\(HeartShape.allCases[one])")
      }
    }
  }
}
