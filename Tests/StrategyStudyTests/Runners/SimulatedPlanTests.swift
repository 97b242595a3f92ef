import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

@Suite("A simulated runner with a plan")
struct SimulatedPlanTests {
  private let zones: HeartRateZones

  init() throws {
    zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
  }

  private func runner(_ strategy: FeedbackStrategy) -> PacedRunner {
    PacedRunner(
      .run, maximumHeartRate: 190, target: StudyTarget(lowerBPM: 114, upperBPM: 132), behaviour: .reflex,
      strategy: strategy, mayWalk: true, seed: 7, longest: 3_600)
  }

  /// The mean heart rate that is reported, and the mean speed, of the last minutes of each of several aims of ten minutes.
  private func means(_ aims: [RunnerAim]) -> [(heartRate: Double, speed: Double)] {
    var runner = runner(.none)
    return aims.map { aim in
      runner.aim(at: aim)
      var (sum, count, speed) = (0.0, 0.0, 0.0)
      for second in 0..<600 {
        guard let report = runner.run(), second >= 360 else { continue }
        speed += report.speed / 240
        if let heartRate = report.heartRate { (sum, count) = (sum + heartRate, count + 1) }
      }
      return (sum / max(1, count), speed)
    }
  }

  @Test("goes faster in a step that asks for a higher zone, and slower again after it")
  func heartRates() throws {
    let aims = try [1, 4, 1].map { RunnerAim(try ResolvedTarget(.zone($0), in: zones), in: zones) }
    let means = means(aims)
    #expect(means[1].heartRate > means[0].heartRate + 25)
    #expect(means[2].heartRate < means[1].heartRate - 25)
    #expect(means[1].speed > means[0].speed + 0.5)
  }

  @Test("runs about the pace, the speed or the cadence of a step, and easily where nothing is asked for")
  func paces() throws {
    func aim(_ text: String) throws -> RunnerAim {
      RunnerAim(try ResolvedTarget(TrainingTarget(text, in: zones), in: zones), in: zones)
    }
    let means = means([try aim("5:00/km"), try aim("9-10km/h"), try aim("170-180spm"), try aim("open")])
    #expect((2.9...3.8).contains(means[0].speed))
    #expect((2.3...3.0).contains(means[1].speed))
    #expect((3.3...4.5).contains(means[2].speed))
    #expect(try aim("open") == .heartRate(StudyTarget(lowerBPM: 115, upperBPM: 133)))
  }
}
