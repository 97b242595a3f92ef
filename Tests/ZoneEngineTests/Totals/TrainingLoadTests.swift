import TestSupport
import Testing
import ZoneEngine

@Suite("The training load")
struct TrainingLoadTests {
  private static func held(_ segments: [(seconds: Int, bpm: Int)]) -> HeldHeartRate {
    var held = HeldHeartRate()
    for (seconds, bpm) in segments { held.add(.seconds(seconds), displayedBPM: bpm) }
    return held
  }

  @Test("by Banister is that of the vectors")
  func banister() throws {
    for row in try PhysiologyVectors.load().banister {
      for (sex, load) in [(Sex.male, row.male), (.female, row.female)] {
        let perMinute = TrainingLoad.banisterPerMinute(
          beatsPerMinute: row.beatsPerMinute, restingBPM: row.resting, maximumBPM: row.maximum, sex: sex)
        #expect(abs(perMinute * row.minutes - load) < 1e-9, "\(row)")
        let held = Self.held([(Int(row.minutes * 60), Int(row.beatsPerMinute))])
        let session = try #require(
          TrainingLoad.banister(held, restingBPM: row.resting, maximumBPM: row.maximum, sex: sex))
        #expect(abs(session - load) < 1e-9, "\(row)")
      }
    }
  }

  @Test("is the sum over the samples, not that of the mean")
  func bySample() throws {
    let row = try PhysiologyVectors.load().banisterSession
    let held = Self.held(row.segments.map { ($0[0], $0[1]) })
    let load = try #require(
      TrainingLoad.banister(held, restingBPM: row.resting, maximumBPM: row.maximum, sex: .male))
    #expect(abs(load - row.bySample) < 1e-9)
    let mean = try #require(held.timeWeightedMean)
    let byMean =
      TrainingLoad.banisterPerMinute(
        beatsPerMinute: mean, restingBPM: row.resting, maximumBPM: row.maximum, sex: .male) * held.total.seconds / 60
    #expect(abs(byMean - row.byMean) < 1e-9)
  }

  @Test("by Edwards is that of the vectors; nothing below 50 %, five above the maximum")
  func edwards() throws {
    let maximum = try MaximumHeartRate(measured: 197)
    let middles = [108, 128, 147, 167, 187]
    for row in try PhysiologyVectors.load().edwards {
      let held = Self.held(zip(row.seconds, middles).map { ($0, $1) })
      let load = TrainingLoad.edwards(held, maximum: maximum)
      // The vectors have a sum of nothing, which is 0; of a session without a heart rate nothing is known.
      #expect((load == nil) == (held.total == .zero), "\(row)")
      #expect(abs((load ?? 0) - row.load) < 1e-9, "\(row)")
    }
    #expect(TrainingLoad.edwards(Self.held([(600, 97), (60, 198)]), maximum: maximum) == 5)
  }

  @Test("by Lucía is that of the vectors, and exists only for three zones")
  func lucia() throws {
    let three = try HeartRateZones(model: .threeZone(firstThresholdBPM: 145, secondThresholdBPM: 168), maximum: nil)
    for row in try PhysiologyVectors.load().lucia {
      let held = Self.held(zip(row.seconds, [120, 150, 180]).map { ($0, $1) })
      #expect(abs((TrainingLoad.lucia(held, zones: three) ?? 0) - row.load) < 1e-9, "\(row)")
    }
    let five = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 197))
    #expect(TrainingLoad.lucia(Self.held([(60, 120)]), zones: five) == nil)
  }

  @Test("and the energy are those of a session, and absent when something is unknown")
  func session() throws {
    let athlete = try Athlete(ageYears: 23, sex: .female, weightKilograms: 60, restingHeartRate: 60)
    func summary(_ athlete: Athlete) throws -> SessionSummary {
      var run = CoachedRun(try .testing(athlete: athlete))
      for second in 0..<600 { run.heartRate(Double(119 + second % 2), at: Double(second)) }
      run.finish(at: 600)
      return run.engine.summary
    }
    let known = try summary(athlete)
    #expect(known.edwards == 20)
    let fraction = (119.5 - 60) / 137
    #expect(abs((known.banister ?? 0) - 10 * fraction * 0.86 * 2.0653) < 0.01)
    #expect(abs((known.energyKilocalories ?? 0) - 64.919) < 0.01)
    #expect(known.lucia == nil)
    let unknown = try summary(.unknown)
    #expect(unknown.edwards == 20)
    #expect(unknown.banister == nil)
    #expect(unknown.energyKilocalories == nil)
    let noReserve = try Athlete(ageYears: 23, sex: nil, weightKilograms: 60, restingHeartRate: 60)
    #expect(try summary(noReserve).banister == nil)
    #expect(try summary(noReserve).energyKilocalories == nil)
  }

  @Test("and the energy are unknown, not 0, where no heart rate held: none came, all were 0, one came at the end")
  func nothingHeld() throws {
    let athlete = try Athlete(ageYears: 23, sex: .female, weightKilograms: 60, restingHeartRate: 60)
    let maximum = try MaximumHeartRate(measured: 197)
    let zones = try HeartRateZones(model: .threeZone(firstThresholdBPM: 145, secondThresholdBPM: 168), maximum: nil)
    let nothing = HeldHeartRate()
    #expect(TrainingLoad.edwards(nothing, maximum: maximum) == nil)
    #expect(TrainingLoad.banister(nothing, restingBPM: 60, maximumBPM: 197, sex: .female) == nil)
    #expect(TrainingLoad.lucia(nothing, zones: zones) == nil)
    #expect(EnergyExpenditure.keytel(nothing, athlete: athlete) == nil)
    #expect(nothing.timeWeightedMean == nil)
    // Rest that was measured is a load of 0.
    #expect(TrainingLoad.edwards(Self.held([(600, 60)]), maximum: maximum) == 0)

    let readings: [[(bpm: Double, second: Int)]] = [[], (0..<600).map { (0, $0) }, [(150, 600)]]
    for readings in readings {
      var run = CoachedRun(try .testing(athlete: athlete))
      for reading in readings { run.heartRate(reading.bpm, at: Double(reading.second)) }
      run.finish(at: 600)
      let summary = run.engine.summary
      #expect(summary.noData == .seconds(600))
      for value in [summary.energyKilocalories, summary.edwards, summary.banister, summary.lucia] {
        #expect(value == nil, "\(readings.count) readings")
      }
    }
  }
}

