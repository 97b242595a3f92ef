package import TextFormats
package import ZoneEngine

/// What is known of a person on the day of a session, and what the maximum heart rate is made from.
package struct AthleteProfile: Hashable, Sendable {
  /// Age in whole years, where it is given as such.
  package var ageYears: Int?
  /// The day of birth; gives the age on the day of a session.
  package var birthDate: CivilDate?
  /// Sex, for the formulas that ask for it.
  package var sex: Sex?
  /// Body mass in kilograms.
  package var weightKilograms: Double?
  /// Resting heart rate in beats per minute.
  package var restingHeartRate: Int?
  /// Known maximum heart rate in beats per minute; wins over every formula.
  package var maximumHeartRate: Int?
  /// Whether the known maximum was measured.
  package var maximumOrigin = ValueOrigin.measured
  /// Lactate-threshold heart rate in beats per minute.
  package var thresholdHeartRate: Int?
  /// The formula for the maximum when none is known.
  package var formula = MaximumHeartRateFormula.fox

  /// Lactate-threshold heart rates that are taken for real, in beats per minute.
  package static let plausibleThresholdHeartRates = 60...230

  /// Creates a profile of which nothing is known.
  package init() {}

  /// The age on a day: as given, else from the day of birth.
  package func age(on day: CivilDate?) -> Int? {
    if let ageYears { return ageYears }
    guard let birthDate, let day else { return nil }
    return birthDate.age(on: day)
  }

  /// The person as the engine knows one.
  ///
  /// - Throws: `ZoneError` for values that cannot be a person's.
  package func athlete(on day: CivilDate?) throws(ZoneError) -> Athlete {
    try Athlete(
      ageYears: age(on: day), sex: sex, weightKilograms: weightKilograms, restingHeartRate: restingHeartRate)
  }
}
