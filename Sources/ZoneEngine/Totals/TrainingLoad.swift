/// Training impulses of a session, in arbitrary units.
///
/// All are summed over the time that each displayed heart rate was held (by sample), never taken from the mean of the
/// session: in the test vector the two differ by 14 % (36.4 against 31.8). Where none was held they are unknown, not 0.
public enum TrainingLoad {
  /// Minutes in each fifth of 50–100 % of the maximum times 1…5; under 50 % nothing, over the maximum 5. `nil` when nothing
  /// was held.
  ///
  /// Source: Edwards 1993, *The Heart Rate Monitor Book*.
  public static func edwards(_ held: HeldHeartRate, maximum: MaximumHeartRate) -> Double? {
    let zones = HeartRateZones(percentOf: maximum)
    return held.weightedSeconds { bpm in
      switch zones.band(ofDisplayedBPM: bpm) {
      case .below: return 0
      case .zone(let number): return Double(number)
      case .aboveMaximum: return 5
      }
    }.map { $0 / 60 }
  }

  /// Minutes × x × 0.64·e^(1.92x) for men, × 0.86·e^(1.67x) for women; x is the fraction of the heart-rate reserve, at
  /// least 0 and not limited above. `nil` when nothing was held.
  ///
  /// Source: Banister 1991; women's coefficients as in Morton, Fitz-Clarke & Banister 1990. GoldenCheetah keeps 0.64 for
  /// women, which gives 26 % less.
  public static func banister(_ held: HeldHeartRate, restingBPM: Int, maximumBPM: Int, sex: Sex) -> Double? {
    held.weightedSeconds {
      banisterPerMinute(beatsPerMinute: Double($0), restingBPM: restingBPM, maximumBPM: maximumBPM, sex: sex)
    }.map { $0 / 60 }
  }

  /// The Banister impulse of one minute at a heart rate.
  ///
  /// - Precondition: `restingBPM` is below `maximumBPM`.
  public static func banisterPerMinute(
    beatsPerMinute: Double, restingBPM: Int, maximumBPM: Int, sex: Sex
  ) -> Double {
    precondition(restingBPM < maximumBPM, "the resting heart rate is below the maximum")
    let fraction = max(0, (beatsPerMinute - Double(restingBPM)) / Double(maximumBPM - restingBPM))
    switch sex {
    case .male: return fraction * 0.64 * LibraryMath.exp(1.92 * fraction)
    case .female: return fraction * 0.86 * LibraryMath.exp(1.67 * fraction)
    }
  }

  /// Minutes in zone 1, 2, 3 of a three-zone model times 1, 2, 3; `nil` for another model, and when nothing was held.
  ///
  /// Source: Lucía 2003.
  public static func lucia(_ held: HeldHeartRate, zones: HeartRateZones) -> Double? {
    guard case .threeZone = zones.model else { return nil }
    return held.weightedSeconds { bpm in
      guard case .zone(let number) = zones.band(ofDisplayedBPM: bpm) else { return 0 }
      return Double(number)
    }.map { $0 / 60 }
  }
}

/// Energy from the heart rate.
public enum EnergyExpenditure {
  /// Kilocalories each minute by heart rate, body mass and age; never negative.
  ///
  /// Source: Keytel 2005, 10.1080/02640410470001730089, the model without VO₂max: r = 0.857 with what was measured
  /// (0.913 with it), 115 people, age 18–45; fair in steady exercise at about 90–150 beats per minute, no use at rest.
  public static func keytelPerMinute(
    beatsPerMinute: Double, sex: Sex, weightKilograms: Double, ageYears: Int
  ) -> Double {
    let age = Double(ageYears)
    let kilojoules: Double
    switch sex {
    case .male:
      kilojoules = -55.0969 + 0.6309 * beatsPerMinute + 0.1988 * weightKilograms + 0.2017 * age
    case .female:
      kilojoules = -20.4022 + 0.4472 * beatsPerMinute - 0.1263 * weightKilograms + 0.0740 * age
    }
    return max(0, kilojoules / 4.184)
  }

  /// Kilocalories of all time that is covered by accepted heart rates; `nil` when there is no such time, and when sex, weight or age
  /// is unknown.
  public static func keytel(_ held: HeldHeartRate, athlete: Athlete) -> Double? {
    guard let sex = athlete.sex, let weight = athlete.weightKilograms, let age = athlete.ageYears else { return nil }
    return held.weightedSeconds {
      keytelPerMinute(beatsPerMinute: Double($0), sex: sex, weightKilograms: weight, ageYears: age)
    }.map { $0 / 60 }
  }
}