@Suite("The energy by heart rate")
struct EnergyTests {
  @Test("is that of Keytel in the vectors")
  func keytel() throws {
    for row in try PhysiologyVectors.load().keytel {
      for (sex, expected) in [(Sex.male, row.male), (.female, row.female)] {
        let perMinute = EnergyExpenditure.keytelPerMinute(
          beatsPerMinute: row.beatsPerMinute, sex: sex, weightKilograms: row.kilograms, ageYears: row.age)
        #expect(abs(perMinute - expected) < 1e-9, "\(row)")
      }
    }
  }

  @Test("is never negative")
  func rest() {
    #expect(
      EnergyExpenditure.keytelPerMinute(beatsPerMinute: 50, sex: .male, weightKilograms: 60, ageYears: 23) == 0)
  }
}

@Suite("What was held")
struct HeldHeartRateTests {
  @Test("is nothing at first")
  func empty() {
    let held = HeldHeartRate()
    #expect(held.total == .zero)
    #expect(held.timeWeightedMean == nil)
  }

  @Test("is sorted into every band of any model, and adds up")
  func bands() throws {
    var held = HeldHeartRate()
    for bpm in HeldHeartRate.displayable { held.add(SessionTime(nanoseconds: Int64(bpm) + 1), displayedBPM: bpm) }
    for model in [ZoneModel.percentOfMaximum, .threeZone(firstThresholdBPM: 145, secondThresholdBPM: 168)] {
      let zones = try HeartRateZones(model: model, maximum: MaximumHeartRate(measured: 197))
      let durations = held.durations(in: zones)
      #expect(durations.map(\.band) == zones.bands)
      #expect(durations.reduce(into: SessionTime.zero) { $0 += $1.duration } == held.total)
    }
    #expect(held.total == SessionTime(nanoseconds: 256 * 257 / 2))
  }
}
