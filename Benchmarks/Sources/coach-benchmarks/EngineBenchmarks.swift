import Glibc
import ZoneEngine

/// Benchmarks of the engine alone: no reading of files, no records, no output.
func engineBenchmarks() -> [Benchmark] {
  let day = heartRates(count: 86_400)
  return [
    engineBenchmark("engine/none, a day at 1 Hz", "none", day, step: .seconds(1)),
    engineBenchmark("engine/moment, a day at 1 Hz", "moment:every=120", day, step: .seconds(1)),
    engineBenchmark("engine/period, a day at 1 Hz", "period:every=60,window=60", day, step: .seconds(1)),
    engineBenchmark(
      "engine/period, a day at 10 Hz", "period:every=60,window=60", heartRates(count: 864_000),
      step: SessionTime(nanoseconds: 100_000_000)),
    summaryBenchmark("summary/after a minute", Array(day.prefix(60))),
    summaryBenchmark("summary/after a day", day),
  ]
}

/// A heart rate that wanders through all zones, in whole beats as a strap reports them.
private func heartRates(count: Int) -> [Double] {
  (0..<count).map { (second: Int) -> Double in
    let slow: Double = 30 * sin(Double(second) / 300)
    let fast: Double = 6 * sin(Double(second) / 11)
    return (132 + slow + fast).rounded()
  }
}

private func engine(_ strategy: String) -> CoachingEngine {
  do {
    let zones = try HeartRateZones(
      model: .percentOfMaximum, maximum: MaximumHeartRate(formula: .fox, ageYears: 23, sex: nil))
    return CoachingEngine(
      settings: try CoachingSettings(
        zones: zones, athlete: .unknown, plan: TrainingPlan(constant: .zone(2)),
        strategy: FeedbackStrategy(specification: strategy), guardrails: .off,
        fastestMetersPerSecond: DistanceTotal.fastestOnFoot))
  } catch {
    preconditionFailure("the settings of a benchmark are possible: \(error)")
  }
}

private func engineBenchmark(
  _ name: String, _ strategy: String, _ samples: [Double], step: SessionTime
) -> Benchmark {
  Benchmark(name: name, operations: samples.count) {
    var engine = engine(strategy)
    var events: [EngineEvent] = []
    var time = SessionTime.zero
    var decisions = 0
    for beatsPerMinute in samples {
      engine.heartRate(beatsPerMinute, at: time, into: &events)
      if !events.isEmpty {
        decisions += events.count
        events.removeAll(keepingCapacity: true)
      }
      time += step
    }
    return UInt64(decisions) &+ UInt64(truncatingIfNeeded: engine.summary.inTarget.nanoseconds)
  }
}

private func summaryBenchmark(_ name: String, _ samples: [Double]) -> Benchmark {
  var finished = engine("period:every=60,window=60")
  var events: [EngineEvent] = []
  for (second, beatsPerMinute) in samples.enumerated() {
    finished.heartRate(beatsPerMinute, at: .seconds(second), into: &events)
  }
  let engine = finished
  return Benchmark(name: name, operations: 1_000) {
    var sum: UInt64 = 0
    for _ in 0..<1_000 { sum &+= UInt64(truncatingIfNeeded: engine.summary.inTarget.nanoseconds) }
    return sum
  }
}
